// Pictures for the documentation, made by the tests: docs/pictures/serve. With UPDATE_PICTURES=1 they are written; else what is seen must
// still look like them, in large (40x25 cells).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { top } from './page.mjs';

const kept = join(top, 'docs/pictures/serve');
const cellLimit = 60;
const averageLimit = 8;

export async function picture(page, name) {
  await page.page.mouse.move(2, 2);
  const shot = Buffer.from(await page.page.screenshot({ type: 'png' }));
  const file = join(kept, `${name}.png`);
  if (process.env.UPDATE_PICTURES) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(file, smaller(shot));
    return;
  }
  assert.ok(existsSync(file), `${file} is not there; UPDATE_PICTURES=1 makes it`);
  const urls = [shot, readFileSync(file)].map(png => png.toString('base64'));
  const { worst, average } = await page.page.evaluate(async pngs => {
    const cells = [];
    for (const png of pngs) {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), c => c.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(40, 25);
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, 40, 25);
      cells.push(context.getImageData(0, 0, 40, 25).data);
    }
    let worst = 0;
    let sum = 0;
    for (let i = 0; i < cells[0].length; i++) {
      const by = Math.abs(cells[0][i] - cells[1][i]);
      worst = Math.max(worst, by);
      sum += by;
    }
    return { worst, average: sum / cells[0].length };
  }, urls);
  assert.ok(worst <= cellLimit && average <= averageLimit, `${name} does not look like docs/pictures/serve/${name}.png: a cell differs by ${worst}, all by ${average.toFixed(1)} on average`);
}

// A screen of flat colours needs few of them; pngquant is optional.
function smaller(png) {
  try {
    return execFileSync('pngquant', ['--quality', '70-95', '--speed', '1', '--strip', '-'], { input: png, maxBuffer: 1 << 26 });
  } catch {
    return png;
  }
}
