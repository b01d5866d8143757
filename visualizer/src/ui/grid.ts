// A canvas with a grid of coloured cells: tensors, threads, memory. Zoom, pan, hover, selection, full keyboard.
//
// Every cell is one pixel of a small bitmap, made once per picture; a frame draws that bitmap scaled, dims what is not
// highlighted with a second one, and writes labels only where cells are large enough to read. So 256x256 cells with
// replication take well under a millisecond of drawing, and hovering never recolours anything.
import { gridSvg, type LegendEntry, type SvgGrid } from '../model/svg.ts';
import { h, iconButton } from './dom.ts';
import {
  bitmapOf,
  coloursOf,
  drawHatching,
  drawLabels,
  drawLines,
  drawRulers,
  type GridData,
  type Sight,
} from './gridpaint.ts';

export interface GridEvents {
  hover?: (cell: number | null) => void;
  select?: (cell: number | null) => void;
  activate?: (cell: number) => void; // double click, Enter
  height?: (pixels: number) => void; // the most height that the picture can use, whenever that changes
}

const maxCell = 46;

export class Grid {
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly tooltip: HTMLElement;
  private readonly live: HTMLElement;
  private data: GridData | null = null;
  private bitmap: OffscreenCanvas | null = null;
  private dimmed: OffscreenCanvas | null = null;
  private highlighted: Uint8Array | null = null;
  private marked: number[] = [];
  private hovered: number | null = null;
  private pointer: MouseEvent | null = null; // where it is, while it is over the picture
  private selected: number | null = null;
  private zoom = 1;
  private x = 0; // of the grid's corner relative to the viewport, in CSS pixels
  private y = 0;
  private frame = 0;
  private drag: { x: number; y: number; moved: boolean } | null = null;
  private size = { width: 0, height: 0 };
  private left = 8;
  private top = 8;
  lastDrawMilliseconds = 0;

  constructor(
    private readonly name: string,
    private readonly events: GridEvents = {},
  ) {
    this.canvas = h('canvas', {
      tabIndex: 0,
      attributes: { role: 'application', 'aria-roledescription': 'grid of cells', 'aria-label': name },
    });
    this.context = this.canvas.getContext('2d')!;
    this.tooltip = h('div', { class: 'g-tooltip', hidden: true });
    this.live = h('div', { class: 'g-visually-hidden', attributes: { 'aria-live': 'polite' } });
    const tools = h(
      'div',
      { class: 'g-grid-tools' },
      iconButton('plus', 'Zoom in (+)', () => this.zoomBy(1.5)),
      iconButton('minus', 'Zoom out (-)', () => this.zoomBy(1 / 1.5)),
      iconButton('fit', 'Fit (0)', () => this.fit()),
    );
    this.element = h('div', { class: 'g-grid' }, this.canvas, tools, this.tooltip, this.live);
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  setData(data: GridData | null): void {
    const same =
      this.data &&
      data &&
      this.data.subject === data.subject &&
      this.data.rows === data.rows &&
      this.data.columns === data.columns;
    this.data = data;
    this.bitmap = data ? bitmapOf(data.columns, data.rows, data.pixels) : null;
    if (!same) {
      this.selected = this.hovered = null;
      this.highlighted = null;
      this.dimmed = null;
      this.marked = [];
      this.tooltip.hidden = true;
      this.live.textContent = '';
      this.fit();
    } else if (this.hovered !== null && !this.tooltip.hidden) this.tooltip.textContent = data.describe(this.hovered);
    const label = data
      ? `${this.name}: ${data.rows} by ${data.columns} cells. Arrow keys move, Enter opens the source, plus and minus zoom.`
      : this.name;
    this.canvas.setAttribute('aria-label', label);
    this.invalidate();
  }

  // Dims all cells but these; null dims none. The cells in `marked` get a frame.
  highlight(cells: Iterable<number> | null, marked: number[] = []): void {
    this.marked = marked;
    if (!cells || !this.data) {
      this.highlighted = this.dimmed = null;
    } else {
      const mask = new Uint8Array(this.data.rows * this.data.columns);
      for (const cell of cells) mask[cell] = 1;
      const dark = coloursOf(this.element).dim;
      const pixels = new Uint32Array(mask.length);
      for (let i = 0; i < mask.length; ++i) if (!mask[i]) pixels[i] = dark;
      this.highlighted = mask;
      this.dimmed = bitmapOf(this.data.columns, this.data.rows, pixels);
    }
    this.invalidate();
  }

  setSelected(cell: number | null): void {
    this.selected = cell;
    this.invalidate();
  }
  get selectedCell(): number | null {
    return this.selected;
  }

  fit(): void {
    this.zoom = 1;
    this.layout();
    const { width, height } = this.gridSize();
    this.x = Math.max(0, (this.size.width - this.left - width) / 2);
    this.y = 0;
    if (height < this.size.height - this.top) this.y = 0;
    this.invalidate();
  }

  zoomBy(factor: number, at?: { x: number; y: number }): void {
    const before = this.cell();
    const centre = at ?? { x: this.size.width / 2, y: this.size.height / 2 };
    const column = (centre.x - this.left - this.x) / before.width;
    const row = (centre.y - this.top - this.y) / before.height;
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.5), 256);
    const after = this.cell();
    this.x = centre.x - this.left - column * after.width;
    this.y = centre.y - this.top - row * after.height;
    this.clamp();
    this.invalidate();
  }

  // Where a cell is drawn, relative to the canvas; tests click there.
  rectOf(cell: number): { x: number; y: number; width: number; height: number } | null {
    if (!this.data) return null;
    const size = this.cell();
    return {
      x: this.left + this.x + (cell % this.data.columns) * size.width,
      y: this.top + this.y + Math.floor(cell / this.data.columns) * size.height,
      ...size,
    };
  }

  svg(title: string, legend: readonly LegendEntry[] = []): string {
    if (!this.data) return '';
    const { rows, columns, pixels, label, rowLabel, columnLabel } = this.data;
    const grid: SvgGrid = { title, rows, columns, pixels, legend };
    if (label) grid.label = label;
    if (rowLabel) grid.rowLabel = rowLabel;
    if (columnLabel) grid.columnLabel = columnLabel;
    return gridSvg(grid);
  }

  // The visible picture at twice the resolution, with the title above and the legend below.
  async png(title: string, legend: readonly LegendEntry[] = []): Promise<Uint8Array> {
    const { width, height } = this.size;
    if (!width || !height) return new Uint8Array();
    const ratio = 2 * Math.max(1, window.devicePixelRatio || 1);
    const head = 26;
    const step = 30 + 7 * Math.max(0, ...legend.map((entry) => entry.text.length));
    const perLine = Math.max(1, Math.floor((width - 8) / step));
    const out = new OffscreenCanvas(
      width * ratio,
      (head + height + Math.ceil(legend.length / perLine) * 20 + 6) * ratio,
    );
    const g = out.getContext('2d')!;
    const colours = coloursOf(this.element);
    g.fillStyle = colours.ground;
    g.fillRect(0, 0, out.width, out.height);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.draw();
    g.drawImage(this.canvas, 0, head * ratio);
    this.resize();
    g.scale(ratio, ratio);
    g.fillStyle = colours.text;
    g.font = '12px ui-monospace, Menlo, Consolas, monospace';
    g.fillText(title, 8, 17, width - 16);
    g.font = '11px system-ui, sans-serif';
    legend.forEach((entry, i) => {
      const x = 8 + (i % perLine) * step;
      const y = head + height + Math.floor(i / perLine) * 20 + 3;
      g.fillStyle = entry.colour;
      g.fillRect(x, y, 11, 11);
      g.fillStyle = colours.text;
      g.fillText(entry.text, x + 16, y + 10);
    });
    const blob = await out.convertToBlob({ type: 'image/png' });
    return new Uint8Array(await blob.arrayBuffer());
  }

  // ---------------------------------------------------------------- geometry

  private base = { width: 1, height: 1 };
  private useful = 0;
  private layout(): void {
    const data = this.data;
    if (!data) return;
    const font = 7;
    const longest = data.rowLabel ? Math.max(...sample(data.rows).map((r) => data.rowLabel!(r).length)) : 0;
    this.left = data.rowLabel ? Math.min(110, 12 + longest * font) : 8;
    this.top = data.columnLabel ? 20 : 8;
    const width = Math.max(10, this.size.width - this.left - 10);
    const height = Math.max(10, this.size.height - this.top - 10);
    let cellWidth = Math.min(maxCell * 1.25, width / data.columns);
    let cellHeight = Math.min(maxCell * 0.75, height / data.rows);
    // Cells are nearly square, but a few rows or columns may grow until one can see them.
    if (!data.isWide) cellWidth = Math.min(cellWidth, Math.max(cellHeight * 2.4, 16));
    cellHeight = Math.min(cellHeight, Math.max(cellWidth * 1.15, 15));
    this.base = { width: cellWidth, height: cellHeight };
    const tallest = Math.min(maxCell * 0.75, Math.max(Math.min(maxCell * 1.25, width / data.columns) * 1.15, 15));
    const useful = Math.ceil(this.top + data.rows * tallest + 14);
    if (useful === this.useful) return;
    this.useful = useful;
    this.events.height?.(useful);
  }
  private cell(): { width: number; height: number } {
    return { width: this.base.width * this.zoom, height: this.base.height * this.zoom };
  }
  private gridSize(): { width: number; height: number } {
    const cell = this.cell();
    return { width: cell.width * (this.data?.columns ?? 0), height: cell.height * (this.data?.rows ?? 0) };
  }
  private clamp(): void {
    const { width, height } = this.gridSize();
    const margin = 40;
    this.x = Math.min(Math.max(this.x, margin - width), Math.max(this.size.width - this.left - margin, 0));
    this.y = Math.min(Math.max(this.y, margin - height), Math.max(this.size.height - this.top - margin, 0));
  }
  private resize(): void {
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    if (!width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    const wasFitted = this.zoom === 1;
    this.size = { width, height };
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.layout();
    if (wasFitted) this.fit();
    // Another cell may be under a pointer that rests. A click selects that one, so it is the one to show.
    if (this.pointer) this.hover(this.cellAt(this.pointer), this.pointer);
    this.draw();
  }
  private cellAt(event: MouseEvent): number | null {
    const data = this.data;
    if (!data) return null;
    const box = this.canvas.getBoundingClientRect();
    const size = this.cell();
    const column = Math.floor((event.clientX - box.left - this.left - this.x) / size.width);
    const row = Math.floor((event.clientY - box.top - this.top - this.y) / size.height);
    return column >= 0 && row >= 0 && column < data.columns && row < data.rows ? row * data.columns + column : null;
  }

  // ---------------------------------------------------------------- input

  private listen(): void {
    const canvas = this.canvas;
    canvas.addEventListener('pointerdown', (event) => {
      this.drag = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.drag) {
        const dx = event.clientX - this.drag.x;
        const dy = event.clientY - this.drag.y;
        if (!this.drag.moved && Math.hypot(dx, dy) < 4) return;
        this.drag = { x: event.clientX, y: event.clientY, moved: true };
        canvas.classList.add('g-dragging');
        this.x += dx;
        this.y += dy;
        this.clamp();
        this.invalidate();
        return;
      }
      this.hover(this.cellAt(event), event);
    });
    canvas.addEventListener('pointerup', (event) => {
      const moved = this.drag?.moved;
      this.drag = null;
      canvas.classList.remove('g-dragging');
      if (moved) return;
      const cell = this.cellAt(event);
      this.hover(cell, event);
      this.choose(cell);
    });
    canvas.addEventListener('pointerleave', () => this.hover(null));
    canvas.addEventListener('dblclick', (event) => {
      const cell = this.cellAt(event);
      if (cell !== null) this.events.activate?.(cell);
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const box = canvas.getBoundingClientRect();
        if (event.shiftKey) this.x -= event.deltaY + event.deltaX;
        else this.zoomBy(Math.exp(-event.deltaY * 0.0016), { x: event.clientX - box.left, y: event.clientY - box.top });
        this.clamp();
        this.invalidate();
      },
      { passive: false },
    );
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('focus', () => this.invalidate());
    canvas.addEventListener('blur', () => this.invalidate());
  }

  private hover(cell: number | null, event?: MouseEvent): void {
    this.pointer = event ?? null;
    if (cell !== null && event && this.data) {
      this.tooltip.textContent = this.data.describe(cell);
      this.tooltip.hidden = false;
      const box = this.element.getBoundingClientRect();
      const x = event.clientX - box.left;
      const y = event.clientY - box.top;
      const width = this.tooltip.offsetWidth;
      this.tooltip.style.left = `${Math.max(4, Math.min(x + 14, box.width - width - 6))}px`;
      this.tooltip.style.top = `${y + 18 + this.tooltip.offsetHeight > box.height ? y - this.tooltip.offsetHeight - 8 : y + 18}px`;
    } else this.tooltip.hidden = true;
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.events.hover?.(cell);
    this.invalidate();
  }

  private choose(cell: number | null): void {
    this.selected = cell;
    if (cell !== null && this.data) this.live.textContent = this.data.describe(cell);
    this.events.select?.(cell);
    this.invalidate();
  }

  private key(event: KeyboardEvent): void {
    const data = this.data;
    if (!data) return;
    const jump = event.ctrlKey || event.metaKey ? 8 : 1;
    const moves: Record<string, number> = {
      ArrowLeft: -jump,
      ArrowRight: jump,
      ArrowUp: -data.columns * jump,
      ArrowDown: data.columns * jump,
    };
    const total = data.rows * data.columns;
    if (event.key in moves) {
      const from = this.selected ?? 0;
      const to = this.selected === null ? 0 : from + moves[event.key]!;
      if (to >= 0 && to < total) {
        this.choose(to);
        this.reveal(to);
      }
    } else if (event.key === 'Home' || event.key === 'End') {
      const to = event.key === 'Home' ? 0 : total - 1;
      this.choose(to);
      this.reveal(to);
    } else if (event.key === '+' || event.key === '=') this.zoomBy(1.5);
    else if (event.key === '-') this.zoomBy(1 / 1.5);
    else if (event.key === '0') this.fit();
    else if (event.key === 'Escape') this.choose(null);
    else if (event.key === 'Enter' && this.selected !== null) this.events.activate?.(this.selected);
    else return;
    event.preventDefault();
  }

  private reveal(cell: number): void {
    const rect = this.rectOf(cell)!;
    if (rect.x < this.left) this.x += this.left - rect.x;
    if (rect.y < this.top) this.y += this.top - rect.y;
    if (rect.x + rect.width > this.size.width) this.x -= rect.x + rect.width - this.size.width;
    if (rect.y + rect.height > this.size.height) this.y -= rect.y + rect.height - this.size.height;
  }

  // ---------------------------------------------------------------- drawing

  invalidate(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  redrawForTheme(): void {
    this.highlight(null);
    this.invalidate();
  }

  draw(): void {
    const started = performance.now();
    const { context: g, size } = this;
    const ratio = this.canvas.width / Math.max(1, size.width);
    const colours = coloursOf(this.element);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, size.width, size.height);
    const data = this.data;
    if (!data || !this.bitmap || !size.width) return;
    const cell = this.cell();
    g.save();
    g.beginPath();
    g.rect(this.left, this.top, size.width - this.left, size.height - this.top);
    g.clip();
    const x0 = this.left + this.x;
    const y0 = this.top + this.y;
    const width = cell.width * data.columns;
    const height = cell.height * data.rows;
    const sight: Sight = {
      data,
      cell,
      left: this.left,
      top: this.top,
      x0,
      y0,
      firstColumn: Math.max(0, Math.floor(-this.x / cell.width)),
      lastColumn: Math.min(data.columns - 1, Math.ceil((size.width - x0) / cell.width)),
      firstRow: Math.max(0, Math.floor(-this.y / cell.height)),
      lastRow: Math.min(data.rows - 1, Math.ceil((size.height - y0) / cell.height)),
    };
    g.imageSmoothingEnabled = false;
    g.drawImage(this.bitmap, x0, y0, width, height);
    if (data.hatched && cell.width >= 3) drawHatching(g, sight, data.hatched, colours.muted);
    drawLines(g, sight, colours);
    if (this.dimmed) g.drawImage(this.dimmed, x0, y0, width, height);
    if (data.label && cell.width * (data.run ?? 1) >= 14 && cell.height >= 11)
      drawLabels(g, sight, this.highlighted, colours.muted);
    // The marked cells, the hovered one and the selected one get frames.
    const frame = (index: number, colour: string, thickness: number) => {
      g.strokeStyle = colour;
      g.lineWidth = thickness;
      const inset = cell.width > 8 ? thickness / 2 : -thickness / 2;
      g.strokeRect(
        x0 + (index % data.columns) * cell.width + inset,
        y0 + Math.floor(index / data.columns) * cell.height + inset,
        cell.width - 2 * inset,
        cell.height - 2 * inset,
      );
    };
    if (this.marked.length <= 4096) for (const index of this.marked) frame(index, colours.text, 1.2);
    if (this.hovered !== null) frame(this.hovered, colours.text, 1.6);
    if (this.selected !== null) {
      frame(this.selected, colours.ground, 4);
      frame(this.selected, colours.accent, 2.4);
    }
    g.restore();
    drawRulers(g, sight, this.hovered ?? this.selected, colours);
    this.lastDrawMilliseconds = performance.now() - started;
  }
}

function sample(count: number): number[] {
  return [0, Math.floor(count / 2), count - 1].filter((v) => v >= 0);
}
