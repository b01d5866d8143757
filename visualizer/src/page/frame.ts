// The page around the editor: the header with its menus, the list of files, the panels.
import type { Theme } from '../host.ts';
import { targets } from '../model/chips.ts';
import { h, select } from '../ui/dom.ts';
import { themes } from './settings.ts';
import { splitter } from './splitter.ts';

export interface FrameParts {
  root: string; // the uri of the served folder
  theme: Theme;
  target: string;
  fileName: HTMLElement;
  status: HTMLElement;
  saveButton: HTMLElement;
  files: HTMLElement;
  middle: readonly HTMLElement[]; // from top to bottom
  panels: HTMLElement;
  quickOpen: HTMLElement;
  onTarget(target: string): void;
  onTheme(theme: Theme): void;
}

export function buildFrame(parts: FrameParts): void {
  const folder = decodeURIComponent(parts.root.replace(/^file:\/\//, ''));
  document.body.append(
    h(
      'header',
      { class: 'p-header' },
      h('span', { class: 'p-logo', attributes: { 'aria-hidden': 'true' } }, ...logoCells()),
      h('strong', {}, 'gluond'),
      h('span', { class: 'p-path', title: folder }, folder.split('/').pop() || folder),
      parts.fileName,
      h('span', { class: 'p-space' }),
      parts.status,
      select(
        'Target of launches that do not name one',
        [
          { value: '', text: 'Target: as imported' },
          ...targets.map(({ id, products }) => ({ value: id, text: `${id}  ${products}` })),
        ],
        parts.target,
        (value) => parts.onTarget(value),
      ),
      select('Theme', themes, parts.theme, (value) => parts.onTheme(value)),
      parts.saveButton,
    ),
    h(
      'main',
      { class: 'p-main' },
      parts.files,
      h('div', { class: 'p-middle' }, ...parts.middle),
      splitter(),
      parts.panels,
    ),
    parts.quickOpen,
  );
}

function logoCells(): HTMLElement[] {
  return Array.from({ length: 9 }, (_, i) => h('i', { class: `p-cell p-cell-${(i * 5 + Math.floor(i / 3)) % 4}` }));
}
