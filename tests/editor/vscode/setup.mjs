// Where the parts of these tests are, and one editor on one workspace.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CodeServer } from './codeServer.mjs';
import { Editor } from './editor.mjs';

function required(name) {
  const value = process.env[name];
  if (!value || !existsSync(value))
    throw new Error(`${name} is not set to something that exists; tests/editor/run.sh sees to that`);
  return value;
}

export const kernels = new URL('kernels/', import.meta.url).pathname;

export function kernelText(name) {
  return readFileSync(join(kernels, name), 'utf8');
}

// Starts code-server before the tests of a file, and stops it after. `session.editor`, `session.server` are there while
// they run.
export function useEditor(options = {}) {
  /** @type {{ server: CodeServer, editor: Editor }} */
  const session = {};
  before(async () => {
    session.server = await CodeServer.start({
      vsix: required('GLUOND_VSIX'),
      codeServer: required('GLUOND_CODE_SERVER'),
      ...options,
    });
    session.editor = await Editor.open(session.server.url, required('GLUOND_CHROMIUM'));
  });
  after(async () => {
    await session.editor?.close();
    session.server?.stop();
  });
  return session;
}

// Steps are tests in the editor of a session.
/** @returns {(name: string, work: (editor: Editor) => unknown) => Promise<void>} */
export function stepsOf(session, options = {}) {
  return (name, work) => test(name, { timeout: 300_000, ...options }, () => seen(session, name, work));
}

// A test whose failure leaves a picture of the screen in build/pictures/failed.
export async function seen(session, name, work) {
  try {
    await work(session.editor);
  } catch (error) {
    const { mkdirSync } = await import('node:fs');
    const folder = new URL('../../../build/pictures/failed/', import.meta.url).pathname;
    mkdirSync(folder, { recursive: true });
    await session.editor?.page.screenshot({ path: join(folder, `${name.replace(/\W+/g, '-')}.png`) }).catch(() => {});
    throw error;
  }
}
