import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explicitSettings, serverSettingNames, userOnly } from '../src/settingNames.ts';
import { manifest, read } from './manifest.ts';

test('only what somebody set is sent, the nearest wins', () => {
  const set: Record<string, object> = {
    target: { defaultValue: '', globalValue: 'cuda:80', workspaceValue: 'cuda:100' },
    lints: { defaultValue: true },
    'inlayHints.types': { defaultValue: true, globalValue: false },
    'evaluation.steps': undefined!,
  };
  assert.deepEqual(
    explicitSettings((name) => set[name]),
    { target: 'cuda:100', 'inlayHints.types': false },
  );
});

test('an empty target is none', () => {
  assert.deepEqual(
    explicitSettings((name) => (name === 'target' ? { globalValue: '' } : undefined)),
    {},
  );
});

test('the names are those that the server documents', () => {
  const page = read('../docs/configuration.md');
  const documented = [...page.matchAll(/^\| `([\w.]+)` \|/gm)].map((match) => match[1]);
  assert.ok(documented.length > 10);
  assert.deepEqual([...serverSettingNames].sort(), documented.sort());
});

test('settings of the machine are those that a workspace cannot make', () => {
  const { contributes, capabilities } = manifest;
  assert.ok(userOnly.has('runner.command') && userOnly.has('cache.directory') && userOnly.has('analysis.seconds'));
  for (const name of serverSettingNames) {
    const setting = contributes.configuration.properties[`gluond.${name}`]!;
    const isOfMachine = userOnly.has(name);
    if (isOfMachine)
      assert.ok(capabilities.untrustedWorkspaces.restrictedConfigurations.includes(`gluond.${name}`), name);
    // Places, commands and budgets are theirs, whatever is added.
    if (setting.type === 'integer' || /directory|path|command/.test(name)) assert.ok(isOfMachine, name);
  }
});

test('a workspace cannot choose what runs', () => {
  const set = { workspaceValue: ['touch /tmp/owned'], workspaceFolderValue: ['touch /tmp/owned'] };
  assert.deepEqual(
    explicitSettings((name) => (name === 'runner.command' ? set : undefined)),
    {},
  );
  assert.deepEqual(
    explicitSettings((name) =>
      name === 'runner.command' ? { ...set, globalValue: ['ssh box gluond-runner'] } : undefined,
    ),
    { 'runner.command': ['ssh box gluond-runner'] },
  );
});
