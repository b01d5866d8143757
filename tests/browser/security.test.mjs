// Nothing in a workspace can run code in the page, reach the network or leave the folder; nobody else can reach the
// page.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launchBrowser, Page, pause, serve, until } from './page.mjs';

const hostileFile = '<img src=x onerror="window.owned = 1">.py';
const hostileFolder = "it's <b>bold & %2e%2e";
let served, browser;
before(async () => {
  served = await serve((folder, base) => {
    writeFileSync(join(folder, hostileFile), 'x = 1\n');
    mkdirSync(join(folder, hostileFolder));
    writeFileSync(join(folder, hostileFolder, 'a b#c?.py'), 'inside = 1\n');
    writeFileSync(join(base, 'secret.py'), 'secret = 1\n');
    symlinkSync(join(base, 'secret.py'), join(folder, 'link.py'));
  });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  served?.stop();
});
const step = (name, work) => test(name, { timeout: 300_000 }, work);

function get(path, headers = {}) {
  const { hostname, port } = new URL(served.url);
  return new Promise((resolve, reject) => {
    http
      .get({ hostname, port, path, headers: { host: `${hostname}:${port}`, ...headers } }, (response) => {
        let body = '';
        response.on('data', (data) => (body += data));
        response.on('end', () => resolve({ status: response.statusCode, body, headers: response.headers }));
      })
      .on('error', reject);
  });
}

step('without the token, with a foreign origin or host: nothing', async () => {
  const token = new URL(served.url).pathname;
  assert.equal((await get(token)).status, 200);
  assert.equal((await get('/')).status, 403);
  assert.equal((await get('/index.html')).status, 403);
  assert.equal((await get('/' + 'a'.repeat(32) + '/')).status, 403);
  assert.equal((await get(token, { origin: 'https://evil.example' })).status, 403);
  assert.equal((await get(token, { origin: 'null' })).status, 403);
  assert.equal((await get(token, { host: 'evil.example' })).status, 403);
  assert.equal((await get(token + '../../etc/passwd')).status, 404);
  assert.equal((await get(token + '%2e%2e/%2e%2e/etc/passwd')).status, 404);
});

step('a page from elsewhere cannot open the socket', async () => {
  const other = http.createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>other</title>'),
  );
  await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  const url = new URL('lsp', served.url).href.replace('http:', 'ws:');
  const tried = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        const socket = new WebSocket(url);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      }),
    url,
  );
  assert.equal(tried, 'refused');
  const fetched = await page.evaluate(
    (url) =>
      fetch(url).then(
        (r) => r.text(),
        () => 'refused',
      ),
    served.url,
  );
  assert.equal(fetched, 'refused');
  await page.close();
  other.close();
});

step('hostile names, comments, strings and paths are text', async () => {
  const requests = [];
  const page = await Page.open(browser, served.url, { file: 'hostile.py' });
  page.page.on('request', (request) => requests.push(request.url()));
  await page.see('.p-file', hostileFile);
  await page.see('.p-folder', hostileFolder);
  await until('the label of a specialization', () =>
    page.page.$$eval('.g-context option', (all) => all.some((o) => o.textContent.includes('<img src=x onerror'))),
  );
  // What turns the direction of text is written out.
  const labels = await page.page.$$eval('.g-context option', (all) => all.map((o) => o.textContent));
  assert.ok(
    labels.some((label) => label.includes("MODE='\\u202edesrever'")),
    labels.join('\n'),
  );
  await page.goTo('gl.store(src', 'gl.store');
  for (const id of ['layout', 'access', 'conversion', 'shared', 'playground', 'ir', 'timeline', 'benchmark']) {
    await page.panel(id);
    await pause(250);
  }
  await page.see('#g-panel-benchmark .g-subtitle', /<img src=x/);
  // The docstring in a hover: Markdown without links that run, without pictures from elsewhere.
  const hover = await page.hover('def ohne_ärger', 'ohne_ärger');
  assert.match(hover, /run/);
  assert.match(hover, /\\u202egnp\.exe/);
  assert.equal(
    await page.count(
      '.monaco-hover a[href^="javascript"], .monaco-hover a[data-href^="javascript"], .monaco-hover img',
    ),
    0,
  );
  await page.page.locator(`.p-file[data-name="${CSSescape(hostileFile)}"]`).click();
  await page.see('.p-name', hostileFile);
  await page.page.locator('.p-file[data-name$="a b#c?.py"]').click();
  await page.see('.view-line', 'inside = 1');
  assert.equal(await page.page.evaluate(() => window.owned), undefined);
  const { host } = new URL(served.url);
  assert.deepEqual(
    requests.filter((url) => !/^(data|blob):/.test(url) && new URL(url).host !== host),
    [],
  );
  assert.deepEqual(page.errors, []);
  await page.close();
});
const CSSescape = (text) => text.replace(/["\\]/g, '\\$&');

step('no script but its own runs in the page', async () => {
  const page = await Page.open(browser, served.url);
  const blocked = await page.page.evaluate(async () => {
    const results = [];
    const script = document.createElement('script');
    script.textContent = 'window.owned = 1';
    document.body.append(script);
    const div = document.createElement('div');
    div.innerHTML = '<img src="data:," onerror="window.owned = 1">';
    document.body.append(div);
    // Later: what the debugger's protocol runs itself is exempt from the policy.
    await new Promise((resolve) =>
      setTimeout(() => {
        try {
          // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is what the policy must refuse
          results.push(new Function('return 1')());
        } catch {
          results.push('no eval');
        }
        resolve();
      }),
    );
    results.push(
      await fetch('http://127.0.0.1:9/').then(
        () => 'reached',
        () => 'no network',
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    return [...results, window.owned ?? 'not owned'];
  });
  assert.deepEqual(blocked, ['no eval', 'no network', 'not owned']);
  await page.close();
});

step('what the page may read and write ends at the folder', async () => {
  const page = await Page.open(browser, served.url);
  const tries = await page.page.evaluate(
    async (url) => {
      const socket = new WebSocket(url);
      await new Promise((resolve) => (socket.onopen = resolve));
      let id = 0;
      const ask = (method, params) =>
        new Promise((resolve) => {
          const mine = ++id;
          const hear = (event) => {
            const message = JSON.parse(event.data);
            if (message.id !== mine || message.method) return;
            socket.removeEventListener('message', hear);
            resolve(message.error ? 'refused' : message.result);
          };
          socket.addEventListener('message', hear);
          socket.send(JSON.stringify({ jsonrpc: '2.0', id: mine, method, params }));
        });
      await ask('initialize', { processId: null, capabilities: {} });
      const answers = [];
      for (const name of ['../secret.py', 'link.py', '/etc/passwd', 'sub/../../secret.py', '', '.', 'tiles.py\0'])
        answers.push(
          await ask('serve/read', { name }),
          await ask('serve/save', { name, text: 'owned = 1\n', base: '' }),
        );
      answers.push(
        await ask('serve/save', { name: 'evil.sh', text: 'x', base: '' }),
        await ask('serve/save', { name: '.bashrc', text: 'x', base: '' }),
      );
      const listed = await ask('serve/files', {});
      return { answers, listed: listed.files };
    },
    new URL('lsp', served.url).href.replace('http:', 'ws:'),
  );
  assert.ok(
    tries.answers.every((answer) => answer === 'refused'),
    JSON.stringify(tries.answers),
  );
  assert.ok(!tries.listed.includes('link.py'));
  assert.equal(readFileSync(join(served.base, 'secret.py'), 'utf8'), 'secret = 1\n');
  assert.ok(!existsSync(join(served.folder, 'evil.sh')));
  await page.close();
});
