// The page never loses text: files that change on disk, encodings, reloads and restarts. And how one gets from file to
// file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launchBrowser, Page, pause, serve, until } from './page.mjs';

let served, browser;
/** @type {Page} */
let page;
const small = 'x = 1\ny = 2\n';
const place = (name) => join(served.folder, name);
const onDisk = (name) => readFileSync(place(name));
before(async () => {
  served = await serve((folder) => {
    mkdirSync(join(folder, 'deep/er/est'), { recursive: true });
    mkdirSync(join(folder, 'deep/other'), { recursive: true });
    writeFileSync(join(folder, 'deep/er/est/inner.py'), 'inner = 1\n');
    writeFileSync(join(folder, 'deep/other/outer.py'), 'outer = 1\n');
    writeFileSync(join(folder, 'small.py'), small);
    writeFileSync(join(folder, 'latin.py'), Buffer.from('# -*- coding: latin-1 -*-\nname = "caf\xe9"\n', 'latin1'));
    writeFileSync(join(folder, 'broken.py'), Buffer.from('name = "caf\xe9"\n', 'latin1'));
    writeFileSync(join(folder, 'wide.py'), Buffer.from('\ufeffx = 1\n', 'utf16le'));
    writeFileSync(join(folder, 'marked.py'), '\ufeffx = 1\r\ny = 2\r\nz = 3\n');
  });
  browser = await launchBrowser();
  page = await Page.open(browser, served.url, { file: 'small.py' });
});
after(async () => {
  await browser?.close();
  served?.stop();
});
const step = (name, work) => test(name, { timeout: 300_000 }, work);
const goTo = async (name) => {
  await page.page.locator(`.p-file[data-name="${name}"]`).click();
  await page.see('.p-name', name);
};
const typeAtEnd = async (text) => {
  await page.page.evaluate(() => {
    const editor = gluond.monaco.editor.getEditors()[0];
    editor.setPosition(editor.getModel().getFullModelRange().getEndPosition());
    editor.focus();
  });
  await page.type(text);
};
const press = (label) =>
  page.page.evaluate(
    (label) => [...document.querySelectorAll('.p-notice button')].find((b) => b.textContent === label).click(),
    label,
  );
const notice = () => page.page.$eval('.p-notice', (e) => (e.hidden ? '' : e.textContent));
const noNotice = () => until('no notice', async () => !(await notice()));
const isSaved = () => until('nothing left to save', () => page.page.$eval('.p-header > .g-button', (b) => b.disabled));

step('a clean file is read again when it changes on disk, by itself', async () => {
  writeFileSync(place('small.py'), 'x = 10\ny = 2\n');
  await until('the new text', async () => (await page.text()) === 'x = 10\ny = 2\n');
  assert.equal(await notice(), '');
  writeFileSync(place('small.py'), small);
  await until('the old text', async () => (await page.text()) === small);
});

step('a file that changed is not overwritten: overwrite, reload or compare', async () => {
  await typeAtEnd('mine = 1');
  writeFileSync(place('small.py'), 'theirs = 1\n');
  await page.key('Control', 's');
  await page.see('.p-notice', /'small\.py' changed on disk/);
  assert.equal(String(onDisk('small.py')), 'theirs = 1\n');
  assert.equal(await page.text(), small + 'mine = 1');
  await press('Compare');
  await page.see('.p-compare .original .view-line', 'theirs = 1');
  await page.see('.p-compare .modified .view-line', 'mine = 1');
  await press('Close comparison');
  await press('Overwrite');
  await until('mine', () => String(onDisk('small.py')) === small + 'mine = 1');
  await noNotice();
  await isSaved();
});

step('what is typed stays when the file changes; reloading takes the file, undoing brings the text back', async () => {
  await typeAtEnd('\nmore = 1');
  writeFileSync(place('small.py'), small);
  await page.see('.p-notice', /changed on disk/); // without saving
  assert.match(await page.text(), /more = 1/);
  await press('Reload');
  await until('their text', async () => (await page.text()) === small);
  await noNotice();
  await page.page.evaluate(() => gluond.monaco.editor.getEditors()[0].focus());
  await page.key('Control', 'z');
  await until('my text', async () => /more = 1/.test(await page.text()));
  assert.equal(String(onDisk('small.py')), small);
  await page.key('Control', 'Shift', 'z');
  await isSaved();
});

step('a file that is deleted is not lost', async () => {
  rmSync(place('small.py'));
  await page.see('.p-notice', /deleted on disk/);
  await press('Save it again');
  await until('the file', () => existsSync(place('small.py')) && String(onDisk('small.py')) === small);
  await noNotice();
  // So does the key that people press, and until then the list still has it.
  rmSync(place('small.py'));
  await page.see('.p-notice', /deleted on disk/);
  await page.see('.p-file', 'small.py●');
  await page.page.evaluate(() => gluond.monaco.editor.getEditors()[0].focus());
  await page.key('Control', 's');
  await until('the file', () => existsSync(place('small.py')) && String(onDisk('small.py')) === small);
  await noNotice();
});

step('encodings and line ends are kept', async () => {
  await goTo('latin.py');
  await page.see('.view-line', 'name = "café"');
  await typeAtEnd('# é');
  await page.key('Control', 's');
  await until('Latin-1', () =>
    onDisk('latin.py').equals(Buffer.from('# -*- coding: latin-1 -*-\nname = "caf\xe9"\n# \xe9', 'latin1')),
  );
  await isSaved();
  await typeAtEnd(' €');
  await page.key('Control', 's');
  await page.see('.p-notice', /cannot save 'latin\.py': line 3 has '€'/i);
  assert.ok(!String(onDisk('latin.py')).includes('?'));
  await page.key('Backspace');
  await page.key('Backspace');
  await isSaved();
  await goTo('marked.py');
  await typeAtEnd('w = 4');
  await page.key('Control', 's');
  await until('the mark and the ends', () => String(onDisk('marked.py')) === '\ufeffx = 1\r\ny = 2\r\nz = 3\nw = 4');
});

step('what cannot be kept is refused in words', async () => {
  await page.page.locator('.p-file[data-name="broken.py"]').click();
  await page.see('.p-notice', /cannot edit 'broken\.py': line 1 is not UTF-8/i);
  await page.page.locator('.p-file[data-name="wide.py"]').click();
  await page.see('.p-notice', /UTF-16/);
  assert.match(await page.page.$eval('.p-name', (e) => e.textContent), /marked\.py/);
  await page.page.click('.p-notice-close');
  await noNotice();
  // An address that somebody types names the shown file again if its own cannot be shown.
  await page.page.evaluate(() => (location.hash = 'broken.py'));
  await page.see('.p-notice', /broken\.py/);
  await until('the address', () => page.page.evaluate(() => location.hash === '#marked.py'));
  await page.page.click('.p-notice-close');
  await noNotice();
});

step('a message that something is saved is gone when another file is shown for a while', async () => {
  await goTo('marked.py');
  await typeAtEnd(' ');
  await page.key('Control', 's');
  await page.see('.p-status', 'saved marked.py');
  await until('silence', async () => !(await page.page.$eval('.p-status', (e) => e.textContent)));
});

step('Back and Forward change files, and each is where it was', async () => {
  await goTo('tiles.py');
  await page.goTo('smem = gl', 'smem');
  const { lineNumber } = await page.cursor();
  await goTo('small.py');
  await page.page.goBack();
  await page.see('.p-name', 'tiles.py');
  assert.equal((await page.cursor()).lineNumber, lineNumber);
  await page.page.goForward();
  await page.see('.p-name', 'small.py');
});

step('a file is opened by a few letters of its name', async () => {
  await page.page.evaluate(() => gluond.monaco.editor.getEditors()[0].focus());
  await page.key('Control', 'p');
  await page.type('inn');
  await page.see('.p-quick-item[aria-selected="true"]', 'inner.py');
  await page.key('Enter');
  await page.see('.p-name', 'inner.py');
  await page.see('.view-line', 'inner = 1');
  await page.page.focus('.p-header select');
  await page.key('Control', 'k');
  await page.see('.p-quick', /tiles/);
  await page.key('Escape');
  await until('it is closed', () => page.page.$eval('.p-quick', (e) => !e.open));
});

step('folders fold', async () => {
  await page.see('.p-file', 'outer.py');
  await page.page.locator('.p-folder[data-folder="deep"]').click();
  await until('folded', async () => !(await page.page.$('.p-file[data-name="deep/other/outer.py"]')));
  await page.page.focus('.p-folder[data-folder="deep"]');
  await page.key('ArrowRight');
  await page.see('.p-folder', 'er/est');
  await page.key('ArrowDown');
  await page.key('ArrowLeft');
  await until('the inner one folded', async () => !(await page.page.$('.p-file[data-name="deep/er/est/inner.py"]')));
  // The file that is shown comes into sight.
  await page.page.locator('.p-folder[data-folder="deep"]').click();
  await page.page.goBack();
  await page.see('.p-name', 'small.py');
  await page.page.goForward();
  await page.see('.p-file.p-on', 'inner.py');
});

step('who leaves with unsaved text is asked, and a reload brings it back', async () => {
  await goTo('small.py');
  await typeAtEnd('unsaved = 1');
  const asked = new Promise((resolve) =>
    page.page.once('dialog', (dialog) => {
      resolve(dialog.type());
      void dialog.accept();
    }),
  );
  await page.page.reload();
  assert.equal(await asked, 'beforeunload');
  await page.page.waitForFunction(() => window.gluond);
  await page.see('.p-notice', /unsaved text of an earlier visit/);
  assert.equal(await page.text(), small + 'unsaved = 1');
  assert.equal(String(onDisk('small.py')), small);
  await press('Discard');
  await until('the file', async () => (await page.text()) === small);
  await isSaved();
});

step('a reload brings back the text of this tab, not that of another tab with the same file', async () => {
  const other = await Page.open(browser, served.url, { file: 'small.py' });
  await page.page.bringToFront();
  await goTo('small.py');
  await typeAtEnd('mine = 1');
  await other.page.bringToFront();
  await other.goTo('x = 1', 'x');
  await other.key('Control', 'End');
  await other.type('theirs = 2');
  await pause(600); // the server has theirs
  other.page.once('dialog', (dialog) => void dialog.accept());
  await page.page.bringToFront();
  page.page.once('dialog', (dialog) => void dialog.accept());
  await page.page.reload();
  await page.page.waitForFunction(() => window.gluond);
  await page.see('.p-notice', /unsaved text of an earlier visit/);
  assert.equal(await page.text(), small + 'mine = 1');
  await other.close();
  await press('Discard');
  await until('the file', async () => (await page.text()) === small);
  // What was typed in the other one is kept, too.
  await page.see('.p-notice', /another page had unsaved text in 'small\.py'/i);
  await press('Restore it');
  await page.see('.p-notice', /unsaved text of an earlier visit/);
  assert.equal(await page.text(), small + 'theirs = 2');
  await press('Discard');
  await until('the file', async () => (await page.text()) === small);
  await isSaved();
});

step('a page that is clean again takes nothing along that another one keeps', async () => {
  const drafts = () => execFileSync('find', [join(served.base, 'state'), '-name', '*.json'], { encoding: 'utf8' });
  await until('no draft', () => !drafts());
  const writer = await Page.open(browser, served.url, { file: 'small.py' });
  const other = await Page.open(browser, served.url, { file: 'small.py' });
  await writer.page.bringToFront();
  await writer.key('Control', 'End');
  await writer.goTo('x = 1', 'x');
  await writer.type('work = 1; ');
  await until('the draft', () => drafts());
  await other.page.bringToFront();
  await other.goTo('x = 1', 'x');
  await other.type('z');
  await until('two drafts', () => drafts().trim().split('\n').length === 2);
  await other.key('Backspace');
  await until('one draft', () => drafts().trim().split('\n').length === 1);
  assert.match(readFileSync(drafts().trim(), 'utf8'), /work = 1/);
  await other.close();
  await writer.close({ runBeforeUnload: false });
  const next = await Page.open(browser, served.url, { file: 'small.py' });
  await next.see('.p-notice', /unsaved text of an earlier visit/);
  assert.match(await next.text(), /work = 1/);
  await next.page.evaluate(() =>
    [...document.querySelectorAll('.p-notice button')].find((b) => b.textContent === 'Discard').click(),
  );
  await until('no draft', () => !drafts());
  await next.close();
  await page.page.bringToFront();
});

step('a worker that ends takes nothing along', async () => {
  await typeAtEnd('kept = 1');
  const workers = execFileSync('pgrep', ['-P', String(served.process)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  for (const worker of workers) process.kill(Number(worker), 'SIGKILL');
  await typeAtEnd('\nalso = 2');
  await page.key('Control', 's');
  await until('saved by the next one', () => String(onDisk('small.py')) === small + 'kept = 1\nalso = 2').catch(
    async () => {
      await page.key('Control', 's'); // the save itself may have been what the old one was asked
      await until('saved', () => String(onDisk('small.py')) === small + 'kept = 1\nalso = 2');
    },
  );
  await isSaved();
});

step('unsaved text outlives the server', async () => {
  await typeAtEnd('\nlast = 3');
  const drafts = () =>
    execFileSync('find', [join(served.base, 'state'), '-name', '*.json'], { encoding: 'utf8' }).trim();
  await until('the draft', () => drafts() && readFileSync(drafts(), 'utf8').includes('last = 3'));
  served.end();
  await page.see('.p-notice', /has ended/);
  assert.match(await page.text(), /last = 3/);
  await served.restart();
  const next = await Page.open(browser, served.url, { file: 'tiles.py' });
  await next.see('.p-file', 'small.py●');
  await next.page.locator('.p-file[data-name="small.py"]').click();
  await next.see('.p-notice', /unsaved text of an earlier visit/);
  assert.match(await next.text(), /last = 3/);
  await next.key('Control', 's');
  await until('saved', () => /last = 3/.test(String(onDisk('small.py'))));
  await until('no draft', () => !drafts());
  assert.deepEqual(next.errors, []);
  await next.close();
});

step('an address leads to a line, and one of no file is said', async () => {
  const other = await serve((folder) => {
    writeFileSync(join(folder, 'note.ipynb'), '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}');
    writeFileSync(join(folder, 'wide.py'), Buffer.from('\ufeffx = 1\n', 'utf16le'));
  });
  try {
    const there = await Page.open(browser, other.url, { file: 'tiles.py:9:5' });
    await until('the line', async () => {
      const { lineNumber, column } = await there.cursor();
      return lineNumber === 9 && column === 5;
    });
    await there.page.evaluate(() => (location.hash = 'tiles.py:7'));
    await until('another line', async () => (await there.cursor()).lineNumber === 7);
    await there.close();
    const nowhere = await Page.open(browser, other.url, { file: 'gone.py' });
    await nowhere.see('.p-notice', "There is no file 'gone.py' in this folder.");
    const address = () => nowhere.page.evaluate(() => location.hash.slice(1));
    const shown = await address();
    assert.notEqual(shown, 'gone.py');
    // A notebook is a file, and not shown: neither its text, nor its name in the address.
    await nowhere.page.evaluate(() => (location.hash = 'note.ipynb'));
    await nowhere.see('.p-notice', /notebooks are not shown here: open 'note\.ipynb' in VS Code or Jupyter/i);
    assert.equal(await address(), shown);
    await nowhere.close();
    // Nor is a file whose encoding is refused: another one is.
    const refused = await Page.open(browser, other.url, { file: 'wide.py' });
    await refused.see('.p-notice', /UTF-16/);
    await refused.see('.p-name', /\.py/);
    assert.notEqual(await refused.page.evaluate(() => location.hash), '#wide.py');
    await refused.close();
  } finally {
    other.stop();
  }
});
