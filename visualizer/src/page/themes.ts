// Monaco's colours, from the same ground as the panels'.
import type { Theme } from '../host.ts';
import { monaco } from './monaco.ts';

export function themeName(theme: Theme): string {
  return `gluond-${theme}`;
}

// The colors of names, by the kind of value: a compile-time constant, a tensor, a buffer in shared or in tensor memory,
// a descriptor.
interface Holds {
  constant: string;
  tensor: string;
  shared: string;
  tensorMemory: string;
  descriptor: string;
  layout: string;
}
function rulesOf(colours: Holds): monaco.editor.ITokenThemeRule[] {
  // The server's token types, with the modifiers that come before `constexpr` (the theme looks rules up by their
  // beginnings).
  const constants = ['variable', 'parameter', 'layout', 'property'].flatMap((type) => [
    `${type}.readonly`,
    `${type}.declaration.readonly`,
  ]);
  return [
    { token: 'tensor', foreground: colours.tensor },
    { token: 'sharedMemory', foreground: colours.shared },
    { token: 'tensorMemory', foreground: colours.tensorMemory },
    { token: 'tensorDescriptor', foreground: colours.descriptor },
    { token: 'layout', foreground: colours.layout },
    ...constants.map((token) => ({ token, foreground: colours.constant })),
  ];
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
      ...rulesOf({
        constant: 'b9a5ff',
        tensor: '8ecbf7',
        shared: 'f5b971',
        tensorMemory: 'f58f7c',
        descriptor: '6fd6c1',
        layout: '5fd0b0',
      }),
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
      ...rulesOf({
        constant: '6b3fb5',
        tensor: '0b69a3',
        shared: '9a5200',
        tensorMemory: 'b3372c',
        descriptor: '00705a',
        layout: '00705a',
      }),
    ],
    colors: {
      'editor.background': '#fdfdfe',
      'editor.lineHighlightBackground': '#f3f6fa',
      'editor.lineHighlightBorder': '#00000000',
      'editorInlayHint.background': '#eef2f7',
      'editorInlayHint.foreground': '#67758a',
    },
  });
  monaco.editor.defineTheme('gluond-high-contrast', {
    base: 'hc-black',
    inherit: true,
    rules: rulesOf({
      constant: 'cdbcff',
      tensor: '9cdcfe',
      shared: 'ffc46b',
      tensorMemory: 'ff9d8f',
      descriptor: '7ff0d8',
      layout: '7ff0d8',
    }),
    colors: {},
  });
  monaco.editor.defineTheme('gluond-high-contrast-light', {
    base: 'hc-light',
    inherit: true,
    rules: rulesOf({
      constant: '4a2496',
      tensor: '003f73',
      shared: '6b3800',
      tensorMemory: '8a1010',
      descriptor: '004d3d',
      layout: '004d3d',
    }),
    colors: {},
  });
}
