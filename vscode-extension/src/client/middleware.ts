// What the extension changes on the way between VS Code and the server.

import type { Middleware } from 'vscode-languageclient/node';

// `configured` is called when the server has been told the settings anew.
export function makeMiddleware(serverSettings: () => Record<string, unknown>, configured: () => void): Middleware {
  return {
    workspace: {
      // What nobody set is not sent: the settings' defaults would win over pyproject.toml.
      configuration: params => {
        setTimeout(configured, 20); // behind the answer
        return params.items.map(item => (item.section === 'gluond' ? serverSettings() : null));
      },
    },
    // A lens whose command is not there (of a server that is newer than the extension) stays as text instead of failing on a click.
    async provideCodeLenses(document, token, next) {
      const lenses = await next(document, token);
      for (const lens of lenses ?? [])
        if (lens.command && !knownLensCommands.has(lens.command.command)) lens.command.command = '';
      return lenses;
    },
  };
}

// Commands that the server's lenses name; package.json declares them.
export const knownLensCommands: ReadonlySet<string> = new Set([
  'gluond.selectSpecialization',
  'gluond.showIR',
  'gluond.showLayout',
  'gluond.showAccess',
  'gluond.showConversion',
  'gluond.showSharedMemory',
  'gluond.openPlayground',
]);
