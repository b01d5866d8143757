// The list of problems below the editor.
import type { Diagnostic, Range } from '../protocol.ts';
import { h, replace } from '../ui/dom.ts';

const words = ['', 'error', 'warning', 'information', 'hint'];
const mostProblems = 200;

export class ProblemList {
  readonly element = h('div', {
    class: 'p-problems',
    attributes: { role: 'listbox', 'aria-label': 'Problems' },
  });

  constructor(private readonly onChoose: (range: Range) => void) {}

  // The most severe come first, then in order of place.
  set(diagnostics: readonly Diagnostic[]): void {
    const shown = [...diagnostics].sort((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line);
    this.element.hidden = !shown.length;
    replace(this.element, ...shown.slice(0, mostProblems).map((diagnostic) => this.row(diagnostic)));
  }

  private row({ severity, range, message, code }: Diagnostic): HTMLElement {
    return h(
      'button',
      {
        type: 'button',
        class: `p-problem p-${words[severity]}`,
        attributes: { role: 'option' },
        on: { click: () => this.onChoose(range) },
      },
      h('b', {}, words[severity] ?? ''),
      h('span', { class: 'p-where' }, `${range.start.line + 1}:${range.start.character + 1}`),
      h('span', {}, message),
      h('code', {}, code),
    );
  }
}
