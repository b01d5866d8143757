// A long text with line numbers of which only the visible part is in the document: lines of one height, a spacer for
// the rest. The caller decides which lines there are (folded, compared).
import { h } from './dom.ts';

export interface LineView {
  // The nodes of a row, made when it becomes visible.
  render: (row: number) => { gutter: string; content: Node; classes?: string };
  count: number;
}

export class Lines {
  readonly element: HTMLElement;
  private readonly spacer = h('div', { class: 'g-lines-spacer' });
  private readonly window = h('div', { class: 'g-lines-window' });
  private view: LineView = { count: 0, render: () => ({ gutter: '', content: document.createTextNode('') }) };
  private lineHeight = 18;
  private shown = { first: -1, last: -1 };
  cursor = -1;
  onCursor: (row: number, isFinal: boolean) => void = () => {};
  onHover: (row: number | null) => void = () => {};
  onKey: (event: KeyboardEvent) => boolean = () => false;

  constructor(label: string) {
    this.element = h(
      'div',
      { class: 'g-lines', tabIndex: 0, attributes: { role: 'listbox', 'aria-label': label } },
      this.spacer,
      this.window,
    );
    this.element.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw(true)).observe(this.element);
    this.element.addEventListener('click', (event) => {
      const row = this.rowAt(event);
      if (row !== null && !(event.target as HTMLElement).closest('button')) this.moveTo(row, true);
    });
    this.element.addEventListener('mousemove', (event) => this.onHover(this.rowAt(event)));
    this.element.addEventListener('mouseleave', () => this.onHover(null));
    this.element.addEventListener('keydown', (event) => {
      if (this.onKey(event)) return event.preventDefault();
      const page = Math.max(1, Math.floor(this.element.clientHeight / this.lineHeight) - 2);
      const moves: Record<string, number> = {
        ArrowDown: 1,
        ArrowUp: -1,
        PageDown: page,
        PageUp: -page,
        Home: -1e9,
        End: 1e9,
      };
      const move = moves[event.key];
      if (move === undefined) {
        if (event.key === 'Enter' && this.cursor >= 0) this.onCursor(this.cursor, true);
        return;
      }
      event.preventDefault();
      this.moveTo(this.cursor + move, false);
    });
  }

  set(view: LineView, keepScroll = false): void {
    this.view = view;
    if (!keepScroll) this.element.scrollTop = 0;
    this.draw(true);
  }

  moveTo(row: number, isFinal: boolean): void {
    if (!this.view.count) return;
    this.cursor = Math.min(Math.max(row, 0), this.view.count - 1);
    this.reveal(this.cursor);
    this.draw(true);
    this.onCursor(this.cursor, isFinal);
  }

  reveal(row: number, centred = false): void {
    const top = row * this.lineHeight;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + this.lineHeight > scrollTop + clientHeight)
      this.element.scrollTop = centred
        ? top - clientHeight / 2
        : top < scrollTop
          ? top
          : top + this.lineHeight * 2 - clientHeight;
  }

  refresh(): void {
    this.draw(true);
  }

  private rowAt(event: MouseEvent): number | null {
    const box = this.element.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top + this.element.scrollTop) / this.lineHeight);
    return row >= 0 && row < this.view.count ? row : null;
  }

  private draw(force = false): void {
    const style = getComputedStyle(this.element).getPropertyValue('--g-line-height');
    this.lineHeight = parseFloat(style) || 18;
    this.spacer.style.height = `${this.view.count * this.lineHeight}px`;
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.lineHeight) - 8);
    const last = Math.min(
      this.view.count,
      Math.ceil((this.element.scrollTop + this.element.clientHeight) / this.lineHeight) + 8,
    );
    if (!force && first >= this.shown.first && last <= this.shown.last && this.shown.last - this.shown.first < 400)
      return;
    this.shown = { first, last };
    const rows: Node[] = [];
    for (let row = first; row < last; ++row) {
      const { gutter, content, classes } = this.view.render(row);
      const isCursor = row === this.cursor;
      rows.push(
        h(
          'div',
          {
            class: `g-code-line ${classes ?? ''}${isCursor ? ' g-cursor' : ''}`,
            attributes: { role: 'option', 'aria-selected': String(isCursor), 'data-row': String(row) },
          },
          h('span', { class: 'g-gutter' }, gutter),
          content,
        ),
      );
    }
    this.window.style.transform = `translateY(${first * this.lineHeight}px)`;
    this.window.replaceChildren(...rows);
  }
}
