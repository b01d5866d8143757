// The editor of the page: what one types, sees and fixes.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launchBrowser, Page, pause, retry, serve, until } from './page.mjs';
import { picture } from './pictures.mjs';

let served, browser, original;
/** @type {Page} */
let page;
before(async () => {
  served = await serve();
  browser = await launchBrowser();
  page = await Page.open(browser, served.url);
  original = await page.text();
});
after(async () => {
  await browser?.close();
  served?.stop();
});
// Every step begins with the file as it was.
const step = (name, work) =>
  test(name, { timeout: 300_000 }, async () => {
    if ((await page.text()) !== original) await page.undoAll(original);
    await work();
  });

step('a fresh page shows the first load, with hints and lenses', async () => {
  await until(
    'the cursor at the load',
    async () => (await page.cursor()).lineNumber === original.split('\n').findIndex((l) => l.includes('gl.load')) + 1,
  );
  await until('its layout', async () => (await page.title('layout')).startsWith('gl.BlockedLayout'));
  await page.see('.view-line', 'tile: float32[32, 32] Blocked = gl.load(src + where)');
  await page.see('.codelens-decoration', /M=32 N=32.*1 of 2/);
});

step('a wrong layout is underlined and explained', async () => {
  await page.goTo('layout=gl.SliceLayout(1, rows)', 'rows', true);
  await page.type('columns');
  await page.key('Escape');
  await until('an underline', () => page.count('.squiggly-error'));
  await page.see('.p-problem', /error.*layout/);
  const text = await page.hover('factor[:, None]', 'factor');
  assert.match(text, /layout/);
  await picture(page, 'mistake');
  await page.page.mouse.move(5, 5);
  await page.undoAll(original);
  await until('no underline', async () => !(await page.count('.squiggly-error')));
});

step('a misspelt layout has a fix', async () => {
  await page.goTo('gl.BlockedLayout([4, 1]', 'BlockedLayout', true);
  await page.type('BlokedLayout');
  await page.key('Escape');
  await until('an underline', () => page.count('.squiggly-error'));
  // To the first problem, and its fix, by the keyboard.
  await page.page.locator('.p-problem.p-error').click();
  await page.key('Control', '.');
  await page.see('.action-widget .monaco-list-row', /BlockedLayout/);
  await page.key('Enter');
  await until('the right name', async () => (await page.text()) === original);
  await until('no underline', async () => !(await page.count('.squiggly-error')));
});

step('hover tells type and layout', async () => {
  // What is not known yet is told as less: then once more.
  const text = await until('its type', async () => {
    const seen = await page.hover('tile * factor', 'tile');
    return /float32\[32, 32\]/.test(seen) && seen;
  });
  assert.match(text, /BlockedLayout/);
});

step('completion offers builtins and takes one', async () => {
  await page.goTo('factor = i * 2');
  await page.key('End');
  await page.key('Enter');
  await page.type('x = gl.Swizz');
  await page.see('.suggest-widget.visible .monaco-list-row', /SwizzledSharedLayout/);
  await page.key('Tab');
  await page.see('.view-line', /x = gl\.SwizzledSharedLayout/);
  await page.undoAll(original);
});

step('signature help', async () => {
  await page.goTo('factor = i * 2');
  await page.key('End');
  await page.key('Enter');
  await page.type('x = gl.BlockedLayout([1], ');
  await page.see('.parameter-hints-widget.visible', /threads_per_warp/);
  await page.key('Escape');
  await page.undoAll(original);
});

step('definition and rename', async () => {
  await page.goTo('tile * factor', 'factor');
  await page.key('F12');
  await until(
    'the cursor at the definition',
    async () =>
      (await page.cursor()).lineNumber === original.split('\n').findIndex((l) => l.includes('factor = i')) + 1,
  );
  await retry(
    'the box for the new name',
    () => page.key('F2'),
    () => page.page.evaluate(() => document.activeElement?.closest('.rename-box') !== null),
  );
  await page.type('scale');
  await page.key('Enter');
  await page.see('.view-line', 'tile * scale[:, None]');
  await page.undoAll(original);
});

step('names are coloured by what they hold', async () => {
  const colour = (within, word) =>
    until(`${word}, coloured`, () =>
      page.page.evaluate(
        (within, word) => {
          const line = [...document.querySelectorAll('.view-line')].find((each) =>
            each.textContent.replaceAll('\u00a0', ' ').includes(within),
          );
          const span = [...(line?.querySelectorAll('span > span') ?? [])].find((each) => each.textContent === word);
          return span && getComputedStyle(span).color;
        },
        within,
        word,
      ),
    );
  await page.goTo('smem = gl', 'smem');
  await until(
    'the server’s colours',
    async () => (await colour('smem.store', 'smem')) !== (await colour('smem.store', 'gl')),
  );
  const kinds = {
    tensor: await colour('factor = i * 2', 'factor'),
    shared: await colour('smem.store', 'smem'),
    constant: await colour('gl.arange(0, M', 'M'),
    other: await colour('gl.arange(0, M', 'gl'),
  };
  assert.equal(new Set(Object.values(kinds)).size, 4, JSON.stringify(kinds));
  assert.equal(await colour('smem = ', 'smem'), kinds.shared);
});

step('half-typed code is no mistake of its own', async () => {
  await page.goTo('factor = i * 2');
  await page.key('End');
  await page.key('Enter');
  await page.type('gl.');
  await page.key('Escape');
  await page.see('.p-problem.p-error', /expected a name/);
  assert.equal(await page.count('.p-problem.p-error'), 1);
});

step('nothing is written until the user saves', async () => {
  const file = join(served.folder, 'tiles.py');
  await page.goTo('factor = i * 2', '2', true);
  await page.type('3');
  await page.key('Escape');
  await page.see('.view-line', 'factor: int32[32] Slice(1, Blocked) = i * 3'); // the server has it
  await pause(700);
  assert.equal(readFileSync(file, 'utf8'), original);
  await page.key('Control', 's');
  await until('the file is saved', () => readFileSync(file, 'utf8') === original.replace('i * 2', 'i * 3'));
  await until('nothing left to save', () => page.page.$eval('.p-header .g-button', (b) => b.disabled));
  await page.undoAll(original);
  await page.key('Control', 's');
  await until('the file is as before', () => readFileSync(file, 'utf8') === original);
});

step('a file that changes outside is read again', async () => {
  const file = join(served.folder, 'tiles.py');
  writeFileSync(file, original.replace('i * 2', 'i * 5'));
  await page.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await until('the new text', async () => (await page.text()).includes('i * 5'));
  writeFileSync(file, original);
  await page.page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await until('the old text', async () => (await page.text()) === original);
});

const oneProblem = `from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from shared_rows import row_count


@gluon.jit
def copy_rows(src, dst):
    where = gl.arange(0, row_count(), layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(dst + where, gl.load(src + where))
`;
step('a rename changes the files that are not open, and leaves them unsaved', async () => {
  const library =
    'from triton.experimental import gluon\n\n\n@gluon.constexpr_function\ndef row_count():\n    return 128\n';
  writeFileSync(join(served.folder, 'shared_rows.py'), library);
  writeFileSync(join(served.folder, 'copy_rows.py'), oneProblem);
  const other = await Page.open(browser, served.url, { file: 'shared_rows.py' });
  await other.goTo('def row_count', 'row_count');
  await retry(
    'the box for the new name',
    () => other.key('F2'),
    () => other.page.evaluate(() => document.activeElement?.closest('.rename-box') !== null),
  );
  await other.type('rows_of_all');
  await other.key('Enter');
  await other.see('.view-line', 'def rows_of_all():');
  await other.see('.p-file', 'copy_rows.py●');
  await other.page.locator('.p-file[data-name="copy_rows.py"]').click();
  await other.see('.view-line', 'gl.arange(0, rows_of_all(),');
  await other.see('.view-line', 'from shared_rows import rows_of_all');
  assert.equal(readFileSync(join(served.folder, 'copy_rows.py'), 'utf8'), oneProblem);
  assert.deepEqual(other.errors, []);
  await other.close({ runBeforeUnload: false });
  await page.page.bringToFront();
});

step('nothing went wrong in the page', () => assert.deepEqual(page.errors, []));
