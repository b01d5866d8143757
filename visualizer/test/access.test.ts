import assert from 'node:assert/strict';
import test from 'node:test';
import { addressText, efficiencyOf, globalTable, sharedTable } from '../src/model/access.ts';
import type { AccessResult } from '../src/protocol.ts';

function access(part: Partial<AccessResult> & { addresses: number[]; bytes: number }): AccessResult {
  return {
    operation: { kind: part.banks ? 'shared' : 'global' },
    active: part.addresses.map(() => 1),
    phases: part.addresses.map(() => 0),
    coordinates: [],
    assumptions: [],
    ...part,
  } as unknown as AccessResult;
}

test('consecutive words fill a line', () => {
  const table = globalTable(access({ addresses: Array.from({ length: 32 }, (_, i) => i * 4), bytes: 4 }));
  assert.equal(table.rows.length, 1);
  assert.deepEqual(
    [...table.rows[0]!.lanes],
    Array.from({ length: 32 }, (_, i) => i),
  );
  assert.equal(table.rows[0]!.note, '128 of 128 bytes used');
});

test('a stride touches whole sectors and uses little of them', () => {
  const table = globalTable(access({ addresses: [0, 64, 4096], bytes: 4 }));
  assert.equal(table.rows.length, 2);
  const [first, second] = table.rows;
  assert.equal(first!.lanes[0], 0);
  assert.equal(first!.lanes[1], -1, 'moved, not used');
  assert.equal(first!.lanes[8], -2, 'not touched');
  assert.equal(first!.lanes[16], 1);
  assert.equal(first!.note, '8 of 64 bytes used');
  assert.equal(first!.gapBefore, false);
  assert.equal(second!.gapBefore, true);
});

test('lanes may share bytes, be masked off, and be narrower than a word', () => {
  const table = globalTable(access({ addresses: [0, 0, 2, 4], bytes: 2, active: [1, 1, 1, 0] }));
  assert.equal(table.cellBytes, 2);
  assert.deepEqual(table.rows[0]!.sharers.get(0), [0, 1]);
  assert.deepEqual([...table.rows[0]!.lanes.slice(0, 3)], [0, 2, -1]);
});

test('words of one bank wait for each other, equal words do not', () => {
  const table = sharedTable(access({ addresses: [0, 128, 256, 0], bytes: 4, banks: 32 }));
  assert.equal(table.rows.length, 3);
  assert.deepEqual(
    table.rows.map((row) => row.lanes[0]),
    [0, 1, 2],
  );
  assert.deepEqual(
    table.rows.map((row) => row.isConflict),
    [false, true, true],
  );
  assert.deepEqual(table.rows[0]!.sharers.get(0), [0, 3]);
});

test('phases are served one after the other', () => {
  const addresses = Array.from({ length: 32 }, (_, i) => i * 16);
  const table = sharedTable(access({ addresses, bytes: 16, banks: 32, phases: addresses.map((_, i) => i >> 3) }));
  assert.equal(table.rows.length, 4);
  assert.ok(table.rows.every((row) => !row.isConflict && row.lanes.every((lane) => lane >= 0)));
  assert.deepEqual(
    table.rows.map((row) => row.gapBefore),
    [false, true, true, true],
  );
});

test('efficiency and addresses in words', () => {
  assert.equal(efficiencyOf(access({ addresses: [], bytes: 4, sectors: 8, leastSectors: 2 })), 0.25);
  assert.equal(efficiencyOf(access({ addresses: [], bytes: 4, banks: 32, wavefronts: 8, leastWavefronts: 1 })), 0.125);
  assert.equal(addressText(4096), '+0x1000');
  assert.equal(addressText(-16), '-0x0010');
});
