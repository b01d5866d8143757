// A browser with the page of `gluond serve` open, and the hands and eyes of who uses it.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../support/chromium.mjs';
import { patience, pause, retry, until } from '../support/waiting.mjs';

export const here = dirname(fileURLToPath(import.meta.url));
export const top = join(here, '../..');
const { default: puppeteer } = await import(
  join(top, 'visualizer/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js')
);
export { pause, retry, until };

// gluond serve on a copy of the kernels. `prepare(folder)` may put more there, `env` adds to the server's environment.
export async function serve(prepare = () => {}, env = {}) {
  const base = mkdtempSync(join(tmpdir(), 'gluond-serve-'));
  const folder = join(base, 'kernels');
  mkdirSync(folder);
  cpSync(join(here, 'kernels'), folder, { recursive: true });
  prepare(folder, base);
  // What is unsaved is kept below here, not in the home of who runs the tests.
  const state = { XDG_STATE_HOME: join(base, 'state') };
  const begin = async () => {
    const server = spawn(process.env.GLUOND, ['serve', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...state, ...env },
    });
    let text = '';
    const url = await new Promise((resolve, reject) => {
      server.stdout.on('data', (data) => {
        text += data;
        const found = /http:\S+/.exec(text);
        if (found) resolve(found[0]);
      });
      server.on('exit', (code) => reject(new Error(`gluond serve ended with ${code}: ${text}`)));
    });
    return { server, url };
  };
  let { server, url } = await begin();
  const end = () => {
    server.removeAllListeners('exit');
    server.kill();
  };
  return {
    get url() {
      return url;
    },
    get process() {
      return server.pid;
    },
    folder,
    base,
    end,
    // Another server for the same folder, at another address.
    async restart() {
      end();
      ({ server, url } = await begin());
    },
    stop() {
      end();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

export function launchBrowser() {
  return launchChromium(puppeteer);
}

export class Page {
  /** @param {import('puppeteer-core').Page} page */
  constructor(page) {
    this.page = page;
    this.errors = [];
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/favicon/.test(message.text())) this.errors.push(message.text());
    });
  }
  static async open(browser, url, { file = 'tiles.py', theme = 'dark', width = 1600, height = 960 } = {}) {
    const page = await browser.newPage();
    page.setDefaultTimeout(patience);
    page.setDefaultNavigationTimeout(2 * patience);
    await page.setViewport({ width, height });
    const self = new Page(page);
    await page.evaluateOnNewDocument((theme) => localStorage.setItem('gluond.theme', theme), theme);
    await page.goto(`${url}#${encodeURIComponent(file)}`);
    await page.waitForFunction(() => window.gluond, { timeout: 2 * patience });
    await self.see('.view-line', /\S/);
    return self;
  }
  close(options) {
    return this.page.close(options);
  }

  // The text of the first element of a kind that says so.
  see(selector, text, milliseconds) {
    return until(
      `${selector} with ${text}`,
      () =>
        this.page.evaluate(
          (selector, source, flags) => {
            const pattern = new RegExp(source, flags);
            for (const element of document.querySelectorAll(selector)) {
              if (!element.checkVisibility?.({ visibilityProperty: true }) && element.offsetParent === null) continue;
              const text = element.textContent.replaceAll('\u00a0', ' ');
              if (pattern.test(text)) return text;
            }
            return null;
          },
          selector,
          text instanceof RegExp ? text.source : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
          text instanceof RegExp ? text.flags : '',
        ),
      milliseconds,
    );
  }
  count(selector) {
    return this.page.$$eval(selector, (found) => found.length);
  }

  // ---- the editor
  text() {
    return this.page.evaluate(() => gluond.monaco.editor.getEditors()[0].getValue());
  }
  cursor() {
    return this.page.evaluate(() => gluond.monaco.editor.getEditors()[0].getPosition());
  }
  // Puts the cursor at the beginning of `word` in the first line with `within`, or selects it.
  async goTo(within, word = within, select = false) {
    await this.page.evaluate(
      (within, word, select) => {
        const editor = gluond.monaco.editor.getEditors()[0];
        const lines = editor.getValue().split('\n');
        const line = lines.findIndex((l) => l.includes(within));
        const column = lines[line].indexOf(word, lines[line].indexOf(within)) + 1;
        editor.setSelection({
          startLineNumber: line + 1,
          startColumn: column,
          endLineNumber: line + 1,
          endColumn: column + (select ? word.length : 0),
        });
        editor.revealLineInCenterIfOutsideViewport(line + 1);
        editor.setScrollLeft(0);
        editor.focus();
      },
      within,
      word,
      select,
    );
    await until('the cursor', async () =>
      this.page.evaluate(() => gluond.monaco.editor.getEditors()[0].hasTextFocus()),
    );
    await pause(120); // the panels follow the cursor when it rests
  }
  async hover(within, word) {
    await this.goTo(within, word);
    const at = await this.page.evaluate(() => {
      const editor = gluond.monaco.editor.getEditors()[0];
      const box = editor.getDomNode().getBoundingClientRect();
      const place = editor.getScrolledVisiblePosition(editor.getPosition());
      return { x: box.x + place.left + 6, y: box.y + place.top + place.height / 2 };
    });
    // A hand that sees nothing moves again.
    let tries = 0;
    const rest = async () => {
      await this.page.mouse.move(5, 5);
      await this.page.mouse.move(at.x + (tries++ % 2), at.y, { steps: 3 });
    };
    return retry('a hover', rest, () => this.see('.monaco-hover:not(.hidden)', /\S/, 4_000));
  }
  type(text) {
    return this.page.keyboard.type(text, { delay: 8 });
  }
  async key(...keys) {
    for (const key of keys.slice(0, -1)) await this.page.keyboard.down(key);
    await this.page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1).reverse()) await this.page.keyboard.up(key);
  }
  async undoAll(text) {
    await this.page.evaluate((text) => gluond.monaco.editor.getEditors()[0].getModel().setValue(text), text);
    await pause(200);
  }

  // ---- the panels
  async panel(id) {
    await this.page.click(`#g-tab-${id}`);
    await until(`panel ${id}`, () => this.page.$eval(`#g-panel-${id}`, (p) => !p.hidden));
  }
  title(id) {
    return this.page.$eval(`#g-panel-${id} .g-title`, (e) => e.textContent);
  }
  // Where a cell of a panel's grid is on the screen; `grid` is the name of the panel's (or its view's) member.
  async cell(panel, grid, index) {
    const at = await this.page.evaluate(
      (panel, grid, index) => {
        const found = gluond.panels.panels.get(panel);
        const canvas = found[grid] ?? found.view[grid];
        const rect = canvas.rectOf(index);
        const box = canvas.canvas.getBoundingClientRect();
        return {
          x: box.x + rect.x + rect.width / 2,
          y: box.y + rect.y + rect.height / 2,
          width: rect.width,
          height: rect.height,
        };
      },
      panel,
      grid,
      index,
    );
    return at;
  }
  // Clicks a cell until the panel's status says so: on a busy machine the picture may still be moving into its place.
  async clickCell(panel, grid, index, text) {
    const click = async () => {
      const cell = await this.cell(panel, grid, index);
      await this.page.mouse.click(cell.x, cell.y);
    };
    return retry(`the cell ${index}`, click, () => this.see(`#g-panel-${panel} .g-status`, text, 3_000));
  }
  // Waits until `check` agrees with the colours at the places: a canvas is drawn when its data come, not when its
  // numbers are written.
  seeColours(what, places, check) {
    return until(what, async () => {
      await check(await this.colours(await Promise.all(places())));
      return true;
    });
  }
  // Colours on the screen, as [r, g, b], at places in CSS pixels.
  async colours(places) {
    const png = await this.page.screenshot({ encoding: 'base64' });
    return this.page.evaluate(
      async (png, places) => {
        const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        context.drawImage(image, 0, 0);
        return places.map(({ x, y }) => [...context.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
      },
      png,
      places,
    );
  }
}
