import assert from 'node:assert/strict';
import test from 'node:test';
import { addressOf, readAddress } from '../src/page/address.ts';

test('an address names a file, a line, a column', () => {
  const read = (hash: string, ...files: string[]) => readAddress(hash, (name) => files.includes(name));
  assert.deepEqual(read(''), { name: '' });
  assert.deepEqual(read('#a%2Fb.py', 'a/b.py'), { name: 'a/b.py' });
  assert.deepEqual(read('#b.py:41', 'b.py'), { name: 'b.py', line: 41, column: 1 });
  assert.deepEqual(read('#b.py%3A41:9', 'b.py'), { name: 'b.py', line: 41, column: 9 });
  assert.deepEqual(read('#b.py:41', 'b.py:41'), { name: 'b.py:41' });
  assert.deepEqual(read('#none.py'), { name: 'none.py' });
  assert.deepEqual(read('#%'), { name: '' });
  assert.deepEqual(read(addressOf('x y#1%.py'), 'x y#1%.py'), { name: 'x y#1%.py' });
});
