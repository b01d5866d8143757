// What the extension changes on the way between VS Code and the server: only lenses that name a command it does not have.

import type { Middleware } from 'vscode-languageclient/node';

export const middleware: Middleware = {
  // A lens whose command is not there yet (an older server, a newer one) stays as text instead of failing on a click.
  async provideCodeLenses(document, token, next) {
    const lenses = await next(document, token);
    for (const lens of lenses ?? [])
      if (lens.command && !knownLensCommands.has(lens.command.command)) lens.command.command = '';
    return lenses;
  },
};

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
