// The user's current document and kernel: those under the cursor of the Python editor that was active last.
//
// Panels take the focus from the editor; they keep showing the editor that they were opened from.

import * as vscode from 'vscode';
import type { KernelInfo, Place } from '../protocol.ts';
import type { Kernels } from './kernels.ts';
import { schemes } from '../documentSchemes.ts';
import { kernelAt } from './pick.ts';

// "3.8", and what chose it; undefined for the default.
export interface Release {
  name: string;
  because: string | undefined;
}

const isOurs = (editor: vscode.TextEditor) => schemes.includes(editor.document.uri.scheme);
const isPython = (editor: vscode.TextEditor) => isOurs(editor) && editor.document.languageId === 'python';

// After a reload of the window a panel may have the focus: then the editor beside it is meant.
const editorInSight = () => vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.find(isPython);

export class ActiveKernel implements vscode.Disposable {
  private last: vscode.TextEditor | undefined;
  private known: readonly KernelInfo[] = [];
  private release: Release | undefined;
  private timer: NodeJS.Timeout | undefined;
  private again = false;
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[] = [];

  // Fires about 50 ms after the editor, the cursor or the kernels changed for the last time; at once for a cursor that
  // moves after a rest.
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly kernels: Kernels) {
    this.subscriptions.push(
      this.changeEmitter,
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        // No editor is active while a panel has the focus: the last one stays.
        if (editor || vscode.window.visibleTextEditors.length === 0) this.turnTo(editor);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        if (!this.last) this.turnTo(editorInSight());
      }),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor === vscode.window.activeTextEditor) this.turnTo(event.textEditor, true);
      }),
      kernels.onDidChange((uri) => {
        if (!uri || uri.toString() === this.last?.document.uri.toString()) this.later();
      }),
    );
    this.turnTo(editorInSight());
  }

  // The editor's document, while it shows Python.
  get editor(): vscode.TextEditor | undefined {
    return this.last;
  }

  get all(): readonly KernelInfo[] {
    return this.known;
  }

  // The release of Triton that the document is checked against, if it uses Gluon.
  get triton(): Release | undefined {
    return this.release;
  }

  get kernel(): KernelInfo | undefined {
    return this.last && kernelAt(this.known, this.last.selection.active);
  }

  get place(): Place | undefined {
    if (!this.last) return undefined;
    const { document, selection } = this.last;
    return {
      uri: document.uri.toString(),
      version: document.version,
      position: { line: selection.active.line, character: selection.active.character },
    };
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  // `atOnce` is true if only the cursor moved, so that no request is needed.
  private turnTo(editor: vscode.TextEditor | undefined, atOnce = false): void {
    if (editor && !isOurs(editor)) return; // an output channel, a comparison
    const python = editor && isPython(editor) ? editor : undefined;
    if (!python || python.document !== this.last?.document) {
      this.known = [];
      this.release = undefined;
    }
    this.last = python;
    this.later(atOnce);
  }

  private later(atOnce = false): void {
    if (atOnce && this.timer === undefined) void this.update();
    else this.again = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (!this.again) return;
      this.again = false;
      void this.update();
    }, 50);
  }

  private async update(): Promise<void> {
    const editor = this.last;
    const about = editor && (await this.kernels.about(editor.document.uri));
    if (editor !== this.last) return;
    this.known = about?.kernels ?? [];
    this.release = about?.triton === undefined ? undefined : { name: about.triton, because: about.tritonBecause };
    void vscode.commands.executeCommand('setContext', 'gluond.hasKernels', this.known.length > 0);
    this.changeEmitter.fire();
  }
}
