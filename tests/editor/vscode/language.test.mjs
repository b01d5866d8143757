// The language features, as a person meets them: type, look, press keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause, retry, until } from './editor.mjs';
import { editorPart, picture } from './pictures.mjs';
import { kernelText, seen, stepsOf, useEditor } from './setup.mjs';

const file = 'scale_rows.py';
// In Restricted Mode: gluond reads files and runs nothing, so all of this works for a folder nobody vouched for.
const restricted = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};
const session = useEditor({ files: { [file]: kernelText(file) }, settings: restricted });
const step = stepsOf(session);
// After one that edits, the file is as it was.
/** @type {typeof step} */
const editing = (name, work) =>
  test(name, { timeout: 300_000 }, () => seen(session, name, work).finally(() => session.editor.revert()));

step('opening a kernel shows hints, a lens and the status bar', async (editor) => {
  await editor.openFile(file);
  await editor.see('.view-line', /tile: float32\[64, 128\].* = gl\.load\(src \+ offsets\)/);
  await editor.see('.codelens-decoration', 'BLOCK_M=64 BLOCK_N=128');
  await editor.see('.statusbar-item', 'cuda:90');
  await editor.see('.statusbar-item', 'Restricted Mode');
  await editor.see('.statusbar-item', 'scale_rows: ');
  await editor.key('Control+b'); // the side bar
  await picture(editor, 'hints', editorPart);
});

step('hover tells type, layout and size', async (editor) => {
  const text = await editor.hoverWord('tile * factor', 'tile');
  assert.match(text, /float32\[64, 128\]/);
  assert.match(text, /gl\.BlockedLayout\(\[1, 4\], \[1, 32\], \[4, 1\], \[1, 0\]\)/);
  await picture(editor, 'hover', editorPart, {
    isThere: () => editor.hoverText(),
    again: () => editor.hoverWord('tile * factor', 'tile'),
  });
  await editor.page.mouse.move(5, 400);
});

test('names are coloured by what they hold', { timeout: 300_000 }, () =>
  seen(session, 'names are coloured', async (editor) => {
    await editor.openFile('async_add.py');
    await editor.see('.statusbar-item', 'add_kernel');
    const colour = (context, word) =>
      until(`the colour of ${word}`, () =>
        editor.page.evaluate(
          (context, word) => {
            const line = [...document.querySelectorAll('.editor-instance .view-line')].find((each) =>
              each.textContent.replace(/\u00a0/g, ' ').includes(context),
            );
            const span = [...(line?.querySelectorAll('span > span') ?? [])].find(
              (each) => each.textContent.trim() === word,
            );
            return span && getComputedStyle(span).color;
          },
          context,
          word,
        ),
      );
    await editor.goTo(38);
    const shared = () => colour('total', 'a_buffers');
    await until('the server’s colours', async () => (await shared()) !== (await colour('gl.store(out', 'total')));
    const kinds = {
      shared: await shared(),
      constant: await colour('= tile % ', 'BUFFERS'),
      tensor: await colour('gl.store(out', 'total'),
    };
    assert.equal(new Set(Object.values(kinds)).size, 3, JSON.stringify(kinds));
  }).finally(() => session.editor.openFile(file)),
);

step('hover on a builtin is its documentation', async (editor) => {
  assert.match(await editor.hoverWord('gl.load(src', 'load'), /load/);
  await editor.page.mouse.move(5, 400);
});

editing('completion offers builtins', async (editor) => {
  await editor.goTo(16, 200);
  await editor.key('Enter');
  await editor.type('x = gl.BlockedL');
  const first = await editor.see('.suggest-widget.visible .monaco-list-row', 'BlockedLayout');
  assert.match(first, /^BlockedLayout/);
  await picture(editor, 'completion', editorPart, { isThere: () => editor.page.$('.suggest-widget.visible') });
  await editor.key('Escape'); // comparing pictures may have closed the list
  await editor.type('a');
  await editor.see('.suggest-widget.visible .monaco-list-row', 'BlockedLayout');
  await editor.key('Tab');
  await editor.see('.view-line', /x = gl\.BlockedLayout/);
});

editing('signature help names the parameter under the cursor', async (editor) => {
  await editor.goTo(16, 200);
  await editor.key('Enter');
  await editor.type('x = gl.BlockedLayout([1], ');
  await editor.see('.parameter-hints-widget.visible .signature', 'threads_per_warp');
  await editor.see('.parameter-hints-widget.visible .parameter.active', 'threads_per_warp');
  await picture(editor, 'signature', editorPart, { isThere: () => editor.page.$('.parameter-hints-widget.visible') });
});

editing('a wrong layout is underlined where it does not fit, with the other side', async (editor) => {
  await editor.replaceWord('SliceLayout(1, layout)', 'layout', 'tall');
  await until('an underline', async () => (await editor.page.$$('.squiggly-error')).length > 0);
  const text = await editor.hoverWord('column[None, :]', 'column');
  assert.match(text, /have different layouts/);
  assert.match(text, /gluond\(layout-mismatch\)/);
  assert.match(text, /this side has layout/);
  await picture(
    editor,
    'mistake',
    { ...editorPart, width: 1180 },
    { isThere: () => editor.hoverText(), again: () => editor.hoverWord('column[None, :]', 'column') },
  );
  await editor.page.mouse.move(5, 400);
  const problems = await editor.problems();
  assert.ok(
    problems.some((row) => /have different layouts.*gluond.*layout-mismatch/.test(row)),
    problems.join('\n'),
  );
  await editor.closeProblems();
  // The other way round, the underline goes.
  await editor.replaceWord('SliceLayout(1, tall)', 'tall', 'layout');
  await until('no underline', async () => (await editor.page.$$('.squiggly-error')).length === 0);
});

editing('a layout that is not there is underlined, and its fix names the one that is', async (editor) => {
  await editor.replaceWord('SliceLayout(1, layout)', 'layout', 'layuot');
  await until('an underline', async () => (await editor.page.$$('.squiggly-error')).length > 0);
  await editor.clickWord('SliceLayout(1, layuot)', 'layuot');
  await editor.fix(/'layout'/, async () =>
    (await editor.lines()).some((line) => line.includes('gl.SliceLayout(1, layout)')),
  );
  await until('no underline', async () => (await editor.page.$$('.squiggly-error')).length === 0);
});

editing('the fix of a mismatch converts the layout', async (editor) => {
  await editor.replaceWord('SliceLayout(1, layout)', 'layout', 'tall');
  await until('an underline', async () => (await editor.page.$$('.squiggly-error')).length > 0);
  await editor.clickWord('column[None, :]', 'column');
  await editor.fix(/convert/i, async () => (await editor.lines()).some((line) => line.includes('gl.convert_layout(')));
});

// Answers that come while one reads must not take away what one reads.
editing('a hover and a menu of fixes stay while answers come in', async (editor) => {
  const stays = async (what, look) => {
    await until(what, look);
    for (const end = Date.now() + 2_500; Date.now() < end; await pause(50))
      assert.ok(await look(), `${what} went away`);
  };
  await editor.replaceWord('SliceLayout(1, layout)', 'layout', 'layuot');
  await until('an underline', async () => (await editor.page.$$('.squiggly-error')).length > 0);
  await editor.quickFixes();
  await stays('the menu', async () => (await editor.page.$$('.action-widget .monaco-list-row.action')).length > 0);
  await editor.key('Escape');
  await editor.type('s');
  await editor.key('Escape');
  await editor.hoverWord('gl.load(src', 'load');
  await stays('the hover', () => editor.hoverText());
  await editor.page.mouse.move(5, 400);
});

editing('definition, references and rename work on names of a kernel', async (editor) => {
  await editor.clickWord('tile * factor', 'tile');
  await editor.key('F12');
  await until('the cursor at the definition', async () => (await editor.cursorLine()) === 14);
  await retry(
    'the box for the new name',
    () => editor.key('F2'),
    () => editor.page.evaluate(() => document.activeElement?.closest('.rename-box') !== null),
  );
  await editor.type('block');
  await editor.key('Enter');
  await editor.see('.view-line', 'block * factor[:, None]');
  await editor.see('.view-line', /block: float32\[64, 128\].* = gl\.load/);
});
