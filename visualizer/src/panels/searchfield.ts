// The search field of a text: what to find, and buttons for the previous and the next match.
import { h, iconButton, replace } from '../ui/dom.ts';
import { debounce } from '../ui/timing.ts';

export class SearchField {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly count = h('span', { class: 'g-muted', attributes: { 'aria-live': 'polite' } });

  // `onQuery` is called when the query changes, `onStep` with 1 for the next match and -1 for the previous one.
  constructor(label: string, onQuery: () => void, onStep: (by: number) => void) {
    this.input = h('input', {
      type: 'search',
      placeholder: 'Search, or /regex/',
      attributes: { 'aria-label': label },
      on: {
        input: debounce(60, onQuery),
        keydown: (event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onStep(event.shiftKey ? -1 : 1);
        },
      },
    });
    this.element = h(
      'span',
      { class: 'g-search' },
      this.input,
      iconButton('left', 'Previous match', () => onStep(-1)),
      iconButton('right', 'Next match', () => onStep(1)),
      this.count,
    );
  }

  get query(): string {
    return this.input.value;
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  // Shows which match is the current one; `at` is -1 if there is none.
  showCount(at: number, count: number): void {
    replace(this.count, this.query ? (at >= 0 ? `${at + 1} of ${count}` : 'no matches') : '');
  }
}
