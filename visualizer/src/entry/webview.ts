// dist/panels.js: the panels in VS Code's webview.
import { panelIds, type PanelId } from '../host.ts';
import { isWebview, WebviewHost } from '../host/webview.ts';
import { Panels } from '../panels/app.ts';

const root = document.getElementById('gluond-panels');
if (root && isWebview()) {
  const wanted = (root.dataset['panels'] ?? '')
    .split(/\s+/)
    .filter((id): id is PanelId => panelIds.includes(id as PanelId));
  const host = new WebviewHost();
  new Panels(root, host, wanted.length ? wanted : panelIds);
  host.start();
}
