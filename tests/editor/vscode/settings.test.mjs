// Settings: each is documented where one looks for it, and does what it says.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './codeServer.mjs';
import { until } from './editor.mjs';
import { openPanel, says, textOf } from './frame.mjs';
import { kernelText, stepsOf, useEditor } from './setup.mjs';

const file = 'scale_rows.py';
const { contributes } = JSON.parse(readFileSync(join(top, 'vscode-extension/package.json'), 'utf8'));
const properties = Object.assign({}, ...[contributes.configuration].flat().map((each) => each.properties));
// Beside the right kernel one whose store is slow.
const slow = kernelText(file)
  .replaceAll('scale_rows', 'slow_rows')
  .replace('[1, 4], [1, 32], [4, 1], [1, 0]', '[4, 1], [32, 1], [1, 4], [0, 1]');
const session = useEditor({ files: { [file]: kernelText(file), 'slow_rows.py': slow } });
const step = stepsOf(session);

function set(settings) {
  const folder = join(session.server.folder, '.vscode');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
}
const lineWith = (editor, text, isThere = true) =>
  until(
    `${isThere ? '' : 'no '}${text}`,
    async () => (await editor.lines()).some((line) => line.includes(text)) === isThere,
  );

step('the settings editor documents every one', async (editor) => {
  await editor.openFile(file);
  await editor.see('.statusbar-item', 'scale_rows: ');
  await editor.command('gluond: Open Settings');
  // A workspace and a user have a say in all but those of the machine.
  const count = Object.values(properties).filter((property) => property.scope !== 'machine').length;
  await editor.see('.settings-count-widget', `${count} Settings Found`);
  for (const [id, property] of Object.entries(properties)) {
    const description = property.markdownDescription ?? property.description;
    assert.ok(description?.length > 30, `${id} is not documented`);
  }
  // In words, as one reads them: one that is in sight.
  await editor.see('.setting-item-description', /Takes precedence over \w+ in \[tool\.gluond\] of pyproject\.toml/);
});

step('inlayHints.types and inlayHints.layouts', async (editor) => {
  await editor.openFile(file);
  await lineWith(editor, 'tile: float32[64, 128] Blocked = gl.load');
  set({ 'gluond.inlayHints.layouts': false });
  await lineWith(editor, 'tile: float32[64, 128] = gl.load');
  set({ 'gluond.inlayHints.types': false });
  await lineWith(editor, 'tile = gl.load');
  set({});
  await lineWith(editor, 'tile: float32[64, 128] Blocked = gl.load');
});

step('inlayHints.parameters and inlayHints.values', async (editor) => {
  await lineWith(editor, 'src: *fp32');
  set({ 'gluond.inlayHints.parameters': false, 'gluond.inlayHints.values': false });
  await lineWith(editor, 'src: *fp32', false);
  set({});
  await lineWith(editor, 'src: *fp32');
});

step('lints, ignored, inlayHints.costs', async (editor) => {
  await editor.openFile('slow_rows.py');
  const warned = (isThere) =>
    until(
      `${isThere ? 'a' : 'no'} warning`,
      async () => (await editor.page.$$('.squiggly-warning')).length > 0 === isThere,
    );
  await warned(true);
  const problem = (await editor.problems()).join('\n');
  assert.match(problem, /not coalesced.*gluond\(?uncoalesced/);
  await editor.closeProblems();
  set({ 'gluond.lints': false });
  await warned(false);
  set({ 'gluond.ignored': ['uncoalesced'] });
  await warned(false);
  set({});
  await warned(true);
});

step('target', async (editor) => {
  set({ 'gluond.target': 'cuda:100' });
  await editor.see('.statusbar-item', 'cuda:100');
  set({});
  await editor.see('.statusbar-item', 'cuda:90');
});

step('panels.followCursor', async (editor) => {
  await editor.openFile(file);
  await editor.goTo(14, 5);
  const frame = await openPanel(editor, 'l');
  await says(frame, 'float32 [64, 128]');
  set({ 'gluond.panels.followCursor': false });
  // The window has the setting when another one, changed with it, is seen.
  set({ 'gluond.panels.followCursor': false, 'gluond.inlayHints.layouts': false });
  await lineWith(editor, 'tile: float32[64, 128] = gl.load');
  await editor.goTo(15, 5);
  await editor.see('.statusbar-item', 'Ln 15');
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // as long as following takes several times over
  assert.match(await textOf(frame), /float32 \[64, 128\]/);
  set({});
  await lineWith(editor, 'tile: float32[64, 128] Blocked = gl.load');
  await editor.goTo(14, 5);
  await editor.goTo(15, 5);
  await says(frame, 'float32 [64]');
});
