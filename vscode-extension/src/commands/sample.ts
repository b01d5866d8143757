// Opens a kernel to try things on: a copy of our own, so that it can be edited.

import * as vscode from 'vscode';

export async function openSample(context: vscode.ExtensionContext): Promise<void> {
  const folder = context.globalStorageUri;
  await vscode.workspace.fs.createDirectory(folder);
  const copy = vscode.Uri.joinPath(folder, 'first_kernel.py');
  const original = vscode.Uri.joinPath(context.extensionUri, 'media', 'first_kernel.py');
  // A copy that the user edited is kept.
  if (!(await exists(copy))) await vscode.workspace.fs.copy(original, copy);
  await vscode.window.showTextDocument(copy, { viewColumn: vscode.ViewColumn.One });
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
