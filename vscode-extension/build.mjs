// Builds dist/extension.js (CommonJS, what VS Code loads) and takes the panels' bundle beside it.
//   node build.mjs            the extension; visualizer/dist must be built for the panels
//   node build.mjs --tests    the unit tests, into build/test/
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node18',
  logLevel: 'warning',
  absWorkingDir: here,
  legalComments: 'eof',
};

if (process.argv.includes('--tests')) {
  rmSync(join(here, 'build/test'), { recursive: true, force: true });
  const tests = readdirSync(join(here, 'test')).filter((name) => name.endsWith('.test.ts'));
  await build({
    ...shared,
    entryPoints: tests.map((name) => join('test', name)),
    outdir: 'build/test',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    sourcemap: 'inline',
  });
} else {
  await build({
    ...shared,
    entryPoints: ['src/entry/extension.ts'],
    outfile: 'dist/extension.js',
    format: 'cjs',
    external: ['vscode'],
    minify: true,
    sourcemap: true,
  });
  const panels = join(here, '../visualizer/dist');
  mkdirSync(join(here, 'dist'), { recursive: true });
  for (const name of ['panels.js', 'panels.css']) {
    if (!existsSync(join(panels, name))) {
      console.error(`${name} is missing: run "npm ci && npm run build" in visualizer/ first`);
      process.exit(1);
    }
    copyFileSync(join(panels, name), join(here, 'dist', name));
  }
}
