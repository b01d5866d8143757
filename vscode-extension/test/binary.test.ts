import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findBinary, type Machine } from '../src/client/binary.ts';

function machine(files: string[], more: Partial<Machine> = {}): Machine {
  return {
    setting: '',
    extensionPath: '/ext',
    home: '/home/ada',
    searchPath: '/usr/local/bin:/usr/bin',
    windows: false,
    isExecutable: (file) => files.includes(file),
    ...more,
  };
}

test('the setting comes first, then the one inside, then the PATH', () => {
  const all = ['/opt/gluond', '/ext/server/gluond', '/usr/bin/gluond'];
  assert.deepEqual(findBinary(machine(all, { setting: '/opt/gluond' })), {
    found: true,
    path: '/opt/gluond',
    origin: 'setting',
  });
  assert.deepEqual(findBinary(machine(all)), { found: true, path: '/ext/server/gluond', origin: 'extension' });
  assert.deepEqual(findBinary(machine(['/usr/bin/gluond'])), { found: true, path: '/usr/bin/gluond', origin: 'path' });
});

test('~ is the home of the user', () => {
  const found = findBinary(machine(['/home/ada/bin/gluond'], { setting: '~/bin/gluond' }));
  assert.deepEqual(found, { found: true, path: '/home/ada/bin/gluond', origin: 'setting' });
});

test('a setting that names nothing is said, and nothing else is started instead', () => {
  const found = findBinary(machine(['/ext/server/gluond'], { setting: '/nowhere/gluond' }));
  assert.equal(found.found, false);
  assert.match(found.found ? '' : found.message, /gluond\.server\.path is "\/nowhere\/gluond"/);
});

test('a relative setting or a relative entry of the PATH would let the open folder choose', () => {
  assert.equal(findBinary(machine(['./gluond', 'gluond'], { setting: './gluond' })).found, false);
  assert.equal(findBinary(machine(['gluond', 'bin/gluond', './gluond'], { searchPath: '.:bin:' })).found, false);
});

test('what was tried is listed', () => {
  const found = findBinary(machine([]));
  assert.deepEqual(found.found ? [] : found.tried, ['/ext/server/gluond', '/usr/local/bin/gluond', '/usr/bin/gluond']);
});

test('Windows has its own ending', () => {
  const found = findBinary(machine(['/ext/server/gluond.exe'], { windows: true }));
  assert.equal(found.found && found.path, '/ext/server/gluond.exe');
});
