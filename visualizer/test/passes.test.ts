import assert from 'node:assert/strict';
import test from 'node:test';
import { passesOf, textBefore } from '../src/model/passes.ts';

test('a pass is said to change what it adds and removes, and not how values are numbered', () => {
  const passes = passesOf({
    specialization: 'N=1',
    text: '%0 = a\n%1 = b\n',
    passes: [
      { id: 'renumber', title: 'Renumber', changed: true, text: '%4 = a\n%5 = b\n' },
      { id: 'drop', title: 'Drop', changed: true, text: '%4 = a\n' },
      { id: 'nothing', title: 'Nothing', changed: false },
    ],
  });
  const counts = passes.steps.map(({ id, changed, added, removed }) => [id, changed, added, removed]);
  assert.deepEqual(counts, [
    ['renumber', false, 0, 0],
    ['drop', true, 0, 1],
    ['nothing', false, 0, 0],
  ]);
  assert.deepEqual(textBefore(passes, 'renumber'), ['%0 = a', '%1 = b']);
  assert.deepEqual(textBefore(passes, 'nothing'), ['%4 = a']);
  assert.equal(textBefore(passes, 'absent'), null);
});
