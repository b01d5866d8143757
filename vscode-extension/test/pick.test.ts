import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chipOf, isTarget, kernelAt, plain, selectedOf, shortened, targets, withoutTarget } from '../src/model/pick.ts';
import { kernel, specialization } from './samples.ts';

test('every offered target is one', () => {
  for (const { id } of targets) assert.ok(isTarget(id), id);
  assert.equal(chipOf('cuda:90'), 'NVIDIA H100, H200 (Hopper)');
  assert.equal(chipOf('cuda:75'), undefined);
});

test('what is no target is refused', () => {
  for (const text of ['', 'cuda', 'cuda:', 'cuda:9', 'cuda:9000', 'sm_90', 'hip:942', 'hip:gfx942; rm', ' cuda:90']) assert.ok(!isTarget(text), text);
});

test('the kernel of the cursor is the last above it', () => {
  const kernels = [kernel('a', 10), kernel('b', 30)];
  const at = (line: number) => kernelAt(kernels, { line, character: 0 })?.kernel;
  assert.equal(at(10), 'a');
  assert.equal(at(29), 'a');
  assert.equal(at(30), 'b');
  assert.equal(at(500), 'b');
  assert.equal(at(0), 'a', 'above all of them: the first');
  assert.equal(kernelAt([], { line: 1, character: 0 }), undefined);
});

test('the selected specialization, or the first', () => {
  assert.equal(selectedOf(kernel('k', 0, [specialization('1'), specialization('2', { selected: true })]))?.id, '2');
  assert.equal(selectedOf(kernel('k', 0, [specialization('1'), specialization('2')]))?.id, '1');
  assert.equal(selectedOf(kernel('k', 0, [])), undefined);
});

test('a label loses the target that stands beside it', () => {
  assert.equal(withoutTarget(specialization('1', { label: 'BLOCK=256 num_warps=4 (cuda:90)' })), 'BLOCK=256 num_warps=4');
  assert.equal(withoutTarget(specialization('1', { label: '(cuda:90)' })), '1');
  assert.equal(withoutTarget(specialization('1', { label: 'BLOCK=256 (hip:gfx942)' })), 'BLOCK=256 (hip:gfx942)');
});

test('long text loses its middle', () => {
  assert.equal(shortened('abcdefghij', 10), 'abcdefghij');
  assert.equal(shortened('abcdefghij', 5), 'ab…ij');
  assert.equal(shortened('abcdefghij', 6), 'abc…ij');
});

test('text of the workspace makes no icons, no lines, and does not turn its direction', () => {
  assert.equal(plain('$(error) a\nb\u202ec'), '$\u200b(error) a b c');
});
