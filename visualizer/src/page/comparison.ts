// Compares a file on disk with its text in the editor, in place of the editor.
import { monospace } from '../ui/fonts.ts';
import { h } from '../ui/dom.ts';
import type { OpenFile } from './documents.ts';
import { monaco } from './monaco.ts';

export class Comparison {
  private readonly element = h('div', { class: 'p-editor p-compare' });
  private readonly original: monaco.editor.ITextModel;
  private readonly editor: monaco.editor.IStandaloneDiffEditor;

  // `place` is the editor's element, which is hidden until the comparison ends.
  constructor(
    readonly file: OpenFile,
    textOnDisk: string,
    private readonly place: HTMLElement,
  ) {
    this.original = monaco.editor.createModel(textOnDisk, file.model.getLanguageId());
    place.after(this.element);
    place.hidden = true;
    this.editor = monaco.editor.createDiffEditor(this.element, {
      automaticLayout: true,
      fontSize: 13,
      fontFamily: monospace,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      scrollBeyondLastLine: false,
      unusualLineTerminators: 'off',
    });
    this.editor.setModel({ original: this.original, modified: file.model });
  }

  end(): void {
    this.editor.dispose();
    this.original.dispose();
    this.element.remove();
    this.place.hidden = false;
  }
}
