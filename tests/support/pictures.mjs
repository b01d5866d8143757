// Pictures of what was tried in a real editor or browser, kept under docs/pictures and compared with what is seen now.
//
// A picture is compared as a person would, at arm's length: both are cut into cells, and no cell's colour may be far from the kept one's.
// So another rasterizer of fonts passes; an empty panel, a missing hover or another theme does not. With UPDATE_PICTURES=1 the kept
// ones are replaced. What is seen lies in build/pictures in any case.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const columns = 40;
const rows = 25;
// Of 255, per cell and on average.
const cellLimit = 60;
const averageLimit = 8;

// `page` is puppeteer's; the picture is docs/pictures/<folder>/<name>.png. `clip` is a part of the window: x, y, width, height. `isThere`
// looks at what the picture is of (a hover, a menu), which may go away by itself: then it is taken again, after `again`.
export async function picture(page, folder, name, { clip, isThere = () => true, again = () => {} } = {}) {
  let shot;
  for (let tries = 0; ; ++tries) {
    shot = Buffer.from(await page.screenshot({ type: 'png', captureBeyondViewport: false, ...(clip ? { clip } : {}) }));
    if (await isThere()) break;
    assert.ok(tries < 4, `what ${name}.png is of does not stay`);
    await again();
  }
  const made = join(top, 'build/pictures', folder);
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, `${name}.png`), shot);
  const kept = join(top, 'docs/pictures', folder, `${name}.png`);
  if (process.env.UPDATE_PICTURES) {
    mkdirSync(join(top, 'docs/pictures', folder), { recursive: true });
    writeFileSync(kept, smaller(shot));
    return;
  }
  assert.ok(existsSync(kept), `${kept} is not there; UPDATE_PICTURES=1 makes it`);
  const { worst, average } = await difference(page.browser(), shot, readFileSync(kept));
  await page.bringToFront();
  const where = `cell ${worst.column},${worst.row} of ${columns}x${rows} differs by ${worst.by.toFixed(0)}, all by ${average.toFixed(1)} on average`;
  assert.ok(worst.by <= cellLimit && average <= averageLimit, `build/pictures/${folder}/${name}.png does not look like ${kept}: ${where}`);
}

// 256 colours are enough for a screen of text; pngquant is optional.
function smaller(png) {
  try {
    return execFileSync('pngquant', ['--quality', '70-95', '--speed', '1', '--strip', '-'], { input: png, maxBuffer: 1 << 26 });
  } catch {
    return png;
  }
}

// On a page of its own: the one looked at may have a policy against it.
async function difference(browser, one, other) {
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      async (urls, columns, rows) => {
        const cells = [];
        for (const url of urls) {
          const image = await createImageBitmap(await (await fetch(url)).blob());
          const canvas = new OffscreenCanvas(columns, rows);
          const context = canvas.getContext('2d');
          context.imageSmoothingQuality = 'high';
          context.drawImage(image, 0, 0, columns, rows);
          cells.push(context.getImageData(0, 0, columns, rows).data);
        }
        let worst = { by: 0, column: 0, row: 0 };
        let sum = 0;
        for (let cell = 0; cell < columns * rows; cell++) {
          let by = 0;
          for (let channel = 0; channel < 3; channel++) by = Math.max(by, Math.abs(cells[0][cell * 4 + channel] - cells[1][cell * 4 + channel]));
          sum += by;
          if (by > worst.by) worst = { by, column: cell % columns, row: Math.floor(cell / columns) };
        }
        return { worst, average: sum / (columns * rows) };
      },
      [one, other].map(png => `data:image/png;base64,${png.toString('base64')}`),
      columns,
      rows,
    );
  } finally {
    await page.close();
  }
}
