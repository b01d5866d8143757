import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childrenOf, idOf, rowOf, specializationsOf } from '../src/views/treeModel.ts';
import { kernel, range, specialization } from './samples.ts';

const uri = 'file:///w/copy.py';
const first = specialization('copy.0', {
  label: 'BLOCK=128 (cuda:90)',
  selected: true,
  source: { uri: 'file:///w/host.py', range: range(40) },
});
const second = specialization('copy.1', { label: 'BLOCK=256 (cuda:90)', origin: 'default' });
const copy = kernel('copy', 12, [first, second]);

test('a kernel opens to its specializations and goes to its def', () => {
  const [node] = childrenOf(uri, [copy]);
  const row = rowOf(node!);
  assert.equal(row.label, 'copy');
  assert.equal(row.description, '2 specializations');
  assert.ok(row.expandable);
  assert.deepEqual(row.target, { uri, range: copy.range });
});

test('a specialization goes to its launch, or to the kernel where there is none', () => {
  const [a, b] = specializationsOf({ uri, kernel: copy });
  assert.deepEqual(rowOf(a!).target, { uri: 'file:///w/host.py', range: range(40) });
  assert.deepEqual(rowOf(b!).target, { uri, range: copy.range });
});

test('the selected one is marked and cannot be selected again', () => {
  const [a, b] = specializationsOf({ uri, kernel: copy }).map(rowOf);
  assert.equal(a!.icon, 'pass-filled');
  assert.equal(a!.context, 'specialization.selected');
  assert.equal(b!.icon, 'question');
  assert.equal(b!.context, 'specialization');
});

test('rows keep their identity over a refresh, and no two share one', () => {
  const nodes = [...childrenOf(uri, [copy, kernel('copy', 60)]), ...specializationsOf({ uri, kernel: copy })];
  const ids = nodes.map(idOf);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids, nodes.map(idOf));
});

test('hostile names are shown as text', () => {
  const row = rowOf({ kind: 'kernel', uri, kernel: kernel('$(trash)\u202e<img src=x onerror=alert(1)>', 1) });
  assert.ok(!row.label.includes('$('));
  assert.ok(!row.label.includes('\u202e'));
});
