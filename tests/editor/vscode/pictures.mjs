// Pictures of what was tried, kept under docs/pictures/vscode and compared with what is seen now.
//
// A picture is compared as a person would, at arm's length: both are cut into cells, and no cell's colour may be far from the kept one's.
// So another rasterizer of fonts passes, and an empty panel, a missing underline's hover or another theme does not. With
// UPDATE_PICTURES=1 the kept ones are replaced.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { top } from './codeServer.mjs';

const kept = join(top, 'docs/pictures/vscode');
const made = join(top, 'build/pictures/vscode');
const columns = 40;
const rows = 25;
// Of 255, per cell and on average.
const cellLimit = 48;
const averageLimit = 6;

export async function picture(editor, name, { clip } = {}) {
  const shot = Buffer.from(await editor.page.screenshot({ type: 'png', ...(clip ? { clip } : {}) }));
  const file = join(made, `${name}.png`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, shot);
  const reference = join(kept, `${name}.png`);
  if (process.env.UPDATE_PICTURES) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(reference, smaller(shot));
    return;
  }
  assert.ok(existsSync(reference), `${reference} is not there; UPDATE_PICTURES=1 makes it`);
  const { worst, average } = await difference(editor.browser, shot, readFileSync(reference));
  const where = `cell ${worst.column},${worst.row} of ${columns}x${rows} differs by ${worst.by.toFixed(0)}, all by ${average.toFixed(1)} on average`;
  assert.ok(worst.by <= cellLimit && average <= averageLimit, `${file} does not look like ${reference}: ${where}`);
}

// 256 colours are enough for a screen of text; pngquant is optional.
function smaller(png) {
  try {
    return execFileSync('pngquant', ['--quality', '70-95', '--speed', '1', '--strip', '-'], { input: png, maxBuffer: 1 << 26 });
  } catch {
    return png;
  }
}

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
