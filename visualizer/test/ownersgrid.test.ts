import assert from 'node:assert/strict';
import test from 'node:test';
import { Layout } from '../src/model/linear.ts';
import { Owners } from '../src/model/owners.ts';
import { OwnersGrid } from '../src/model/ownersgrid.ts';

const bits = (n: number, basis: (i: number) => number[]) => Array.from({ length: n }, (_, i) => basis(i));

test('threads: a cell holds the registers of a thread, blocks are below each other', () => {
  const layout = new Layout({
    shape: [4, 8],
    dims: ['register', 'lane', 'warp', 'block'],
    bases: { register: [[0, 1]], lane: bits(2, (i) => [0, 2 << i]), warp: [[1, 0]], block: [[2, 0]] },
    replication: {},
  });
  const grid = new OwnersGrid(
    layout,
    new Owners(layout, { kind: 'registers', elementBits: 16, padding: [], banks: 0 }),
  );
  assert.deepEqual([grid.rows, grid.columns, grid.unitRows], [4, 4, 2]);
  assert.deepEqual([...grid.breaks()], [2]);
  // Row 3, column 4 of the tensor: block 1, warp 1, lane 2, register 0.
  const key = grid.keyOf(layout.firstPlace[3 * 8 + 4]!);
  assert.equal(key, 3 * 4 + 2);
  assert.deepEqual(grid.elementsAt(key), [3 * 8 + 4, 3 * 8 + 5]);
  assert.equal(grid.threadName(key), 'block 1 T6');
  assert.equal(grid.describe(key), 'block 1, warp 1, lane 2: 2 elements in 2 registers');
  assert.deepEqual(
    [0, 1, 2, 3].map((row) => grid.rowName(row)),
    ['block 0 w0', 'w1', 'block 1 w0', 'w1'],
  );
});

test('shared memory: a row covers all banks, padding holds nothing', () => {
  const layout = new Layout({
    shape: [4, 8],
    dims: ['offset', 'block'],
    bases: { offset: bits(5, (i) => (i < 3 ? [0, 1 << i] : [1 << (i - 3), 0])), block: [] },
    replication: {},
  });
  const padding = [{ interval: 8, amount: 2 }];
  const grid = new OwnersGrid(
    layout,
    new Owners(layout, { kind: 'shared memory', elementBits: 32, padding, banks: 8 }),
  );
  assert.deepEqual([grid.rows, grid.columns], [5, 8]);
  assert.equal(grid.keyOf(layout.firstPlace[8]!), 10);
  assert.equal(grid.elementsAt(8), undefined);
  assert.equal(grid.describe(8), 'byte 32, bank 0: padding, unused');
  assert.equal(grid.describe(10), 'byte 40, bank 2: element (1, 0)');
});
