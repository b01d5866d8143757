// Cells of notebooks, which VS Code treats as documents of their own.

import * as vscode from 'vscode';

// The cell that a document is; undefined for other documents.
export function cellOf(uri: vscode.Uri): vscode.NotebookCell | undefined {
  if (uri.scheme !== 'vscode-notebook-cell') return undefined;
  const name = uri.toString();
  for (const notebook of vscode.workspace.notebookDocuments)
    for (const cell of notebook.getCells()) if (cell.document.uri.toString() === name) return cell;
  return undefined;
}

// Shows a cell in its notebook, and returns its editor.
export async function showCell(
  cell: vscode.NotebookCell,
  viewColumn: vscode.ViewColumn,
  preserveFocus: boolean,
): Promise<vscode.TextEditor | undefined> {
  const range = new vscode.NotebookRange(cell.index, cell.index + 1);
  const notebook = await vscode.window.showNotebookDocument(cell.notebook, {
    viewColumn,
    preserveFocus,
    selections: [range],
  });
  notebook.revealRange(range, vscode.NotebookEditorRevealType.InCenterIfOutsideViewport);
  // The editors of cells appear when they are drawn.
  for (let attempt = 0; attempt < 20; attempt++) {
    const editor = vscode.window.visibleTextEditors.find((each) => each.document === cell.document);
    if (editor) return editor;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}
