import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLineEnds, withoutReturns } from '../src/model/lineends.ts';
import { bestMatches, score } from '../src/model/match.ts';
import { treeOf } from '../src/model/tree.ts';

test('line ends of lines that nobody touched stay', () => {
  assert.equal(withLineEnds('a\nb\n', 'a\nx\nb\n'), 'a\nx\nb\n');
  assert.equal(withLineEnds('a\r\nb\r\n', 'a\nx\nb\n'), 'a\r\nx\r\nb\r\n');
  assert.equal(withLineEnds('a\rb', 'a\nb\nc'), 'a\rb\rc');
  assert.equal(withLineEnds('', 'a\nb'), 'a\nb');
  // Mixed: each line keeps its own, new ones get the usual.
  assert.equal(withLineEnds('a\r\nb\nc\r\nd', 'a\nb\nnew\nc\nd'), 'a\r\nb\nnew\r\nc\r\nd');
  assert.equal(withLineEnds('a\nb\r\nc\n', 'c\n'), 'c\n');
  for (const text of ['a\r\nb\nc\rd\n\r\n', '\r\n\n\r', 'x\n\n\r\n\r\ny'])
    assert.equal(withLineEnds(text, withoutReturns(text)), text, JSON.stringify(text));
});

test('a file is found by a few of its letters', () => {
  const names = [
    'kernels/attention.py',
    'kernels/layouts/tiles.py',
    'tests/test_tiles.py',
    'tiles.py',
    'README.launches.jsonl',
  ];
  assert.equal(bestMatches('tiles', names)[0], 'tiles.py');
  assert.equal(bestMatches('lay/til', names)[0], 'kernels/layouts/tiles.py');
  assert.equal(bestMatches('testil', names)[0], 'tests/test_tiles.py');
  assert.equal(bestMatches('att', names)[0], 'kernels/attention.py');
  assert.deepEqual(bestMatches('xyz', names), []);
  assert.deepEqual(bestMatches('', names), names);
  assert.equal(score('ba', 'ab'), null);
});

test('paths as a tree; folders that hold one folder are one', () => {
  const tree = treeOf(['a.py', 'b/c.py', 'b/d/e.py', 'x/y/z.py']);
  assert.deepEqual(tree.files, ['a.py']);
  assert.deepEqual(
    tree.folders.map((f) => [f.label, f.path]),
    [
      ['b', 'b'],
      ['x/y', 'x/y'],
    ],
  );
  assert.deepEqual(
    tree.folders[0]!.folders.map((f) => f.files),
    [['b/d/e.py']],
  );
  assert.deepEqual(tree.folders[1]!.files, ['x/y/z.py']);
});
