// The editor of the page: Monaco with its options, and the lines that are highlighted in it.
import type { Theme } from '../host.ts';
import { monospace } from '../ui/fonts.ts';
import { monaco } from './monaco.ts';
import { themeName } from './themes.ts';

export function createEditor(element: HTMLElement, theme: Theme): monaco.editor.IStandaloneCodeEditor {
  return monaco.editor.create(element, {
    model: null,
    theme: themeName(theme),
    automaticLayout: true,
    fontFamily: monospace,
    fontSize: 13,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    renderWhitespace: 'none',
    padding: { top: 10 },
    'semanticHighlighting.enabled': true,
    fixedOverflowWidgets: true,
    wordBasedSuggestions: 'off',
    inlayHints: { enabled: 'on', fontSize: 11, padding: true },
    lightbulb: { enabled: monaco.editor.ShowLightbulbIconMode.On },
    accessibilitySupport: 'auto',
    bracketPairColorization: { enabled: false },
    unicodeHighlight: { ambiguousCharacters: true, invisibleCharacters: true },
    unusualLineTerminators: 'off', // they stay as they are
  });
}

export class LineHighlights {
  private readonly lit: monaco.editor.IEditorDecorationsCollection;
  private flashTimer = 0;

  constructor(editor: monaco.editor.IStandaloneCodeEditor) {
    this.lit = editor.createDecorationsCollection();
  }

  // Highlights a line (1-based) for a moment.
  flash(line: number): void {
    this.lit.set([{ range: new monaco.Range(line, 1, line, 1), options: { isWholeLine: true, className: 'p-flash' } }]);
    clearTimeout(this.flashTimer);
    this.flashTimer = window.setTimeout(() => this.lit.clear(), 900);
  }

  // Highlights lines (0-based) until other ones are set.
  set(lines: readonly number[]): void {
    clearTimeout(this.flashTimer);
    this.lit.set(
      lines.map((line) => ({
        range: new monaco.Range(line + 1, 1, line + 1, 1),
        options: {
          isWholeLine: true,
          className: 'p-lit',
          overviewRuler: { color: '#e6a700', position: monaco.editor.OverviewRulerLane.Center },
        },
      })),
    );
  }
}
