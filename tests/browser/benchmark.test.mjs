// The benchmark panel and its lenses, on a GPU that is not there: gluond-runner over the fake CUDA driver.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gpu, kernels, name } from '../support/gpu.mjs';
import { launchBrowser, Page, pause, serve, until } from './page.mjs';
import { picture } from './pictures.mjs';

const { library, missing } = gpu(process.env.GLUOND);
const skip = missing || false;
const file = 'timed.py';
let served, without, browser;
/** @type {Page} */
let page;
before(async () => {
  if (skip) return;
  const prepare = (folder) => writeFileSync(join(folder, file), kernels);
  served = await serve(prepare, { GLUOND_CUDA_LIBRARY: library, GLUOND_FAKE_NAME: name });
  without = await serve(prepare, { GLUOND_CUDA_LIBRARY: library, GLUOND_FAKE_DEVICES: '0' });
  browser = await launchBrowser();
  page = await Page.open(browser, served.url, { file });
});
after(async () => {
  await browser?.close();
  served?.stop();
  without?.stop();
});
const step = (title, work) => test(title, { timeout: 300_000, skip }, work);
const panel = '#g-panel-benchmark';
const rows = (of) =>
  of.page.$$eval(`${panel} tbody tr`, (all) => all.map((row) => row.textContent.replaceAll('\u00a0', ' ')));
const press = (of, text) =>
  of.page.$$eval(
    `${panel} .g-actions button`,
    (all, text) => all.find((each) => each.textContent.startsWith(text)).click(),
    text,
  );
const ended = (of) =>
  until('the end of the benchmark', () =>
    of.page.evaluate(
      (panel) => /\b(timed|run)\b/.test(document.querySelector(`${panel} .g-bench > .g-status`).textContent),
      panel,
    ),
  );
const lens = (of, text, nth = 0) =>
  until(`the lens ${text}`, () =>
    of.page.evaluate(
      (text, nth) => {
        const found = [...document.querySelectorAll('.codelens-decoration a')].filter((a) => a.textContent === text)[
          nth
        ];
        if (found) {
          found.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
          found.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
          found.click();
        }
        return Boolean(found);
      },
      text,
      nth,
    ),
  );

step('before anything ran, the panel says what its buttons do', async () => {
  await page.goTo('def copy_blocks', 'copy_blocks');
  await page.panel('benchmark');
  await page.see(`${panel} .g-guide`, /Run.*Benchmark.*All launches.*2.*Sweep.*num_warps.*gluond-runner/);
});

step('the lens times the launch that is selected', async () => {
  await page.goTo('def copy_blocks', 'copy_blocks');
  await page.see('.codelens-decoration', /Run\s*\|\s*Benchmark/);
  await lens(page, 'Benchmark');
  await page.see(`${panel} tbody tr`, /BLOCK=1024.*[µm]s/);
  assert.equal(await page.count(`${panel} .g-guide:not([hidden])`), 0);
  await ended(page);
  await page.see(`${panel} .g-subtitle`, name);
  await page.see(`${panel} .g-metric`, /GB\/s/);
  await page.see(`${panel} .g-metric`, /of the peak of the GPU's memory/);
  assert.equal((await rows(page)).length, 1);
});

step('all launches, the best first, beside a baseline', async () => {
  await press(page, 'All 2 launches');
  await until('two rows', async () => (await rows(page)).length === 2);
  await ended(page);
  const times = await page.page.$$eval(`${panel} .g-bench-table tr[data-id]`, (all) =>
    all.map((row) => row.children[1].textContent),
  );
  const microseconds = times.map((text) => parseFloat(text) * (text.includes('ms') ? 1000 : 1));
  assert.deepEqual(
    microseconds,
    [...microseconds].sort((a, b) => a - b),
  );
  await page.page.locator(`${panel} .g-bench-table tr[data-id]:nth-child(2)`).click();
  await page.see(`${panel} .g-bench-table tr:nth-child(2)`, 'baseline');
});

step('a sweep counts the grid again, and says so', async () => {
  await page.page.locator(`${panel} summary`).click();
  await page.page.$eval(
    `${panel} input[aria-label="values of BLOCK"]`,
    (input) => ((input.value = '512, 1024'), input.dispatchEvent(new Event('change'))),
  );
  await page.page.$eval(
    `${panel} input[aria-label="values of num_warps"]`,
    (input) => ((input.value = '2, 4'), input.dispatchEvent(new Event('change'))),
  );
  await press(page, 'Sweep 4');
  await until('four rows', async () => (await rows(page)).length === 4);
  await ended(page);
  for (const combination of [
    'num_warps=2 BLOCK=512',
    'num_warps=4 BLOCK=512',
    'num_warps=2 BLOCK=1024',
    'num_warps=4 BLOCK=1024',
  ])
    assert.ok(
      (await rows(page)).some((row) => row.includes(combination)),
      combination,
    );
  const notes = await page.page.$$eval(`${panel} tbody th`, (all) => all.map((each) => each.title));
  assert.ok(
    notes.every((note) => note.includes('grid[0]: computed as cdiv(count, BLOCK)')),
    notes.join('\n'),
  );
  await page.page.locator(`${panel} summary`).click();
  await picture(page, 'benchmark');
});

step('the next benchmark is compared with the one before, an edit with what was before it', async () => {
  await press(page, 'Benchmark');
  await ended(page);
  await page.see(`${panel} .g-metric`, /than last time/);
  await page.goTo('gl.BlockedLayout([4]', '4', true);
  await page.page.keyboard.type('2');
  await pause(1_000);
  await press(page, 'Benchmark');
  await ended(page);
  await page.see(`${panel} .g-metric`, /than before the edit/);
  await page.see(`${panel} figcaption`, /BLOCK=1024.*the last \d+ times/);
  const history = readFileSync(join(served.folder, '.gluond/history/timed.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(history.length >= 8);
  assert.ok(history.every((past) => past.kernel === 'copy_blocks' && past.device === name && past.median_us > 0));
});

step('run says what became of the tensors', async () => {
  await page.goTo('def copy_blocks', 'copy_blocks');
  await lens(page, 'Run');
  await ended(page);
  await page.see(`${panel} tbody tr`, /^dst.*fp32\[100000\]/);
  await page.see(`${panel} tbody tr`, /^src.*unchanged/);
});

step('a kernel that faults: its reason, and the next one runs', async () => {
  await page.goTo('def fault_700', 'fault_700');
  await lens(page, 'Benchmark', 1);
  await page.see(`${panel} .g-notice, ${panel} .g-bad`, /illegal|ILLEGAL|fault/i);
  await page.goTo('def copy_blocks', 'copy_blocks');
  await lens(page, 'Benchmark');
  await page.see(`${panel} tbody tr`, /BLOCK=1024.*[µm]s/);
});

step('without a GPU it says so', async () => {
  const other = await Page.open(browser, without.url, { file });
  await other.goTo('def copy_blocks', 'copy_blocks');
  await lens(other, 'Benchmark');
  await other.see(`${panel} .g-notice`, /There is no GPU to run the kernel/);
  assert.deepEqual(other.errors, []);
  await other.close();
});

step('nothing went wrong in the page', () => assert.deepEqual(page.errors, []));
