// A file by a few letters of its name: Ctrl+P, or Ctrl+K outside the editor.
import { bestMatches } from '../model/match.ts';
import { h, replace } from '../ui/dom.ts';

export class QuickOpen {
  private readonly input = h('input', {
    type: 'text',
    spellcheck: false,
    placeholder: 'File name',
    attributes: {
      role: 'combobox',
      'aria-label': 'Open a file by name',
      'aria-expanded': 'true',
      'aria-controls': 'p-quick-list',
      autocomplete: 'off',
    },
  });
  private readonly list = h('div', { class: 'p-quick-list', id: 'p-quick-list', attributes: { role: 'listbox' } });
  readonly element = h('dialog', { class: 'p-quick' }, this.input, this.list);
  private found: string[] = [];
  private at = 0;

  constructor(
    private readonly names: () => readonly string[],
    private readonly open: (name: string) => void,
  ) {
    this.input.addEventListener('input', () => this.search());
    this.input.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step && this.found.length) this.mark((this.at + step + this.found.length) % this.found.length);
      else if (event.key === 'Enter') this.take(this.found[this.at]);
      else return;
      event.preventDefault();
    });
    // A click outside closes it.
    this.element.addEventListener('click', (event) => event.target === this.element && this.element.close());
  }

  show(): void {
    if (this.element.open) return;
    this.input.value = '';
    this.element.showModal();
    this.search();
    this.input.focus();
  }

  private search(): void {
    this.found = bestMatches(this.input.value, this.names());
    replace(
      this.list,
      ...(this.found.length
        ? this.found.map((name, i) => {
            const slash = name.lastIndexOf('/') + 1;
            return h(
              'div',
              {
                class: 'p-quick-item',
                id: `p-quick-${i}`,
                attributes: { role: 'option', 'data-name': name },
                on: { click: () => this.take(name) },
              },
              h('span', {}, name.slice(slash)),
              h('span', { class: 'p-where' }, name.slice(0, Math.max(slash - 1, 0))),
            );
          })
        : [h('div', { class: 'p-quick-none' }, 'No file with this name.')]),
    );
    this.mark(0);
  }
  private mark(index: number): void {
    this.at = index;
    const items = [...this.list.querySelectorAll('.p-quick-item')];
    items.forEach((item, i) => item.setAttribute('aria-selected', String(i === index)));
    items[index]?.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', items[index]?.id ?? '');
  }
  private take(name: string | undefined): void {
    if (name === undefined) return;
    this.element.close();
    this.open(name);
  }
}
