// A whole round by the keyboard alone: from a mistake to its fix, a hover, a map and its elements, back to the source,
// the IR, another launch. The mouse is never touched.

import assert from 'node:assert/strict';
import { retry, until } from './editor.mjs';
import { openPanel, says, shown } from './frame.mjs';
import { kernelText, stepsOf, useEditor } from './setup.mjs';

const file = 'scale_rows.py';
const mistaken = kernelText(file).replace('gl.SliceLayout(1, layout)', 'gl.SliceLayout(1, layuot)');
const session = useEditor({ files: { [file]: mistaken } });
const step = stepsOf(session);

step('F8 goes to the mistake, Ctrl+. mends it', async (editor) => {
  await editor.openFile(file);
  await until('an underline', async () => (await editor.page.$$('.squiggly-error')).length > 0);
  await editor.goTo(1);
  await retry(
    'the cursor at the mistake',
    () => editor.key('F8'),
    async () => (await editor.cursorLine()) === 11,
  );
  await editor.see('.marker-widget', /layuot/);
  await editor.key('Escape');
  const titles = await editor.quickFixes();
  assert.match(titles[0], /'layout'/);
  await retry(
    'the right name',
    () => editor.key('Enter'),
    async () => (await editor.lines()).some((line) => line.includes('gl.SliceLayout(1, layout)')),
  );
  await until('no underline', async () => (await editor.page.$$('.squiggly-error')).length === 0);
});

step('Ctrl+K Ctrl+I is the hover, Ctrl+Space the list, Ctrl+Shift+Space the parameters', async (editor) => {
  await editor.goTo(14, 5);
  await retry(
    'a hover',
    () => editor.chord('Control+k', 'Control+i'),
    async () => /float32\[64, 128\]/.test(await editor.hoverText()),
  );
  await editor.key('Escape');
  await editor.goTo(16, 8); // gl.|store
  await retry(
    'the list',
    () => editor.key('Control+Space'),
    () => editor.page.$('.suggest-widget.visible .monaco-list-row'),
  );
  await editor.key('Escape');
  await editor.goTo(16, 14); // gl.store(|dst
  await retry(
    'the parameters',
    () => editor.key('Control+Shift+Space'),
    () => editor.page.$('.parameter-hints-widget.visible'),
  );
  await editor.see('.parameter-hints-widget.visible .signature', 'pointer');
  await editor.key('Escape');
});

step('a panel opens beside the editor, takes the keyboard, and gives it back at the line', async (editor) => {
  await editor.goTo(14, 5);
  const frame = await openPanel(editor, 'l');
  await says(frame, 'float32 [64, 128]');
  await editor.goTo(20);
  await says(frame, 'The panel shows');
  // Ctrl+2 is VS Code's key for the second group; Tab walks through the panel to its picture.
  const inMap = () =>
    frame.evaluate((shown) => document.hasFocus() && document.activeElement?.matches(`${shown} .g-grid canvas`), shown);
  await retry(
    'the panel has the keyboard',
    () => editor.key('Control+2'),
    () => frame.evaluate(() => document.hasFocus()),
  );
  for (let tries = 0; tries < 40 && !(await inMap()); tries++) await editor.key('Tab');
  assert.ok(await inMap(), 'Tab does not reach the map');
  await editor.key('Home');
  await editor.key('ArrowRight');
  await editor.key('ArrowDown');
  await says(frame, /\(1, 1\)\s+warp 1, lane 0, register 1/);
  await editor.key('Enter');
  await until('the cursor in line 14', async () => (await editor.cursorLine()) === 14);
  await until('the editor has the keyboard', () =>
    editor.page.evaluate(() => document.activeElement?.closest('.editor-instance') !== null),
  );
});

step('every panel has its keys', async (editor) => {
  for (const [letter, tab] of [
    ['a', 'Access'],
    ['c', 'Conversion'],
    ['m', 'Shared memory'],
    ['p', 'Playground'],
    ['i', 'IR'],
    ['e', 'Timeline'],
    ['b', 'Benchmark'],
    ['l', 'Layout'],
  ]) {
    const frame = await openPanel(editor, letter);
    await until(tab, () =>
      frame.$eval('.g-tab[aria-selected="true"]', (each, tab) => each.textContent.trim() === tab, tab),
    );
  }
});

step('the tabs of the panels go by arrows', async (editor) => {
  const frame = await editor.panels();
  await retry(
    'the panel has the keyboard',
    () => editor.key('Control+2'),
    () => frame.evaluate(() => document.hasFocus()),
  );
  const inTabs = () => frame.evaluate(() => document.activeElement?.matches('.g-tab') ?? false);
  for (let tries = 0; tries < 40 && !(await inTabs()); tries++) await editor.key('Tab');
  await editor.key('ArrowRight');
  await until('the next tab', () =>
    frame.$eval('.g-tab[aria-selected="true"]', (each) => each.textContent.trim() === 'Access'),
  );
  await editor.focusEditor();
});

step('another launch, by keys', async (editor) => {
  await editor.goTo(14);
  await retry(
    'the menu',
    () => editor.chord('Control+Alt+g', 's'),
    async () => (await editor.pickRows()).length >= 3,
  );
  await editor.type('256');
  await until('one launch', async () => (await editor.pickRows())[0]?.includes('BLOCK_N=256'));
  await editor.key('Enter');
  await editor.see('.statusbar-item', 'BLOCK_N=256');
  await editor.see('.view-line', 'tile: float32[64, 256]');
});
