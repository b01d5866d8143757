// The .vsix: one file that installs by itself and has all it needs, the server first.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retry, until } from './editor.mjs';
import { stepsOf, useEditor } from './setup.mjs';

const session = useEditor();
const step = stepsOf(session);
const installed = () => {
  const folder = join(session.server.home, 'extensions');
  const name = readdirSync(folder).find((each) => each.startsWith('gluond.gluond-'));
  assert.ok(name, readdirSync(folder).join(' '));
  return join(folder, name);
};

step('the server and the GPU process are inside, and run', async () => {
  for (const program of ['gluond', 'gluond-runner']) {
    const path = join(installed(), 'server', program);
    accessSync(path, constants.X_OK);
  }
  const { version } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
  const said = execFileSync(join(installed(), 'server/gluond'), ['--version'], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  assert.ok(said.includes(version), `${said} is not ${version}`);
});

step('it is that server which answers', async (editor) => {
  await editor.openFile('copy_1d.py');
  await editor.see('.statusbar-item', 'cuda:90');
  const [pid] = await until('a server', () => session.server.languageServers());
  assert.ok(readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(join(installed(), 'server/gluond')));
});

step('its page in VS Code has the README, with pictures', async (editor) => {
  await editor.command('Extensions: Show Enabled Extensions');
  const click = async () =>
    (await editor.page.$('.extensions-list .monaco-list-row[data-extension-id="gluond.gluond"]')).click();
  await retry('its page', click, () => editor.page.$('.extension-editor'));
  const page = await until('its README', async () => {
    for (const frame of editor.page.frames())
      if (
        await frame
          .evaluate(
            () => /Gluon/.test(document.querySelector('h1, h2')?.textContent ?? '') && document.images.length > 2,
          )
          .catch(() => false)
      )
        return frame;
    return undefined;
  });
  // A VS Code that shows no picture of the package shows its description (packaging/readme.mjs).
  await until('pictures or their descriptions', () =>
    page.evaluate(() => {
      const isShown = (image) =>
        image.complete && (image.naturalWidth > 100 || (!image.hasAttribute('src') && image.alt));
      return [...document.images].filter(isShown).length > 2;
    }),
  );
});

step('pictures of the walkthrough are inside', () => {
  const { contributes } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'));
  for (const each of contributes.walkthroughs[0].steps)
    assert.ok(existsSync(join(installed(), each.media.image)), each.media.image);
});
