// Which gluond runs: that of the selected Python environment, if the user prefers it, and never one that the opened
// folder brings.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { top } from './codeServer.mjs';
import { until } from './editor.mjs';
import { stepsOf, useEditor } from './setup.mjs';

const packed = mkdtempSync(join(tmpdir(), 'gluond-fake-python-'));
after(() => rmSync(packed, { recursive: true, force: true }));
const fakePython = join(packed, 'python.vsix');
execFileSync(
  process.execPath,
  [
    join(top, 'vscode-extension/packaging/node_modules/@vscode/vsce/vsce'),
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--skip-license',
    '--out',
    fakePython,
  ],
  { cwd: new URL('fakePython', import.meta.url).pathname, stdio: 'pipe' },
);

const session = useEditor({ extensions: [fakePython] });
const step = stepsOf(session);

// Makes an environment in a folder, whose gluond is a link to that of the extension.
function environment(folder, link = false) {
  const extensions = join(session.server.home, 'extensions');
  const own = readdirSync(extensions).find((each) => each.startsWith('gluond.gluond-'));
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const server = join(extensions, own, 'server/gluond');
  if (link) symlinkSync(server, join(folder, 'bin/gluond'));
  else execFileSync('cp', [server, join(folder, 'bin/gluond')]);
  writeFileSync(join(session.server.home, 'interpreter'), join(folder, 'bin/python'));
  return join(folder, 'bin/gluond');
}

function isRunning(program) {
  try {
    return execFileSync('pgrep', ['-f', `^${program} lsp`]).length > 0;
  } catch {
    return false;
  }
}

step('the program inside the extension runs if nothing is set', async (editor) => {
  environment(join(session.server.home, 'environment'), true);
  await editor.openFile('copy_1d.py');
  await until('a server', () => session.server.languageServers().length > 0);
});

step('the setting preferEnvironment has the program of the environment run', async () => {
  mkdirSync(dirname(session.server.machineSettings), { recursive: true });
  writeFileSync(session.server.machineSettings, JSON.stringify({ 'gluond.server.preferEnvironment': true }));
  await until('its server', () => isRunning(join(session.server.home, 'environment/bin/gluond')));
  assert.equal(session.server.languageServers().length, 0);
});

step('an environment in the opened folder is selected: the program inside the extension runs', async (editor) => {
  const program = environment(join(session.server.folder, '.venv'));
  await editor.command('Fake Python: Select the Environment Again');
  await until('the server of the extension', () => session.server.languageServers().length > 0);
  assert.equal(isRunning(program), false);
});

step('another environment is selected: its program runs', async (editor) => {
  const program = environment(join(session.server.home, 'other'));
  await editor.command('Fake Python: Select the Environment Again');
  await until('its server', () => isRunning(program));
});
