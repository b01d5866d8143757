// A bulk copy (TMA, the tensor data mover) in pieces of 16 bytes, the unit in which swizzles move data: each has a
// place in the block of the tensor and one in shared memory. Also the place of the block in its tensor.
import type { BulkCopyInfo } from '../protocol.ts';
import { bankBytes } from './chips.ts';
import { type Layout, paddedOffset } from './linear.ts';

const pieceBytes = 16;

export interface BulkTable {
  elements: number; // the elements of a piece, which are neighbours in the tensor's rows and in memory
  bytes: number;
  rows: number; // the rows of the block: all but the last dimension taken together
  columns: number; // the pieces of a row
  memoryRows: number; // the rows of all `owners`; each row covers all banks
  memoryColumns: number;
  rowsPerOwner: number;
  banks: number;
  owners: Owner[];
  placeOf: Int32Array; // for each piece, row-major, its cell in memory; -1 if no CTA has it
  pieceAt: Int32Array; // for each cell of memory, its piece; -1 for padding
}
// CTAs that hold the same part of the block. Only the first one's memory is drawn.
export interface Owner {
  ctas: number[];
  partition: number;
}

export function bulkTable(
  layout: Layout,
  elementBits: number,
  padding: readonly { interval: number; amount: number }[],
  banks: number,
): BulkTable {
  const elementBytes = Math.max(1, elementBits / 8);
  const rowElements = layout.shape[layout.shape.length - 1] ?? 1;
  let elements = 1;
  const fits = (n: number) =>
    n * elementBytes <= pieceBytes && rowElements % n === 0 && padding.every(({ interval }) => interval % n === 0);
  const last = layout.dim('offset')?.size ?? 1;
  while (fits(elements * 2) && elements < last && layout.elementOf[layout.place({ offset: elements })] === elements)
    elements *= 2;
  const partitions = layout.dim('partition')?.size ?? 1;
  const ctas = layout.dim('block')?.size ?? 1;
  const owners: Owner[] = [];
  const leaders = new Map<number, number>(); // from the lowest CTA that holds a part to the number of its first owner
  for (let cta = 0; cta < ctas; ++cta) {
    const leader = layout.value(layout.firstPlace[layout.elementOf[layout.place({ block: cta })]!]!, 'block');
    const known = leaders.get(leader);
    if (known !== undefined) {
      for (let p = 0; p < partitions; ++p) owners[known + p]!.ctas.push(cta);
      continue;
    }
    leaders.set(leader, owners.length);
    for (let partition = 0; partition < partitions; ++partition) owners.push({ ctas: [cta], partition });
  }
  const bytes = elements * elementBytes;
  const memoryColumns = Math.max(1, (bankBytes * banks) / bytes);
  const rowsPerOwner = Math.ceil((paddedOffset(last - 1, padding) + 1) / (elements * memoryColumns));
  const rows = layout.elements / rowElements;
  const columns = rowElements / elements;
  const placeOf = new Int32Array(rows * columns).fill(-1);
  const pieceAt = new Int32Array(rowsPerOwner * owners.length * memoryColumns).fill(-1);
  owners.forEach((owner, number) => {
    for (let offset = 0; offset < last; offset += elements) {
      const element = layout.elementOf[layout.place({ offset, block: owner.ctas[0]!, partition: owner.partition })]!;
      const piece = Math.floor(element / elements);
      const cell = number * rowsPerOwner * memoryColumns + Math.floor(paddedOffset(offset, padding) / elements);
      pieceAt[cell] = piece;
      if (placeOf[piece] === -1) placeOf[piece] = cell;
    }
  });
  return {
    elements,
    bytes,
    rows,
    columns,
    memoryRows: rowsPerOwner * owners.length,
    memoryColumns,
    rowsPerOwner,
    banks,
    owners,
    placeOf,
    pieceAt,
  };
}

// How many messages of TMA move a CTA's part, or null if that is not known.
export function messagesOf(bulk: BulkCopyInfo, shape: readonly number[], owners: number): number | null {
  if (!bulk.message.length) return null;
  const each = bulk.message.reduce((a, b) => a * b, 1);
  return Math.max(1, Math.round(shape.reduce((a, b) => a * b, 1) / Math.max(1, owners) / each));
}

// How much of the block is outside of the tensor, by dimension.
export function outside(bulk: BulkCopyInfo, shape: readonly number[]): number[] {
  if (bulk.picked || bulk.origin.length !== shape.length || bulk.tensor.length !== shape.length)
    return shape.map(() => 0);
  return shape.map((size, d) => {
    const from = bulk.origin[d]!;
    return Math.min(size, Math.max(0, -from) + Math.max(0, from + size - bulk.tensor[d]!));
  });
}

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}
// The last two dimensions of the tensor and what is copied of it, in units of a picture `width` wide and at most
// `height` high.
export interface TensorPicture {
  width: number;
  height: number;
  tensor: Rect;
  copied: Rect[];
}
export function tensorPicture(
  bulk: BulkCopyInfo,
  shape: readonly number[],
  mostWidth: number,
  mostHeight: number,
): TensorPicture | null {
  if (bulk.tensor.length !== shape.length || !shape.length || bulk.tensor.some((size) => size < 1)) return null;
  const pair = (all: readonly number[]): [number, number] => [
    all.length > 1 ? all[all.length - 2]! : 1,
    all[all.length - 1]!,
  ];
  const [rows, columns] = pair(bulk.tensor);
  const [height, width] = pair(shape);
  let copied: Rect[];
  if (bulk.picked) {
    if (!bulk.rows.length || bulk.origin.length !== 1) return null;
    copied = bulk.rows.map((row) => ({ x: bulk.origin[0]!, y: row, width, height: 1 }));
  } else {
    if (bulk.origin.length !== shape.length) return null;
    const [y, x] = pair(shape.length > 1 ? bulk.origin : [0, ...bulk.origin]);
    copied = [{ x, y, width, height }];
  }
  // All of it is visible, including parts outside of the tensor. Long and narrow tensors are drawn wider than they
  // are.
  const left = Math.min(0, ...copied.map((r) => r.x));
  const top = Math.min(0, ...copied.map((r) => r.y));
  const right = Math.max(columns, ...copied.map((r) => r.x + r.width));
  const bottom = Math.max(rows, ...copied.map((r) => r.y + r.height));
  const ratio = Math.min(Math.max((bottom - top) / (right - left), 0.12), 4);
  const w = Math.min(mostWidth, mostHeight / ratio);
  const h = Math.min(mostHeight, w * ratio);
  const scaled = (r: Rect): Rect => ({
    x: ((r.x - left) / (right - left)) * w,
    y: ((r.y - top) / (bottom - top)) * h,
    width: Math.max(2, (r.width / (right - left)) * w),
    height: Math.max(1.5, (r.height / (bottom - top)) * h),
  });
  return {
    width: w,
    height: h,
    tensor: scaled({ x: 0, y: 0, width: columns, height: rows }),
    copied: copied.map(scaled),
  };
}
