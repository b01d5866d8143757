import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explicitSettings, serverSettingNames } from '../src/settingNames.ts';

test('only what somebody set is sent, the nearest wins', () => {
  const set: Record<string, object> = {
    target: { defaultValue: '', globalValue: 'cuda:80', workspaceValue: 'cuda:100' },
    lints: { defaultValue: true },
    'inlayHints.types': { defaultValue: true, globalValue: false },
    'evaluation.steps': undefined!,
  };
  assert.deepEqual(explicitSettings(name => set[name]), { target: 'cuda:100', 'inlayHints.types': false });
});

test('an empty target is none', () => {
  assert.deepEqual(explicitSettings(name => (name === 'target' ? { globalValue: '' } : undefined)), {});
});

test('every setting of the server is declared', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const declared = Object.keys(manifest.contributes.configuration.properties);
  for (const name of serverSettingNames) assert.ok(declared.includes(`gluond.${name}`), name);
});
