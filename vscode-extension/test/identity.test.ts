import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { whyNotGluond } from '../src/client/identity.ts';

const folder = mkdtempSync(join(tmpdir(), 'gluond-identity-'));
after(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

test('gluond of any version may serve', async () => {
  assert.equal(
    await whyNotGluond(program('fine', '#!/bin/sh\necho "gluond $(($# - 1)).7.0 (Gluon of Triton 3.9.0)"\n')),
    undefined,
  );
});

test('other programs may not, and the reason is said', async () => {
  const reason = async (name: string, text: string, milliseconds?: number) =>
    (await whyNotGluond(program(name, text), milliseconds))?.replace(`${folder}/`, '');
  assert.equal(
    await reason('other', '#!/bin/sh\necho "Python 3.13"\n'),
    'other is not gluond: it answered --version with "Python 3.13". Set gluond.server.path.',
  );
  assert.equal(
    await reason('angry', '#!/bin/sh\necho "no such option" >&2\nexit 2\n'),
    'angry is not gluond: it answered --version with "no such option". Set gluond.server.path.',
  );
  assert.equal(
    await reason('sleepy', '#!/bin/sh\nexec sleep 100\n', 500),
    'sleepy is not gluond: it did not answer --version in 0.5 s. Set gluond.server.path.',
  );
  assert.match((await reason('loud', '#!/bin/sh\nyes\n'))!, /^loud /);
  assert.match(
    (await whyNotGluond(join(folder, 'none')))!,
    /none cannot be started: .*ENOENT.* Set gluond\.server\.path\.$/,
  );
});
