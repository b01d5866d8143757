// What a conversion does to each element: how far it travels, and who sends to whom.
import type { Layout } from './linear.ts';

export const distances = ['stays', 'other register', 'other lane', 'other warp', 'other block'] as const;

// By element, an index into `distances`: the nearest copy of the source counts, as the compiler would take it.
export function distancesOf(from: Layout, to: Layout): Uint8Array {
  const result = new Uint8Array(to.elements);
  const nearest = nearestSources(from);
  for (let place = 0; place < to.places; ++place) {
    const element = to.elementOf[place]!;
    const distance = distanceTo(from, to, nearest, place);
    if (distance > result[element]!) result[element] = distance;
  }
  return result;
}

// Where the source of one place of the destination is.
export function sourceOf(from: Layout, to: Layout, place: number): number {
  const candidates = from.placesOf(to.elementOf[place]!);
  let best = candidates[0] ?? -1;
  let bestDistance: number = distances.length;
  for (const candidate of candidates) {
    const distance = between(from, candidate, to, place);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

export function between(from: Layout, source: number, to: Layout, place: number): number {
  if (from.value(source, 'block') !== to.value(place, 'block')) return 4;
  if (from.value(source, 'warp') !== to.value(place, 'warp')) return 3;
  if (from.value(source, 'lane') !== to.value(place, 'lane')) return 2;
  return from.value(source, 'register') === to.value(place, 'register') ? 0 : 1;
}

// Places of the source by element, without searching again for each place of the destination.
function nearestSources(from: Layout): Int32Array[] {
  const lists: Int32Array[] = new Array(from.elements);
  const counts = new Int32Array(from.elements);
  const copies = Math.max(1, from.copies);
  for (let place = 0; place < from.places; ++place) {
    const element = from.elementOf[place]!;
    (lists[element] ??= new Int32Array(copies))[counts[element]!++] = place;
  }
  return lists;
}

function distanceTo(from: Layout, to: Layout, sources: Int32Array[], place: number): number {
  let best: number = distances.length - 1;
  for (const source of sources[to.elementOf[place]!] ?? []) {
    const distance = between(from, source, to, place);
    if (distance < best) best = distance;
    if (best === 0) break;
  }
  return best;
}

// Elements that thread (row) sends to thread (column), in units of `group` threads.
export function transferMatrix(from: Layout, to: Layout, group: number): { size: number; counts: Int32Array } {
  const threads = (layout: Layout) => (layout.dim('warp')?.size ?? 1) * (layout.dim('lane')?.size ?? 1);
  const size = Math.ceil(Math.max(threads(from), threads(to)) / group);
  const counts = new Int32Array(size * size);
  const lanes = (layout: Layout) => layout.dim('lane')?.size ?? 1;
  const threadOf = (layout: Layout, place: number) => layout.value(place, 'warp') * lanes(layout) + layout.value(place, 'lane');
  for (let place = 0; place < to.places; ++place) {
    const source = from.copies === 1 ? from.firstPlace[to.elementOf[place]!]! : sourceOf(from, to, place);
    if (source < 0) continue;
    const row = Math.floor(threadOf(from, source) / group);
    const column = Math.floor(threadOf(to, place) / group);
    counts[row * size + column]!++;
  }
  return { size, counts };
}
