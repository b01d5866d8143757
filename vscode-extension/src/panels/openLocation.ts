// Goes to a place in the editor: in the one that shows the document already, otherwise in the given column.

import * as vscode from 'vscode';
import { cellOf, showCell } from '../model/notebookCells.ts';
import type { Range } from '../protocol.ts';

export function toRange(range: Range): vscode.Range {
  return new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

export async function openLocation(
  uri: string,
  range: Range,
  column?: vscode.ViewColumn,
  preserveFocus = false,
): Promise<void> {
  const target = vscode.Uri.parse(uri, true);
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === target.toString());
  const selection = toRange(range);
  const viewColumn = shown?.viewColumn ?? column ?? vscode.ViewColumn.One;
  const cell = cellOf(target);
  const editor = cell
    ? await showCell(cell, viewColumn, preserveFocus)
    : await vscode.window.showTextDocument(target, { viewColumn, preserveFocus });
  if (!editor) return;
  // The cursor is placed at the start of the range, so that a long range does not scroll the editor sideways.
  editor.selection = new vscode.Selection(selection.end, selection.start);
  editor.revealRange(
    new vscode.Range(selection.start, selection.start),
    vscode.TextEditorRevealType.InCenterIfOutsideViewport,
  );
}
