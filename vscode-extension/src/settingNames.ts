// The server's settings: those of package.json except for the extension's own. [tool.gluond] of pyproject.toml has the
// same names (docs/configuration.md lists them). Pure.
import { contributes } from '../package.json';

const prefix = 'gluond.';
const declared: Readonly<Record<string, { scope?: string }>> = contributes.configuration.properties;
const ofExtension: ReadonlySet<string> = new Set([
  'panels.followCursor',
  'server.path',
  'server.preferEnvironment',
  'trace.server',
]);

export const serverSettingNames: readonly string[] = Object.keys(declared)
  .map((name) => name.slice(prefix.length))
  .filter((name) => !ofExtension.has(name));

// The settings that a workspace must not choose, whatever VS Code lets it write: places, commands and budgets.
export const userOnly: ReadonlySet<string> = new Set(
  serverSettingNames.filter((name) => declared[prefix + name]?.scope === 'machine'),
);

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
