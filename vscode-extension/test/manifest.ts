// The extension's package.json, with the types of what tests look at.
import { readFileSync } from 'node:fs';

interface Setting {
  type?: string;
  scope?: string;
  description?: string;
  markdownDescription?: string;
  pattern?: string;
}

interface Manifest {
  capabilities: { untrustedWorkspaces: { supported: string; restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string }[];
    debuggers: { type: string; configurationAttributes: { launch: { properties: Record<string, Setting> } } }[];
    configuration: { properties: Record<string, Setting> };
    keybindings: { command: string; key: string }[];
    menus: Record<string, { command?: string }[]>;
    viewsWelcome: unknown;
    walkthroughs: unknown;
  };
}

// The text of a file of the extension, by its path below the extension's folder. The tests run in build/test.
export function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

export const manifest = JSON.parse(read('package.json')) as Manifest;
