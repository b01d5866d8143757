import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameRun, launchOf, runOf, whyNot } from '../src/debug/configuration.ts';
import { manifest } from './manifest.ts';

test('a launch names what it starts', () => {
  const launch = launchOf('/w/kernels.py', 'add_kernel', 'add_kernel.cuda90.1');
  assert.equal(launch.name, 'Debug add_kernel');
  assert.equal(launch.launch, 'add_kernel.cuda90.1');
  assert.deepEqual(Object.keys(launchOf('/w/kernels.py')), ['type', 'request', 'name', 'program']);
  assert.equal(whyNot(launch), undefined);
});

test('a configuration that cannot start says why', () => {
  assert.match(whyNot({ request: 'attach', program: 'a.py' }) ?? '', /"launch"/);
  assert.match(whyNot({ request: 'launch' }) ?? '', /"program"/);
  assert.match(whyNot({ request: 'launch', program: '' }) ?? '', /"program"/);
});

test('what the extension starts is what package.json describes', () => {
  const debuggers = manifest.contributes.debuggers;
  assert.deepEqual(
    debuggers.map((each) => each.type),
    ['gluond'],
  );
  const known = Object.keys(debuggers[0]!.configurationAttributes.launch.properties);
  for (const option of Object.keys(launchOf('a.py', 'kernel', 'launch')))
    if (!['type', 'request', 'name'].includes(option)) assert.ok(known.includes(option), option);
});

test('a session follows the timeline of the same run, and of no other', () => {
  const moment = {
    uri: 'file:///w/a.py',
    kernel: 'kernel',
    specialization: 'kernel.1',
    program: '1,0,0',
    schedule: 'latest',
    moment: 7,
  };
  const session = { ...launchOf('/w/a.py', 'kernel', 'kernel.1'), programId: '1' };
  assert.ok(isSameRun(session, moment, '/w/a.py'));
  assert.ok(isSameRun({ ...session, programId: [1, 0, 0], schedule: 'latest' }, moment, '/w/a.py'));
  for (const other of [
    { program: '/w/b.py' },
    { kernel: 'other' },
    { launch: 'kernel.2' },
    { schedule: 'random:1' },
    { programId: '0,1' },
    { args: ['n=1'] },
    { grid: '2' },
  ])
    assert.ok(!isSameRun({ ...session, ...other }, moment, '/w/a.py'), JSON.stringify(other));
});

test('the run of a session is named for the timeline', () => {
  assert.deepEqual(runOf({ ...launchOf('/w/a.py', 'kernel'), programId: '3' }), {
    path: '/w/a.py',
    kernel: 'kernel',
    program: '3,0,0',
    schedule: 'latest',
  });
  assert.equal(runOf({ ...launchOf('/w/a.py', 'kernel'), args: ['n=1'] }), undefined);
});
