// The extension's settings. package.json documents each; settingNames.ts says which are the server's.

import * as vscode from 'vscode';
import { explicitSettings } from './settingNames.ts';

export function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('gluond');
}

export function serverSettings(): Record<string, unknown> {
  const configuration = settings();
  return explicitSettings(name => configuration.inspect(name));
}

// Where there is a workspace, for it; undefined: as if never set.
export async function setTarget(target: string | undefined): Promise<void> {
  const scope = vscode.workspace.workspaceFolders?.length ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await settings().update('target', target, scope);
}
