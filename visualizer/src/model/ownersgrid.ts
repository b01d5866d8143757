// The owners of a layout's elements as a grid of cells: a thread for each cell, or the words of shared memory, or the
// cells of tensor memory. A cell's number is its key; a cell may hold several elements.
import type { Theme } from '../host.ts';
import { bankBytes } from './chips.ts';
import { paddedOffset, type Layout } from './linear.ts';
import type { ColourBy, Owners } from './owners.ts';
import { pack } from './palette.ts';
import { plural } from './words.ts';

export class OwnersGrid {
  readonly caption: string;
  readonly rows: number;
  readonly columns: number;
  readonly unitRows: number; // the rows of one CTA, or of one partition of its memory
  // The cell that a place is in.
  readonly keyOf: (place: number) => number;
  // The elements in the order of their keys and, for each key, where its elements begin. Made when first asked for.
  private byKey: { elements: Int32Array; begins: Int32Array } | null = null;

  constructor(
    private readonly layout: Layout,
    private readonly owners: Owners,
  ) {
    const size = (name: string) => layout.dim(name)?.size ?? 1;
    const { kind, padding } = owners.result;
    const block = layout.reader('block');
    if (kind === 'shared memory') {
      const columns = Math.max(1, (bankBytes * owners.banks) / owners.elementBytes);
      const slots = paddedOffset(size('offset') - 1, padding) + 1;
      const unitRows = Math.ceil(slots / columns);
      const partitions = size('partition');
      const [partition, offset] = [layout.reader('partition'), layout.reader('offset')];
      this.keyOf = (place) =>
        (block(place) * partitions + partition(place)) * unitRows * columns + paddedOffset(offset(place), padding);
      this.caption = `Shared memory: each row covers all ${owners.banks} banks`;
      [this.columns, this.unitRows, this.rows] = [columns, unitRows, unitRows * size('block') * partitions];
    } else {
      const isTensorMemory = kind === 'tensor memory';
      const [rowName, columnName] = isTensorMemory ? ['row', 'col'] : ['warp', 'lane'];
      const [unitRows, columns] = [size(rowName), size(columnName)];
      const [row, column] = [layout.reader(rowName), layout.reader(columnName)];
      this.keyOf = (place) => (block(place) * unitRows + row(place)) * columns + column(place);
      this.caption = isTensorMemory ? 'Tensor memory: rows and columns' : 'Threads: warps down, lanes across';
      [this.columns, this.unitRows, this.rows] = [columns, unitRows, unitRows * size('block')];
    }
  }

  // The first row of each CTA or partition but the first.
  breaks(): Set<number> {
    return new Set(Array.from({ length: this.rows / this.unitRows - 1 }, (_, i) => (i + 1) * this.unitRows));
  }

  rowName(row: number): string {
    const unit = this.unitOf(row);
    const { kind } = this.owners.result;
    const text =
      kind === 'registers'
        ? `w${unit.row}`
        : kind === 'shared memory'
          ? String(unit.row * bankBytes * this.owners.banks)
          : String(unit.row);
    return unit.name && unit.row === 0 ? `${unit.name} ${text}` : text;
  }

  threadName(key: number): string {
    const unit = this.unitOf(Math.floor(key / this.columns));
    return `${unit.name ? `${unit.name} ` : ''}T${unit.row * this.columns + (key % this.columns)}`;
  }

  // Describes a cell and its elements.
  describe(key: number): string {
    const elements = this.elementsAt(key);
    const unit = this.unitOf(Math.floor(key / this.columns));
    const column = key % this.columns;
    const of = unit.name ? `${unit.name}, ` : '';
    const element = elements ? `: element (${this.layout.coordinates(elements[0]!).join(', ')})` : '';
    if (this.owners.result.kind === 'shared memory') {
      const byte = (unit.row * this.columns + column) * this.owners.elementBytes;
      return `${of}byte ${byte}, bank ${Math.floor(byte / bankBytes) % this.owners.banks}${element || ': padding, unused'}`;
    }
    if (this.owners.result.kind === 'tensor memory')
      return `${of}row ${unit.row}, column ${column}${element || ': unused'}`;
    const held = plural(new Set(elements).size, 'element');
    return `${of}warp ${unit.row}, lane ${column}: ${held} in ${plural(elements?.length ?? 0, 'register')}`;
  }

  // The elements that a cell holds, in the order of their places.
  elementsAt(key: number): number[] | undefined {
    this.byKey ??= this.sorted();
    const { elements, begins } = this.byKey;
    const [begin, end] = [begins[key] ?? 0, begins[key + 1] ?? 0];
    return begin < end ? [...elements.subarray(begin, end)] : undefined;
  }

  // One pixel for each cell. Cells that hold nothing are transparent.
  pixels(by: ColourBy, theme: Theme): Uint32Array {
    const { layout } = this;
    const isThreads = this.owners.result.kind === 'registers';
    const pixels = new Uint32Array(this.columns * this.rows);
    const seen = new Uint8Array(pixels.length);
    // A thread holds many registers, so a color by register does not apply to it; the color of its warp does.
    const shownBy: ColourBy = isThreads && by === 'register' ? 'warp' : by;
    // The first register of a thread is enough: the others have the same colour.
    const step = isThreads && layout.dims[0]?.name === 'register' ? layout.dims[0].size : 1;
    for (let place = 0; place < layout.places; place += step) {
      const key = this.keyOf(place);
      if (seen[key]) continue;
      seen[key] = 1;
      pixels[key] = pack(this.owners.colour(place, shownBy, theme));
    }
    return pixels;
  }

  // The block and partition that a row belongs to, if there are several ("block 0 partition 2"), and its number there.
  private unitOf(row: number): { name: string; row: number } {
    const unit = Math.floor(row / this.unitRows);
    const partitions = this.layout.dim('partition')?.size ?? 1;
    const block = this.rows > this.unitRows * partitions ? `block ${Math.floor(unit / partitions)}` : '';
    const partition = partitions > 1 ? `partition ${unit % partitions}` : '';
    return { name: [block, partition].filter(Boolean).join(' '), row: row % this.unitRows };
  }

  private sorted(): { elements: Int32Array; begins: Int32Array } {
    const { places, elementOf } = this.layout;
    const begins = new Int32Array(this.columns * this.rows + 1);
    for (let place = 0; place < places; ++place) ++begins[this.keyOf(place) + 1]!;
    for (let at = 1; at < begins.length; ++at) begins[at]! += begins[at - 1]!;
    const next = begins.slice();
    const elements = new Int32Array(places);
    for (let place = 0; place < places; ++place) elements[next[this.keyOf(place)]!++] = elementOf[place]!;
    return { elements, begins };
  }
}
