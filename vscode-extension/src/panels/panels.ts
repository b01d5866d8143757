// The webview with the panels: opens it, sends it editor events, executes its requests.
//
// One view holds all panels as tabs. visualizer/src/host.ts defines the messages; messages.ts validates those that
// arrive.

import * as crypto from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../client/server.ts';
import { seekDebugger } from '../debug/debugging.ts';
import type { ActiveKernel } from '../model/activeKernel.ts';
import type { Kernels } from '../model/kernels.ts';
import { panelIds } from '../../../visualizer/src/host.ts';
import { messageOf } from '../../../visualizer/src/model/words.ts';
import type { DebuggedMoment, Notifications, PanelId, Place, ToExtension, ToPanel } from '../protocol.ts';
import { settings } from '../settings.ts';
import { applyEdit } from './applyEdit.ts';
import { Highlights } from './highlights.ts';
import { panelsPage } from './html.ts';
import { readMessage } from './messages.ts';
import { openLocation } from './openLocation.ts';

export type Show = Notifications['panel/show'];

const viewType = 'gluond.panels';

export class Panels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private isReady = false;
  // The panel to show once the page listens.
  private pending: Show | undefined;
  private lastCursor = '';
  private readonly highlights = new Highlights();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly server: Server,
    private readonly kernels: Kernels,
    private readonly active: ActiveKernel,
  ) {
    this.subscriptions = [
      this.highlights,
      vscode.window.registerWebviewPanelSerializer(viewType, this),
      active.onDidChange(() => this.followCursor()),
      kernels.onDidChange((uri) => this.tellChanged(uri)),
      server.onDidChangeState((state) => state.kind === 'running' && this.tellChanged(undefined)),
    ];
  }

  // Opens a panel next to the editor, for a place or a kernel.
  show(panel: PanelId, about: Omit<Show, 'panel'> = {}): void {
    const show: Show = { panel, ...about };
    if (!this.panel) {
      this.pending = show;
      this.adopt(
        vscode.window.createWebviewPanel(
          viewType,
          'gluond',
          { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
          { ...this.options(), retainContextWhenHidden: true, enableFindWidget: true },
        ),
      );
      return;
    }
    this.panel.reveal(undefined, true);
    if (this.isReady) this.notify('panel/show', show);
    else this.pending = show;
  }

  // Called after a restart of the window. The page finds its own state again.
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    panel.webview.options = this.options();
    this.pending = { panel: panelOf(state) ?? 'layout', ...this.here() };
    this.adopt(panel);
  }

  dispose(): void {
    this.panel?.dispose();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    this.isReady = false;
    panel.iconPath = {
      light: vscode.Uri.joinPath(this.extensionUri, 'media', 'panel-light.svg'),
      dark: vscode.Uri.joinPath(this.extensionUri, 'media', 'panel-dark.svg'),
    };
    panel.webview.onDidReceiveMessage((message) => void this.receive(message));
    panel.onDidDispose(() => {
      if (this.panel !== panel) return;
      this.panel = undefined;
      this.highlights.clear();
    });
    const { webview } = panel;
    const file = (name: string) =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.extensionUri, 'dist', name)).toString();
    webview.html = panelsPage({
      script: file('panels.js'),
      style: file('panels.css'),
      cspSource: webview.cspSource,
      nonce: crypto.randomBytes(18).toString('base64url'),
    });
  }

  private options(): vscode.WebviewOptions {
    return {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [vscode.Uri.joinPath(this.extensionUri, 'dist')],
    };
  }

  private async receive(raw: unknown): Promise<void> {
    const message = readMessage(raw);
    if (!message) {
      this.server.output.warn('a panel sent an unknown message');
      return;
    }
    switch (message.kind) {
      case 'ready':
        this.isReady = true;
        // A panel that was opened about a place follows the cursor again once it moves.
        this.lastCursor = this.pending?.place ? JSON.stringify(this.active.place) : '';
        this.notify('panel/show', this.pending ?? { panel: 'layout', ...this.here() });
        this.pending = undefined;
        this.followCursor();
        return;
      case 'openLocation':
        await openLocation(message.uri, message.range, this.active.editor?.viewColumn, message.preserveFocus);
        return;
      case 'highlightLines':
        this.highlights.set(message.uri, message.lines);
        return;
      case 'seekDebugger':
        await seekDebugger(message.moment);
        return;
      default:
        await this.answer(message.id, () => this.perform(message));
    }
  }

  private async perform(message: Extract<ToExtension, { id: number }>): Promise<unknown> {
    switch (message.kind) {
      case 'request': {
        // All other requests only read.
        if (message.method === 'gluond/benchmark' && !vscode.workspace.isTrusted)
          throw new Error(
            'This folder is not trusted, so its kernels cannot be run. Trust it with the command "Workspaces: Manage Workspace Trust".',
          );
        const result = await this.server.request(message.method as never, message.params as never);
        // The editor follows a choice that is made in a panel.
        if (message.method === 'gluond/selectSpecialization') this.kernels.forgetAll();
        return result;
      }
      case 'applyEdit':
        return applyEdit(message.edit);
      case 'saveFile':
        await saveFile(message.name, message.base64);
        return null;
    }
  }

  private async answer(id: number, work: () => Promise<unknown>): Promise<void> {
    let answer: ToPanel;
    try {
      answer = { kind: 'response', id, result: await work() };
    } catch (error) {
      answer = { kind: 'response', id, error: messageOf(error) };
    }
    void this.panel?.webview.postMessage(answer);
  }

  // The timeline goes to the moment at which the debugger stands.
  followDebugger(moment: DebuggedMoment): void {
    if (this.isReady) this.notify('panel/moment', moment);
  }

  private notify<N extends keyof Notifications>(method: N, params: Notifications[N]): void {
    const message: ToPanel = { kind: 'notification', method, params };
    void this.panel?.webview.postMessage(message);
  }

  private here(): { place?: Place } {
    const place = this.active.place;
    return place ? { place } : {};
  }

  private followCursor(): void {
    if (!this.isReady || !this.panel?.visible || !settings().get<boolean>('panels.followCursor', true)) return;
    const place = this.active.place;
    const key = JSON.stringify(place);
    if (!place || key === this.lastCursor) return;
    this.lastCursor = key;
    this.notify('panel/cursor', place);
  }

  private tellChanged(uri: vscode.Uri | undefined): void {
    if (!this.isReady) return;
    const document = uri
      ? vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString())
      : this.active.editor?.document;
    if (document) this.notify('panel/changed', { uri: document.uri.toString(), version: document.version });
  }
}

function panelOf(state: unknown): PanelId | undefined {
  const panel = typeof state === 'object' && state !== null ? (state as { panel?: unknown }).panel : undefined;
  return panelIds.find((known) => known === panel);
}

async function saveFile(name: string, base64: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {}),
  });
  if (uri) await vscode.workspace.fs.writeFile(uri, Buffer.from(base64, 'base64'));
}
