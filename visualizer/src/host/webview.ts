// The host that is VS Code: messages to the extension, the theme from the classes that VS Code gives the body.
import type { Disposable, Host, Moment, Notifications, Theme, ToExtension, ToPanel } from '../host.ts';
import type { Methods, Range, WorkspaceEdit } from '../protocol.ts';
import { Listeners } from './listeners.ts';

interface VsCodeApi {
  postMessage(message: ToExtension): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare global {
  // VS Code gives this to every webview; callable once.
  function acquireVsCodeApi(): VsCodeApi;
}

export function isWebview(): boolean {
  return typeof globalThis.acquireVsCodeApi === 'function';
}

function themeOfBody(body: HTMLElement): Theme {
  const has = (name: string) => body.classList.contains(name);
  if (has('vscode-high-contrast-light')) return 'high-contrast-light';
  if (has('vscode-high-contrast')) return 'high-contrast';
  return has('vscode-light') ? 'light' : 'dark';
}

function bytesToBase64(data: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < data.length; i += 0x8000) binary += String.fromCharCode(...data.subarray(i, i + 0x8000));
  return btoa(binary);
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class WebviewHost implements Host {
  private readonly api = acquireVsCodeApi();
  private readonly pending = new Map<number, Pending>();
  private readonly listeners = new Listeners();
  private nextId = 1;
  theme = themeOfBody(document.body);

  constructor() {
    window.addEventListener('message', (event: MessageEvent<ToPanel>) => this.receive(event.data));
    new MutationObserver(() => {
      const theme = themeOfBody(document.body);
      if (theme === this.theme) return;
      this.theme = theme;
      this.listeners.changeTheme(theme);
    }).observe(document.body, { attributes: true, attributeFilter: ['class'] });
  }

  // Called after the panels have registered their handlers.
  start(): void {
    this.api.postMessage({ kind: 'ready' });
  }

  request<M extends keyof Methods>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
    return this.ask((id) => ({ kind: 'request', id, method, params })) as Promise<Methods[M]['result']>;
  }

  onNotification<N extends keyof Notifications>(name: N, handler: (params: Notifications[N]) => void): Disposable {
    return this.listeners.onNotification(name, handler);
  }

  openLocation(uri: string, range: Range, options?: { preserveFocus?: boolean }): void {
    this.api.postMessage({ kind: 'openLocation', uri, range, preserveFocus: options?.preserveFocus ?? false });
  }

  highlightLines(uri: string, lines: number[]): void {
    this.api.postMessage({ kind: 'highlightLines', uri, lines });
  }

  seekDebugger(moment: Moment): void {
    this.api.postMessage({ kind: 'seekDebugger', moment });
  }

  applyEdit(edit: WorkspaceEdit): Promise<boolean> {
    return this.ask((id) => ({ kind: 'applyEdit', id, edit })) as Promise<boolean>;
  }

  async saveFile(name: string, mimeType: string, data: Uint8Array): Promise<void> {
    await this.ask((id) => ({ kind: 'saveFile', id, name, mimeType, base64: bytesToBase64(data) }));
  }

  onThemeChanged(handler: (theme: Theme) => void): Disposable {
    return this.listeners.onThemeChanged(handler);
  }

  getState(): unknown {
    return this.api.getState();
  }

  setState(state: unknown): void {
    this.api.setState(state);
  }

  private ask(make: (id: number) => ToExtension): Promise<unknown> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.api.postMessage(make(id));
    });
  }

  private receive(message: ToPanel): void {
    if (message?.kind === 'response') {
      const pending = this.pending.get(message.id);
      this.pending.delete(message.id);
      if ('error' in message) pending?.reject(new Error(message.error));
      else pending?.resolve(message.result);
    } else if (message?.kind === 'notification') {
      this.listeners.notify(message.method, message.params);
    }
  }
}
