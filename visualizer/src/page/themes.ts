// Monaco's colours, from the same ground as the panels'.
import type { Theme } from '../host.ts';
import { monaco } from './monaco.ts';

export function themeName(theme: Theme): string {
  return { dark: 'gluond-dark', light: 'gluond-light', 'high-contrast': 'hc-black', 'high-contrast-light': 'hc-light' }[theme];
}

export function defineThemes(): void {
  monaco.editor.defineTheme('gluond-dark', {
    base: 'vs-dark',
    inherit: true,
    rules: [
      { token: 'comment', foreground: '6f7b8c' },
      { token: 'keyword', foreground: 'c99bd6' },
      { token: 'string', foreground: '9ccc8f' },
      { token: 'number', foreground: 'e5b567' },
      { token: 'identifier', foreground: 'd5dbe5' },
      { token: 'tag', foreground: '7cc4f4' },
    ],
    colors: {
      'editor.background': '#14181f',
      'editor.foreground': '#d5dbe5',
      'editorLineNumber.foreground': '#465063',
      'editorLineNumber.activeForeground': '#9aa7ba',
      'editor.lineHighlightBackground': '#1a2029',
      'editor.lineHighlightBorder': '#00000000',
      'editorInlayHint.background': '#1d2530',
      'editorInlayHint.foreground': '#7f92aa',
      'editorCodeLens.foreground': '#6d8199',
      'editor.selectionBackground': '#2b4a6b',
      'editorWidget.background': '#1a2029',
      'editorWidget.border': '#2c3542',
      'editorHoverWidget.background': '#1a2029',
      'editorHoverWidget.border': '#2c3542',
    },
  });
  monaco.editor.defineTheme('gluond-light', {
    base: 'vs',
    inherit: true,
    rules: [
      { token: 'comment', foreground: '77808c' },
      { token: 'keyword', foreground: '8a3ea6' },
      { token: 'string', foreground: '2f7d32' },
      { token: 'number', foreground: '9a5b00' },
      { token: 'tag', foreground: '0b69a3' },
    ],
    colors: { 'editor.background': '#fdfdfe', 'editor.lineHighlightBackground': '#f3f6fa', 'editor.lineHighlightBorder': '#00000000', 'editorInlayHint.background': '#eef2f7', 'editorInlayHint.foreground': '#67758a' },
  });
}
