// package.json against the code: a command that is declared and not registered fails only when somebody clicks it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownLensCommands } from '../src/lensCommands.ts';
import { targetPattern } from '../../visualizer/src/model/chips.ts';
import { manifest, read } from './manifest.ts';

const { capabilities, contributes } = manifest;
const declared = contributes.commands.map((each) => each.command);

test('every declared command is registered, and the other way', () => {
  const registered = [...read('src/commands/commands.ts').matchAll(/'(gluond\.\w+)'/g)].map((match) => match[1]!);
  assert.deepEqual(new Set(registered), new Set(declared));
});

test('menus, keys and lenses name declared commands', () => {
  const named = [
    ...Object.values(contributes.menus).flatMap((items) => items.flatMap((item) => item.command ?? [])),
    ...contributes.keybindings.map((each) => each.command),
    ...[...JSON.stringify([contributes.viewsWelcome, contributes.walkthroughs]).matchAll(/command:(gluond\.\w+)/g)].map(
      (match) => match[1]!,
    ),
    ...knownLensCommands,
  ];
  for (const name of named) assert.ok(declared.includes(name), name);
});

test('no two commands share a key', () => {
  const keys = contributes.keybindings.map((each) => each.key);
  assert.equal(new Set(keys).size, keys.length);
});

test('a workspace cannot choose what runs', () => {
  for (const name of ['gluond.server.path', 'gluond.server.preferEnvironment']) {
    assert.equal(contributes.configuration.properties[name]?.scope, 'machine');
    assert.ok(capabilities.untrustedWorkspaces.restrictedConfigurations.includes(name));
  }
  assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
});

test('a target is checked while it is written, by the same pattern as in the menu', () => {
  assert.equal(contributes.configuration.properties['gluond.target']?.pattern, `^(|${targetPattern})$`);
});

test('every setting is documented here and in the README', () => {
  const readme = read('README.md');
  for (const [name, setting] of Object.entries(contributes.configuration.properties)) {
    assert.ok(setting.description ?? setting.markdownDescription, name);
    assert.ok(readme.includes(`\`${name}\``), `${name} in README.md`);
  }
});
