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
  // With another Python server beside it, nothing is to be seen twice.
  if (set['besidePython'] === undefined && pythonServers.some((id) => vscode.extensions.getExtension(id)))
    set['besidePython'] = true;
  return set;
}

// Where there is a workspace, for it; undefined: as if never set.
export async function setTarget(target: string | undefined): Promise<void> {
  const scope = vscode.workspace.workspaceFolders?.length
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  await settings().update('target', target, scope);
}
