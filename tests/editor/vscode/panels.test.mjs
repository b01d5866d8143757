// The panels beside the editor: each is opened, looked at, clicked, and followed back to the source.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { retry, until } from './editor.mjs';
import { clickText, inPanel, openPanel, says, shown, textOf } from './frame.mjs';
import { pictureOfPanels } from './pictures.mjs';
import { kernelText, stepsOf, useEditor } from './setup.mjs';

const file = 'scale_rows.py';
const hostile = 'hostile.py';
const session = useEditor({ files: { [file]: kernelText(file), [hostile]: kernelText(hostile) } });
const step = stepsOf(session);

const atLine = (editor, line) => until(`the cursor in line ${line}`, async () => (await editor.cursorLine()) === line);

// How many colours a canvas of the panel shows: a map that was not drawn has one.
const colours = (frame, index = 0) =>
  frame.$$eval(
    `${shown} canvas`,
    (canvases, index) => {
      const canvas = canvases[index];
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] === 255) seen.add(`${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`);
      return seen.size;
    },
    index,
  );

step('the layout map shows the value under the cursor', async (editor) => {
  await editor.openFile(file);
  await editor.see('.statusbar-item', 'scale_rows: ');
  await editor.key('Control+b');
  await editor.clickWord('gl.load(src + offsets)', 'offsets');
  const frame = await openPanel(editor, 'l');
  await says(frame, 'gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])');
  await says(frame, /int32 \[64, 128\].*4 warps x 32 lanes x 64 registers/);
  await until('four warps in four colours', async () => (await colours(frame)) >= 4);
  await pictureOfPanels(editor, 'layout-map');
});

step('it follows the cursor', async (editor) => {
  const frame = await editor.panels();
  await editor.clickWord('factor[:, None]', 'factor');
  await says(frame, 'gl.SliceLayout(1, gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0]))');
});

step('a hover leads to it, wherever the cursor is', async (editor) => {
  const frame = await editor.panels();
  assert.match(await editor.hoverWord('column[None, :]', 'column'), /Layout map/);
  const link = await until('the link', () =>
    editor.page.$('.monaco-hover-content a[data-href^="command:gluond.showLayout"]'),
  );
  await link.click();
  await says(frame, 'gl.SliceLayout(0, gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0]))');
  await editor.page.mouse.move(5, 700);
});

step('a click on an element goes to the line of its value', async (editor) => {
  const frame = await editor.panels();
  await editor.clickWord('gl.load(src + offsets)', 'offsets');
  await says(frame, 'int32 [64, 128]');
  await editor.goTo(20);
  await says(frame, 'The panel shows');
  const click = async () => {
    const box = await (await frame.$(`${shown} canvas`)).boundingBox();
    await editor.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  };
  await retry('an element', click, async () => /warp \d+.*lane \d+/.test(await textOf(frame)));
  await atLine(editor, 14);
});

step('a picture of the map is saved as SVG', async (editor) => {
  const frame = await editor.panels();
  await clickText(frame, inPanel('button'), 'SVG');
  const name = await until('a name in the dialog', () =>
    editor.page.$eval('.quick-input-box input', (input) => input.value.endsWith('.svg') && input.value),
  );
  await editor.key('Enter');
  await until('the file', () => existsSync(name) && /^(<svg|<\?xml)[^]*<\/svg>\s*$/.test(readFileSync(name, 'utf8')));
});

step('the access view shows addresses; a click on an operation goes to its line', async (editor) => {
  await editor.focusEditor();
  await editor.goTo(14, 20);
  const frame = await openPanel(editor, 'a');
  await says(frame, /load · line 14/);
  await says(frame, /16 B\s*per lane and instruction/);
  await says(frame, /100%\s*of the bytes moved are used/);
  await pictureOfPanels(editor, 'access');
  await clickText(frame, inPanel('.g-operation'), 'store');
  await atLine(editor, 16);
  await says(frame, /store · line 16/);
});

step('the IR is linked with the source, both ways', async (editor) => {
  await editor.goTo(15, 10);
  const frame = await openPanel(editor, 'i');
  await says(frame, 'tt.func public @scale_rows');
  const lit = await until('lines of the IR that line 15 made', async () => {
    const lines = await frame.$$eval(`${shown} .g-code-line.g-lit`, (found) => found.map((line) => line.textContent));
    return lines.some((line) => line.includes('tt.load')) && lines;
  });
  assert.ok(!lit.some((line) => line.includes('tt.store')), lit.join('\n'));
  await pictureOfPanels(editor, 'ir');
  await clickText(frame, inPanel('.g-code-line'), 'tt.store');
  await atLine(editor, 16);
});

step('stages are tabs, two specializations are compared, and the text is searched', async (editor) => {
  const frame = await editor.panels();
  await (await frame.$(`${shown} [data-stage="source"]`)).click();
  await until('the first stage', () => frame.$(`${shown} [data-stage="source"][aria-selected="true"]`));
  await says(frame, 'arith.constant');
  const other = await frame.$eval(
    `${shown} select[aria-label="Compare with"]`,
    (select) => [...select.options].find((option) => option.text.includes('BLOCK_N=256')).value,
  );
  await frame.select(`${shown} select[aria-label="Compare with"]`, other);
  await says(frame, /\d+ lines? added, \d+ removed/);
  assert.ok((await frame.$$(`${shown} .g-code-line.g-added`)).length > 0);
  await pictureOfPanels(editor, 'ir-diff', () =>
    frame.$eval(`${shown} .g-lines[role=listbox]`, (code) => code.scrollTo(0, 0)),
  );
  // Another stage of the same specialization: what the passes made of it.
  await (await frame.$(`${shown} [data-stage="ttgir"]`)).click();
  await until('the second stage', () => frame.$(`${shown} [data-stage="ttgir"][aria-selected="true"]`));
  await frame.select(`${shown} select[aria-label="Compare with"]`, 'stage:source');
  await says(frame, /\d+ lines? added, \d+ removed against source/);
  assert.ok((await frame.$$(`${shown} .g-code-line.g-removed`)).length > 0);
  await frame.select(`${shown} select[aria-label="Compare with"]`, '');
  // A function folds into a line, and unfolds.
  await clickText(frame, inPanel('.g-actions .g-button'), 'Fold');
  await until('a folded function', () =>
    frame.$$eval(inPanel('.g-code-line'), (lines) =>
      lines.some((line) => /tt\.func .* … \d+ lines/.test(line.textContent)),
    ),
  );
  await clickText(frame, inPanel('.g-actions .g-button'), 'Unfold');
  await says(frame, 'tt.return');
  await (await frame.$(`${shown} input[type="search"]`)).click();
  await editor.type('tt.load');
  await says(frame, /1 of \d+/);
  await (await frame.$(`${shown} [data-stage="ttgir"]`)).click();
});

step('a specialization chosen in the panel is the editor’s', async (editor) => {
  const frame = await editor.panels();
  const id = await frame.$eval(
    'select[aria-label="Specialization"]',
    (select) => [...select.options].find((option) => option.text.includes('BLOCK_N=256')).value,
  );
  await frame.select('select[aria-label="Specialization"]', id);
  await editor.see('.statusbar-item', 'BLOCK_N=256');
  await frame.select(
    'select[aria-label="Specialization"]',
    await frame.$eval(
      'select[aria-label="Specialization"]',
      (select) => [...select.options].find((option) => option.text.includes('BLOCK_N=128')).value,
    ),
  );
  await editor.see('.statusbar-item', 'BLOCK_N=128');
});

step('the playground writes a layout back into the source', async (editor) => {
  await editor.focusEditor();
  await editor.clickWord('layout: gl.constexpr', 'layout');
  const frame = await openPanel(editor, 'p');
  await says(frame, 'from line 9');
  const less = await until('the button', () =>
    frame.$(`${shown} button[aria-label^="Less size_per_thread"][aria-label$="dimension 1"]`),
  );
  await less.click();
  await says(frame, 'gl.BlockedLayout([1, 2], [1, 32], [4, 1], [1, 0])');
  await pictureOfPanels(editor, 'playground');
  await clickText(frame, inPanel('button'), 'Write to source');
  await editor.see('.view-line', 'layout: gl.constexpr = gl.BlockedLayout([1, 2], [1, 32], [4, 1], [1, 0])');
  await editor.focusEditor();
  await editor.key('Control+z');
  await editor.see('.view-line', 'layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])');
  await editor.revert();
});

step('the conversion view shows what moves', async (editor) => {
  await editor.openFile('transpose.py');
  await editor.see('.statusbar-item', 'transpose');
  await editor.clickWord('gl.convert_layout(tile', 'convert_layout');
  const frame = await openPanel(editor, 'c');
  await says(frame, /convert_layout · line \d+/);
  await says(frame, /→/);
  await until('maps', async () => (await frame.$$(`${shown} canvas`)).length >= 3 && (await colours(frame, 0)) >= 2);
  await pictureOfPanels(editor, 'conversion');
});

step('the shared memory view shows buffers and banks', async (editor) => {
  await editor.openFile('async_add.py');
  await editor.see('.statusbar-item', 'add_kernel');
  await editor.clickWord('gl.allocate_shared_memory(dtype', 'allocate_shared_memory');
  const frame = await openPanel(editor, 'm');
  await says(frame, /line 26/);
  await says(frame, /bank|conflict/i);
  await until('a map', async () => (await colours(frame)) >= 4);
  await pictureOfPanels(editor, 'shared');
});

step('text of the workspace is text in a panel, and a panel has no network', async (editor) => {
  await editor.openFile(hostile);
  await editor.see('.statusbar-item', 'hostile_kernel');
  const frame = await openPanel(editor, 'i');
  await says(frame, 'tt.func public @hostile_kernel');
  await until('the name as text', () =>
    frame.$$eval('select[aria-label="Specialization"] option', (options) =>
      options.some((option) => option.textContent.includes('<img')),
    ),
  );
  assert.equal((await frame.$$('img[src="x"]')).length, 0);
  const outcome = await frame.evaluate(async (port) => {
    const tries = {};
    tries.fetch = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => 'went through',
      () => 'refused',
    );
    const script = document.createElement('script');
    script.textContent = 'globalThis.gluondWasHere = 1';
    document.body.append(script);
    const image = document.createElement('img');
    tries.image = await new Promise((resolve) => {
      image.onload = () => resolve('went through');
      image.onerror = () => resolve('refused');
      image.src = `http://127.0.0.1:${port}/_static/src/browser/media/pwa-icon-192.png`;
    });
    tries.script = globalThis.gluondWasHere === undefined ? 'refused' : 'ran';
    return tries;
  }, new URL(session.server.url).port);
  assert.deepEqual(outcome, { fetch: 'refused', image: 'refused', script: 'refused' });
  assert.equal(await editor.page.evaluate(() => globalThis.gluondWasHere), undefined);
});

step('it follows the editor’s theme', async (editor) => {
  await editor.openFile(file);
  await editor.clickWord('gl.load(src + offsets)', 'offsets');
  const map = await openPanel(editor, 'l');
  await says(map, 'int32 [64, 128]');
  await until('the map has the keyboard', () =>
    map.$eval(inPanel('.g-grid canvas'), (canvas) => (canvas.focus(), document.activeElement === canvas)),
  );
  await editor.key('Escape'); // nothing is chosen in the map
  for (const [theme, name, kind] of [
    ['Default Light Modern', 'layout-map-light', 'light'],
    ['Default High Contrast', 'layout-map-contrast', 'high-contrast'],
  ]) {
    const settings = join(session.server.folder, '.vscode/settings.json');
    mkdirSync(join(session.server.folder, '.vscode'), { recursive: true });
    writeFileSync(settings, JSON.stringify({ 'workbench.colorTheme': theme }));
    const frame = await editor.panels();
    await until(`the ${kind} theme`, () => frame.$(`#gluond-panels[data-theme="${kind}"]`));
    await pictureOfPanels(editor, name);
  }
});

step('the panel comes back after a reload of the window', async (editor) => {
  await editor.reload();
  const frame = await editor.panels();
  await clickText(frame, '.g-tab', 'Layout');
  await says(frame, 'gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])');
});
