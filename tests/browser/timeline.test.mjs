// The timeline of a kernel with two partitions whose consumer releases a stage before it has read it.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launchBrowser, Page, retry, serve, until } from './page.mjs';
import { picture } from './pictures.mjs';

const file = 'pipeline.py';
let served, browser;
/** @type {Page} */
let page;
before(async () => {
  served = await serve((folder) =>
    copyFileSync(new URL('../support/pipeline.py', import.meta.url), join(folder, file)),
  );
  browser = await launchBrowser();
  page = await Page.open(browser, served.url, { file });
});
after(async () => {
  await browser?.close();
  served?.stop();
});
const step = (title, work) => test(title, { timeout: 120_000 }, work);
const panel = '#g-panel-timeline';
const moment = (of = page) =>
  of.page.$eval(`${panel} .g-tracks canvas`, (e) => Number(e.getAttribute('aria-valuenow')));
const last = (of = page) => of.page.$eval(`${panel} .g-tracks canvas`, (e) => Number(e.getAttribute('aria-valuemax')));
const box = async (of = page) => (await of.page.$(`${panel} .g-tracks canvas`)).boundingBox();

step('a lens opens it at what is wrong', async () => {
  await page.goTo('def ring', 'ring');
  const clicked = () =>
    page.page.evaluate(() => {
      const lens = [...document.querySelectorAll('.codelens-decoration a')].find((a) => a.textContent === 'Timeline');
      lens?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
      lens?.dispatchEvent(new MouseEvent('mouseup', { bubbles: true }));
      lens?.click();
      return Boolean(lens);
    });
  await until('the lens', clicked);
  await page.see(`${panel} .g-subtitle`, /program 0,0,0 of 1,1,1 · latest · \d+ steps · 1 finding/);
  await page.see(`${panel} [data-code="run-race"][aria-pressed="true"]`, /line 16: race/);
  await page.see(`${panel} .g-timeline-events`, /TMA load writes bytes .* while another partition may still read them/);
  await page.see(`${panel} .g-timeline-events li`, /line 26: .*read/);
  // The race is about the first stage, whose elements are marked.
  await page.see(`${panel} .g-timeline-memory select`, /tiles f(p|loat)?32\[2, 16, 32\], line 36/);
  await page.see(`${panel} .g-status`, /512 elements of the finding/);
  await page.see(`${panel} .g-timeline-state`, /default partition.*partition 0.*Barriers.*phase/);
});

step('the lanes are spoken, and so is the moment', async () => {
  const said = await page.page.$eval(`${panel} .g-tracks canvas`, (e) => e.getAttribute('aria-valuetext'));
  assert.match(said, /^step \d+\. .*partition/);
});

step('its lines are marked in the text while it is shown', async () => {
  const marked = () =>
    page.page.evaluate(
      () =>
        gluond.monaco.editor
          .getEditors()[0]
          .getModel()
          .getAllDecorations()
          .filter((each) => each.options.className === 'p-lit').length,
    );
  await until('marked lines', async () => (await marked()) > 0);
  await page.panel('access');
  await until('no marked lines', async () => (await marked()) === 0);
  await page.panel('timeline');
  await until('marked lines again', async () => (await marked()) > 0);
});

step('it can be dragged and played with the keyboard', async () => {
  const at = await box();
  const before = await moment();
  await page.page.mouse.move(at.x + at.width - 20, at.y + 60);
  await page.page.mouse.down();
  await page.page.mouse.move(at.x + at.width * 0.5, at.y + 60, { steps: 4 });
  await page.page.mouse.up();
  const dragged = await moment();
  assert.notEqual(dragged, before);
  assert.ok(dragged > 0 && dragged < (await last()));
  await page.see(`${panel} .g-timeline-now`, `step ${dragged} of`);
  await page.key('Home');
  assert.equal(await moment(), 0);
  await page.see(`${panel} .g-timeline-now`, 'step 0 of');
  await page.see(`${panel} .g-status`, 'Not written yet.');
  await page.key('ArrowRight');
  const first = await moment();
  assert.ok(first > 0);
  await page.key('Shift', 'ArrowRight');
  assert.equal(await moment(), first + 1);
  await page.key('End');
  assert.equal(await moment(), await last());
  await page.see(`${panel} .g-timeline-state`, /default partition.*has ended|default partition/);
});

step('a buffer shows what was written last', async () => {
  const press = (text) =>
    page.page.$$eval(
      `${panel} .g-timeline-buffers button`,
      (all, text) => all.find((each) => each.textContent === text).click(),
      text,
    );
  await press('Last write');
  await page.see(`${panel} .g-status`, /Last written in step \d+, line 16 \(512 elements here, coloured\)/);
  assert.ok((await moment()) < (await last()));
  const label = await page.page.$eval(`${panel} .g-timeline-memory canvas`, (e) => e.getAttribute('aria-label'));
  assert.match(label, /16 by 32 cells/);
});

step('a lint opens the run that shows it', async () => {
  await page.panel('layout');
  await retry(
    'the fixes',
    async () => {
      await page.goTo('total += tiles', 'tiles');
      await page.key('Control', '.');
    },
    () => page.see('.action-widget .monaco-list-row', 'Show in the timeline', 4_000),
  );
  await page.key('Enter');
  await until('the panel', () => page.page.$eval(panel, (element) => !element.hidden));
  await page.see(`${panel} [data-code="run-race"][aria-pressed="true"]`, /race/);
});

step('a picture', async () => {
  await page.page.click(`${panel} [data-code="run-race"]`);
  await page.see(`${panel} .g-status`, /512 elements of the finding/);
  await picture(page, 'timeline');
});

step('the layout panel shows what the value contains at that moment', async () => {
  await page.panel('timeline');
  await page.page.focus(`${panel} .g-tracks canvas`);
  await page.key('End');
  await page.see(`${panel} .g-timeline-now`, /step (\d+) of \1/);
  const layout = '#g-panel-layout';
  await page.goTo('total += tiles', 'total');
  await page.panel('layout');
  await page.see(`${layout} .g-toolbar`, /At step \d+ of the timeline/);
  await page.clickCell('layout', 'map', 5, /\(0, 5\) = 6\.0 /); // six tiles of ones
  // Before the kernel began, nothing has a value.
  await page.panel('timeline');
  await page.page.focus(`${panel} .g-tracks canvas`);
  await page.key('Home');
  await page.see(`${panel} .g-timeline-now`, 'step 0 of');
  await page.panel('layout');
  await page.see(`${layout} .g-toolbar`, /No values at step 0 of the timeline: no call .* has such a variable/);
  // A stage of a buffer, by its slot.
  await page.goTo('total += tiles', 'tiles');
  await page.panel('timeline');
  await page.page.focus(`${panel} .g-tracks canvas`);
  await page.key('End');
  await page.see(`${panel} .g-timeline-now`, /step (\d+) of \1/);
  await page.panel('layout');
  await page.see(`${layout} .g-toolbar`, /At step \d+ of the timeline/);
  await page.clickCell('layout', 'map', 5, /\(0, 5\) = 1\.0 {2}slot 0/);
  await page.goTo('tiles = gl.allocate', 'tiles');
  await page.panel('shared');
  await page.see('#g-panel-shared .g-toolbar', /At step \d+ of the timeline/);
  await page.clickCell('shared', 'map', 5, /\(0, 5\) = 1\.0 {2}slot 0, byte 20/);
  await page.panel('timeline');
});

step('another schedule and another launch run again', async () => {
  await page.page.select(`${panel} select[aria-label="Schedule"]`, 'earliest');
  await page.see(`${panel} .g-subtitle`, /earliest/);
  const launch = await page.page.$$eval('.g-context select:last-of-type option', (all) => all[1].value);
  await page.page.select('.g-context select:last-of-type', launch);
  await page.see(`${panel} .g-subtitle`, /no problems found/);
  assert.equal(await page.count(`${panel} [data-code]`), 0);
});

step('what cannot be simulated is said', async () => {
  await page.page.$eval(`${panel} .g-timeline-program`, (e) => {
    e.value = '5,0,0';
    e.dispatchEvent(new Event('change'));
  });
  await page.see(`${panel} .g-notice`, /The grid has 1 program along dimension 0, and so no program with number 5/);
});

step('it is as readable in light colours, and nothing is lost in a small window', async () => {
  const small = await Page.open(browser, served.url, { file, theme: 'light', width: 800, height: 600 });
  await small.goTo('def ring', 'ring');
  await small.panel('timeline');
  await small.see(`${panel} .g-subtitle`, /1 finding/);
  const lost = await small.page.$eval(panel, (element) => {
    const outside = [];
    for (const each of element.querySelectorAll('button, select, input, canvas')) {
      const { left, right } = each.getBoundingClientRect();
      if (each.checkVisibility() && (left < -1 || right > innerWidth + 1)) outside.push(each.className || each.tagName);
    }
    return outside;
  });
  assert.deepEqual(lost, []);
  // The panel alone: how far the editor has scrolled depends on when its lenses came.
  const { x, y, width, height } = await (await small.page.$(panel)).boundingBox();
  await picture(small, 'timeline-small', { clip: { x, y, width, height: Math.min(height, 600 - y) } });
  assert.deepEqual(small.errors, []);
  await small.close();
});

step('nothing went wrong in the page', () => assert.deepEqual(page.errors, []));
