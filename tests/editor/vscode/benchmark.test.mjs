// Run and Benchmark in VS Code, on a GPU that is not there: gluond-runner over the fake CUDA driver.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gpu, kernels, name } from '../../support/gpu.mjs';
import { top } from './codeServer.mjs';
import { retry, until } from './editor.mjs';
import { says } from './frame.mjs';
import { pictureOfPanels } from './pictures.mjs';
import { stepsOf, useEditor } from './setup.mjs';

const file = 'timed.py';
const { runner, library, missing } = gpu(join(top, 'build/bin/gluond'));
const session = useEditor({ files: { [file]: kernels } });
const step = stepsOf(session, { skip: missing || false });

const lens = async (editor, title, nth = 0) => {
  await until(`the lens ${title}`, async () => {
    const all = [];
    for (const each of await editor.page.$$('.codelens-decoration a'))
      if ((await each.evaluate((a) => a.textContent)) === title) all.push(each);
    return all[nth]?.click().then(() => true);
  });
};

step('without a GPU the lens opens the panel, which says so', async (editor) => {
  await editor.openFile(file);
  // A click is lost if lenses are drawn anew at that moment.
  const frame = await retry(
    'the panels',
    () => lens(editor, 'Benchmark'),
    () => editor.panels(4_000),
  );
  await says(frame, /There is no GPU to run the kernel|no GPU|libcuda/i);
});

step('the machine says what starts a GPU process; a workspace cannot', async (editor) => {
  const settings = join(session.server.folder, '.vscode/settings.json');
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ 'gluond.runner.command': [`touch ${session.server.home}/owned`] }));
  mkdirSync(dirname(session.server.machineSettings), { recursive: true });
  writeFileSync(
    session.server.machineSettings,
    JSON.stringify({
      'gluond.runner.command': [`GLUOND_FAKE_NAME='${name}' GLUOND_CUDA_LIBRARY='${library}' exec '${runner}'`],
    }),
  );
  await editor.focusEditor();
  const frame = await editor.panels();
  await until('a time', async () => {
    await lens(editor, 'Benchmark');
    return says(frame, /BLOCK=1024[\s\S]*\d [µm]s/, 10_000);
  });
  await says(frame, new RegExp(name));
  assert.ok(!existsSync(join(session.server.home, 'owned')));
  await editor.key('Control+b'); // the side bar shows what was written meanwhile
  await pictureOfPanels(editor, 'benchmark');
});

step('run shows the tensors, a fault its reason', async (editor) => {
  await editor.focusEditor();
  const frame = await editor.panels();
  await lens(editor, 'Run');
  await says(frame, /dst\s+fp32\[100000\]/);
  await lens(editor, 'Benchmark', 1);
  await says(frame, /illegal|fault/i);
});

step('results are kept in the workspace', async () => {
  const history = readFileSync(join(session.server.folder, '.gluond/history/timed.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(history.every((past) => past.kernel === 'copy_blocks' && past.device === name));
});
