// A person in front of VS Code: keys, mouse and eyes. Everything goes through the page; nothing calls the extension.

import puppeteer from 'puppeteer-core';

const width = 1280;
const height = 800;

// Polls until `look` gives something; what it then gave.
export async function until(what, look, milliseconds = 20_000) {
  const deadline = Date.now() + milliseconds;
  let last;
  for (;;) {
    try {
      const seen = await look();
      if (seen) return seen;
      last = undefined;
    } catch (error) {
      last = error; // a frame that is being replaced
    }
    if (Date.now() > deadline) throw new Error(`never seen within ${milliseconds} ms: ${what}${last ? ` (${last.message})` : ''}`);
    await pause(50);
  }
}

export function pause(milliseconds) {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}

export class Editor {
  static async open(url, chromium) {
    const editor = new Editor();
    editor.browser = await puppeteer.launch({
      executablePath: chromium,
      headless: true,
      args: ['--no-sandbox', '--disable-gpu', '--force-device-scale-factor=1', '--hide-scrollbars', '--font-render-hinting=none', '--lang=en-US'],
      defaultViewport: { width, height, deviceScaleFactor: 1 },
    });
    editor.page = await editor.browser.newPage();
    await editor.page.goto(url, { waitUntil: 'domcontentloaded' });
    await editor.#loaded();
    return editor;
  }

  // The window as it is after a reload.
  async reload() {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.#loaded();
  }

  async #loaded() {
    await this.page.waitForSelector('.monaco-workbench .part.editor .content', { timeout: 60_000 });
    await this.page.waitForSelector('.monaco-workbench .explorer-folders-view .monaco-list-row, .monaco-workbench .editor-instance', { timeout: 60_000 });
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
    await this.key('F1');
    await this.page.waitForSelector('.quick-input-widget:not([style*="display: none"]) input');
    await this.type(name, 2);
    const row = await until(`the command "${name}"`, async () => {
      const rows = await this.pickRows();
      return rows[0]?.startsWith(name) && rows[0];
    });
    await this.key('Enter');
    return row;
  }

  async pickRows() {
    return this.page.$$eval('.quick-input-widget .quick-input-list .monaco-list-row', rows => rows.map(row => row.textContent.trim()));
  }

  // Chooses the row of an open menu that holds the text.
  async pick(text) {
    const find = async () => {
      for (const row of await this.page.$$('.quick-input-widget .quick-input-list .monaco-list-row'))
        if ((await row.evaluate(each => each.textContent)).includes(text)) return row;
      return undefined;
    };
    const row = await until(`"${text}" in the menu`, find);
    await row.click();
  }

  // ---- files and text

  async openFile(name) {
    await this.key('Control+p');
    await this.page.waitForSelector('.quick-input-widget input');
    await this.type(name, 5);
    await until(`${name} in quick open`, async () => (await this.pickRows())[0]?.includes(name));
    await this.key('Enter');
    await this.page.waitForSelector(`.tabs-container .tab.active[data-resource-name="${name}"]`);
    await until('the text', async () => (await this.lines()).some(line => line.trim()));
    await this.focusEditor();
  }

  async focusEditor() {
    await this.key('Control+1');
    await pause(50);
  }

  // 1-based, as the editor counts.
  async goTo(line, column = 1) {
    await this.focusEditor();
    await this.key('Control+g');
    await this.page.waitForSelector('.quick-input-widget input');
    await this.type(`${line}:${column}`, 5);
    await this.key('Enter');
    await pause(100);
  }

  // The line of the cursor, also while a panel has the keyboard.
  async cursorLine() {
    return Number(await this.page.$eval('.editor-instance .line-numbers.active-line-number', number => number.textContent));
  }

  // Lines on the screen, top to bottom, hints included.
  async lines() {
    return this.page.$$eval('.editor-instance .view-lines .view-line', lines =>
      lines
        .map(line => ({ top: parseFloat(line.style.top), text: line.textContent.replace(/\u00a0/g, ' ') }))
        .sort((a, b) => a.top - b.top)
        .map(line => line.text),
    );
  }

  async save() {
    await this.key('Control+s');
    await until('the file is saved', () => this.page.$eval('.tabs-container .tab.active', tab => !tab.classList.contains('dirty')));
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
            let at = 0, started = false;
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
              const { length } = node.textContent;
              if (!started && from < at + length) range.setStart(node, from - at), (started = true);
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
    const { x, y } = await this.wordAt(context, word);
    await this.page.mouse.click(x, y, { count });
  }

  // The text of the hover that comes when the mouse rests on a word. An answer that comes late may close it: then once more.
  async hoverWord(context, word) {
    for (let attempt = 0; ; attempt++) {
      await this.page.mouse.move(5, 400);
      const { x, y } = await this.wordAt(context, word);
      await this.page.mouse.move(x - 2, y);
      await this.page.mouse.move(x, y, { steps: 3 });
      const text = await until('a hover', () => this.hoverText());
      await pause(400); // it fades in
      if ((await this.hoverText()) || attempt === 3) return text;
    }
  }

  hoverText() {
    return this.page.evaluate(() => {
      const hover = document.querySelector('.monaco-resizable-hover:not([style*="display: none"]) .monaco-hover-content, .monaco-hover:not(.hidden) .monaco-hover-content');
      const text = hover?.innerText.replace(/\u00a0/g, ' ').trim();
      return text && !text.startsWith('Loading') ? text : undefined;
    });
  }

  // ---- what is shown

  async texts(selector) {
    return this.page.$$eval(selector, found => found.map(each => each.textContent.replace(/\u00a0/g, ' ').trim()));
  }

  async see(selector, text, milliseconds) {
    return until(`${selector} with "${text}"`, async () => (await this.texts(selector)).find(each => (text instanceof RegExp ? text.test(each) : each.includes(text))), milliseconds);
  }

  // What the view Problems says, one row each; it stays open.
  async problems() {
    await this.key('Control+Shift+m');
    return until('the problems', async () => {
      const rows = await this.texts('.markers-panel .monaco-list-row');
      return rows.length > 0 && rows;
    });
  }

  async closeProblems() {
    if (await this.page.$('.markers-panel .monaco-list')) await this.key('Control+Shift+m');
    await this.focusEditor();
  }

  // The titles that Ctrl+. offers where the cursor is; the menu stays open.
  async quickFixes() {
    await this.key('Control+.');
    return until('quick fixes', async () => {
      const titles = await this.texts('.action-widget .monaco-list-row.action');
      return titles.length > 0 && titles;
    });
  }

  async status(id) {
    return this.page.$eval(`[id="${id}"]`, item => item.textContent.trim()).catch(() => undefined);
  }

  // The frame of the panels' page. Asked in the page's own world: puppeteer's other one is lost while a webview writes its document.
  async panels() {
    const isPanels = frame =>
      Promise.race([frame.evaluate(() => document.querySelector('#gluond-panels .g-tab') !== null).catch(() => false), pause(2_000)]);
    return until(
      'the panels',
      async () => {
        for (const frame of this.page.frames()) if (await isPanels(frame)) return frame;
        return undefined;
      },
      40_000,
    );
  }
}
