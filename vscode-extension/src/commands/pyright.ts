// Silences wrong reports of Pyright and Pylance about kernels, in the active file.
//
// Gluon's kernels are Python that a type checker cannot follow: a layout is passed where a constexpr is declared,
// launches take options that the function does not have, a loop runs over gl.static_range. One comment at the top of
// the file turns off the rules that fire on right kernels; gluond checks what they would have checked.

import * as vscode from 'vscode';
import { pyrightComment, pyrightLine } from './pyrightRules.ts';

export async function quietPyright(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'python') {
    void vscode.window.showInformationMessage('Open a Python file first.');
    return;
  }
  const line = pyrightLine(editor.document.getText());
  if (line === undefined) {
    void vscode.window.showInformationMessage('This file already has a pyright comment.');
    return;
  }
  await editor.edit((edit) => edit.insert(new vscode.Position(line, 0), `${pyrightComment}\n`));
}
