import assert from 'node:assert/strict';
import test from 'node:test';
import { Part } from '../src/model/part.ts';
import type { LayoutMapResult } from '../src/protocol.ts';

// A part of a buffer of three slots of 64 by 32 elements.
function part(offsets: number[], shape: number[], buffer = 'a'): Part {
  return Part.of({ slots: [3], shape: [64, 32], part: { buffer, offsets, shape } } as unknown as LayoutMapResult)!;
}

test('a part in words', () => {
  assert.equal(part([1, 0, 0], [64, 32]).describe(), 'slot 1 of a [3, 64, 32]');
  assert.equal(part([-1, 0, 0], [64, 32]).describe(), 'one slot of a [3, 64, 32]');
  assert.equal(part([-1, 16, 0], [32, 32], '').describe(), 'part [?, 16:48, :] of a buffer [3, 64, 32]');
  assert.equal(part([1, 0, 0], [2, 64, 32]).describe(), 'part [1:3, :, :] of a [3, 64, 32]');
  assert.equal(part([2, 0, 8], [64, 8]).describe(), 'part [2, :, 8:16] of a [3, 64, 32]');
});

test('which of its elements lies where', () => {
  const half = part([1, 16, 0], [32, 32]);
  assert.deepEqual(half.firstSlot, [1]);
  assert.equal(half.elementAt([1, 16, 0]), 0);
  assert.equal(half.elementAt([1, 17, 3]), 35);
  assert.equal(half.elementAt([1, 15, 0]), null);
  assert.equal(half.elementAt([1, 48, 0]), null);
  assert.equal(half.elementAt([0, 16, 0]), null);
  // A slot that only the running kernel knows may be any.
  assert.equal(part([-1, 0, 0], [64, 32]).elementAt([2, 0, 5]), 5);
  const slots = part([1, 0, 0], [2, 64, 32]);
  assert.equal(slots.elementAt([2, 0, 1]), 64 * 32 + 1);
  assert.equal(slots.elementAt([0, 0, 1]), null);
});

test('a value that is no part, or of another buffer', () => {
  assert.equal(Part.of({ shape: [64, 32] } as unknown as LayoutMapResult), null);
  const other = { shape: [64, 32], part: { buffer: '', offsets: [0], shape: [64] } };
  assert.equal(Part.of(other as unknown as LayoutMapResult), null);
});
