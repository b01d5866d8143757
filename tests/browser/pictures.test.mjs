// The comparison of pictures itself: it must not mind how glyphs are drawn, and must mind everything a person would.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { difference } from '../support/pictures.mjs';
import { launchBrowser } from './page.mjs';

// A small screen like ours: text, a button, a map in the colours of four warps, another panel below.
const colours = ['#56b4e9', '#e69f00', '#009e73', '#cc79a7'];
const cell = (x, y) => `<i style="left:${x * 20}px;top:${y * 14}px;background:${colours[y % 4]}">T${x}</i>`;
const html = `<!doctype html><style>
  body { margin: 0; font: 13px sans-serif; background: #fdfdfd; color: #222; width: 800px; height: 600px; position: relative }
  body > * { position: absolute }
  code { font: 13px monospace }
  #map i { position: absolute; width: 19px; height: 13px; font: 7px monospace }
</style>
<code id="line" style="left:50px;top:24px">tile = gl.load(src + where)</code><span id="word" style="left:50px;top:64px">no conflicts</span>
<button style="left:300px;top:20px">SVG</button>
<div id="map" style="left:50px;top:120px">${Array.from({ length: 8 * 16 }, (_, i) => cell(i % 16, i >> 4)).join('')}</div>
<div id="panel" style="left:50px;top:300px;width:400px;height:120px;background:#f3f4f8;border:1px solid #ddd">128 threads, 4 warps</div>`;

let browser, page, kept;
const shot = async () => Buffer.from(await page.screenshot({ type: 'png' }));
before(async () => {
  browser = await launchBrowser();
  page = await browser.newPage();
  await page.setViewport({ width: 800, height: 600 });
  await page.setContent(html);
  kept = await shot();
});
after(() => browser?.close());

// The screen after `change`, beside the one before.
async function afterwards(change) {
  await page.setContent(html);
  await page.evaluate(change);
  return difference(browser, await shot(), kept);
}

for (const [what, change] of Object.entries({
  'the same': () => {},
  'glyphs drawn between pixels': () =>
    document
      .querySelectorAll('code, span, button')
      .forEach((each) => (each.style.transform = 'translate(0.4px, 0.4px)')),
  'softer glyphs': () => document.querySelectorAll('code, span').forEach((each) => (each.style.filter = 'blur(0.4px)')),
  'colours that a palette of 256 rounds': () =>
    document.querySelectorAll('#map i').forEach((each) => (each.style.filter = 'brightness(0.985)')),
}))
  test(`${what}: no difference`, async () => assert.equal((await afterwards(change)).problem, false));

for (const [what, change] of Object.entries({
  'one element in the colour of another warp': () =>
    (document.querySelectorAll('#map i')[37].style.background = '#56b4e9'),
  'two warps that changed places': () =>
    document
      .querySelectorAll('#map i')
      .forEach((each, i) => (each.style.background = ['#e69f00', '#56b4e9', '#009e73', '#cc79a7'][(i >> 4) % 4])),
  'a map that was not drawn': () => document.querySelector('#map').remove(),
  'a line of text that is missing': () => (document.querySelector('#line').textContent = ''),
  'a word that is missing': () => (document.querySelector('#word').textContent = ''),
  'a button that is missing': () => document.querySelector('button').remove(),
  'a panel that is missing': () => document.querySelector('#panel').remove(),
  'things that moved': () => (document.querySelector('#panel').style.top = '320px'),
  'another theme': () => (document.body.style.background = '#1f1f1f'),
}))
  test(`${what}: different`, async () => assert.match((await afterwards(change)).problem || 'nothing', /differs by/));

test('another size: different', async () => {
  await page.setContent(html);
  await page.setViewport({ width: 800, height: 580 });
  assert.match((await difference(browser, await shot(), kept)).problem, /it is 800x580, not 800x600/);
});
