// The interface of the program that shows a panel: an editor connected to gluond's language server.
//
// There are two implementations: host/webview.ts (VS Code's webview; its messages are ToExtension and ToPanel below,
// and the extension answers them) and page/host.ts (the page of `gluond serve`, next to a Monaco editor). A panel
// depends on this file only.
//
// Lines and positions are LSP's: 0-based, UTF-16.

import type { Methods, Range, WorkspaceEdit } from './protocol.ts';

export interface Disposable {
  dispose(): void;
}

// Messages from the host to a panel, without an answer.
export interface Notifications {
  // The panel to show, and its subject. It is the first message to a new webview, and is sent again whenever the user
  // opens a panel. `action` is an action to start at once (for the lenses "Run" and "Benchmark").
  'panel/show': {
    panel: PanelId;
    place?: Place;
    kernel?: string;
    specialization?: string;
    expression?: string;
    action?: 'run' | 'benchmark';
    // The part of the timeline to show: a finding, by its code, and its line (0-based) or not.
    code?: string;
    line?: number;
  };
  // The cursor of the editor that is in front moved (at once after a rest, then when it rests again for about 50 ms).
  'panel/cursor': Place;
  // A document was edited, or what is known about it changed (a specialization was selected, records were written).
  'panel/changed': { uri: string; version: number };
  // A debugger went to a moment of a run. A kernel or specialization that its configuration does not name is undefined.
  'panel/moment': DebuggedMoment;
}

export interface Place {
  uri: string;
  version: number;
  position: { line: number; character: number };
}

export type PanelId = 'layout' | 'access' | 'conversion' | 'shared' | 'playground' | 'ir' | 'timeline' | 'benchmark';
export const panelIds: readonly PanelId[] = [
  'layout',
  'access',
  'conversion',
  'shared',
  'playground',
  'ir',
  'timeline',
  'benchmark',
];

// A moment of a simulated run: a number of steps of one program under one schedule.
export interface Moment {
  uri: string;
  kernel: string;
  specialization: string;
  program: string; // "0,0,0"
  schedule: string;
  moment: number;
}

// A moment that the debugger stands at.
export type DebuggedMoment = Omit<Moment, 'kernel' | 'specialization'> & { kernel?: string; specialization?: string };

export interface Host {
  // A request to the language server. Rejects with an Error whose message is for the user.
  request<M extends keyof Methods>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']>;
  onNotification<N extends keyof Notifications>(name: N, handler: (params: Notifications[N]) => void): Disposable;
  // Shows a place in the editor and selects it. With `preserveFocus` the keyboard stays in the panel.
  openLocation(uri: string, range: Range, options?: { preserveFocus?: boolean }): void;
  // Marks whole lines of a document (IR <-> source); an empty list clears them.
  highlightLines(uri: string, lines: number[]): void;
  // Applies an edit to the documents, which can be undone. Returns false if a document changed in the meantime, or
  // cannot be written.
  applyEdit(edit: WorkspaceEdit): Promise<boolean>;
  // Offers a file to the user (export of a picture).
  saveFile(name: string, mimeType: string, data: Uint8Array): Promise<void>;
  readonly theme: Theme;
  onThemeChanged(handler: (theme: Theme) => void): Disposable;
  // Takes a debugger of the same run to this moment, if there is one.
  seekDebugger?(moment: Moment): void;
  // The state that the panel finds again when it is shown next. It must be small, and JSON.
  getState(): unknown;
  setState(state: unknown): void;
}

export type Theme = 'light' | 'dark' | 'high-contrast' | 'high-contrast-light';

// ---------------------------------------------------------------- the webview's messages (postMessage, both ways)

// From the panel to the extension. Those with an `id` are answered by a `response`.
export type ToExtension =
  | { kind: 'ready' } // the panel listens now; the extension sends panel/show, then panel/cursor
  | { kind: 'request'; id: number; method: string; params: unknown }
  | { kind: 'applyEdit'; id: number; edit: WorkspaceEdit } // response: result true or false
  | { kind: 'saveFile'; id: number; name: string; mimeType: string; base64: string } // response: result null
  | { kind: 'openLocation'; uri: string; range: Range; preserveFocus: boolean }
  | { kind: 'highlightLines'; uri: string; lines: number[] }
  | { kind: 'seekDebugger'; moment: Moment };

// From the extension to the panel.
export type ToPanel =
  | { kind: 'response'; id: number; result: unknown }
  | { kind: 'response'; id: number; error: string }
  | { kind: 'notification'; method: keyof Notifications; params: unknown };
