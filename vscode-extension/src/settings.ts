// The extension's settings, as the server wants them.
//
// package.json documents each; [tool.gluond] in pyproject.toml says the same for a project, and the editor's settings win where they are set.

import * as vscode from 'vscode';

// A kind of settings the server knows, sent as initializationOptions and in workspace/didChangeConfiguration.
export interface ServerSettings {
  target?: string;
  recordFiles?: string[];
}

const section = 'gluond';

export function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(section);
}

export function serverSettings(): ServerSettings {
  const configuration = settings();
  const result: ServerSettings = {};
  const target = configuration.get<string>('target', '').trim();
  if (target !== '') result.target = target;
  const recordFiles = configuration.get<string[]>('recordFiles', []);
  if (recordFiles.length > 0) result.recordFiles = recordFiles;
  return result;
}

export async function setTarget(target: string | undefined): Promise<void> {
  const scope = vscode.workspace.workspaceFolders?.length ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await settings().update('target', target, scope);
}
