import assert from 'node:assert/strict';
import test from 'node:test';
import {
  change,
  combinations,
  commonProblem,
  csv,
  lacksGpu,
  pastOf,
  peakText,
  ranked,
  splitValues,
  spreadText,
  timeText,
} from '../src/model/benchmark.ts';
import type { BenchmarkPast, BenchmarkRowInfo } from '../src/protocol.ts';

const row = (part: Partial<BenchmarkRowInfo>): BenchmarkRowInfo =>
  ({
    index: 0,
    label: '',
    device: 'GPU',
    state: 'done',
    median: 0,
    low: 0,
    high: 0,
    gigabytesPerSecond: 0,
    teraflops: 0,
    percentOfPeak: 0,
    localBytes: 0,
    sharedBytes: 0,
    notes: [],
    ...part,
  }) as BenchmarkRowInfo;

test('the best first, what is under way next, what failed last', () => {
  const rows = [
    row({ index: 0, state: 'failed' }),
    row({ index: 1, median: 5 }),
    row({ index: 2, state: 'waiting' }),
    row({ index: 3, median: 2, state: 'running' }),
    row({ index: 4, state: 'compiling' }),
  ];
  assert.deepEqual(
    ranked(rows).map((each) => each.index),
    [3, 1, 4, 2, 0],
  );
});

test('times in the unit that fits', () => {
  assert.deepEqual([0, 4.567, 45.67, 456.7, 4567, 45_670_000].map(timeText), [
    '',
    '4.57 µs',
    '45.7 µs',
    '457 µs',
    '4.57 ms',
    '45.7 s',
  ]);
  assert.equal(spreadText(row({ median: 100, low: 98, high: 105 })), '±5.0%');
});

test('faster and slower, and what is within the scatter', () => {
  assert.deepEqual(change(80, 100), { ratio: 1.25, text: '25% faster', state: 'good' });
  assert.deepEqual(change(105, 100)?.text, '4.8% slower');
  assert.deepEqual(change(1000, 100)?.text, '10.0x slower');
  assert.equal(change(100.5, 100)?.text, 'as fast');
  assert.equal(change(104, 100, 0.05)?.text, 'as fast');
  assert.equal(change(0, 100), null);
});

test('one problem of all is said once', () => {
  const none = { kind: 'start', message: 'no runner', error: '', log: '' };
  assert.equal(commonProblem([row({ problem: none }), row({ problem: none })]), 'no runner');
  assert.equal(commonProblem([row({ problem: none }), row({})]), null);
  assert.equal(commonProblem([]), null);
  assert.ok(lacksGpu([row({ problem: none })]));
  assert.ok(!lacksGpu([row({ problem: { ...none, kind: 'fault' } })]));
});

test('values of an axis, layouts whole', () => {
  assert.deepEqual(splitValues('64, 128,,64'), ['64', '128']);
  assert.deepEqual(
    splitValues('gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])\ngl.BlockedLayout([1], [32], [4], [0])'),
    ['gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])', 'gl.BlockedLayout([1], [32], [4], [0])'],
  );
  assert.equal(combinations([3, 0, 2]), 6);
});

test('history of one specialization on one device', () => {
  const past = (specialization: string, device: string, median: number): BenchmarkPast => ({
    when: '',
    specialization,
    label: '',
    device,
    median,
    edited: false,
  });
  const history = [
    past('a', 'H100', 1),
    past('b', 'H100', 2),
    past('a', 'H200', 3),
    past('a', 'H100', 4),
    past('a', 'H100', 0),
  ];
  assert.deepEqual(
    pastOf(history, 'a', 'H100').map((each) => each.median),
    [1, 4],
  );
});

test('a table whose cells are no formulas', () => {
  const lines = csv([row({ label: '=1+1 "x"', median: 2 })]).split('\n');
  assert.equal(lines[0]!.split(',')[0], 'configuration');
  assert.ok(lines[1]!.startsWith(`"'=1+1 ""x""","done","GPU",2,`));
});

test('little of the peak is not none', () => {
  const of = (percentOfPeak: number) => peakText({ percentOfPeak } as Parameters<typeof peakText>[0]);
  assert.deepEqual([of(0), of(0.24), of(1), of(93.6)], ['', 'under 1%', '1%', '94%']);
});
