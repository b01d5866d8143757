// Starts and stops one code-server with our extension installed, in folders of its own.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const top = new URL('../../..', import.meta.url).pathname;

// What a user might have set, so that pictures look the same everywhere and nothing asks questions.
const userSettings = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.enableExperiments': false,
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.fontSize': 13,
  'editor.minimap.enabled': false,
  'editor.cursorBlinking': 'solid',
  'editor.cursorSmoothCaretAnimation': 'off',
  'extensions.ignoreRecommendations': true,
  'workbench.editor.useModal': 'off',
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.enabled': false,
  'files.autoSave': 'off',
  'telemetry.telemetryLevel': 'off',
  'security.workspace.trust.enabled': false,
};

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export class CodeServer {
  // files: { name: text } of the workspace, beside copies of samples/. extensions: further .vsix files.
  static async start({ vsix, codeServer, files = {}, settings = {}, extensions = [] }) {
    const server = new CodeServer();
    server.home = mkdtempSync(join(tmpdir(), 'gluond-editor-'));
    server.folder = join(server.home, 'kernels');
    mkdirSync(server.folder);
    cpSync(join(top, 'samples'), server.folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(server.folder, name), text);
    const userData = join(server.home, 'data');
    mkdirSync(join(userData, 'User'), { recursive: true });
    writeFileSync(join(userData, 'User', 'settings.json'), JSON.stringify({ ...userSettings, ...settings }, null, 2));
    // Settings of the machine: the only ones that may say which server runs.
    server.machineSettings = join(userData, 'Machine', 'settings.json');

    const node = join(codeServer, 'node_modules/.bin/node');
    const entry = join(codeServer, 'node_modules/code-server/out/node/entry.js');
    const common = ['--user-data-dir', userData, '--extensions-dir', join(server.home, 'extensions')];
    const env = { ...process.env, HOME: server.home, XDG_CONFIG_HOME: server.home, XDG_DATA_HOME: server.home };
    const installed = [vsix, ...extensions].flatMap((file) => ['--install-extension', file]);
    execFileSync(node, [entry, ...common, ...installed], { env, stdio: 'pipe', cwd: server.home });
    const port = await freePort();
    server.url = `http://127.0.0.1:${port}/?folder=${encodeURIComponent(server.folder)}`;
    server.log = '';
    const address = [
      '--auth',
      'none',
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--disable-telemetry',
      '--disable-update-check',
    ];
    server.process = spawn(node, [entry, ...common, ...address, server.folder], {
      env,
      cwd: server.home,
      detached: true,
      stdio: 'pipe',
    });
    for (const stream of [server.process.stdout, server.process.stderr])
      stream.on('data', (data) => (server.log += data));
    try {
      await server.#listening(port);
    } catch (error) {
      server.stop();
      throw error;
    }
    return server;
  }

  read(name) {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  // Process ids of the language servers that this code-server started.
  languageServers() {
    let out = '';
    try {
      out = execFileSync('pgrep', ['-f', `^${join(this.home, 'extensions')}/.*/server/gluond lsp`], {
        encoding: 'utf8',
      });
    } catch {
      // none
    }
    return out.split('\n').filter(Boolean).map(Number);
  }

  stop() {
    try {
      process.kill(-this.process.pid, 'SIGKILL'); // its own group: nothing else is in it
    } catch {
      // gone already
    }
    for (const pid of this.languageServers()) process.kill(pid, 'SIGKILL');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  async #listening(port) {
    const deadline = Date.now() + 120_000;
    while (Date.now() < deadline) {
      try {
        if ((await fetch(`http://127.0.0.1:${port}/healthz`)).ok) return;
      } catch {
        // not yet
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error(`code-server does not listen:\n${this.log}`);
  }
}
