import assert from 'node:assert/strict';
import test from 'node:test';
import { expressionOf, formFor, formOf, layoutClasses } from '../src/model/layouts.ts';
import { parsePython, printPython, SyntaxProblem } from '../src/model/python.ts';

test('Python literals and calls, there and back', () => {
  for (const text of [
    'gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0])',
    'f(a=True, b=None, c=[[0, 1], []], d=-3)',
    'gl.SliceLayout(1, gl.BlockedLayout([1], [32], [4], [0]))',
    '[]',
    '"a"',
  ])
    assert.equal(printPython(parsePython(text)), text);
  assert.equal(printPython(parsePython(' ( 1 , 2 , ) ')), '[1, 2]');
});
test('what is no literal is refused', () => {
  for (const text of ['', 'x', 'f(', '[1', '1 2', 'f(__import__("os").system("x"))', 'a + b', '[1,,2]'])
    assert.throws(() => parsePython(text), SyntaxProblem, text);
});

test('every class has a form that prints, and reads its own text', () => {
  for (const layoutClass of layoutClasses) {
    const form = formFor(layoutClass, [64, 64], 4, 32, 16);
    const text = expressionOf(form);
    assert.ok(text.startsWith(layoutClass.name + '('), text);
    const again = formOf(text, [64, 64], 4, 32, 16);
    assert.equal(again?.layoutClass, layoutClass, text);
    assert.equal(expressionOf(again), text);
  }
});
test('a new layout has as many lanes as the warps of the target', () => {
  for (const lanes of [32, 64])
    for (const shape of [[64], [64, 64], [4, 8, 512]]) {
      const values = formFor(layoutClasses[0]!, shape, 4, lanes, 16).values[1] as number[];
      assert.equal(
        values.reduce((all, each) => all * each, 1),
        lanes,
        String(values),
      );
    }
});
test('a new linear layout has every element of the tensor, and the lanes and warps of the target', () => {
  const layoutClass = layoutClasses.find((c) => c.title === 'Linear')!;
  for (const lanes of [32, 64])
    for (const shape of [[64], [64, 32], [128, 128], [4, 8, 64], [4, 4]]) {
      const [registers, ofLanes, ofWarps] = formFor(layoutClass, shape, 4, lanes, 16).values as number[][][];
      assert.equal(2 ** ofLanes!.length, lanes);
      assert.equal(2 ** ofWarps!.length, 4);
      const bases = [...registers!, ...ofLanes!, ...ofWarps!].filter((basis) => basis.some(Boolean));
      assert.equal(
        2 ** bases.length,
        shape.reduce((a, b) => a * b, 1),
        String(shape),
      );
      assert.equal(new Set(bases.map(String)).size, bases.length);
    }
});
test('a new NVMMA layout swizzles no more bytes than a row has', () => {
  const layoutClass = layoutClasses.find((c) => c.title.startsWith('NVMMA'))!;
  const swizzle = (columns: number, bits: number) => formFor(layoutClass, [64, columns], 4, 32, bits).values[0];
  assert.deepEqual([swizzle(64, 16), swizzle(32, 16), swizzle(32, 8), swizzle(8, 16)], [128, 64, 32, 0]);
});
test('keywords, aliases and defaults', () => {
  const form = formOf(
    'ttgl.SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0], cga_layout=[[1, 0]])',
    [64, 64],
    4,
    32,
    16,
  );
  assert.equal(expressionOf(form!), 'gl.SwizzledSharedLayout(8, 1, 8, [1, 0], cga_layout=[[1, 0]])');
  assert.equal(formOf('gl.UnknownLayout(1)', [1], 4, 32, 16), null);
  assert.equal(formOf('gl.BlockedLayout(1, 2, 3, 4, 5, 6)', [1], 4, 32, 16), null);
  assert.equal(formOf('gl.BlockedLayout([', [1], 4, 32, 16), null);
});
