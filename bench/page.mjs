// The panels in a real browser: from a click in the editor to the picture of what was clicked, and what of it was the
// panel's; and frames of a 256x256 map with replication while it is hovered, selected in, zoomed and dragged: how many
// a second, and how long drawing one takes.
//   node bench/page.mjs build/bin/gluond        needs Chromium and `npm ci` in visualizer/; prints, asserts nothing
//
// A headless Chromium without a GPU draws in software, so a real screen is faster.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.env.GLUOND = process.argv[2] ?? 'build/bin/gluond';
process.env.GLUOND_CHROMIUM ??= '/usr/bin/chromium';
const { launchBrowser, Page, pause, serve, until } = await import('../tests/browser/page.mjs');

const kernel = `from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def wide(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    narrow: gl.constexpr = gl.BlockedLayout([4, 1], [32, 1], [1, 4], [0, 1])
    i = gl.arange(0, 256, layout=gl.SliceLayout(1, layout))
    j = gl.arange(0, 256, layout=gl.SliceLayout(0, layout))
    tile = gl.load(src + i[:, None] * 256 + j[None, :])
    turned = gl.convert_layout(tile, narrow)
    copies: gl.constexpr = gl.DistributedLinearLayout([[0, 1], [0, 2], [0, 0], [0, 64], [0, 128], [16, 0], [32, 0], [64, 0], [128, 0]], [[0, 4], [0, 8], [0, 16], [0, 32], [1, 0]], [[2, 0], [4, 0], [8, 0]], [], [256, 256])
    gl.store(dst + gl.arange(0, 256, layout=gl.SliceLayout(1, narrow))[:, None] * 256 + gl.arange(0, 256, layout=gl.SliceLayout(0, narrow))[None, :], turned)
`;

const launch = `

wide[(1,)](torch.empty(65536), torch.empty(65536))
`;

const served = await serve((folder) => writeFileSync(join(folder, 'wide.py'), `import torch\n${kernel}${launch}`));
const browser = await launchBrowser();
const quantile = (values, q) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];
const text = (values) =>
  `p50 ${quantile(values, 0.5).toFixed(1)} ms, p95 ${quantile(values, 0.95).toFixed(1)} ms, longest ${Math.max(...values).toFixed(1)} ms, ${values.length} times`;
try {
  const page = await Page.open(browser, served.url, { file: 'wide.py' });
  const title = () => page.title('layout');

  // ---- from a click to the picture: the frame in which the panel's canvas is drawn anew after the mouse went down.
  await page.page.evaluate(() => {
    window.drawn = 0;
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it gets its canvas below
    const draw = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function (...rest) {
      if (this.canvas.closest?.('#g-panel-layout')) window.drawn = performance.now();
      return draw.apply(this, rest);
    };
    window.addEventListener('pointerdown', () => (window.pressed = performance.now()), true);
  });
  const clicks = [],
    panel = [];
  const words = [
    ['tile = gl.load', 'tile', /\[1, 4\], \[1, 32\]/],
    ['turned = gl', 'turned', /\[4, 1\], \[32, 1\]/],
  ];
  const places = [];
  for (const [context, word] of words) {
    await page.goTo(context, word);
    await pause(400);
    places.push(
      await page.page.evaluate(() => {
        const editor = gluond.monaco.editor.getEditors()[0];
        const at = editor.getScrolledVisiblePosition(editor.getPosition());
        const box = editor.getDomNode().getBoundingClientRect();
        return { x: box.x + at.left + 6, y: box.y + at.top + at.height / 2 };
      }),
    );
  }
  for (let i = 0; i < 40; ++i) {
    const place = places[i % 2];
    await page.page.evaluate(() => (window.drawn = 0));
    await page.page.mouse.click(place.x, place.y);
    await until(
      'the other picture',
      async () =>
        words[i % 2][2].test(await title()) && (await page.page.evaluate(() => window.drawn > window.pressed)),
    );
    clicks.push(await page.page.evaluate(() => window.drawn - window.pressed));
    panel.push(await page.page.evaluate(() => gluond.panels.panels.get('layout').lastMilliseconds));
    await pause(60);
  }
  console.log(`click to picture, 256x256: ${text(clicks.slice(4))}`);
  console.log(`  of it from the panel's question to its picture: ${text(panel.slice(4))}`);

  // ---- frames, with the replicated layout
  await page.goTo('copies: gl', 'copies');
  await until('the replicated layout', async () => /DistributedLinear/.test(await title()));
  await pause(500);
  const canvas = await page.page.$('#g-panel-layout .g-grid canvas');
  const box = await canvas.boundingBox();
  const measure = async (name, act) => {
    await page.page.evaluate(() => {
      window.frames = [];
      window.draws = [];
      window.counting = true;
      const grid = gluond.panels.panels.get('layout').view.map;
      const step = (time) => {
        window.frames.push(time);
        // What drawing this frame took; its own callback may run before or after this one.
        window.draws.push(grid.lastDrawMilliseconds ?? 0);
        if (window.counting) requestAnimationFrame(step);
      };
      requestAnimationFrame(step);
    });
    await act();
    const { frames, draws } = await page.page.evaluate(
      () => ((window.counting = false), { frames: window.frames, draws: window.draws }),
    );
    const gaps = frames.slice(1).map((time, i) => time - frames[i]);
    const seconds = (frames.at(-1) - frames[0]) / 1000;
    console.log(
      `${name}: ${(gaps.length / seconds).toFixed(1)} frames a second, gap p99 ${quantile(gaps, 0.99).toFixed(1)} ms, longest ${Math.max(...gaps).toFixed(1)} ms; drawing p99 ${quantile(draws, 0.99).toFixed(1)} ms`,
    );
  };
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await measure('hover over 256x256 with replication', async () => {
    for (let i = 0; i < 120; ++i) await page.page.mouse.move(middle.x - 150 + i * 2.5, middle.y - 100 + i);
  });
  await measure('selection', async () => {
    await page.page.mouse.click(middle.x, middle.y);
    for (let i = 0; i < 60; ++i) await page.page.keyboard.press(i % 2 ? 'ArrowRight' : 'ArrowDown');
    await page.page.keyboard.press('Escape');
  });
  await measure('zoom', async () => {
    for (let i = 0; i < 60; ++i) await page.page.mouse.wheel({ deltaY: i < 30 ? -60 : 60 });
  });
  await page.page.mouse.wheel({ deltaY: -600 });
  await measure('drag', async () => {
    await page.page.mouse.move(middle.x, middle.y);
    await page.page.mouse.down();
    for (let i = 0; i < 120; ++i)
      await page.page.mouse.move(middle.x + Math.sin(i / 9) * 150, middle.y + Math.cos(i / 9) * 100);
    await page.page.mouse.up();
  });
} finally {
  await browser.close();
  served.stop();
}
