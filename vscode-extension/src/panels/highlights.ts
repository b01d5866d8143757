// Lines that a panel marks in the editors: those the IR line under the pointer was made from.

import * as vscode from 'vscode';

export class Highlights implements vscode.Disposable {
  private uri = '';
  private lines: readonly number[] = [];
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.findMatchForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  private readonly subscription = vscode.window.onDidChangeVisibleTextEditors(() => this.draw());

  set(uri: string, lines: readonly number[]): void {
    this.uri = uri;
    this.lines = lines;
    this.draw();
    const first = lines[0];
    if (first === undefined) return;
    for (const editor of this.editors())
      editor.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  clear(): void {
    this.set('', []);
  }

  dispose(): void {
    this.subscription.dispose();
    this.decoration.dispose();
  }

  private editors(): readonly vscode.TextEditor[] {
    return vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === this.uri);
  }

  private draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const lines = editor.document.uri.toString() === this.uri ? this.lines : [];
      const shown = lines.filter((line) => line < editor.document.lineCount);
      editor.setDecorations(
        this.decoration,
        shown.map((line) => editor.document.lineAt(line).range),
      );
    }
  }
}
