// Kernels of other chips, opened by somebody who has set nothing: the target follows from what they import, and the
// menu overrules it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser, Page, serve, until } from './page.mjs';
import { picture } from './pictures.mjs';

let served, browser;
/** @type {Page} */
let page;
before(async () => {
  served = await serve();
  browser = await launchBrowser();
  page = await Page.open(browser, served.url, { file: 'chips/blackwell.py' });
});
after(async () => {
  await browser?.close();
  served?.stop();
});
const step = (name, work) => test(name, { timeout: 300_000 }, work);
const open = async (name) => {
  await page.page.$eval(`.p-file[data-name="${name}"]`, (file) => file.click());
  await page.see('.p-name', name);
};
const target = (value) => page.page.select('.p-header [aria-label^="Target"]', value);

step('tcgen05 means Blackwell: no errors, tensor memory in the panels', async () => {
  await page.see('.codelens-decoration', /M=128 N=128 K=64 num_warps=4 \(cuda:100\)/);
  await page.see('.codelens-decoration', /TMEM 128 of 512 columns/);
  assert.equal(await page.count('.p-problem.p-error'), 0);
  await page.goTo('sums = allocate', 'sums');
  await page.panel('layout');
  await page.see('#g-panel-layout .g-title', /TensorMemoryLayout/);
  await page.see('#g-panel-layout .g-subtitle', /in tensor memory/);
  await page.clickCell('layout', 'map', 70 * 128 + 9, '(70, 9)  row 70, column 9');
  await picture(page, 'tensor-memory');
});

step('what Gluon’s own functions allocate stands where they are called', async () => {
  await page.panel('shared');
  await page.see('#g-panel-shared .g-operation', /buffer/);
  const rows = await page.page.$$eval('#g-panel-shared .g-operation', (all) =>
    all.map((row) => [...row.children].map((each) => each.textContent).join(' ')),
  );
  assert.deepEqual(
    rows.map((row) => row.replace(/, .*/, '')),
    ['18 buffer 16 bytes per lane', '19 buffer 16 bytes per lane', '20 tensor memory 65536 bytes', '21 buffer 8 bytes'],
  );
  await page.page.$$eval('#g-panel-shared .g-operation', (all) => all[3].click());
  await until('the line of the barrier', async () => (await page.cursor()).lineNumber === 21);
});

step('MFMA means CDNA: 64 lanes to a warp', async () => {
  await open('chips/cdna.py');
  await page.see('.codelens-decoration', /M=64 N=64 K=64 num_warps=4 \(hip:gfx942\)/);
  assert.equal(await page.count('.p-problem.p-error'), 0);
  await page.panel('layout');
  await page.goTo('c = mfma', 'c');
  await page.see('#g-panel-layout .g-title', /AMDMFMALayout/);
  await page.see('#g-panel-layout .g-subtitle', /4 warps x 64 lanes x 16 registers/);
  // Blocks of four rows of 32: element (0, 4) is the 33rd lane's first register.
  await page.clickCell('layout', 'map', 4, '(0, 4)  warp 0, lane 32, register 0');
  await page.panel('ir');
  await until('its stages', async () => {
    const stages = await page.page.$$eval('#g-panel-ir [data-stage]', (all) => all.map((t) => t.dataset.stage).join());
    if (stages !== 'source,ttgir,llir,amdgcn,isa') throw new Error(stages);
    return true;
  });
  await page.see('#g-panel-ir .g-code-line', /#ttg\.amd_mfma/);
});

step('the menu overrules what is imported, and is kept', async () => {
  await open('tiles.py');
  await page.see('.codelens-decoration', /\(cuda:90\)/);
  await target('cuda:80');
  await page.see('.codelens-decoration', /\(cuda:80\)/);
  await page.see('.g-context select', /\(cuda:80\)/);
  await page.page.reload();
  await page.page.waitForFunction(() => window.gluond);
  await page.see('.codelens-decoration', /\(cuda:80\)/);
  // What the chip cannot do is said.
  await open('chips/blackwell.py');
  await page.see('.p-problem.p-error', /needs Blackwell .*the target is cuda:80/);
  await target('');
  await until('no errors', async () => (await page.count('.p-problem.p-error')) === 0);
  await page.see('.codelens-decoration', /\(cuda:100\)/);
});

step('nothing went wrong in the page', () => assert.deepEqual(page.errors, []));
