// The files of the workspace that may contain kernels: Python that mentions gluon.
//
// Found by reading, once and after changes on disk; bounded, so that a huge workspace costs no more than seconds in the
// background.

import * as vscode from 'vscode';
import { schemes } from '../documentSchemes.ts';

const excluded = '{**/node_modules/**,**/.*/**,**/site-packages/**,**/venv/**,**/__pycache__/**,**/build/**}';
const maxFiles = 4_000;
const maxBytes = 1_000_000;
const atOnce = 16;

export class GluonFiles implements vscode.Disposable {
  private found: Promise<vscode.Uri[]> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[] = [this.changeEmitter];
  readonly onDidChange = this.changeEmitter.event;

  constructor() {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.py');
    this.subscriptions.push(
      watcher,
      watcher.onDidCreate(() => this.later()),
      watcher.onDidDelete(() => this.later()),
      watcher.onDidChange(() => this.later()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.later()),
      vscode.workspace.onDidOpenTextDocument(
        (document) => document.languageId === 'python' && this.changeEmitter.fire(),
      ),
      vscode.workspace.onDidCloseTextDocument(
        (document) => document.languageId === 'python' && this.changeEmitter.fire(),
      ),
    );
  }

  // The files found and the open documents, sorted by path.
  async all(): Promise<vscode.Uri[]> {
    this.found ??= search();
    const open = vscode.workspace.textDocuments
      .filter(
        (document) =>
          document.languageId === 'python' &&
          schemes.includes(document.uri.scheme) &&
          mentionsGluon(document.getText()),
      )
      .map((document) => document.uri);
    const byName = new Map([...(await this.found), ...open].map((uri) => [uri.toString(), uri]));
    return [...byName.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.found = undefined;
      this.changeEmitter.fire();
    }, 1_000);
  }
}

async function search(): Promise<vscode.Uri[]> {
  const candidates = await vscode.workspace.findFiles('**/*.py', excluded, maxFiles);
  const found: vscode.Uri[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < candidates.length) {
      const uri = candidates[next++]!;
      if (await holdsGluon(uri)) found.push(uri);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}

async function holdsGluon(uri: vscode.Uri): Promise<boolean> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > maxBytes) return false;
    return mentionsGluon(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
  } catch {
    return false; // deleted meanwhile, or not readable for us
  }
}

function mentionsGluon(text: string): boolean {
  return /\bgluon\b/.test(text);
}
