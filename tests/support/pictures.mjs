// Pictures of what was tried in a real editor or browser, kept under docs/pictures and compared with what is seen now.
//
// Both are cut into squares, and no square's mean colour may be far from the kept one's. Fonts are the same everywhere
// (fonts.conf), so what remains between machines is the rasterizer's taste, far below the limits; a colour of a map
// that is another's, a line of text, a button or a panel that is missing is far above them (pictures.test.mjs holds the
// limits to that). With UPDATE_PICTURES=1 the kept ones are replaced; with GLUOND_TAKE_PICTURES=1, for another VS Code
// than the kept ones are of, they are taken and not compared. What is seen lies in build/pictures in any case.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patience, pause } from './waiting.mjs';

const top = fileURLToPath(new URL('../..', import.meta.url));
const keptFolder = join(top, 'docs/pictures');

const square = 20; // pixels
// Of 255, per square and on average.
const squareLimit = 22;
const averageLimit = 1.5;

// `page` is puppeteer's; the picture is docs/pictures/<folder>/<name>.png. `clip` is a part of the window: x, y, width,
// height. `isThere` looks at what the picture is of (a hover, a menu), which may go away by itself: then it is taken
// again, after `again`. `changing` are parts, in pixels of the picture, that say something else every time (times,
// paths): they are not compared. What moves into its place is waited for: a picture is compared again until it fits, or
// for half a minute.
export async function picture(
  page,
  folder,
  name,
  { clip, isThere = () => true, again = async () => {}, changing = [] } = {},
) {
  const made = join(top, 'build/pictures', folder);
  const kept = join(keptFolder, folder, `${name}.png`);
  mkdirSync(made, { recursive: true });
  if (process.env.UPDATE_PICTURES) {
    await pause(3_000); // with the colours and hints that come last
    await again();
  } else if (!process.env.GLUOND_TAKE_PICTURES)
    assert.ok(existsSync(kept), `${kept} is not there; UPDATE_PICTURES=1 makes it`);
  let found;
  for (const end = Date.now() + patience / 2; ;) {
    const shot = await still(page, clip, name, isThere, again);
    writeFileSync(join(made, `${name}.png`), shot);
    if (process.env.GLUOND_TAKE_PICTURES) return;
    if (process.env.UPDATE_PICTURES) {
      mkdirSync(join(keptFolder, folder), { recursive: true });
      writeFileSync(kept, smaller(shot));
      return;
    }
    found = await difference(page.browser(), shot, readFileSync(kept), changing);
    await page.bringToFront();
    if (!found.problem || Date.now() > end) break;
    await again();
  }
  assert.ok(!found.problem, `build/pictures/${folder}/${name}.png does not look like ${kept}: ${found.problem}`);
}

// A picture that two looks in a row agree on, of what is there; without what comes and goes by itself: scrollbars, the
// cursor and what it lights, bulbs.
async function still(page, clip, name, isThere, again) {
  await page.evaluate(() => {
    if (globalThis.gluondStill) return;
    const sheet = (globalThis.gluondStill = new CSSStyleSheet());
    sheet.replaceSync(`
      .monaco-scrollable-element > .scrollbar, .monaco-editor .cursor, .monaco-editor .decorationsOverviewRuler, .monaco-editor .bracket-match,
      .monaco-editor .current-line, .monaco-editor [class*="lightbulb" i], .monaco-editor [class*="wordHighlight"], .monaco-editor .selectionHighlight
      { visibility: hidden !important }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  let before;
  for (let tries = 0, lost = 0; ; ++tries) {
    const shot = Buffer.from(
      await page.screenshot({ type: 'png', captureBeyondViewport: false, ...(clip ? { clip } : {}) }),
    );
    const there = await isThere();
    if (there && (before?.equals(shot) || tries > 20)) return shot;
    before = there ? shot : undefined;
    if (there) continue;
    assert.ok(++lost < 8, `what ${name}.png is of does not stay`);
    await again();
  }
}

// 256 colours are enough for a screen of text; pngquant is optional.
function smaller(png) {
  try {
    return execFileSync('pngquant', ['--quality', '70-95', '--speed', '1', '--strip', '-'], {
      input: png,
      maxBuffer: 1 << 26,
    });
  } catch {
    return png;
  }
}

// What is different for a person who looks at both: { problem, worst, average }, with no problem where nothing is. On a
// page of its own: the one looked at may have a policy against it.
export async function difference(browser, seen, kept, changing = []) {
  const page = await browser.newPage();
  try {
    const found = await page.evaluate(
      compareInPage,
      [seen, kept].map((png) => `data:image/png;base64,${png.toString('base64')}`),
      square,
      changing,
    );
    if (found.sizes) return { ...found, problem: `it is ${found.sizes[0]}, not ${found.sizes[1]}` };
    const { worst, average } = found;
    const isDifferent = worst.by > squareLimit || average > averageLimit;
    return {
      ...found,
      problem:
        isDifferent &&
        `around ${worst.x},${worst.y} it differs by ${worst.by.toFixed(0)}, by ${average.toFixed(2)} on average`,
    };
  } finally {
    await page.close();
  }
}

// Runs in the page: the mean colours of both pictures' squares.
async function compareInPage(urls, square, changing) {
  const images = [];
  for (const url of urls) images.push(await createImageBitmap(await (await fetch(url)).blob()));
  const [{ width, height }, other] = images;
  if (other.width !== width || other.height !== height)
    return { sizes: images.map((image) => `${image.width}x${image.height}`) };
  const pixels = images.map((image) => {
    const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height).data;
  });
  const isChanging = (x, y) =>
    changing.some(
      (part) => x < part.x + part.width && x + square > part.x && y < part.y + part.height && y + square > part.y,
    );
  const worst = { by: 0, x: 0, y: 0 };
  let sum = 0,
    count = 0;
  for (let top = 0; top < height; top += square)
    for (let left = 0; left < width; left += square) {
      if (isChanging(left, top)) continue;
      const right = Math.min(left + square, width),
        bottom = Math.min(top + square, height);
      const apart = [0, 0, 0];
      for (let y = top; y < bottom; y++)
        for (let at = (y * width + left) * 4, end = (y * width + right) * 4; at < end; at += 4)
          for (let channel = 0; channel < 3; channel++)
            apart[channel] += pixels[0][at + channel] - pixels[1][at + channel];
      const by = Math.max(...apart.map(Math.abs)) / ((right - left) * (bottom - top));
      sum += by;
      count++;
      if (by > worst.by) Object.assign(worst, { by, x: left, y: top });
    }
  return { worst, average: count ? sum / count : 0 };
}
