// Every command of the palette, by its name, as package.json titles it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './codeServer.mjs';
import { retry, until } from './editor.mjs';
import { says, shown } from './frame.mjs';
import { kernelText, stepsOf, useEditor } from './setup.mjs';

const file = 'scale_rows.py';
const { contributes } = JSON.parse(readFileSync(join(top, 'vscode-extension/package.json'), 'utf8'));
const session = useEditor({ files: { [file]: kernelText(file) } });
const step = stepsOf(session);

step('the palette lists them all', async (editor) => {
  await editor.openFile(file);
  await editor.see('.statusbar-item', 'scale_rows: ');
  const hidden = new Set(
    contributes.menus.commandPalette.filter((entry) => entry.when === 'false').map((entry) => entry.command),
  );
  const titles = contributes.commands
    .filter((each) => !hidden.has(each.command))
    .map((each) => `gluond: ${each.title}`);
  await editor.openMenu('F1');
  await editor.type('gluond: ');
  // The list has only the rows that are in sight.
  const listed = new Set();
  await until('every title in the list', async () => {
    for (const row of await editor.pickRows()) for (const title of titles) if (row.startsWith(title)) listed.add(title);
    await editor.key('PageDown');
    return titles.every((title) => listed.has(title));
  });
  await editor.key('Escape');
});

// By the palette, with the cursor on a value; `expected` is what the panel then says.
for (const [title, tab, expected] of [
  ['Show Layout Map', 'Layout', /gl\.BlockedLayout\(\[1, 4\], \[1, 32\], \[4, 1\], \[1, 0\]\)/],
  ['Show Memory Access', 'Access', /load · line 14/],
  ['Show Layout Conversion', 'Conversion', /no conversion|conversion/i],
  ['Show Shared Memory and Banks', 'Shared memory', /shared memory/i],
  ['Open Layout Playground', 'Playground', /size_per_thread/],
  ['Show IR of Each Stage', 'IR', /tt\.func public @scale_rows/],
  ['Show Timeline of a Simulated Run', 'Timeline', /program 0,0,0 of/],
  ['Show Benchmarks', 'Benchmark', /Benchmark/],
  ['Run Kernel on the GPU', 'Benchmark', /no GPU|libcuda/i],
  ['Benchmark Kernel', 'Benchmark', /no GPU|libcuda/i],
])
  step(`gluond: ${title}`, async (editor) => {
    await editor.goTo(14, 5);
    await editor.command(`gluond: ${title}`);
    const frame = await editor.panels();
    await until(`the tab ${tab}`, () =>
      frame.$$eval(
        '.g-tab[aria-selected="true"]',
        (tabs, tab) => tabs.some((each) => each.textContent.trim() === tab),
        tab,
      ),
    );
    await says(frame, expected);
    assert.equal((await frame.$$(shown)).length, 1);
  });

step('gluond: Select Specialization', async (editor) => {
  await editor.goTo(14);
  await editor.command('gluond: Select Specialization');
  await editor.pick('BLOCK_N=256');
  await editor.see('.statusbar-item', 'BLOCK_N=256');
  await editor.command('gluond: Select Specialization');
  await editor.pick('Let gluond choose');
  await editor.see('.statusbar-item', 'BLOCK_N=128');
});

step('gluond: Select Target, one that is not in the list, too', async (editor) => {
  await editor.command('gluond: Select Target');
  await editor.pick('Another target');
  await retry(
    'the box',
    () => editor.key('Control+a'),
    async () => (await editor.texts('.quick-input-title')).includes('Target'),
  );
  await editor.type('cuda');
  await editor.see('.quick-input-message', 'Write a target such as cuda:90');
  await editor.key('Control+a');
  await editor.type('hip:gfx942');
  await editor.key('Enter');
  await editor.see('.statusbar-item', 'hip:gfx942');
  // The other way to the same menu: the item of the status bar.
  await retry(
    'the menu',
    () => editor.page.click('[id="gluond.gluond.gluond.target"]'),
    async () => (await editor.pickRows()).length > 1,
  );
  await editor.pick('Default target');
  await editor.see('.statusbar-item', 'cuda:90');
});

step('gluond: Show Menu, and what it leads to', async (editor) => {
  await editor.command('gluond: Show Menu');
  await until('panels and server', async () => {
    const rows = await editor.pickRows();
    return ['Layout map', 'IR of each stage', 'Restart the server', 'Settings'].every((label) =>
      rows.some((row) => row.includes(label)),
    );
  });
  await editor.pick('Show its output');
  await editor.see('.part.panel .view-line', /gluond/);
});

step('gluond: Show Output', async (editor) => {
  await editor.key('Control+j'); // the panel below, closed
  await until('no output', async () => !(await editor.page.$('.part.panel .view-line')));
  await editor.focusEditor();
  await editor.command('gluond: Show Output');
  await editor.see('.part.panel .view-line', /gluond/);
  await editor.key('Control+j');
});
