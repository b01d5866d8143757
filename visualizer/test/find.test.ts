import assert from 'node:assert/strict';
import test from 'node:test';
import { parseWanted, placesWith } from '../src/model/find.ts';
import { Layout } from '../src/model/linear.ts';

const bits = (n: number, basis: (i: number) => number[]) => Array.from({ length: n }, (_, i) => basis(i));
// Two registers along columns, 32 lanes along columns, two warps along rows, and the second of them twice.
const threads = new Layout({
  shape: [2, 64],
  dims: ['register', 'lane', 'warp', 'block'],
  bases: {
    register: [[0, 1]],
    lane: bits(5, (i) => [0, 2 << i]),
    warp: [
      [1, 0],
      [0, 0],
    ],
    block: [],
  },
  replication: {},
});
const memory = new Layout({
  shape: [4, 8],
  dims: ['offset', 'block'],
  bases: { offset: bits(5, (i) => (i < 3 ? [0, 1 << i] : [1 << (i - 3), 0])), block: [] },
  replication: {},
});

test('threads, warps, lanes and registers by name', () => {
  assert.deepEqual(parseWanted('T37:1', threads), { values: { lane: 5, warp: 1, register: 1 } });
  assert.deepEqual(parseWanted(' warp 1, lane 3 ', threads), { values: { warp: 1, lane: 3 } });
  assert.deepEqual(parseWanted('w1 l3 r0', threads), { values: { warp: 1, lane: 3, register: 0 } });
  for (const wrong of ['T128', 'warp 4', 'T3:2', 'row 1', 'x', '', 'T', 'byte 4'])
    assert.equal(parseWanted(wrong, threads), null, wrong);
});
test('elements by their coordinates', () => {
  assert.deepEqual(parseWanted('(1, 5)', threads), { element: 69 });
  assert.deepEqual(parseWanted('1,5', threads), { element: 69 });
  for (const wrong of ['1', '2, 0', '1, 2, 3', '-1, 0']) assert.equal(parseWanted(wrong, threads), null, wrong);
});
test('bytes and offsets of memory', () => {
  assert.deepEqual(parseWanted('byte 12', memory), { byte: 12 });
  assert.deepEqual(parseWanted('+0x10', memory), { byte: 16 });
  assert.deepEqual(parseWanted('offset 9', memory), { values: { offset: 9 } });
});
test('all places of what is named', () => {
  assert.equal(placesWith(threads, { warp: 1 }).length, 64);
  assert.deepEqual(placesWith(threads, { register: 1, lane: 2, warp: 3 }), [1 + 2 * 2 + 64 * 3]);
  assert.deepEqual(
    placesWith(memory, { offset: 9 }).map((place) => memory.coordinates(memory.elementOf[place]!)),
    [[1, 1]],
  );
});
