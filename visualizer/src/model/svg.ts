// A grid as a standalone SVG: neighbours of one colour share a rectangle, labels are text.
import { css, inkOn, unpack } from './palette.ts';

// The legend of the colors, below a picture that leaves the panel.
export interface LegendEntry {
  text: string;
  colour: string; // CSS
}

export interface SvgGrid {
  title: string;
  legend?: readonly LegendEntry[];
  rows: number;
  columns: number;
  pixels: Uint32Array; // transparent where there is nothing
  label?: (cell: number) => string;
  rowLabel?: (row: number) => string;
  columnLabel?: (column: number) => string;
}

export function escapeXml(text: string): string {
  // XML cannot contain control characters at all. Characters that turn the direction of text are written out.
  const visible = text.replace(
    /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16)}`,
  );
  return visible
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

export function gridSvg(grid: SvgGrid): string {
  const hasLabels = grid.label !== undefined && grid.rows * grid.columns <= 8192;
  const cell = hasLabels ? 44 : Math.max(2, Math.min(12, Math.floor(1600 / grid.columns)));
  const height = hasLabels ? 22 : cell;
  const left = grid.rowLabel ? 46 : 8;
  const top = grid.columnLabel ? 44 : 26;
  const out: string[] = [];
  const legend = grid.legend ?? [];
  const step = 28 + 7 * Math.max(0, ...legend.map((entry) => entry.text.length));
  const width = Math.ceil(
    left + Math.max(grid.columns * cell, grid.title.length * 7.4, Math.min(legend.length, 8) * step) + 8,
  );
  const perLine = Math.max(1, Math.floor((width - left) / step));
  const bottom = top + grid.rows * height + 8;
  const total = bottom + Math.ceil(legend.length / perLine) * 20;
  out.push(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" font-family="ui-monospace, Menlo, Consolas, monospace">`,
  );
  out.push(`<title>${escapeXml(grid.title)}</title><rect width="100%" height="100%" fill="#ffffff"/>`);
  out.push(`<text x="${left}" y="16" font-size="12" fill="#20242b">${escapeXml(grid.title)}</text>`);
  for (let row = 0; row < grid.rows; ++row)
    for (let column = 0; column < grid.columns;) {
      const pixel = grid.pixels[row * grid.columns + column]!;
      let end = column + 1;
      while (end < grid.columns && grid.pixels[row * grid.columns + end] === pixel) ++end;
      if (pixel >>> 24)
        out.push(
          `<rect x="${left + column * cell}" y="${top + row * height}" width="${(end - column) * cell}" height="${height}" fill="${css(unpack(pixel))}"/>`,
        );
      column = end;
    }
  const every = (count: number, size: number) => Math.max(1, Math.ceil(28 / size)) || count;
  if (grid.rowLabel)
    for (let row = 0; row < grid.rows; row += Math.max(1, Math.ceil(14 / height)))
      out.push(
        `<text x="${left - 5}" y="${top + (row + 0.5) * height + 3}" font-size="9" text-anchor="end" fill="#555">${escapeXml(grid.rowLabel(row))}</text>`,
      );
  if (grid.columnLabel)
    for (let column = 0; column < grid.columns; column += every(grid.columns, cell))
      out.push(
        `<text x="${left + (column + 0.5) * cell}" y="${top - 6}" font-size="9" text-anchor="middle" fill="#555">${escapeXml(grid.columnLabel(column))}</text>`,
      );
  if (hasLabels)
    for (let i = 0; i < grid.rows * grid.columns; ++i) {
      const pixel = grid.pixels[i]!;
      const x = left + ((i % grid.columns) + 0.5) * cell;
      const y = top + (Math.floor(i / grid.columns) + 0.5) * height + 3;
      out.push(
        `<text x="${x}" y="${y}" font-size="9" text-anchor="middle" fill="${pixel >>> 24 ? inkOn(unpack(pixel)) : '#888'}">${escapeXml(grid.label!(i))}</text>`,
      );
    }
  legend.forEach((entry, i) => {
    const x = left + (i % perLine) * step;
    const y = bottom + Math.floor(i / perLine) * 20 + 2;
    out.push(
      `<rect class="legend" x="${x}" y="${y}" width="11" height="11" rx="3" fill="${escapeXml(entry.colour)}"/><text x="${x + 16}" y="${y + 10}" font-size="11" fill="#20242b">${escapeXml(entry.text)}</text>`,
    );
  });
  out.push('</svg>\n');
  return out.join('\n');
}
