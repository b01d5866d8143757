// The page by the keyboard alone: from a mistake to its fix, into the panels, through a map, and back to the line. The
// mouse is never touched.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser, Page, retry, serve, until } from './page.mjs';

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
const step = (name, work) => test(name, { timeout: 300_000 }, work);
const focused = (selector) =>
  page.page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector);

// Presses a key until what is focused is what was meant, as one does who cannot see how far it is.
async function walkTo(selector, ...keys) {
  for (let tries = 0; tries < 60; ++tries) {
    if (await focused(selector)) return;
    await page.key(...keys);
  }
  assert.fail(`${keys.join('+')} does not reach ${selector}`);
}

step('a mistake of layouts is converted away', async () => {
  await page.goTo('layout=gl.SliceLayout(1, rows)', 'rows', true);
  await page.type('columns');
  await page.key('Escape');
  await until('an underline', () => page.count('.squiggly-error'));
  await page.goTo('import torch');
  await retry(
    'the mistake',
    () => page.key('F8'),
    () => page.count('.marker-widget'),
  );
  await page.key('Escape');
  const converted = async () =>
    (await page.text()).split('gl.convert_layout(').length > original.split('gl.convert_layout(').length;
  await retry(
    'the fix',
    async () => {
      await page.key('Control', '.');
      await until('the list', () => page.count('.action-widget .monaco-list-row.focused'), 3_000);
      const chosen = () => page.page.$eval('.action-widget .monaco-list-row.focused', (row) => row.textContent);
      for (let tries = 0; tries < 10 && !/convert/i.test(await chosen()); ++tries) await page.key('ArrowDown');
      assert.match(await chosen(), /convert/i);
      await page.key('Enter');
    },
    converted,
  );
  await page.undoAll(original);
  await until('no underline', async () => !(await page.count('.squiggly-error')));
});

step('from the editor into the panels, along their tabs', async () => {
  await page.goTo('tile = gl.load', 'tile');
  await page.key('Control', 'm'); // Tab leaves the editor now
  await walkTo('.g-tab[aria-selected="true"]', 'Tab');
  await page.key('ArrowRight');
  await until('the next panel', () => page.page.$eval('#g-panel-access', (panel) => !panel.hidden));
  await page.key('ArrowLeft');
  await until('the first panel', () => page.page.$eval('#g-panel-layout', (panel) => !panel.hidden));
});

step('through a map, and to the line of its value', async () => {
  await walkTo('#g-panel-layout .g-grid canvas', 'Tab');
  await page.key('Home');
  await page.key('ArrowDown');
  await page.see('#g-panel-layout .g-status', /\(1, 0\)\s+warp 0, lane 8, register 0/);
  await page.key('Enter');
  await until('the editor', () => page.page.evaluate(() => gluond.monaco.editor.getEditors()[0].hasTextFocus()));
  assert.equal(
    (await page.cursor()).lineNumber,
    original.split('\n').findIndex((line) => line.includes('tile = gl.load')) + 1,
  );
});

step('another specialization', async () => {
  await walkTo('.g-context select:last-of-type', 'Tab');
  await page.key('ArrowDown');
  await page.see('.codelens-decoration', /M=32 N=64/);
  await page.key('ArrowUp');
  await page.see('.codelens-decoration', /M=32 N=32/);
});

step('nothing went wrong in the page', () => assert.deepEqual(page.errors, []));
