// How a grid of cells is drawn on a canvas: the cells, the lines between them, their labels, the rulers next to
// them.
import { inkOn, unpack } from '../model/palette.ts';
import { monospace } from './fonts.ts';

export interface GridData {
  // Names the subject of the cells, for instance one value of one program. A grid with another subject loses the
  // selection.
  subject: string;
  rows: number;
  columns: number;
  pixels: Uint32Array; // row-major; transparent where there is nothing
  label?: (cell: number) => string;
  shortLabel?: (cell: number) => string; // used if `label` does not fit
  // The number of neighbours in a row that belong together. They share a label if a cell is too small for one, and no
  // lines divide them.
  run?: number;
  runLabel?: (cell: number) => string;
  rowLabel?: (row: number) => string;
  columnLabel?: (column: number) => string;
  describe: (cell: number) => string; // text for the tooltip and the screen reader
  // Lines divide groups of rows and of columns: one after this many, and one before each row of `rowBreaks`.
  everyColumn?: number;
  everyRow?: number;
  rowBreaks?: ReadonlySet<number>;
  warnRows?: ReadonlySet<number>; // the rows whose labels are drawn as warnings
  hatched?: Uint8Array; // by cell; 1 draws it with stripes, because it is moved but not used
  isWide?: boolean; // cells take all the width there is, however low they are
}

// The part of a grid that is in sight, and where it is on the canvas.
export interface Sight {
  data: GridData;
  cell: { width: number; height: number };
  left: number; // the width of the row labels
  top: number; // the height of the column labels
  x0: number; // the corner of the first cell, which may be out of sight
  y0: number;
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

export interface Colours {
  ground: string;
  text: string;
  muted: string;
  accent: string;
  warn: string;
  dim: number; // a pixel of the veil over cells that are not highlighted
}

export function coloursOf(element: HTMLElement): Colours {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const ground = read('--g-ground');
  const rgb = toRgb(ground);
  return {
    ground,
    text: read('--g-text'),
    muted: read('--g-muted'),
    accent: read('--g-accent'),
    warn: read('--g-warn'),
    dim: ((0xc8 << 24) | (rgb[2]! << 16) | (rgb[1]! << 8) | rgb[0]!) >>> 0,
  };
}

// The lines between cells, then those between groups of cells.
export function drawLines(g: CanvasRenderingContext2D, sight: Sight, colours: Colours): void {
  const { data, cell, x0, y0, firstRow, lastRow, firstColumn, lastColumn } = sight;
  const width = cell.width * data.columns;
  const height = cell.height * data.rows;
  if (cell.width * (data.run ?? 1) >= 6 && cell.height >= 5) {
    g.strokeStyle = colours.ground;
    g.lineWidth = cell.width >= 16 && cell.height >= 12 ? 1.2 : 0.5;
    g.beginPath();
    const step = data.run && cell.width < 24 ? data.run : 1;
    for (let column = Math.floor(firstColumn / step) * step; column <= lastColumn + 1; column += step) {
      g.moveTo(x0 + column * cell.width, y0);
      g.lineTo(x0 + column * cell.width, y0 + height);
    }
    for (let row = firstRow; row <= lastRow + 1; ++row) {
      g.moveTo(x0, y0 + row * cell.height);
      g.lineTo(x0 + width, y0 + row * cell.height);
    }
    g.stroke();
  }
  g.strokeStyle = colours.muted;
  g.lineWidth = 1;
  g.beginPath();
  if (data.everyColumn && cell.width * data.everyColumn >= 8)
    for (let column = data.everyColumn; column < data.columns; column += data.everyColumn) {
      g.moveTo(x0 + column * cell.width, y0);
      g.lineTo(x0 + column * cell.width, y0 + height);
    }
  if (data.everyRow && cell.height * data.everyRow >= 8)
    for (let row = data.everyRow; row < data.rows; row += data.everyRow) {
      g.moveTo(x0, y0 + row * cell.height);
      g.lineTo(x0 + width, y0 + row * cell.height);
    }
  for (const row of data.rowBreaks ?? []) {
    g.moveTo(x0, y0 + row * cell.height);
    g.lineTo(x0 + width, y0 + row * cell.height);
  }
  g.stroke();
}

// All labels in sight are of one size and one kind: one for each cell, one for each run of cells, or the short ones.
export function drawLabels(
  g: CanvasRenderingContext2D,
  sight: Sight,
  highlighted: Uint8Array | null,
  muted: string,
): void {
  const { data, cell, x0, y0, firstRow, lastRow, firstColumn, lastColumn } = sight;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  const longestOf = (label: (cell: number) => string) =>
    Math.max(
      ...[firstRow, (firstRow + lastRow) >> 1, lastRow].flatMap((r) =>
        [firstColumn, (firstColumn + lastColumn) >> 1, lastColumn].map((c) => label(r * data.columns + c).length),
      ),
    );
  const sizeFor = (label: (cell: number) => string, width: number) =>
    Math.min(12, cell.height * 0.56, (width - 3.5) / (Math.max(1, longestOf(label)) * 0.61));
  const kinds: { label: ((cell: number) => string) | undefined; step: number; least: number }[] = [
    { label: data.label, step: 1, least: 7.5 },
    { label: data.runLabel, step: data.run ?? 1, least: 6 },
    { label: data.shortLabel, step: 1, least: 6.5 },
    { label: data.shortLabel, step: data.run ?? 1, least: 6.5 },
  ];
  const kind = kinds.find((k) => k.label && sizeFor(k.label, cell.width * k.step) >= k.least);
  if (!kind?.label) return;
  const { label, step } = kind;
  g.font = `${sizeFor(label, cell.width * step)}px ${monospace}`;
  for (let row = firstRow; row <= lastRow; ++row)
    for (let column = Math.floor(firstColumn / step) * step; column <= lastColumn; column += step) {
      const index = row * data.columns + column;
      if (highlighted && !highlighted[index]) continue;
      const text = label(index);
      if (!text) continue;
      const pixel = data.pixels[index]!;
      g.fillStyle = pixel >>> 24 ? inkOn(unpack(pixel)) : muted;
      g.fillText(text, x0 + (column + step / 2) * cell.width, y0 + (row + 0.5) * cell.height + 0.5);
    }
}

export function drawHatching(g: CanvasRenderingContext2D, sight: Sight, hatched: Uint8Array, colour: string): void {
  const { data, cell, x0, y0, firstRow, lastRow, firstColumn, lastColumn } = sight;
  g.strokeStyle = colour;
  g.lineWidth = 0.8;
  g.beginPath();
  for (let row = firstRow; row <= lastRow; ++row)
    for (let column = firstColumn; column <= lastColumn; ++column) {
      if (!hatched[row * data.columns + column]) continue;
      const x = x0 + column * cell.width;
      const y = y0 + row * cell.height;
      g.moveTo(x + 1, y + cell.height - 1);
      g.lineTo(x + cell.width - 1, y + 1);
    }
  g.stroke();
}

// The labels of rows and columns. `at` is the cell whose row and column are emphasized.
export function drawRulers(g: CanvasRenderingContext2D, sight: Sight, at: number | null, colours: Colours): void {
  const { data, cell, left, top, x0, y0, firstRow, lastRow, firstColumn, lastColumn } = sight;
  g.font = `10.5px ${monospace}`;
  g.textBaseline = 'middle';
  if (data.rowLabel) {
    g.textAlign = 'right';
    const step = niceStep(14 / cell.height);
    for (let row = Math.ceil(firstRow / step) * step; row <= lastRow; row += step) {
      const y = y0 + (row + 0.5) * cell.height;
      if (y < top) continue;
      g.fillStyle = data.warnRows?.has(row)
        ? colours.warn
        : at !== null && Math.floor(at / data.columns) === row
          ? colours.text
          : colours.muted;
      g.fillText(data.rowLabel(row), Math.min(left, x0) - 6, y);
    }
  }
  if (data.columnLabel) {
    g.textAlign = 'center';
    const longest = data.columnLabel(data.columns - 1).length * 6.4 + 6;
    const step = niceStep(longest / cell.width);
    for (let column = Math.ceil(firstColumn / step) * step; column <= lastColumn; column += step) {
      const x = x0 + (column + 0.5) * cell.width;
      if (x < left) continue;
      g.fillStyle = at !== null && at % data.columns === column ? colours.text : colours.muted;
      g.fillText(data.columnLabel(column), x, Math.max(top, y0) - 9);
    }
  }
}

function niceStep(least: number): number {
  let step = 1;
  while (step < least) step *= 2;
  return step;
}

// A canvas with one pixel for each cell.
export function bitmapOf(width: number, height: number, pixels: Uint32Array): OffscreenCanvas {
  const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
  const context = canvas.getContext('2d')!;
  const image = new ImageData(
    new Uint8ClampedArray(pixels.buffer as ArrayBuffer, pixels.byteOffset, pixels.byteLength),
    width,
    height,
  );
  context.putImageData(image, 0, 0);
  return canvas;
}

// A computed colour, as the browser prints it or as #rrggbb.
function toRgb(colour: string): number[] {
  const hex = /^#([\da-f]{6})/i.exec(colour)?.[1];
  if (hex) return [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16));
  const numbers = colour.match(/[\d.]+/g)?.map(Number) ?? [20, 24, 31];
  return numbers.slice(0, 3);
}
