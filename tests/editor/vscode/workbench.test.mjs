// What the extension adds around the editor: status bar, menus, the tree, the server's life, the walkthrough.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pause, retry, until } from './editor.mjs';
import { picture } from './pictures.mjs';
import { kernelText, stepsOf, useEditor } from './setup.mjs';

const file = 'scale_rows.py';
const hostile = 'hostile.py';
const session = useEditor({ files: { [file]: kernelText(file), [hostile]: kernelText(hostile) } });
const step = stepsOf(session);
const rows = '.pane-body .monaco-list-row';

step('the status bar shows target and specialization, and changes the specialization', async (editor) => {
  await editor.openFile(file);
  const item = await editor.see('.statusbar-item', 'scale_rows: ');
  assert.match(item, /BLOCK_N=128/);
  await editor.goTo(14);
  await retry(
    'the menu',
    () => editor.page.click('[id="gluond.gluond.gluond.specialization"]'),
    async () => (await editor.pickRows()).length > 1,
  );
  await until(
    'two specializations',
    async () => (await editor.pickRows()).filter((row) => row.includes('BLOCK_N=')).length === 2,
  );
  await editor.pick('BLOCK_N=256');
  await editor.see('.statusbar-item', 'BLOCK_N=256');
  await editor.see('.codelens-decoration', 'BLOCK_N=256');
  await editor.see('.view-line', 'tile: float32[64, 256]');
});

step('the lens above a kernel opens the same menu', async (editor) => {
  await retry(
    'the menu',
    async () => (await editor.page.$('.codelens-decoration a')).click(),
    async () => (await editor.pickRows()).length > 1,
  );
  await editor.pick('BLOCK_N=128');
  await editor.see('.view-line', 'tile: float32[64, 128]');
});

step('the target is a setting, and the menu writes it', async (editor) => {
  await editor.chord('Control+Alt+g', 't');
  await editor.pick('cuda:100');
  await editor.see('.statusbar-item', 'cuda:100');
  await editor.see('.codelens-decoration', 'cuda:100');
  const settings = JSON.parse(readFileSync(`${session.server.folder}/.vscode/settings.json`, 'utf8'));
  assert.equal(settings['gluond.target'], 'cuda:100');
  await editor.chord('Control+Alt+g', 't');
  await editor.pick('Default target');
  await editor.see('.statusbar-item', 'cuda:90');
});

step('the tree lists kernels and launches; a click goes to the line, the check mark selects', async (editor) => {
  await retry(
    'the tree',
    () => editor.page.click('.activitybar .action-label[aria-label^="gluond"]'),
    async () => (await editor.page.$$(rows)).length > 0,
  );
  const click = async (text) => (await row(editor, text)).click();
  await retry(
    'the cursor at the def',
    () => click('scale_rows2 specializations'),
    async () => (await editor.cursorLine()) === 8,
  );
  await retry(
    'the cursor at the launch',
    () => click('BLOCK_M=64 BLOCK_N=256'),
    async () => (await editor.cursorLine()) === 20,
  );
  const check = async () => {
    const found = await row(editor, 'BLOCK_M=64 BLOCK_N=256');
    await found.hover();
    await (await found.$('.action-label.codicon-check')).click();
  };
  await retry('the specialization in the status bar', check, async () =>
    (await editor.texts('.statusbar-item')).some((item) => item.includes('BLOCK_N=256')),
  );
  await editor.see('.codelens-decoration', 'BLOCK_N=256');
  const hasMenu = async () =>
    (await editor.page.$$eval('.quick-input-widget', (all) => all.some((each) => each.checkVisibility()))) &&
    (await editor.pickRows()).length >= 3;
  // The menu goes when the window loses the keyboard, as it does where pictures are compared.
  const open = async () => {
    if (!(await hasMenu())) await editor.chord('Control+Alt+g', 's');
    await until('the menu', hasMenu);
    await editor.page.mouse.move(200, 600);
  };
  await open();
  await picture(editor, 'specializations', undefined, { isThere: hasMenu, again: open });
  await editor.key('Escape');
});

step('names of a workspace file are text', async (editor) => {
  await editor.openFile(hostile);
  await editor.see('.statusbar-item', 'hostile_kernel');
  await editor.see('.codelens-decoration', '<img');
  assert.equal(await editor.page.evaluate(() => globalThis.gluondWasHere), undefined);
  assert.equal(
    (await editor.page.$$('.statusbar img, .monaco-list-row img[src="x"], .codelens-decoration img')).length,
    0,
  );
});

step('a server that is killed comes back and answers', async (editor) => {
  await editor.openFile(file);
  const before = await until('a server', async () => session.server.languageServers()[0]);
  process.kill(before, 'SIGKILL');
  await until('another server', async () => session.server.languageServers().some((pid) => pid !== before));
  await editor.see('.view-line', 'tile: float32[64, 128]');
  assert.match(await editor.hoverWord('tile * factor', 'tile'), /float32/);
});

step('the restart command makes a new server', async (editor) => {
  const before = session.server.languageServers();
  await editor.command('gluond: Restart Server');
  await until('another server', async () => {
    const now = session.server.languageServers();
    return now.length === 1 && !before.includes(now[0]);
  });
  await editor.see('.statusbar-item', 'scale_rows: ');
});

step('a workspace cannot choose what runs', async (editor) => {
  const settings = `${session.server.folder}/.vscode/settings.json`;
  writeFileSync(settings, JSON.stringify({ 'gluond.server.path': '/bin/false' }));
  await pause(1_000);
  const before = session.server.languageServers();
  await editor.command('gluond: Restart Server');
  await until('another server', async () => {
    const now = session.server.languageServers();
    return now.length === 1 && !before.includes(now[0]);
  });
  await editor.see('.statusbar-item', 'scale_rows: ');
});

step('a path that leads nowhere, or to another program, is said, with what to do', async (editor) => {
  mkdirSync(dirname(session.server.machineSettings), { recursive: true });
  writeFileSync(session.server.machineSettings, JSON.stringify({ 'gluond.server.path': '/nowhere/gluond' }));
  await editor.see('.notification-toast', 'gluond.server.path is "/nowhere/gluond"');
  await editor.see('.notification-toast', 'Set the Path');
  await until('the item is red', () => editor.page.$('[id="gluond.gluond.gluond.state"].error-kind'));
  await editor.goTo(14);
  await picture(editor, 'missing');
  await editor.command('Notifications: Clear All Notifications');
  writeFileSync(session.server.machineSettings, JSON.stringify({ 'gluond.server.path': '/bin/echo' }));
  await editor.see('.notification-toast', '/bin/echo is not gluond: it answered --version with "');
  writeFileSync(session.server.machineSettings, '{}');
  await editor.see('.statusbar-item', 'scale_rows: ');
  await editor.command('Notifications: Clear All Notifications');
});

step('the walkthrough has pictures', async (editor) => {
  await editor.command('gluond: Open Walkthrough');
  await editor.see('.getting-started-detail-title, .getting-started-category h2, .category-title', 'gluond');
  await until('a picture', () =>
    editor.page.evaluate(() =>
      [...document.querySelectorAll('.getting-started-media img')].some((image) => image.naturalWidth > 100),
    ),
  );
  await editor.key('Control+b'); // room for the pictures
  await picture(editor, 'walkthrough');
  await editor.key('Control+b');
});

step('a document that was never saved is analysed like any other', async (editor) => {
  await editor.openFile(file);
  await editor.key('Control+Alt+n');
  await editor.see('.tabs-container .tab.active', 'Untitled-1');
  await editor.command('Change Language Mode');
  await until('the languages', async () => (await editor.pickRows()).some((row) => /C\+\+ ?\(cpp\)/.test(row)));
  await editor.type('Python', 20);
  await until('Python', async () => (await editor.pickRows())[0]?.startsWith('Python'));
  await editor.key('Enter');
  await editor.see('.statusbar-item', 'Python');
  const layout = 'gl.BlockedLayout([1], [32], [4], [0])';
  await editor.page.keyboard.sendCharacter(
    `from triton.experimental import gluon\nfrom triton.experimental.gluon import language as gl\n@gluon.jit\ndef drafted(p): gl.store(p + gl.arange(0, 100, ${layout}), 1)\n`,
  );
  await editor.see('.codelens-decoration', 'typed defaults');
  await editor.see('.statusbar-item', 'drafted: ');
  await until('an underline', async () => (await editor.page.$$('.squiggly-error')).length > 0);
  await editor.clickWord('gl.BlockedLayout', 'BlockedLayout');
  await editor.chord('Control+Alt+g', 'l');
  const frame = await editor.panels();
  await until('its layout', () =>
    frame.evaluate((layout) => document.querySelector('#g-panel-layout .g-title')?.textContent === layout, layout),
  );
  await editor.focusEditor();
  await editor.command('View: Revert and Close Editor');
});

step('the sample opens, and is analysed', async (editor) => {
  await editor.command('gluond: Open a Sample Kernel');
  await editor.see('.tabs-container .tab.active', 'first_kernel.py');
  await editor.see('.statusbar-item', 'copy_1d');
});

step('one comment quiets Pyright', async (editor) => {
  await editor.openFile(file);
  await editor.command('gluond: Silence Pyright and Pylance in This File');
  await editor.see('.view-line', '# pyright: reportCallIssue=false');
  await editor.revert();
});

async function row(editor, text) {
  return until(`the row "${text}"`, async () => {
    for (const each of await editor.page.$$(rows))
      if ((await each.evaluate((row) => row.textContent)).includes(text)) return each;
    return undefined;
  });
}
