// A person in front of VS Code: keys, mouse and eyes. Everything goes through the page; nothing calls the extension.

import puppeteer from 'puppeteer-core';
import { launchChromium } from '../../support/chromium.mjs';
import { patience, pause, retry, until } from '../../support/waiting.mjs';

export { patience, pause, retry, until };

const width = 1280;
const height = 800;

export class Editor {
  /** @type {import('puppeteer-core').Browser} */
  browser;
  /** @type {import('puppeteer-core').Page} */
  page;

  static async open(url, chromium) {
    const editor = new Editor();
    editor.browser = await launchChromium(puppeteer, {
      executablePath: chromium,
      defaultViewport: { width, height, deviceScaleFactor: 1 },
    });
    try {
      editor.page = await editor.browser.newPage();
      editor.page.setDefaultTimeout(patience);
      editor.page.setDefaultNavigationTimeout(2 * patience); // VS Code is large
      await editor.page.goto(url, { waitUntil: 'domcontentloaded' });
      await editor.#loaded();
    } catch (error) {
      await editor.close(); // Node does not end while its browser runs
      throw error;
    }
    return editor;
  }

  // The window as it is after a reload.
  async reload() {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.#loaded();
  }

  async #loaded() {
    await this.page.waitForSelector('.monaco-workbench .part.editor .content', { timeout: 2 * patience });
    await this.page.waitForSelector(
      '.monaco-workbench .explorer-folders-view .monaco-list-row, .monaco-workbench .editor-instance',
      { timeout: 2 * patience },
    );
  }

  async close() {
    await this.browser.close();
  }

  // ---- keys

  async key(combination) {
    const keys = combination.split('+');
    const last = keys.pop();
    for (const key of keys) await this.page.keyboard.down(key);
    await this.page.keyboard.press(last);
    for (const key of keys.reverse()) await this.page.keyboard.up(key);
  }

  async chord(first, second) {
    await this.key(first);
    await pause(60);
    await this.key(second);
  }

  async type(text, delay = 15) {
    await this.page.keyboard.type(text, { delay });
  }

  // ---- menus

  async command(name) {
    // A menu that opens while VS Code starts lacks commands that are there a moment later: it is opened again.
    let isFirst = true;
    const ask = async () => {
      if (!isFirst) await this.key('Escape');
      isFirst = false;
      await this.openMenu('F1');
      await this.type(name, 2);
    };
    const row = await retry(`the command "${name}"`, ask, async () => {
      const rows = await this.pickRows();
      return rows[0]?.startsWith(name) && rows[0];
    });
    await this.key('Enter');
    return row;
  }

  // The menu at the top, opened by a key; it has the keyboard.
  async openMenu(key) {
    const open = () =>
      this.page.evaluate(
        () => document.activeElement?.closest('.quick-input-widget:not([style*="display: none"])') !== null,
      );
    await retry(`the menu of ${key}`, () => this.key(key), open);
  }

  async pickRows() {
    return this.page.$$eval('.quick-input-widget .quick-input-list .monaco-list-row', (rows) =>
      rows.map((row) => row.textContent.trim()),
    );
  }

  // Chooses the row of an open menu that holds the text.
  async pick(text) {
    const find = async () => {
      for (const row of await this.page.$$('.quick-input-widget .quick-input-list .monaco-list-row'))
        if ((await row.evaluate((each) => each.textContent)).includes(text)) return row;
      return undefined;
    };
    const isVisible = () =>
      this.page.evaluate(() => document.querySelector('.quick-input-widget:not([style*="display: none"])') !== null);
    await until(`"${text}" in the menu`, find);
    // It closes, or another takes its place.
    await retry(
      `"${text}" chosen`,
      async () => (await find())?.click(),
      async () => !(await isVisible()) || !(await find()),
    );
  }

  // ---- files and text

  async openFile(name) {
    await this.openMenu('Control+p');
    await this.type(name, 5);
    await until(`${name} in quick open`, async () => (await this.pickRows())[0]?.includes(name));
    await this.key('Enter');
    await this.page.waitForSelector(`.tabs-container .tab.active[data-resource-name="${name}"]`);
    await until('the text', async () => (await this.lines()).some((line) => line.trim()));
    await this.focusEditor();
  }

  async focusEditor() {
    const hasKeyboard = () =>
      this.page.evaluate(
        () =>
          document.activeElement?.closest('.editor-instance') !== null || !document.querySelector('.editor-instance'),
      );
    await retry('the keyboard in the editor', () => this.key('Control+1'), hasKeyboard);
  }

  // 1-based, as the editor counts.
  async goTo(line, column = 1) {
    await this.focusEditor();
    await this.openMenu('Control+g');
    await this.type(`${line}:${column}`, 5);
    await this.key('Enter');
    await until(`the cursor in line ${line}`, async () => (await this.cursorLine()) === line);
  }

  // The line of the cursor, also while a panel has the keyboard.
  async cursorLine() {
    return Number(
      await this.page.$eval('.editor-instance .line-numbers.active-line-number', (number) => number.textContent),
    );
  }

  // Lines on the screen, top to bottom, hints included.
  async lines() {
    return this.page.$$eval('.editor-instance .view-lines .view-line', (lines) =>
      lines
        .map((line) => ({ top: parseFloat(line.style.top), text: line.textContent.replace(/\u00a0/g, ' ') }))
        .sort((a, b) => a.top - b.top)
        .map((line) => line.text),
    );
  }

  async save() {
    await this.key('Control+s');
    await until('the file is saved', () =>
      this.page.$eval('.tabs-container .tab.active', (tab) => !tab.classList.contains('dirty')),
    );
  }

  // The file as it is on disk.
  async revert() {
    await this.key('Escape');
    await this.focusEditor();
    if (await this.page.$('.tabs-container .tab.active.dirty')) {
      await this.command('File: Revert File');
      await until('the file as it was', async () => !(await this.page.$('.tabs-container .tab.active.dirty')));
      await this.focusEditor();
    }
  }

  // The middle of `word` in the first line on the screen that holds `context`.
  async wordAt(context, word = context) {
    return until(`"${word}" on the screen`, () =>
      this.page.evaluate(
        (context, word) => {
          for (const line of document.querySelectorAll('.editor-instance .view-lines .view-line')) {
            const text = line.textContent.replace(/\u00a0/g, ' ');
            if (!text.includes(context)) continue;
            let from = text.indexOf(context) + context.indexOf(word);
            const to = from + word.length;
            const range = document.createRange();
            const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            let at = 0,
              started = false;
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const { length } = node.textContent;
              if (!started && from < at + length) {
                range.setStart(node, from - at);
                started = true;
              }
              if (started && to <= at + length) {
                range.setEnd(node, to - at);
                const box = range.getBoundingClientRect();
                return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
              }
              at += length;
            }
          }
          return undefined;
        },
        context,
        word,
      ),
    );
  }

  // `count` 2 selects the word.
  async clickWord(context, word, count = 1) {
    for (;;) {
      const { x, y } = await this.wordAt(context, word);
      await this.page.mouse.click(x, y, { count });
      const now = await this.wordAt(context, word); // a hint that came in between has moved it
      if (now.x === x && now.y === y) return;
    }
  }

  // Another text in the place of a word. Hints that arrive move words: what is not selected as it should be is tried
  // again.
  async replaceWord(context, word, text) {
    const isSelected = async () =>
      (await this.texts('.statusbar-item')).some((item) => item.includes(`(${word.length} selected)`));
    await retry(`"${word}" selected`, () => this.clickWord(context, word, 2), isSelected);
    await this.type(text);
    await this.key('Escape');
    await this.see('.editor-instance .view-line', context.replace(word, text));
  }

  // The text of the hover that comes when the mouse rests on a word. An answer that comes late may close it: then once
  // more.
  async hoverWord(context, word) {
    const rest = async () => {
      await this.page.mouse.move(5, 400);
      const { x, y } = await this.wordAt(context, word);
      await this.page.mouse.move(x - 2, y);
      await this.page.mouse.move(x, y, { steps: 3 });
    };
    let last;
    return retry('a hover that stays', rest, async () => {
      const before = last;
      last = await this.hoverText();
      await pause(300); // it fades in
      return last !== undefined && last === before && last;
    });
  }

  hoverText() {
    return this.page.evaluate(() => {
      const hover = document.querySelector(
        '.monaco-resizable-hover:not([style*="display: none"]) .monaco-hover-content, .monaco-hover:not(.hidden) .monaco-hover-content',
      );
      const text = hover?.innerText.replace(/\u00a0/g, ' ').trim();
      return text && !text.startsWith('Loading') ? text : undefined;
    });
  }

  // ---- what is shown

  async texts(selector) {
    return this.page.$$eval(selector, (found) => found.map((each) => each.textContent.replace(/\u00a0/g, ' ').trim()));
  }

  async see(selector, text, milliseconds) {
    return until(
      `${selector} with "${text}"`,
      async () =>
        (await this.texts(selector)).find((each) => (text instanceof RegExp ? text.test(each) : each.includes(text))),
      milliseconds,
    );
  }

  // What the view Problems says, one row each; it stays open.
  async problems() {
    const rows = async () => {
      const found = await this.texts('.markers-panel .monaco-list-row');
      return found.length > 0 && found;
    };
    return retry(
      'the problems',
      async () => (await this.page.$('.markers-panel')) || this.key('Control+Shift+m'),
      rows,
    );
  }

  async closeProblems() {
    if (await this.page.$('.markers-panel .monaco-list')) await this.key('Control+Shift+m');
    await this.focusEditor();
  }

  // The titles that Ctrl+. offers where the cursor is; the menu stays open.
  async quickFixes() {
    const titles = async () => {
      const found = await this.texts('.action-widget .monaco-list-row.action');
      return found.length > 0 && found;
    };
    return retry('quick fixes', async () => (await titles()) || this.key('Control+.'), titles);
  }

  // Chooses one of them, from where the cursor is, and waits for what it does.
  async fix(pattern, look) {
    return retry(
      `the fix ${pattern}`,
      async () => {
        await this.quickFixes();
        for (const row of await this.page.$$('.action-widget .monaco-list-row.action'))
          if (pattern.test(await row.evaluate((each) => each.textContent))) return row.click();
        throw new Error(`no fix ${pattern}`);
      },
      look,
    );
  }

  async status(id) {
    return this.page.$eval(`[id="${id}"]`, (item) => item.textContent.trim()).catch(() => undefined);
  }

  // The frame of the panels' page. Asked in the page's own world: puppeteer's other one is lost while a webview writes
  // its document.
  async panels(milliseconds = 2 * patience) {
    const isPanels = (frame) =>
      Promise.race([
        frame.evaluate(() => document.querySelector('#gluond-panels .g-tab') !== null).catch(() => false),
        pause(2_000),
      ]);
    return until(
      'the panels',
      async () => {
        for (const frame of this.page.frames()) if (await isPanels(frame)) return frame;
        return undefined;
      },
      milliseconds,
    );
  }
}
