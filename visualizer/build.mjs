// Builds dist/: the webview's bundle, and the page of `gluond serve`. With --tests also the unit tests, for node's
// runner.
import { build } from 'esbuild';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));
const isTests = process.argv.includes('--tests');
const common = {
  bundle: true,
  minify: !isTests,
  target: ['es2022'],
  legalComments: 'none',
  logLevel: 'warning',
  loader: { '.ttf': 'file' },
};

if (isTests) {
  await rm('build/test', { recursive: true, force: true });
  const tests = (await readdir('test')).filter((name) => name.endsWith('.test.ts'));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: 'build/test',
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
  });
} else {
  await rm('dist', { recursive: true, force: true });
  await mkdir('dist/page', { recursive: true });
  await Promise.all([
    build({ ...common, entryPoints: { panels: 'src/entry/webview.ts' }, outdir: 'dist', format: 'iife' }),
    build({ ...common, entryPoints: { panels: 'src/styles/panels.css' }, outdir: 'dist' }),
    build({
      ...common,
      entryPoints: { page: 'src/page/main.ts' },
      outdir: 'dist/page',
      format: 'iife',
      assetNames: '[name]',
      define: { 'process.env.NODE_ENV': '"production"' },
    }),
    build({
      ...common,
      entryPoints: { 'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js' },
      outdir: 'dist/page',
      format: 'iife',
    }),
    build({ ...common, entryPoints: { 'page-style': 'src/styles/page.css' }, outdir: 'dist/page' }),
  ]);
  for (const name of ['index.html', 'icon.svg']) await copyFile(`src/page/${name}`, `dist/page/${name}`);
}
