import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chipOf, isTarget, kernelAt, plain, selectedOf, shortened, targets, shortLabel } from '../src/model/pick.ts';
import { kernel, specialization } from './samples.ts';

test('every offered target is one', () => {
  for (const { id } of targets) assert.ok(isTarget(id), id);
  assert.equal(chipOf('cuda:90'), 'NVIDIA H100, H200 (Hopper)');
  assert.equal(chipOf('cuda:75'), undefined);
});

test('what is no target is refused', () => {
  for (const text of [
    '',
    'cuda:49',
    'hip:gfx90z',
    'cuda',
    'cuda:',
    'cuda:9',
    'cuda:9000',
    'sm_90',
    'hip:942',
    'hip:gfx942; rm',
    ' cuda:90',
  ])
    assert.ok(!isTarget(text), text);
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
  assert.equal(shortLabel(specialization('1', { label: 'BLOCK=256 num_warps=4 (cuda:90)' })), 'BLOCK=256 num_warps=4');
  assert.equal(shortLabel(specialization('1', { label: '(cuda:90)' })), '1');
  assert.equal(shortLabel(specialization('1', { label: 'BLOCK=256 (hip:gfx942)' })), 'BLOCK=256 (hip:gfx942)');
});

test('long text loses its middle', () => {
  assert.equal(shortened('abcdefghij', 10), 'abcdefghij');
  assert.equal(shortened('abcdefghij', 5), 'ab…ij');
  assert.equal(shortened('abcdefghij', 6), 'abc…ij');
});

test('text of the workspace makes no icons, no lines, and does not turn its direction', () => {
  assert.equal(plain('$(error) a\nb\u202ec'), '$\u200b(error) a b c');
});

test('of long labels a menu shows what tells them apart', () => {
  const label = (m: number, warps: number) =>
    `a_desc=fp16[${m}, 64] b_desc=fp16[64, 128] LHS_IN_REG=False block=(128, 128) num_warps=${warps} (cuda:90)`;
  const all = [
    specialization('1', { label: label(64, 4) }),
    specialization('2', { label: label(64, 8) }),
    specialization('3', { label: label(128, 8) }),
  ];
  assert.deepEqual(
    all.map((each) => shortLabel(each, all)),
    ['a_desc=fp16[64, 64] num_warps=4', 'a_desc=fp16[64, 64] num_warps=8', 'a_desc=fp16[128, 64] num_warps=8'],
  );
  // Blanks within brackets separate nothing.
  const blocked = (layout: string, warps: number) =>
    specialization(layout, {
      label: `x_ptr=*fp32:16 out_ptr=*fp32:16 rows=i32 layout=BlockedLayout(${layout}) num_warps=${warps} (cuda:90)`,
    });
  const layouts = [blocked('[1], [32], [4]', 4), blocked('[1], [32], [8]', 8), blocked('[4], [32], [4]', 4)];
  assert.deepEqual(
    layouts.map((each) => shortLabel(each, layouts)),
    ['[1], [32], [4]', '[1], [32], [8]', '[4], [32], [4]'].map((each) => `layout=BlockedLayout(${each})`),
  );
  // Of parameters that tell the same, the first one stays.
  const norm = (type: string, cols: string) =>
    specialization(type + cols, {
      label: `x_ptr=*${type} w_ptr=*${type} out_ptr=*${type} cols=${cols} BLOCK=1024 num_warps=4 (cuda:90)`,
    });
  const norms = [norm('fp16:16', 'i32:16'), norm('fp32:16', 'i32:16'), norm('fp16:16', 'i32'), norm('fp32:16', 'i32')];
  assert.deepEqual(
    norms.map((each) => shortLabel(each, norms)),
    ['x_ptr=*fp16:16 cols=i32:16', 'x_ptr=*fp32:16 cols=i32:16', 'x_ptr=*fp16:16 cols=i32', 'x_ptr=*fp32:16 cols=i32'],
  );
  // What follows from the rest is left out as well: here the second operand says K and N, the result M and N.
  const product = (m: number, n: number, k: number) =>
    specialization(`${m}${n}${k}`, {
      label: `a_desc=fp16[${m}, ${k}] b_desc=fp16[${k}, ${n}] c_desc=fp32[${m}, ${n}] num_warps=4 (cuda:90)`,
    });
  const products = [product(64, 32, 32), product(64, 32, 64), product(64, 64, 32), product(128, 32, 32)];
  const short = products.map((each) => shortLabel(each, products));
  assert.equal(new Set(short).size, products.length);
  assert.ok(
    short.every((text) => text.length <= 44),
    short.join('\n'),
  );
  // Alone, or short, it is all there; and equal ones are not emptied.
  assert.equal(
    shortLabel(all[0]!),
    'a_desc=fp16[64, 64] b_desc=fp16[64, 128] LHS_IN_REG=False block=(128, 128) num_warps=4',
  );
  const same = [specialization('1', { label: label(64, 4) }), specialization('2', { label: label(64, 4) })];
  assert.ok(same.every((each) => shortLabel(each, same).length > 0));
  const hostile = [
    specialization('1', { label: `N='a b" [ (' M=1 ${'x'.repeat(60)} (cuda:90)` }),
    specialization('2', { label: `N=2 M=1 ${'x'.repeat(60)} (cuda:90)` }),
  ];
  assert.deepEqual(
    hostile.map((each) => shortLabel(each, hostile)),
    [`N='a b" [ (' M=1`, 'N=2 M=1'],
  );
});
