// Applies an edit that a panel made, as one undoable step.

import * as vscode from 'vscode';
import type { WorkspaceEdit } from '../protocol.ts';
import { toRange } from './openLocation.ts';

interface Change {
  textDocument: { uri: string; version?: number | null };
  edits: { range: Parameters<typeof toRange>[0]; newText: string }[];
}

// Returns false if a document has another version than the edit was made for, or if the editor refuses.
export async function applyEdit(edit: WorkspaceEdit): Promise<boolean> {
  const { changes, documentChanges } = edit as unknown as {
    changes?: Record<string, Change['edits']>;
    documentChanges?: Change[];
  };
  const all: Change[] =
    documentChanges ?? Object.entries(changes ?? {}).map(([uri, edits]) => ({ textDocument: { uri }, edits }));
  const made = new vscode.WorkspaceEdit();
  for (const change of all) {
    const uri = vscode.Uri.parse(change.textDocument.uri, true);
    const document = await vscode.workspace.openTextDocument(uri);
    const { version } = change.textDocument;
    if (version !== undefined && version !== null && version !== document.version) return false;
    made.set(
      uri,
      change.edits.map(({ range, newText }) => vscode.TextEdit.replace(toRange(range), newText)),
    );
  }
  return vscode.workspace.applyEdit(made);
}
