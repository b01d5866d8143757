// The changes that the extension makes to messages between VS Code and the server.

import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { knownLensCommands } from '../lensCommands.ts';

// `configured` is called after settings were sent to the server again.
export function makeMiddleware(serverSettings: () => Record<string, unknown>, configured: () => void): Middleware {
  return {
    workspace: {
      // Settings that the user did not set are not sent, because their defaults would override pyproject.toml.
      configuration: (params) => {
        setTimeout(configured, 20); // after the answer
        return params.items.map((item) => (item.section === 'gluond' ? serverSettings() : null));
      },
    },
    // A hover with a layout gets a link to its picture. The server's own text stays untrusted, because it contains
    // names of the workspace.
    async provideHover(document, position, token, next) {
      const hover = await next(document, position, token);
      if (hover && tellsLayout(hover)) hover.contents.push(panelLinks(document.uri, position));
      return hover;
    },
    // A lens whose command is unknown, because the server is newer than the extension, becomes plain text instead of
    // failing on a click.
    async provideCodeLenses(document, token, next) {
      const lenses = await next(document, token);
      for (const lens of lenses ?? [])
        if (lens.command && !knownLensCommands.has(lens.command.command)) lens.command.command = '';
      return lenses;
    },
  };
}

function tellsLayout(hover: vscode.Hover): boolean {
  return hover.contents.some((content) =>
    /\bgl\.\w*Layout\(/.test(typeof content === 'string' ? content : content.value),
  );
}

function panelLinks(uri: vscode.Uri, position: vscode.Position): vscode.MarkdownString {
  const place = { uri: uri.toString(), position: { line: position.line, character: position.character } };
  const link = (text: string, command: string) =>
    `[${text}](command:${command}?${encodeURIComponent(JSON.stringify([{ place }]))})`;
  const links = new vscode.MarkdownString(
    [
      link('$(table) Layout map', 'gluond.showLayout'),
      link('$(list-flat) Access', 'gluond.showAccess'),
      link('$(beaker) Playground', 'gluond.openPlayground'),
    ].join(' &nbsp; '),
    true,
  );
  links.isTrusted = { enabledCommands: ['gluond.showLayout', 'gluond.showAccess', 'gluond.openPlayground'] };
  return links;
}
