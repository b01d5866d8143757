// What ESLint looks for: mistakes, with the types known. Form is Prettier's (.prettierrc.json). package.json pins the
// last versions that run on Node 18, which Debian 12 has.
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';

export default defineConfig(
  globalIgnores([
    '.cache/',
    'build-*/',
    '**/build/',
    '**/dist/',
    'visualizer/src/protocol.ts',
    'tests/editor/vscode/fakePython/',
  ]),
  js.configs.recommended,
  ts.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      // Prettier does not break comments.
      'max-len': ['error', { code: 1000, comments: 120, ignoreUrls: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // What is asynchronous in one implementation of an interface need not be in another.
      '@typescript-eslint/require-await': 'off',
      // Texts are searched for control characters on purpose.
      'no-control-regex': 'off',
      // A test runs to its end without anybody waiting for it.
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            { from: 'package', package: 'node:test', name: ['test', 'after', 'before'] },
            { from: 'file', name: ['step', 'editing'] },
          ],
        },
      ],
    },
  },
  {
    // In JavaScript a function for the page often takes its arguments by the names they have outside.
    files: ['**/*.ts'],
    rules: { '@typescript-eslint/no-shadow': 'error' },
  },
  {
    // JavaScript says no types, so what comes from JSON or from a page has none.
    files: ['**/*.mjs'],
    languageOptions: { globals: { ...globals.node, ...globals.browser, gluond: 'readonly' } },
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
