import assert from 'node:assert/strict';
import test from 'node:test';
import { bulkTable, messagesOf, outside, tensorPicture } from '../src/model/bulk.ts';
import { Layout } from '../src/model/linear.ts';
import type { BulkCopyInfo } from '../src/protocol.ts';

const bulk = (part: Partial<BulkCopyInfo>): BulkCopyInfo => ({
  tensor: [],
  origin: [],
  rows: [],
  message: [],
  picked: false,
  multicast: false,
  ...part,
});
const bits = (n: number, basis: (i: number) => number[]) => Array.from({ length: n }, (_, i) => basis(i));

// 128-byte swizzle of halves: eight rows of eight pieces; row r has its pieces exchanged by r.
const swizzled = (blocks: number[][] = [], rows = 8) =>
  new Layout({
    shape: [rows, 64],
    dims: ['offset', 'block'],
    bases: { offset: [...bits(6, (i) => [0, 1 << i]), ...bits(3, (i) => [1 << i, 8 << i])], block: blocks },
    replication: {},
  });

test('pieces of 16 bytes lie where the swizzle puts them', () => {
  const table = bulkTable(swizzled(), 16, [], 32);
  assert.deepEqual(
    [table.elements, table.bytes, table.rows, table.columns, table.memoryRows, table.memoryColumns],
    [8, 16, 8, 8, 8, 8],
  );
  for (let row = 0; row < 8; ++row)
    for (let column = 0; column < 8; ++column) {
      assert.equal(table.placeOf[row * 8 + column], row * 8 + (column ^ row));
      assert.equal(table.pieceAt[row * 8 + (column ^ row)], row * 8 + column);
    }
});
test('CTAs that split the block have memory of their own, those that share it have one', () => {
  const split = bulkTable(swizzled([[8, 0]], 16), 16, [], 32);
  assert.deepEqual(
    split.owners.map((o) => o.ctas),
    [[0], [1]],
  );
  assert.equal(split.memoryRows, 16);
  assert.equal(split.placeOf[8 * 8], 8 * 8, 'row 8 begins the second CTA');
  const same = bulkTable(swizzled([[0, 0]]), 16, [], 32);
  assert.deepEqual(
    same.owners.map((o) => o.ctas),
    [[0, 1]],
  );
  assert.equal(same.memoryRows, 8);
});
test("padding is nobody's, and 64 banks make longer rows", () => {
  const plain = new Layout({
    shape: [4, 64],
    dims: ['offset'],
    bases: { offset: [...bits(6, (i) => [0, 1 << i]), [1, 0], [2, 0]] },
    replication: {},
  });
  const table = bulkTable(plain, 16, [{ interval: 64, amount: 8 }], 64);
  assert.equal(table.memoryColumns, 16);
  assert.equal(table.placeOf[8], 9, 'the second row begins behind 144 bytes');
  assert.equal(table.pieceAt[8], -1);
});
test('messages are as wide as the swizzle', () => {
  assert.equal(messagesOf(bulk({ message: [128, 64] }), [128, 128], 1), 2);
  assert.equal(messagesOf(bulk({ message: [64, 64] }), [128, 64], 2), 1);
  assert.equal(messagesOf(bulk({}), [128, 64], 1), null);
});
test('where the block lies, and what of it is outside', () => {
  const at = bulk({ tensor: [500, 256], origin: [448, 32] });
  assert.deepEqual(outside(at, [64, 64]), [12, 0]);
  assert.deepEqual(outside(bulk({ tensor: [500, 256], origin: [-8, 512] }), [64, 64]), [8, 64]);
  assert.deepEqual(outside(bulk({}), [64, 64]), [0, 0]);
  const picture = tensorPicture(at, [64, 64], 240, 100)!;
  assert.ok(
    picture.height <= 100 && picture.copied[0]!.y + picture.copied[0]!.height > picture.tensor.height,
    'the block reaches beyond the tensor',
  );
  assert.equal(tensorPicture(bulk({}), [64, 64], 240, 100), null);
  const rows = tensorPicture(
    bulk({ tensor: [512, 64], origin: [0], rows: [3, 500], picked: true }),
    [2, 64],
    240,
    100,
  )!;
  assert.equal(rows.copied.length, 2);
  assert.ok(rows.copied[1]!.y > rows.copied[0]!.y);
});
