// The server's settings: the same names as in [tool.gluond] of pyproject.toml (docs/configuration.md lists them). Pure.

export const serverSettingNames: readonly string[] = [
  'target',
  'triton',
  'python.environment',
  'environmentVariables',
  'constants',
  'moduleAliases',
  'lints',
  'ignored',
  'select',
  'exclude',
  'useRecords',
  'recordFiles',
  'plainPython',
  'besidePython',
  'inlayHints.types',
  'inlayHints.layouts',
  'inlayHints.values',
  'inlayHints.parameters',
  'inlayHints.costs',
  'evaluation.steps',
  'evaluation.memory',
  'analysis.seconds',
  'analysis.memory',
  'cache.directory',
  'cache.megabytes',
  'runner.command',
  'runner.timeLimit',
];

// The settings that a workspace must not choose, whatever VS Code lets it write: places, commands and budgets.
export const userOnly: ReadonlySet<string> = new Set([
  'evaluation.steps',
  'evaluation.memory',
  'analysis.seconds',
  'analysis.memory',
  'cache.directory',
  'cache.megabytes',
  'python.environment',
  'runner.command',
  'runner.timeLimit',
]);

export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

// The settings that the user set in the editor, by name. Others are left out, so that pyproject.toml or the server's
// defaults decide.
export function explicitSettings(inspect: (name: string) => Inspected | undefined): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const name of serverSettingNames) {
    const found = inspect(name);
    const value = userOnly.has(name)
      ? found?.globalValue
      : (found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue);
    // An empty target in the settings' page means none, as null does.
    if (value !== undefined && value !== null && value !== '') result[name] = value;
  }
  return result;
}
