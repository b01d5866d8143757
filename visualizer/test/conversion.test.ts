import assert from 'node:assert/strict';
import test from 'node:test';
import { Conversion } from '../src/model/conversion.ts';
import { Layout } from '../src/model/linear.ts';

const make = (register: number[][], lane: number[][], warp: number[][]) =>
  new Layout({ shape: [4, 4], dims: ['register', 'lane', 'warp'], bases: { register, lane, warp }, replication: {} });
const rows = make(
  [[0, 1]],
  [
    [0, 2],
    [1, 0],
  ],
  [[2, 0]],
);
const columns = make(
  [[1, 0]],
  [
    [2, 0],
    [0, 1],
  ],
  [[0, 2]],
);
const distancesOf = (from: Layout, to: Layout) => new Conversion(from, to).distances;

test('nothing moves between equal layouts', () => {
  assert.deepEqual([...distancesOf(rows, rows)], new Array(16).fill(0));
});

test('how far each element moves', () => {
  const distance = distancesOf(rows, columns);
  // (0, 0) is register 0 of lane 0 of warp 0 in both; (0, 1) goes to lane 2; (1, 0) from lane 2; (0, 2) to warp 1.
  assert.equal(distance[0], 0);
  assert.equal(distance[1], 2);
  assert.equal(distance[2], 3);
  assert.equal(distance[4], 2);
  // (2, 3): warp 1, lane 1, register 1 before; warp 1, lane 1 + 2 after.
  assert.equal(distance[11], 2);
});

test('registers that are renamed stay in their thread', () => {
  const swapped = make(
    [[0, 2]],
    [
      [0, 1],
      [1, 0],
    ],
    [[2, 0]],
  );
  assert.deepEqual([...distancesOf(rows, swapped)].slice(0, 4), [0, 2, 2, 0]);
  const other = new Layout({
    shape: [4],
    dims: ['register', 'lane'],
    bases: { register: [[1], [2]], lane: [] },
    replication: {},
  });
  const reversed = new Layout({
    shape: [4],
    dims: ['register', 'lane'],
    bases: { register: [[2], [1]], lane: [] },
    replication: {},
  });
  assert.deepEqual([...distancesOf(other, reversed)], [0, 1, 1, 0]);
});

test('the nearest copy is the source', () => {
  const everywhere = new Layout({
    shape: [2],
    dims: ['register', 'lane'],
    bases: { register: [[1]], lane: [[0]] },
    replication: {},
  });
  const spread = new Layout({
    shape: [2],
    dims: ['register', 'lane'],
    bases: { register: [], lane: [[1]] },
    replication: {},
  });
  assert.deepEqual([...distancesOf(everywhere, spread)], [0, 1]);
  assert.equal(everywhere.value(new Conversion(everywhere, spread).sources[1]!, 'lane'), 1);
});

test('who sends to whom adds up', () => {
  const conversion = new Conversion(rows, columns);
  const { size, counts } = conversion.transfers(1);
  assert.equal(size, 8);
  assert.equal(
    counts.reduce((a, b) => a + b, 0),
    16,
  );
  assert.equal(counts[0], 1, 'thread 0 keeps (0, 0)');
  assert.equal(counts[2], 1, 'and sends (0, 1) to thread 2');
  assert.deepEqual(conversion.elementsBetween(0, 2, 1), [1]);
});

test('many copies are quick, too', () => {
  const bits = (n: number) => Array.from({ length: n }, (_, i) => [1 << i]);
  const zeros = (n: number) => Array.from({ length: n }, () => [0]);
  const replicated = new Layout({
    shape: [1 << 12],
    dims: ['register', 'lane', 'warp'],
    bases: { register: bits(12), lane: zeros(5), warp: zeros(2) },
    replication: {},
  });
  const started = performance.now();
  assert.ok(new Conversion(replicated, replicated).distances.every((d) => d === 0));
  assert.ok(performance.now() - started < 3000, `${performance.now() - started} ms`);
});
