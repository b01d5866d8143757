// The Python environment that is selected in Microsoft's Python extension, if that is installed.

import * as path from 'node:path';
import * as vscode from 'vscode';

// The part of that extension's interface that is used (its package is @vscode/python-extension).
interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath(listener: () => void): vscode.Disposable;
  };
}

// An extension that does not answer must not keep gluond from starting.
const patience = 10_000;

export class PythonEnvironment implements vscode.Disposable {
  // The folder of its interpreter; '' if none is known.
  folder = '';
  private subscription: vscode.Disposable | undefined;

  constructor(private readonly changed: () => void) {}

  // Whether the Python extension has been started already.
  get isActive(): boolean {
    return vscode.extensions.getExtension('ms-python.python')?.isActive ?? false;
  }

  // Asks the Python extension, which is started for it. Never throws.
  async ask(): Promise<void> {
    try {
      await Promise.race([this.read(), new Promise((resolve) => setTimeout(resolve, patience))]);
    } catch {
      this.folder = '';
    }
  }

  private async read(): Promise<void> {
    const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
    if (!extension) return;
    const { environments } = await extension.activate();
    this.subscription ??= environments.onDidChangeActiveEnvironmentPath(() => void this.ask().then(this.changed));
    const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath());
    const executable = environment?.executable.uri?.fsPath;
    this.folder = executable ? path.dirname(executable) : '';
  }

  dispose(): void {
    this.subscription?.dispose();
  }
}
