// A linear layout as data: every bit of a place (register, lane, warp, block; offset; row, col) has a coordinate
// vector, and a place holds the element whose coordinates are the XOR of the vectors of its bits.
//
// Shapes are powers of two, so XOR of coordinates is XOR of the row-major index: places and elements are plain integers
// here. A place is packed with the first dimension in the lowest bits.
import type { LinearMap } from '../protocol.ts';

export interface Dimension {
  name: string;
  bits: number;
  shift: number; // where its bits begin in a packed place
  size: number;
}

// More places than this are not enumerated (a 1024x1024 tensor with four copies fits).
const mostPlaces = 1 << 22;

export class Layout {
  readonly shape: readonly number[];
  readonly dims: readonly Dimension[];
  readonly elements: number;
  readonly places: number;
  // For each packed place, the element that it holds.
  readonly elementOf: Int32Array;
  // For each element, the lowest place that holds it, or -1 if none does.
  readonly firstPlace: Int32Array;
  // How many places hold an element that is held at all.
  readonly copies: number;
  // Flipping these bits of a place may be undone by others without leaving the element.
  private readonly columns: number[] = [];

  constructor(map: LinearMap) {
    this.shape = map.shape;
    this.elements = map.shape.reduce((a, b) => a * b, 1);
    let shift = 0;
    const dims: Dimension[] = [];
    for (const name of map.dims) {
      const bases = map.bases[name] ?? [];
      dims.push({ name, bits: bases.length, shift, size: 1 << bases.length });
      for (const basis of bases) this.columns.push(indexOf(basis, map.shape));
      shift += bases.length;
    }
    this.dims = dims;
    this.places = 2 ** shift;
    if (this.places > mostPlaces || this.elements > mostPlaces)
      throw new Error(`too large to draw: ${this.places} places, ${this.elements} elements`);
    this.elementOf = new Int32Array(this.places);
    for (let place = 1; place < this.places; ++place) {
      const low = 31 - Math.clz32(place & -place);
      this.elementOf[place] = this.elementOf[place & (place - 1)]! ^ this.columns[low]!;
    }
    this.firstPlace = new Int32Array(this.elements).fill(-1);
    let held = 0;
    for (let place = this.places - 1; place >= 0; --place) {
      const element = this.elementOf[place]!;
      if (this.firstPlace[element] === -1) ++held;
      this.firstPlace[element] = place;
    }
    this.copies = held ? this.places / held : 0;
  }

  dim(name: string): Dimension | undefined {
    return this.dims.find((d) => d.name === name);
  }

  // The value of one dimension in a packed place, or 0 if the layout lacks it.
  value(place: number, name: string): number {
    const dim = this.dim(name);
    return dim ? (place >>> dim.shift) & (dim.size - 1) : 0;
  }

  // Reads the value of one dimension of many places.
  reader(name: string): (place: number) => number {
    const dim = this.dim(name);
    if (!dim) return () => 0;
    const { shift } = dim;
    const mask = dim.size - 1;
    return (place) => (place >>> shift) & mask;
  }

  place(values: Readonly<Record<string, number>>): number {
    let place = 0;
    for (const dim of this.dims) place |= (values[dim.name] ?? 0) << dim.shift;
    return place;
  }

  // All places that hold an element, in order.
  placesOf(element: number): number[] {
    const first = this.firstPlace[element]!;
    if (first < 0) return [];
    const places: number[] = [];
    if (this.copies === 1) return [first];
    for (let place = first; place < this.places; ++place) if (this.elementOf[place] === element) places.push(place);
    return places;
  }

  coordinates(element: number): number[] {
    return coordinatesOf(element, this.shape);
  }
}

export function indexOf(coordinates: readonly number[], shape: readonly number[]): number {
  let index = 0;
  for (let d = 0; d < shape.length; ++d) index = index * shape[d]! + (coordinates[d] ?? 0);
  return index;
}

export function coordinatesOf(index: number, shape: readonly number[]): number[] {
  const at = new Array<number>(shape.length);
  for (let d = shape.length - 1; d >= 0; --d) {
    at[d] = index % shape[d]!;
    index = Math.floor(index / shape[d]!);
  }
  return at;
}

// How a tensor is drawn: its last two dimensions are rows and columns, the others choose a slice.
export interface Plane {
  rows: number;
  columns: number;
  slices: number;
}
export function planeOf(shape: readonly number[]): Plane {
  const columns = shape[shape.length - 1] ?? 1;
  const rows = shape.length > 1 ? shape[shape.length - 2]! : 1;
  const all = shape.reduce((a, b) => a * b, 1);
  return { rows, columns, slices: all / (rows * columns) };
}

// A vector as a block of lines that is easier to look at than one long row; the index stays row-major.
export function foldedPlane(shape: readonly number[]): Plane {
  const plane = planeOf(shape);
  if (plane.rows > 1 || plane.columns <= 32) return plane;
  let columns = 1;
  while (columns * columns < plane.columns) columns *= 2;
  columns = Math.min(Math.max(columns * 2, 32), plane.columns);
  return { rows: plane.columns / columns, columns, slices: plane.slices };
}

// Where a slot of a buffer begins, in elements and with padding: slots follow each other, each as large as one CTA's
// part.
export function slotOffset(
  layout: Layout,
  padding: readonly { interval: number; amount: number }[],
  slot: number,
): number {
  return paddedOffset(slot * (layout.dim('offset')?.size ?? 1), padding);
}

// The byte where an element's place is in padded shared memory.
export function paddedOffset(offset: number, padding: readonly { interval: number; amount: number }[]): number {
  let result = offset;
  for (const { interval, amount } of padding) result += Math.floor(offset / interval) * amount;
  return result;
}
