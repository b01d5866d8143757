import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { findBinary, type Machine } from '../src/client/binary.ts';

function machine(files: string[], more: Partial<Machine> = {}): Machine {
  return {
    setting: '',
    extensionPath: '/ext',
    home: '/home/ada',
    environment: '',
    prefersEnvironment: false,
    workspaces: ['/home/ada/project'],
    searchPath: '/usr/local/bin:/usr/bin',
    windows: false,
    isExecutable: (file) => files.includes(file),
    realPath: (file) => file,
    isOwn: () => true,
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

test('the selected Python environment comes after the extension, or before it if the user says so', () => {
  const environment = '/home/ada/miniconda/envs/gpu/bin';
  const program = `${environment}/gluond`;
  const all = ['/ext/server/gluond', program, '/usr/bin/gluond'];
  const chosen = (files: string[], prefersEnvironment: boolean) =>
    findBinary(machine(files, { environment, prefersEnvironment }));
  assert.deepEqual(chosen(all, false), { found: true, path: '/ext/server/gluond', origin: 'extension' });
  assert.deepEqual(chosen(all, true), { found: true, path: program, origin: 'environment' });
  assert.deepEqual(chosen(all.slice(1), false), { found: true, path: program, origin: 'environment' });
  assert.deepEqual(chosen(['/ext/server/gluond'], true), {
    found: true,
    path: '/ext/server/gluond',
    origin: 'extension',
  });
});

test('an environment that the open folder brings is not started', () => {
  const cases: Partial<Machine>[] = [
    { environment: '/home/ada/project/.venv/bin' },
    { environment: '/home/ada/project' },
    { environment: '/home/ada/elsewhere/../project/.venv/bin' },
    // A link from outside into the folder, and a folder that is opened through a link.
    { environment: '/home/ada/env/bin', realPath: (file) => file.replace('/home/ada/env', '/home/ada/project/env') },
    { environment: '/data/project/.venv/bin', realPath: (file) => file.replace('/home/ada/project', '/data/project') },
    // Where others can write.
    { environment: '/tmp/env/bin', isOwn: (file) => !file.startsWith('/tmp/') },
  ];
  for (const each of cases) {
    const program = `${each.environment}/gluond`;
    const isExecutable = (file: string) => path.resolve(file) === path.resolve(program);
    const found = findBinary(machine([], { ...each, isExecutable, prefersEnvironment: true }));
    assert.equal(found.found, false, program);
    assert.match(found.found ? '' : found.tried.join(), /not started/, program);
  }
});

test('a folder whose name begins like that of the open one is another one', () => {
  const program = '/home/ada/project-env/bin/gluond';
  const found = findBinary(machine([program], { environment: '/home/ada/project-env/bin' }));
  assert.deepEqual(found, { found: true, path: program, origin: 'environment' });
});
