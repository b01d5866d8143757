// The folder's files as a list with folders, for the side of the page.
import { h, replace } from '../ui/dom.ts';

export class FileList {
  readonly element = h('nav', { class: 'p-files', attributes: { 'aria-label': 'Files of the folder' } });
  private names: string[] = [];
  private current = '';
  private dirty = new Set<string>();

  constructor(private readonly open: (name: string) => void) {}

  set(names: string[]): void {
    this.names = names;
    this.draw();
  }
  mark(current: string, dirty: ReadonlySet<string>): void {
    this.current = current;
    this.dirty = new Set(dirty);
    this.draw();
  }

  private draw(): void {
    const focused = this.element.contains(document.activeElement);
    let folder = '';
    const items: Node[] = [];
    for (const name of this.names) {
      const slash = name.lastIndexOf('/');
      const where = slash < 0 ? '' : name.slice(0, slash);
      if (where !== folder) {
        folder = where;
        if (where) items.push(h('div', { class: 'p-folder' }, where));
      }
      const isCurrent = name === this.current;
      items.push(
        h(
          'button',
          {
            type: 'button',
            class: isCurrent ? 'p-file p-on' : 'p-file',
            title: name,
            attributes: { 'aria-current': isCurrent ? 'page' : 'false', 'data-name': name },
            on: {
              click: () => this.open(name),
              keydown: (event) => {
                const all = [...this.element.querySelectorAll<HTMLElement>('.p-file')];
                const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
                if (!step) return;
                event.preventDefault();
                all[(all.indexOf(event.currentTarget as HTMLElement) + step + all.length) % all.length]?.focus();
              },
            },
          },
          h('span', {}, name.slice(slash + 1)),
          this.dirty.has(name) ? h('span', { class: 'p-dirty', title: 'not saved', attributes: { 'aria-label': 'not saved' } }, '●') : null,
        ),
      );
    }
    replace(this.element, ...items);
    if (focused) this.element.querySelector<HTMLElement>('.p-on')?.focus();
  }
}
