// Kernels in the cells of a notebook: hints, findings, fixes and panels as in a file.

import assert from 'node:assert/strict';
import { retry, until } from './editor.mjs';
import { stepsOf, useEditor } from './setup.mjs';

const cells = [
  [
    '%load_ext gluond\n',
    'from triton.experimental import gluon\n',
    'from triton.experimental.gluon import language as gl',
  ],
  [
    '@gluon.jit\n',
    'def double(x, n, BLOCK: gl.constexpr):\n',
    '    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])\n',
    '    i = gl.arange(0, BLOCK, layout=layout)\n',
    '    v = gl.lod(x + i, mask=i < n)\n',
    '    gl.store(x + i, v * 2, mask=i < n)',
  ],
  ['import torch\n', "x = torch.empty(100, device='cuda')\n", 'double[(1,)](x, 100, 128)'],
];
const notebook = {
  cells: cells.map((source) => ({ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source })),
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 2,
};
const session = useEditor({ files: { 'double.ipynb': JSON.stringify(notebook) } });
const step = stepsOf(session);

const line = '.notebookOverlay .view-lines .view-line';

async function clickLine(editor, text) {
  const place = await until(`"${text}" in a cell`, () =>
    editor.page.evaluate(
      (selector, text) => {
        for (const each of document.querySelectorAll(selector)) {
          const at = each.textContent.replace(/\u00a0/g, ' ').indexOf(text);
          if (at < 0) continue;
          const box = each.querySelector('span').getBoundingClientRect();
          return { x: box.x + (box.width * (at + 2)) / each.textContent.length, y: box.y + box.height / 2 };
        }
        return undefined;
      },
      line,
      text,
    ),
  );
  await editor.page.mouse.click(place.x, place.y);
}

step('a cell has hints, and its mistake is found with its fix', async (editor) => {
  await editor.openMenu('Control+p');
  await editor.type('double.ipynb', 5);
  await until('the notebook in quick open', async () => (await editor.pickRows())[0]?.includes('double.ipynb'));
  await editor.key('Enter');
  await editor.see(line, /i: int32\[128\].* = gl\.arange/);
  const rows = await editor.problems();
  assert.ok(
    rows.some((row) => row.includes("has no attribute 'lod'") || row.includes('lod')),
    rows.join('\n'),
  );
  assert.ok(!rows.some((row) => row.includes('%load_ext') || row.includes('syntax')), rows.join('\n'));
  await clickLine(editor, 'gl.lod(');
  const fixes = await editor.quickFixes();
  assert.ok(
    fixes.some((title) => title.includes('load')),
    fixes.join('\n'),
  );
  await editor.fix(/load/, async () => (await editor.texts(line)).some((text) => text.includes('gl.load(')));
  await editor.see(line, /v: float32\[128\].* = gl\.load/);
  await until('no problem', async () => (await editor.texts('.markers-panel .monaco-list-row')).length === 0);
  await editor.key('Control+j'); // the panel at the bottom
});

step('the definition of a kernel is in another cell', async (editor) => {
  await clickLine(editor, 'double[(1,)]');
  await retry(
    'the cursor in the cell of the kernel',
    () => editor.key('F12'),
    () =>
      editor.page.evaluate(() => {
        const cell = document.activeElement?.closest('.code-cell-row, .monaco-list-row');
        return cell?.textContent.includes('gluon.jit') ?? false;
      }),
  );
});

step('a panel shows the value under the cursor of a cell', async (editor) => {
  await clickLine(editor, 'gl.store(x + i');
  await editor.command('gluond: Show Layout Map');
  const frame = await editor.panels();
  await until('a layout', async () => /BlockedLayout/.test(await frame.evaluate(() => document.body.innerText)));
});
