// A simulated run as lanes of slices: what is in sight, what is near a moment, the bytes in flight.
//
// Time is a number of steps of the simulator. A slice is over the steps from `from` to `to`; slices of one lane do not
// overlap.
import type { SimulateResult, TimelineLink, TimelineSlice } from '../protocol.ts';

export interface Sight {
  from: number;
  to: number;
}

export class Timeline {
  readonly lanes: TimelineSlice[][];
  // The moments at which something begins, ends or is found, in order.
  readonly moments: number[];
  // How many bytes are under way from each of these moments on.
  readonly inFlight: { at: number; bytes: number }[];
  readonly mostInFlight: number;

  constructor(readonly result: SimulateResult) {
    this.lanes = result.lanes.map(() => []);
    const moments = new Set([0, result.steps]);
    for (const slice of result.slices) {
      this.lanes[slice.lane]?.push(slice);
      moments.add(slice.from).add(slice.to);
    }
    for (const lane of this.lanes) lane.sort((a, b) => a.from - b.from || a.to - b.to);
    for (const finding of result.findings) moments.add(finding.moment);
    this.moments = [...moments].sort((a, b) => a - b);
    this.inFlight = inFlight(result.slices);
    this.mostInFlight = Math.max(0, ...this.inFlight.map(({ bytes }) => bytes));
  }

  get steps(): number {
    return this.result.steps;
  }

  // The slices of a lane that are in sight.
  visible(lane: number, { from, to }: Sight): TimelineSlice[] {
    const all = this.lanes[lane] ?? [];
    const result: TimelineSlice[] = [];
    for (let i = firstWhere(all, (slice) => slice.to >= from); i < all.length && all[i]!.from <= to; ++i)
      result.push(all[i]!);
    return result;
  }

  // The work of a lane in the step that leads to a moment; null if it does nothing.
  sliceAt(lane: number, moment: number): TimelineSlice | null {
    const all = this.lanes[lane] ?? [];
    const slice = all[firstWhere(all, (each) => each.to >= moment)];
    return slice && slice.from < Math.max(moment, 1) ? slice : null;
  }

  // The moment before or after one at which something happens; the same one at the ends.
  neighbour(moment: number, step: 1 | -1): number {
    if (step > 0) return this.moments[firstWhere(this.moments, (each) => each > moment)] ?? this.steps;
    return this.moments[firstWhere(this.moments, (each) => each >= moment) - 1] ?? 0;
  }

  bytesAt(moment: number): number {
    return this.inFlight[firstWhere(this.inFlight, ({ at }) => at > moment) - 1]?.bytes ?? 0;
  }

  // The links that touch a slice.
  linksOf(slice: TimelineSlice): TimelineLink[] {
    return this.result.links.filter(
      (link) =>
        (link.fromLane === slice.lane && link.from >= slice.from && link.from <= slice.to) ||
        (link.toLane === slice.lane && link.to >= slice.from && link.to <= slice.to),
    );
  }
}

function inFlight(slices: readonly TimelineSlice[]): { at: number; bytes: number }[] {
  const changes = new Map<number, number>();
  for (const { kind, from, to, bytes } of slices) {
    if (kind !== 'operation' || !bytes) continue;
    changes.set(from, (changes.get(from) ?? 0) + bytes);
    changes.set(to, (changes.get(to) ?? 0) - bytes);
  }
  let bytes = 0;
  return [...changes].sort(([a], [b]) => a - b).map(([at, change]) => ({ at, bytes: (bytes += change) }));
}

// The first index for which it holds, of a list in which it holds for all from one on; the length if it holds for none.
export function firstWhere<T>(list: readonly T[], holds: (each: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The range that is visible after zooming around a moment, which keeps its place.
export function zoomed({ from, to }: Sight, factor: number, around: number, steps: number): Sight {
  const least = Math.min(steps, 8);
  const width = Math.min(Math.max((to - from) / factor, least), steps);
  const part = to > from ? (around - from) / (to - from) : 0.5;
  return moved({ from: around - width * part, to: around + width * (1 - part) }, 0, steps);
}

export function moved({ from, to }: Sight, by: number, steps: number): Sight {
  const width = to - from;
  const start = Math.min(Math.max(from + by, 0), Math.max(0, steps - width));
  return { from: start, to: start + width };
}

// Where each value lies between the least and the greatest one, from 0 to 1; NaN for what is no number. Equal values
// lie at 1.
export function levelsOf(values: readonly string[]): Float64Array {
  const numbers = Float64Array.from(values, (value) => {
    if (value === 'True' || value === 'False') return Number(value === 'True');
    return value === '' ? 0 : value === 'inf' ? Infinity : value === '-inf' ? -Infinity : Number(value);
  });
  let least = Infinity;
  let most = -Infinity;
  numbers.forEach((number, i) => {
    if (!Number.isFinite(number) || values[i] === '') return;
    least = Math.min(least, number);
    most = Math.max(most, number);
  });
  return numbers.map((number) => {
    if (Number.isNaN(number)) return number;
    return most > least ? Math.min(Math.max((number - least) / (most - least), 0), 1) : 1;
  });
}

// A distance of round numbers between ticks, of which about `count` fit.
export function tickDistance(width: number, count: number): number {
  const raw = Math.max(width / Math.max(count, 1), 1);
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw) ?? 10 * power;
}

export const showInTimeline = 'Show in the timeline';
