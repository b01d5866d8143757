// The folder's files as a tree, for the side of the page.
import { treeOf, type Folder } from '../model/tree.ts';
import { h, icon, replace } from '../ui/dom.ts';

// Up to this many files are all shown at first; of more, only the folders.
const mostUnfolded = 80;

export class FileList {
  readonly element = h('nav', { class: 'p-files', attributes: { 'aria-label': 'Files of the folder' } });
  private names: string[] = [];
  private current = '';
  private dirty = new Set<string>();
  // The folders that the user folded (true) or unfolded. The number of files decides about the others.
  private readonly folded = new Map<string, boolean>(stored());

  constructor(private readonly open: (name: string) => void) {
    this.element.addEventListener('keydown', (event) => this.key(event));
  }

  set(names: string[]): void {
    this.names = names;
    this.draw();
  }
  mark(current: string, dirty: ReadonlySet<string>): void {
    // Unfolds the folders of the file that is shown.
    if (current !== this.current)
      for (let at = current.indexOf('/'); at >= 0; at = current.indexOf('/', at + 1))
        this.folded.set(current.slice(0, at), false);
    this.current = current;
    this.dirty = new Set(dirty);
    this.draw();
  }

  private isFolded(path: string): boolean {
    return this.folded.get(path) ?? this.names.length > mostUnfolded;
  }
  private fold(path: string, folded: boolean): void {
    this.folded.set(path, folded);
    sessionStorage.setItem('gluond.folded', JSON.stringify([...this.folded]));
    this.draw();
  }

  // The keys up and down move through the visible rows; left and right fold and unfold.
  private key(event: KeyboardEvent): void {
    const rows = [...this.element.querySelectorAll<HTMLElement>('button')];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const folder = rows[at]!.dataset['folder'];
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step) rows[(at + step + rows.length) % rows.length]?.focus();
    else if (event.key === 'ArrowRight' && folder !== undefined) this.fold(folder, false);
    else if (event.key === 'ArrowLeft' && folder !== undefined && !this.isFolded(folder)) this.fold(folder, true);
    else if (event.key === 'ArrowLeft') {
      const level = Number(rows[at]!.style.getPropertyValue('--level'));
      rows
        .slice(0, at)
        .reverse()
        .find((row) => row.dataset['folder'] !== undefined && Number(row.style.getPropertyValue('--level')) < level)
        ?.focus();
    } else return;
    event.preventDefault();
  }

  private draw(): void {
    const active = this.element.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
    const focused =
      active &&
      (active.dataset['folder'] !== undefined ? `[data-folder="${CSS.escape(active.dataset['folder'])}"]` : '.p-on');
    const rows: HTMLElement[] = [];
    const add = (folder: Folder, level: number) => {
      for (const inner of folder.folders) {
        const folded = this.isFolded(inner.path);
        rows.push(this.folderRow(inner, level, folded));
        if (!folded) add(inner, level + 1);
      }
      for (const name of folder.files) rows.push(this.fileRow(name, level));
    };
    add(treeOf(this.names), 0);
    replace(this.element, ...rows);
    if (focused) this.element.querySelector<HTMLElement>(focused)?.focus();
  }

  private folderRow(folder: Folder, level: number, folded: boolean): HTMLElement {
    const inside = [...this.dirty].some((name) => name.startsWith(folder.path + '/'));
    const row = h(
      'button',
      {
        type: 'button',
        class: 'p-folder',
        title: folder.path,
        attributes: { 'aria-expanded': String(!folded), 'data-folder': folder.path },
        on: { click: () => this.fold(folder.path, !folded) },
      },
      icon(folded ? 'right' : 'down'),
      h('span', {}, folder.label),
      folded && inside ? dirtyMark() : null,
    );
    row.style.setProperty('--level', String(level));
    return row;
  }
  private fileRow(name: string, level: number): HTMLElement {
    const isCurrent = name === this.current;
    const row = h(
      'button',
      {
        type: 'button',
        class: isCurrent ? 'p-file p-on' : 'p-file',
        title: name,
        attributes: { 'aria-current': isCurrent ? 'page' : 'false', 'data-name': name },
        on: { click: () => this.open(name) },
      },
      h('span', {}, name.slice(name.lastIndexOf('/') + 1)),
      this.dirty.has(name) ? dirtyMark() : null,
    );
    row.style.setProperty('--level', String(level));
    return row;
  }
}

const dirtyMark = () =>
  h('span', { class: 'p-dirty', title: 'not saved', attributes: { 'aria-label': 'not saved' } }, '●');

function stored(): [string, boolean][] {
  try {
    const entries: unknown = JSON.parse(sessionStorage.getItem('gluond.folded') ?? '[]');
    return Array.isArray(entries)
      ? entries.filter(
          (e): e is [string, boolean] => Array.isArray(e) && typeof e[0] === 'string' && typeof e[1] === 'boolean',
        )
      : [];
  } catch {
    return [];
  }
}
