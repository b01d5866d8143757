// The extension's settings. package.json documents each; settingNames.ts says which are the server's.

import * as vscode from 'vscode';
import { explicitSettings } from './settingNames.ts';

export function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('gluond');
}

// Language servers for Python, by their extensions.
const pythonServers = [
  'ms-python.vscode-pylance',
  'ms-pyright.pyright',
  'detachhead.basedpyright',
  'anysphere.cursorpyright',
  'ms-python.python',
];

export function serverSettings(): Record<string, unknown> {
  const configuration = settings();
  const set = explicitSettings((name) => configuration.inspect(name));
  // If there is another Python server, nothing is shown twice.
  if (set['besidePython'] === undefined && pythonServers.some((id) => vscode.extensions.getExtension(id)))
    set['besidePython'] = true;
  return set;
}

// Sets it for the workspace if there is one. Undefined removes the setting.
export async function setTarget(target: string | undefined): Promise<void> {
  const scope = vscode.workspace.workspaceFolders?.length
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await settings().update('target', target, scope);
}
