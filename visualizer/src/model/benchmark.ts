// Rows of a benchmark: their order, their texts, and comparisons. No DOM.
import type { BenchmarkPast, BenchmarkRowInfo } from '../protocol.ts';

// The best rows come first, then unfinished ones in their order, and failed ones last.
export function ranked(rows: readonly BenchmarkRowInfo[]): BenchmarkRowInfo[] {
  const group = (row: BenchmarkRowInfo) =>
    row.state === 'failed' ? 3 : row.median > 0 ? 0 : row.state === 'waiting' ? 2 : 1;
  return [...rows].sort(
    (a, b) => group(a) - group(b) || (group(a) === 0 ? a.median - b.median : 0) || a.index - b.index,
  );
}

export function timeText(microseconds: number): string {
  if (microseconds <= 0) return '';
  if (microseconds < 1000) return `${digits(microseconds)} µs`;
  if (microseconds < 1e6) return `${digits(microseconds / 1000)} ms`;
  return `${digits(microseconds / 1e6)} s`;
}
// Rounds to three significant digits.
export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
export const rateText = (row: BenchmarkRowInfo): string =>
  row.gigabytesPerSecond > 0 ? `${digits(row.gigabytesPerSecond)} GB/s` : '';
export const flopsText = (row: BenchmarkRowInfo): string =>
  row.teraflops > 0 ? `${digits(row.teraflops)} TFLOP/s` : '';
export const peakText = (row: BenchmarkRowInfo): string =>
  row.percentOfPeak >= 1 ? `${row.percentOfPeak.toFixed(0)}%` : row.percentOfPeak > 0 ? 'under 1%' : '';

// How far the quantiles are from the median, in percent.
export function spreadText(row: BenchmarkRowInfo): string {
  if (row.median <= 0 || row.high <= 0) return '';
  return `±${((Math.max(row.high - row.median, row.median - row.low) / row.median) * 100).toFixed(1)}%`;
}

export interface Change {
  ratio: number; // the speed now divided by the speed then; above 1 is faster
  text: string;
  state: 'good' | 'bad' | 'plain';
}
// Two times, and whether they differ by more than they scatter.
export function change(now: number, then: number, scatter = 0.01): Change | null {
  if (now <= 0 || then <= 0) return null;
  const ratio = then / now;
  const percent = Math.abs(ratio - 1) * 100;
  if (Math.abs(ratio - 1) <= scatter) return { ratio, text: 'as fast', state: 'plain' };
  const amount =
    ratio >= 2 || ratio <= 0.5
      ? `${digits(ratio >= 1 ? ratio : 1 / ratio)}x`
      : `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)}%`;
  return ratio > 1
    ? { ratio, text: `${amount} faster`, state: 'good' }
    : { ratio, text: `${amount} slower`, state: 'bad' };
}
// How much a row's times scatter, at least a percent.
export const scatterOf = (row: BenchmarkRowInfo): number =>
  Math.max(0.01, row.median > 0 ? (row.high - row.low) / row.median : 0);

// The problem that all rows of a run share, such as no GPU or no runner. Null if rows differ, or nothing is wrong.
export function commonProblem(rows: readonly BenchmarkRowInfo[]): string | null {
  const first = rows[0]?.problem;
  if (!first || rows.some((row) => row.problem?.kind !== first.kind || row.problem.message !== first.message))
    return null;
  return first.message;
}
const withoutGpu = ['no-driver', 'no-device', 'noDriver', 'noDevice', 'start'];
export const lacksGpu = (rows: readonly BenchmarkRowInfo[]): boolean =>
  rows.length > 0 && rows.every((row) => row.problem && withoutGpu.includes(row.problem.kind));

// The history of one specialization on one device, oldest first.
export function pastOf(history: readonly BenchmarkPast[], specialization: string, device: string): BenchmarkPast[] {
  return history.filter(
    (past) => past.specialization === specialization && (!device || past.device === device) && past.median > 0,
  );
}

// Splits "64, 128" into values. Commas inside the brackets of a layout do not split.
export function splitValues(text: string): string[] {
  const values: string[] = [];
  let depth = 0;
  let value = '';
  for (const character of text) {
    if ('([{'.includes(character)) ++depth;
    if (')]}'.includes(character)) --depth;
    if ((character === ',' || character === '\n') && depth <= 0) {
      values.push(value.trim());
      value = '';
    } else value += character;
  }
  values.push(value.trim());
  return [...new Set(values.filter(Boolean))];
}

export const combinations = (counts: readonly number[]): number =>
  counts.reduce((product, count) => product * Math.max(1, count), 1);

// A table for a spreadsheet.
export function csv(rows: readonly BenchmarkRowInfo[]): string {
  const columns: [string, (row: BenchmarkRowInfo) => string | number][] = [
    ['configuration', (row) => row.label],
    ['state', (row) => row.state],
    ['device', (row) => row.device],
    ['median_us', (row) => row.median || ''],
    ['low_us', (row) => row.low || ''],
    ['high_us', (row) => row.high || ''],
    ['gb_per_s', (row) => row.gigabytesPerSecond || ''],
    ['tflop_per_s', (row) => row.teraflops || ''],
    ['percent_of_peak', (row) => row.percentOfPeak || ''],
    ['registers', (row) => row.registers || ''],
    ['local_bytes', (row) => row.localBytes],
    ['shared_bytes', (row) => row.sharedBytes],
    ['occupancy', (row) => row.occupancy || ''],
    ['compile_ms', (row) => row.compileMs || ''],
    ['problem', (row) => row.problem?.message ?? ''],
  ];
  // A spreadsheet must not take a cell for a formula.
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? String(value)
      : `"${(/^[=+\-@]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
  return (
    [
      columns.map(([name]) => name).join(','),
      ...rows.map((row) => columns.map(([, read]) => cell(read(row))).join(',')),
    ].join('\n') + '\n'
  );
}
