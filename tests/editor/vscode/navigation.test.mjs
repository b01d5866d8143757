// Around in a file and a workspace: symbols, references, calls, folding.

import assert from 'node:assert/strict';
import { retry, until } from './editor.mjs';
import { stepsOf, useEditor } from './setup.mjs';

const library = `from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def scaled(tile, factor):
    return tile * factor
`;
const caller = `import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from parts import scaled


@gluon.jit
def apply_scale(src, dst, SIZE: gl.constexpr):
    where = gl.arange(0, SIZE, layout=gl.BlockedLayout([1], [32], [4], [0]))
    tile = gl.load(src + where)
    gl.store(dst + where, scaled(tile, 2.0))
    gl.store(dst + where, scaled(tile, 3.0))


apply_scale[(1,)](torch.empty(128), torch.empty(128), 128)
`;
const session = useEditor({ files: { 'parts.py': library, 'caller.py': caller } });
const step = stepsOf(session);

step('symbols of the document, and of the workspace', async (editor) => {
  await editor.openFile('caller.py');
  await editor.see('.statusbar-item', 'apply_scale: ');
  await editor.openMenu('Control+Shift+o');
  await until('the kernel in the list', async () =>
    (await editor.pickRows()).some((row) => row.includes('apply_scale')),
  );
  await editor.key('Escape');
  await editor.focusEditor();
  await editor.openMenu('Control+t');
  await editor.type('scaled');
  await until('a function of another file', async () =>
    (await editor.pickRows()).some((row) => row.includes('scaled') && row.includes('parts.py')),
  );
  await editor.key('Enter');
  await editor.see('.tabs-container .tab.active', 'parts.py');
  await until('its line', async () => (await editor.cursorLine()) === 6);
});

step('definition in another file, and back', async (editor) => {
  await editor.openFile('caller.py');
  await editor.goTo(11, 29);
  await retry(
    'the definition',
    () => editor.key('F12'),
    async () => (await editor.texts('.tabs-container .tab.active')).some((tab) => tab.includes('parts.py')),
  );
  await until('its line', async () => (await editor.cursorLine()) === 6);
  await editor.command('Go Back');
  await editor.see('.tabs-container .tab.active', 'caller.py');
});

step('references are listed', async (editor) => {
  await editor.openFile('caller.py');
  await editor.goTo(10, 6); // tile
  await retry(
    'references',
    () => editor.key('Shift+F12'),
    () => editor.page.$('.peekview-widget .reference-zone-widget, .reference-zone-widget'),
  );
  await editor.see('.reference-zone-widget', /References \(3\)|3 references/i);
  await editor.key('Escape');
});

step('who calls a function, and what a kernel calls', async (editor) => {
  await editor.openFile('parts.py');
  await editor.goTo(6, 6);
  await editor.command('Peek Call Hierarchy');
  await editor.see('.call-hierarchy .monaco-list-row', 'apply_scale');
  await editor.key('Escape');
});

step('a kernel folds', async (editor) => {
  await editor.openFile('caller.py');
  await editor.goTo(8, 5);
  const isThere = async () => (await editor.lines()).some((line) => line.includes('gl.load(src'));
  assert.ok(await isThere());
  await retry(
    'the kernel folded',
    () => editor.key('Control+Shift+['),
    async () => !(await isThere()),
  );
  await retry('the kernel unfolded', () => editor.key('Control+Shift+]'), isThere);
});
