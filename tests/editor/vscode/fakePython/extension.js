// What gluond uses of the interface of Microsoft's Python extension. The selected interpreter is named in ~/interpreter.
const { readFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');
const vscode = require('vscode');

exports.activate = (context) => {
  const changed = new vscode.EventEmitter();
  context.subscriptions.push(
    changed,
    vscode.commands.registerCommand('fakePython.select', () => changed.fire()),
  );
  const interpreter = () => readFileSync(join(homedir(), 'interpreter'), 'utf8').trim();
  return {
    environments: {
      getActiveEnvironmentPath: () => ({ id: interpreter(), path: interpreter() }),
      resolveEnvironment: async ({ path }) => ({ executable: { uri: vscode.Uri.file(path) } }),
      onDidChangeActiveEnvironmentPath: changed.event,
    },
  };
};
