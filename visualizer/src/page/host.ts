// The host that is this page: Monaco for the editor, the websocket for the server, a download for a saved picture.
import type { Disposable, Host, Notifications, Theme } from '../host.ts';
import { Listeners } from '../host/listeners.ts';
import type { Methods, Range, WorkspaceEdit } from '../protocol.ts';
import { contentModified, RpcError, type LanguageClient } from './lsp.ts';

export interface EditorSide {
  openLocation(uri: string, range: Range, preserveFocus: boolean): void;
  highlightLines(uri: string, lines: number[]): void;
  applyEdit(edit: WorkspaceEdit): Promise<boolean>;
}

export class PageHost implements Host {
  private readonly listeners = new Listeners();

  constructor(
    private readonly client: LanguageClient,
    private readonly editor: EditorSide,
    public theme: Theme,
  ) {}

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.listeners.changeTheme(theme);
  }
  emit<N extends keyof Notifications>(name: N, params: Notifications[N]): void {
    this.listeners.notify(name, params);
  }

  async request<M extends keyof Methods>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
    for (let tries = 0; ; ++tries) {
      try {
        return await this.client.request(method, params);
      } catch (error) {
        // There was an edit in between. The request is repeated for the new text.
        if (tries < 3 && error instanceof RpcError && error.code === contentModified) continue;
        throw error;
      }
    }
  }
  onNotification<N extends keyof Notifications>(name: N, handler: (params: Notifications[N]) => void): Disposable {
    return this.listeners.onNotification(name, handler);
  }
  openLocation(uri: string, range: Range, options?: { preserveFocus?: boolean }): void {
    this.editor.openLocation(uri, range, options?.preserveFocus ?? false);
  }
  highlightLines(uri: string, lines: number[]): void {
    this.editor.highlightLines(uri, lines);
  }
  applyEdit(edit: WorkspaceEdit): Promise<boolean> {
    return this.editor.applyEdit(edit);
  }
  async saveFile(name: string, mimeType: string, data: Uint8Array): Promise<void> {
    const url = URL.createObjectURL(new Blob([data as BlobPart], { type: mimeType }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
  onThemeChanged(handler: (theme: Theme) => void): Disposable {
    return this.listeners.onThemeChanged(handler);
  }
  getState(): unknown {
    try {
      return JSON.parse(sessionStorage.getItem('gluond.panel') ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }
  setState(state: unknown): void {
    sessionStorage.setItem('gluond.panel', JSON.stringify(state));
  }
}
