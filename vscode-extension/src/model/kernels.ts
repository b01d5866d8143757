// The kernels of documents and their specializations, from the server.
//
// One answer per document is kept until the document or the selection changes. Code that shows kernels listens to
// onDidChange and requests them again.

import * as vscode from 'vscode';
import type { Server } from '../client/server.ts';
import type { KernelInfo, SpecializationInfo, SpecializationsResult } from '../protocol.ts';
import { schemes } from '../documentSchemes.ts';

const none: SpecializationsResult = { kernels: [] };

export class Kernels implements vscode.Disposable {
  private readonly answers = new Map<string, Promise<SpecializationsResult>>();
  private readonly changeEmitter = new vscode.EventEmitter<vscode.Uri | undefined>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly subscriptions: vscode.Disposable[] = [];

  // The document whose kernels may have changed; undefined for all documents.
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly server: Server) {
    this.subscriptions.push(
      this.changeEmitter,
      server.onDidChangeState(() => this.forgetAll()),
      server.onDidConfigure(() => this.forgetAll()),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.languageId === 'python' && event.contentChanges.length > 0) this.later(event.document.uri);
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.later(document.uri)),
      // The server publishes again whenever its information about a document changed: records were written, an import
      // was edited.
      vscode.languages.onDidChangeDiagnostics((event) =>
        event.uris.forEach((uri) => this.answers.has(uri.toString()) && this.later(uri)),
      ),
    );
    const records = vscode.workspace.createFileSystemWatcher('**/*.launches.jsonl');
    this.subscriptions.push(
      records,
      records.onDidChange(() => this.forgetAll()),
      records.onDidCreate(() => this.forgetAll()),
      records.onDidDelete(() => this.forgetAll()),
    );
  }

  // The kernels in the order of the file. There are none if the server is not there or knows none.
  async of(uri: vscode.Uri): Promise<readonly KernelInfo[]> {
    return (await this.about(uri)).kernels;
  }

  // The server's answer about a document: its kernels, and the release of Triton that it is checked against.
  about(uri: vscode.Uri): Promise<SpecializationsResult> {
    if (!schemes.includes(uri.scheme) || this.server.state.kind !== 'running') return Promise.resolve(none);
    const key = uri.toString();
    let answer = this.answers.get(key);
    if (!answer) {
      answer = this.server.request('gluond/specializations', { textDocument: { uri: key } }).catch((error: unknown) => {
        this.server.output.warn(`gluond/specializations: ${String(error)}`);
        this.answers.delete(key);
        return none;
      });
      this.answers.set(key, answer);
    }
    return answer;
  }

  // Undefined lets gluond choose again.
  async select(uri: vscode.Uri, kernel: string, specialization: SpecializationInfo | undefined): Promise<void> {
    const key = uri.toString();
    const result = await this.server.request('gluond/selectSpecialization', {
      textDocument: { uri: key },
      kernel,
      ...(specialization ? { specialization: specialization.id } : {}),
    });
    this.answers.set(key, Promise.resolve(result));
    this.changeEmitter.fire(uri);
  }

  forgetAll(): void {
    this.answers.clear();
    this.changeEmitter.fire(undefined);
  }

  dispose(): void {
    this.timers.forEach(clearTimeout);
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  // Tells a change after a pause in typing.
  private later(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => {
        this.timers.delete(key);
        this.answers.delete(key);
        this.changeEmitter.fire(uri);
      }, 250),
    );
  }
}
