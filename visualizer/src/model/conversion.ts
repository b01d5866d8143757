// The effect of a conversion on each element: how far it moves, and between which threads.
import type { Layout } from './linear.ts';

export const distances = ['stays', 'other register', 'other lane', 'other warp', 'other block'] as const;

export class Conversion {
  // For each place of the destination, the place of the source that it comes from: the nearest if there are copies (as
  // in the compiler), and -1 if there is none.
  readonly sources: Int32Array;
  // For each element, an index into `distances` for the copy that travels farthest.
  readonly distances: Uint8Array;

  constructor(
    readonly from: Layout,
    readonly to: Layout,
  ) {
    const copies = placesByElement(from);
    const [here, there] = [hardware(from), hardware(to)];
    // The distance between two places is the outermost dimension in which they differ.
    const between = (source: number, place: number): number => {
      if (here.block[source] !== there.block[place]) return 4;
      if (here.warp[source] !== there.warp[place]) return 3;
      if (here.lane[source] !== there.lane[place]) return 2;
      return here.register[source] === there.register[place] ? 0 : 1;
    };
    this.sources = new Int32Array(to.places).fill(-1);
    this.distances = new Uint8Array(to.elements);
    const sameParts =
      from.dims.length === to.dims.length &&
      from.dims.every((d, i) => d.name === to.dims[i]!.name && d.bits === to.dims[i]!.bits);
    for (let place = 0; place < to.places; ++place) {
      const element = to.elementOf[place]!;
      if (sameParts && from.elementOf[place] === element) {
        this.sources[place] = place; // nothing can be nearer
        continue;
      }
      let best: number = distances.length;
      for (let i = copies.begin[element]!; i < copies.begin[element + 1]! && best > 0; ++i) {
        const source = copies.places[i]!;
        const distance = between(source, place);
        if (distance < best) {
          best = distance;
          this.sources[place] = source;
        }
      }
      if (best < distances.length && best > this.distances[element]!) this.distances[element] = best;
    }
  }

  // How many elements the threads of a row send to the threads of a column. A row and a column represent `group`
  // threads each.
  transfers(group: number): { size: number; counts: Int32Array } {
    const size = Math.ceil(Math.max(threads(this.from), threads(this.to)) / group);
    const counts = new Int32Array(size * size);
    this.sources.forEach((source, place) => {
      if (source >= 0)
        counts[
          Math.floor(threadOf(this.from, source) / group) * size + Math.floor(threadOf(this.to, place) / group)
        ]!++;
    });
    return { size, counts };
  }

  // The elements of one cell of that table.
  elementsBetween(row: number, column: number, group: number): number[] {
    const elements = new Set<number>();
    this.sources.forEach((source, place) => {
      if (
        source >= 0 &&
        Math.floor(threadOf(this.from, source) / group) === row &&
        Math.floor(threadOf(this.to, place) / group) === column
      )
        elements.add(this.to.elementOf[place]!);
    });
    return [...elements];
  }
}

export function threads(layout: Layout): number {
  return (layout.dim('warp')?.size ?? 1) * (layout.dim('lane')?.size ?? 1);
}
function threadOf(layout: Layout, place: number): number {
  return layout.value(place, 'warp') * (layout.dim('lane')?.size ?? 1) + layout.value(place, 'lane');
}

// The parts of every place, for loops that look at all of them.
function hardware(layout: Layout): Record<'block' | 'warp' | 'lane' | 'register', Int32Array> {
  const part = (name: string) => {
    const dim = layout.dim(name);
    return Int32Array.from({ length: layout.places }, (_, place) => (dim ? (place >>> dim.shift) & (dim.size - 1) : 0));
  };
  return { block: part('block'), warp: part('warp'), lane: part('lane'), register: part('register') };
}

// The places that hold each element: those of element e are places[begin[e]] to places[begin[e + 1] - 1].
function placesByElement(layout: Layout): { begin: Int32Array; places: Int32Array } {
  const begin = new Int32Array(layout.elements + 1);
  for (const element of layout.elementOf) ++begin[element + 1]!;
  for (let e = 0; e < layout.elements; ++e) begin[e + 1]! += begin[e]!;
  const next = begin.slice();
  const places = new Int32Array(layout.places);
  for (let place = 0; place < layout.places; ++place) places[next[layout.elementOf[place]!]!++] = place;
  return { begin, places };
}
