// The open files: their text in Monaco's models, whether it is saved, and changes of the files in the
// meantime.
//
// No typed text is lost: a file is only saved over the content that was read (the server compares), a file that changes
// on disk is read again only if nothing is unsaved, and unsaved text is sent to the server, which keeps it until it is
// saved or discarded (`serve/keep`).
import { withLineEnds, withoutReturns } from '../model/lineends.ts';
import { messageOf } from '../model/words.ts';
import type { LanguageClient } from './lsp.ts';
import { fromRange, monaco } from './monaco.ts';

export interface OpenFile {
  readonly name: string;
  readonly model: monaco.editor.ITextModel;
  revision: string; // the revision of the file that the text was made from
  onDisk: string; // that file's text, with its line ends
  savedVersion: number; // the model's version when it had that text
  // The file's revision on disk if the file changed while the editor's text has unsaved changes; '' if the file is
  // gone.
  conflict: string | null;
  isRestored: boolean; // the text is the unsaved text of an earlier visit, which the user has not seen yet
  // The pages whose kept texts this one contains: it replaces them.
  replaced: Set<string | undefined>;
  waiting: Draft[]; // other unsaved texts of it, offered one after another when this one is saved or discarded
}

interface Read {
  text: string;
  revision: string;
}

// A text that is not saved. Each page keeps its own, because the same file may be open in several.
interface Draft extends Read {
  name: string;
  page?: string;
}

export interface DocumentsView {
  // Called when a file was saved, edited, or came into conflict.
  changed(file: OpenFile): void;
  listed(names: string[]): void;
  say(text: string): void;
}

const keepAfter = 300; // ms of rest after typing
const leftBehind = 'gluond.unsaved'; // in the tab's storage

export class Documents {
  private readonly open = new Map<string, OpenFile>();
  private readonly keepTimers = new Map<string, number>();
  private readonly kept = new Set<string>(); // drafts that the server has
  private stamp = '';
  private isPolling = false;
  private saidNotKept = false;
  private readonly page = crypto.getRandomValues(new Uint32Array(4)).join('-');

  constructor(
    private readonly client: LanguageClient,
    private readonly root: string,
    private readonly view: DocumentsView,
  ) {}

  uriOf(name: string): monaco.Uri {
    return monaco.Uri.parse(`${this.root}/${name.split('/').map(encodeURIComponent).join('/')}`);
  }
  nameOf(uri: string): string | null {
    const path = decodeURIComponent(uri);
    const root = decodeURIComponent(this.root) + '/';
    return path.startsWith(root) ? path.slice(root.length) : null;
  }
  get(name: string): OpenFile | undefined {
    return this.open.get(name);
  }
  all(): OpenFile[] {
    return [...this.open.values()];
  }
  isDirty(file: OpenFile): boolean {
    return file.conflict === '' || this.isEdited(file); // if the file is gone, this is the only copy
  }
  private isEdited(file: OpenFile): boolean {
    return (
      file.model.getAlternativeVersionId() !== file.savedVersion &&
      file.model.getValue() !== withoutReturns(file.onDisk)
    );
  }
  dirtyNames(): Set<string> {
    return new Set(
      this.all()
        .filter((file) => this.isDirty(file))
        .map((file) => file.name),
    );
  }

  // ---------------------------------------------------------------- opening

  private read(name: string): Promise<Read> {
    return this.client.request('serve/read', { name }) as Promise<Read>;
  }

  async load(name: string): Promise<OpenFile> {
    const known = this.open.get(name);
    if (known) return known;
    const read = await this.read(name);
    return this.open.get(name) ?? this.add(name, read);
  }

  // Loads the files that an edit changes: all of them, or none is edited.
  async loadAll(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      const name = this.nameOf(uri);
      if (name === null)
        throw new Error(`nothing was changed, because '${decodeURIComponent(uri)}' is outside the served folder`);
      await this.load(name).catch((error: unknown) => {
        throw new Error(`nothing was changed: ${messageOf(error)}`);
      });
    }
  }

  private add(name: string, read: Read): OpenFile {
    const language = name.endsWith('.py') ? 'python' : 'plaintext';
    const model = monaco.editor.createModel(withoutReturns(read.text), language, this.uriOf(name));
    model.setEOL(monaco.editor.EndOfLineSequence.LF);
    model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
    const file: OpenFile = {
      name,
      model,
      revision: read.revision,
      onDisk: read.text,
      savedVersion: model.getAlternativeVersionId(),
      conflict: null,
      isRestored: false,
      replaced: new Set(),
      waiting: [],
    };
    this.open.set(name, file);
    if (language === 'python') this.tellOpen(file);
    model.onDidChangeContent((event) => {
      if (language === 'python')
        this.client.notify('textDocument/didChange', {
          textDocument: { uri: model.uri.toString(), version: event.versionId },
          // Monaco's changes are relative to the text before all of them, and begin with the last.
          contentChanges: event.isFlush
            ? [{ text: model.getValue() }]
            : event.changes.map((change) => ({ range: fromRange(change.range), text: change.text })),
        });
      this.keepSoon(file);
      this.view.changed(file);
    });
    return file;
  }
  private tellOpen({ model }: OpenFile): void {
    this.client.notify('textDocument/didOpen', {
      textDocument: {
        uri: model.uri.toString(),
        languageId: 'python',
        version: model.getVersionId(),
        text: model.getValue(),
      },
    });
  }
  // Tells all files to a server that knows nothing yet.
  tellAll(): void {
    for (const file of this.all()) if (file.model.getLanguageId() === 'python') this.tellOpen(file);
    for (const file of this.all()) this.keepSoon(file);
  }

  close(file: OpenFile): void {
    this.open.delete(file.name);
    if (file.model.getLanguageId() === 'python')
      this.client.notify('textDocument/didClose', { textDocument: { uri: file.model.uri.toString() } });
    void this.drop(file);
    file.model.dispose();
  }

  // ---------------------------------------------------------------- saving

  // Returns true if the file was saved, and false if it is not the one that the text was made from; `conflict` then has
  // its revision. `over` is the revision that the user agreed to replace.
  async save(file: OpenFile, over?: string): Promise<boolean> {
    const version = file.model.getAlternativeVersionId();
    const text = withLineEnds(file.onDisk, file.model.getValue());
    const saved = (await this.client.request('serve/save', { name: file.name, text, base: over ?? file.revision })) as {
      isConflict: boolean;
      revision: string;
    };
    if (saved.isConflict) {
      file.conflict = saved.revision;
      this.view.changed(file);
      return false;
    }
    Object.assign(file, {
      revision: saved.revision,
      onDisk: text,
      savedVersion: version,
      conflict: null,
      isRestored: false,
    });
    if (file.model.getLanguageId() === 'python')
      this.client.notify('textDocument/didSave', { textDocument: { uri: file.model.uri.toString() } });
    this.keepSoon(file);
    this.view.changed(file);
    return true;
  }

  // Loads the file from disk. Undo restores the typed text.
  async reload(file: OpenFile): Promise<void> {
    this.adopt(file, await this.read(file.name));
  }
  async textOnDisk(file: OpenFile): Promise<string> {
    return file.conflict === '' ? '' : withoutReturns((await this.read(file.name)).text);
  }

  private adopt(file: OpenFile, read: Read): void {
    replaceText(file.model, withoutReturns(read.text));
    Object.assign(file, {
      revision: read.revision,
      onDisk: read.text,
      savedVersion: file.model.getAlternativeVersionId(),
      conflict: null,
      isRestored: false,
    });
    this.keepSoon(file);
    this.view.changed(file);
  }

  // ---------------------------------------------------------------- changes on disk

  // Looks for changes on disk, and takes them over in files that have no unsaved changes.
  async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      const open = this.all().map((file) => ({ name: file.name, revision: file.conflict ?? file.revision }));
      const { changed, stamp, files } = (await this.client.request('serve/changes', { open, stamp: this.stamp })) as {
        changed: Read[] & { name: string }[];
        stamp: string;
        files?: string[];
      };
      const isFirst = !this.stamp;
      this.stamp = stamp;
      if (files) this.view.listed(files);
      for (const { name, revision } of changed) {
        const file = this.open.get(name);
        if (file) await this.changedOnDisk(file, revision);
      }
      // Open files may import what changed.
      if (files && !isFirst) this.client.notify('workspace/didChangeWatchedFiles', { changes: [] });
    } catch {
      // The server has ended, or is being replaced. The next poll will show it.
    } finally {
      this.isPolling = false;
    }
  }
  private async changedOnDisk(file: OpenFile, revision: string): Promise<void> {
    const version = file.model.getVersionId();
    const read = revision ? await this.read(file.name).catch(() => null) : null;
    // The file was edited or closed in the meantime. The next poll will show it.
    if (file.model.isDisposed() || file.model.getVersionId() !== version) return;
    const now = read ? read.revision : revision;
    if (now === file.revision) file.conflict = null;
    else if (read && (!this.isEdited(file) || withoutReturns(read.text) === file.model.getValue()))
      return this.adopt(file, read);
    else file.conflict = now;
    this.keepSoon(file);
    this.view.changed(file);
  }

  // ---------------------------------------------------------------- what is unsaved

  private keepSoon(file: OpenFile): void {
    clearTimeout(this.keepTimers.get(file.name));
    this.keepTimers.set(
      file.name,
      window.setTimeout(() => void this.keep(file), keepAfter),
    );
  }
  private async keep(file: OpenFile): Promise<void> {
    clearTimeout(this.keepTimers.get(file.name));
    this.keepTimers.delete(file.name);
    if (file.model.isDisposed()) return;
    if (!this.isDirty(file)) return this.drop(file);
    this.kept.add(file.name);
    try {
      await this.client.request('serve/keep', this.draftOf(file));
      for (const page of file.replaced) await this.dropOf(file.name, page);
    } catch (error) {
      if (!this.client.isOpen || this.saidNotKept) return;
      this.saidNotKept = true;
      this.view.say(`Unsaved text is not kept for a restart: ${messageOf(error)}`);
    }
  }
  private draftOf(file: OpenFile): Draft {
    return { name: file.name, text: file.model.getValue(), revision: file.revision, page: this.page };
  }
  // Drops what this page kept of a file, and the texts that this page continued: the page before a reload may have
  // kept its text once more in the meantime.
  private async drop(file: OpenFile): Promise<void> {
    const { name, replaced } = file;
    clearTimeout(this.keepTimers.get(name));
    this.keepTimers.delete(name);
    if (this.kept.delete(name)) await this.dropOf(name, this.page);
    for (const page of replaced) await this.dropOf(name, page);
    replaced.clear();
  }
  private async dropOf(name: string, page: string | undefined): Promise<void> {
    await this.client.request('serve/drop', { name, ...(page === undefined ? {} : { page }) }).catch(() => null);
  }
  // Hands over all unsaved text at once, because the page may be about to be closed.
  keepNow(): void {
    for (const name of [...this.keepTimers.keys()]) {
      const file = this.open.get(name);
      if (file) void this.keep(file);
    }
  }
  // Leaves all unsaved text to the page that this tab shows next: when a page is reloaded, the server may hear of the
  // new one first, and another tab may have kept another text of the same file in the meantime.
  leave(): void {
    this.keepNow();
    const drafts: Draft[] = this.all()
      .filter((file) => this.isDirty(file))
      .map((file) => this.draftOf(file));
    try {
      if (drafts.length) sessionStorage.setItem(leftBehind, JSON.stringify({ root: this.root, drafts }));
      else sessionStorage.removeItem(leftBehind);
    } catch {
      // There is no room. The server has the text.
    }
  }
  private takeLeft(): Draft[] {
    try {
      const left = JSON.parse(sessionStorage.getItem(leftBehind) ?? 'null') as { root: string; drafts: Draft[] } | null;
      sessionStorage.removeItem(leftBehind);
      return left?.root === this.root ? left.drafts : [];
    } catch {
      return [];
    }
  }

  // Opens the unsaved files of an earlier visit, and returns their names. Of several texts of one file the others wait.
  async restore(): Promise<string[]> {
    const { drafts } = (await this.client.request('serve/drafts', {})) as { drafts: Draft[] };
    const left = this.takeLeft();
    const isLeft = ({ name, page }: Draft) => left.some((each) => each.name === name && each.page === page);
    const restored = new Set<string>();
    for (const draft of [...left, ...drafts.filter((each) => !isLeft(each))]) {
      // The file is gone, or cannot be read any more. This text is the only copy.
      const file = await this.load(draft.name).catch(() => this.add(draft.name, { text: '', revision: '' }));
      if (file.model.getValue() === draft.text) {
        file.replaced.add(draft.page);
        if (!this.isDirty(file)) await this.drop(file);
      } else if (restored.has(draft.name)) file.waiting.push(draft);
      else {
        restored.add(draft.name);
        this.take(file, draft);
      }
    }
    return [...restored];
  }
  private take(file: OpenFile, draft: Draft): void {
    replaceText(file.model, draft.text);
    file.replaced.add(draft.page);
    file.isRestored = true;
    if (file.revision !== draft.revision) [file.conflict, file.revision] = [file.revision, draft.revision];
    this.keepSoon(file);
    this.view.changed(file);
  }
  // Shows the next of the texts that wait, or discards it.
  takeWaiting(file: OpenFile): void {
    const next = file.waiting.shift();
    if (next) this.take(file, next);
  }
  async dropWaiting(file: OpenFile): Promise<void> {
    const next = file.waiting.shift();
    this.view.changed(file);
    if (next) await this.dropOf(next.name, next.page);
  }
}

// Replaces only the differing parts, as one edit that can be undone. The cursor stays at its text.
function replaceText(model: monaco.editor.ITextModel, text: string): void {
  const old = model.getValue();
  let begin = 0;
  while (begin < old.length && begin < text.length && old[begin] === text[begin]) ++begin;
  if (isHalf(old[begin - 1], 0xd800)) --begin; // no character is cut in two
  let end = 0;
  while (
    end < old.length - begin &&
    end < text.length - begin &&
    old[old.length - 1 - end] === text[text.length - 1 - end]
  )
    ++end;
  if (end && isHalf(old[old.length - end], 0xdc00)) --end;
  const range = monaco.Range.fromPositions(model.getPositionAt(begin), model.getPositionAt(old.length - end));
  model.pushStackElement();
  model.pushEditOperations(null, [{ range, text: text.slice(begin, text.length - end) }], () => null);
  model.pushStackElement();
}
const isHalf = (unit: string | undefined, kind: 0xd800 | 0xdc00) =>
  unit !== undefined && (unit.charCodeAt(0) & 0xfc00) === kind;
