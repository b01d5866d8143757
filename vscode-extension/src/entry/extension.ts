// Wires the parts together; the parts know one another through this file only.

import * as vscode from 'vscode';
import { Server, type ServerState } from '../client/server.ts';
import { registerCommands } from '../commands/commands.ts';
import { registerDebugging } from '../debug/debugging.ts';
import { registerTimelineActions } from '../debug/timelineActions.ts';
import { ActiveKernel } from '../model/activeKernel.ts';
import { GluonFiles } from '../model/gluonFiles.ts';
import { Kernels } from '../model/kernels.ts';
import { Panels } from '../panels/panels.ts';
import { KernelTree } from '../views/kernelTree.ts';
import { StatusBar } from '../views/statusBar.ts';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel('gluond', { log: true });
  const server = new Server(context.extensionPath, output);
  const kernels = new Kernels(server);
  const files = new GluonFiles();
  const active = new ActiveKernel(kernels);
  const panels = new Panels(context.extensionUri, server, kernels, active);
  context.subscriptions.push(
    output,
    server,
    kernels,
    files,
    active,
    panels,
    new StatusBar(server, active),
    new KernelTree(kernels, files, active),
    registerDebugging(server, kernels, active, (moment) => panels.followDebugger(moment)),
    registerTimelineActions(),
    registerCommands({ context, server, kernels, active, panels }),
    server.onDidChangeState(tellFailure),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void server.environmentChanged()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      // The server requests the other settings itself.
      if (event.affectsConfiguration('gluond.server')) void server.restart();
    }),
  );
  await server.start();
}

// Shows once for each failure what the user can do about it.
function tellFailure(state: ServerState): void {
  if (state.kind !== 'failed') return;
  const actions = state.missing ? ['Set the Path', 'Show Output'] : ['Restart', 'Show Output'];
  void vscode.window.showErrorMessage(state.message, ...actions).then((chosen) => {
    if (chosen === 'Set the Path')
      void vscode.commands.executeCommand('workbench.action.openSettings', 'gluond.server.path');
    else if (chosen === 'Restart') void vscode.commands.executeCommand('gluond.restartServer');
    else if (chosen === 'Show Output') void vscode.commands.executeCommand('gluond.showOutput');
  });
}
