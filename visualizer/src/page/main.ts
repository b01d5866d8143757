// The page of `gluond serve`: files, an editor, the panels.
import type { Theme } from '../host.ts';
import { Panels } from '../panels/app.ts';
import { messageOf, sentence } from '../model/words.ts';
import type { Diagnostic, Range, WorkspaceEdit } from '../protocol.ts';
import { h } from '../ui/dom.ts';
import { promptly } from '../ui/timing.ts';
import { type Address, addressOf, readAddress } from './address.ts';
import { Comparison } from './comparison.ts';
import { Documents, type OpenFile } from './documents.ts';
import { createEditor, LineHighlights } from './editor.ts';
import { noticeOf, type FileActions } from './filenotice.ts';
import { FileList } from './files.ts';
import { buildFrame } from './frame.ts';
import { PageHost, type EditorSide } from './host.ts';
import { LanguageClient } from './lsp.ts';
import { NoticeBar } from './notice.ts';
import { ProblemList } from './problems.ts';
import { QuickOpen } from './quickopen.ts';
import { initialTarget, initialTheme, keepTarget, keepTheme, sendTarget } from './settings.ts';
import { defineThemes, themeName } from './themes.ts';
import { fromPosition, markersOf, monaco, toRange, wire } from './monaco.ts';

function sentenceOf(error: unknown): string {
  return sentence(messageOf(error));
}

class Page implements EditorSide {
  private readonly documents: Documents;
  private readonly files: FileList;
  private readonly notice = new NoticeBar();
  private readonly quickOpen: QuickOpen;
  private onDisk: string[]; // the names of the folder's files
  private names: string[] = []; // of all that can be opened
  private readonly editorElement = h('div', { class: 'p-editor' });
  private readonly problems = new ProblemList((range) => {
    this.editor.setSelection(toRange(range));
    this.editor.revealRangeInCenterIfOutsideViewport(toRange(range));
    this.editor.focus();
  });
  private readonly status = h('span', { class: 'p-status', attributes: { role: 'status' } });
  private silence?: ReturnType<typeof setTimeout>; // ends a brief message
  private readonly fileName = h('button', {
    type: 'button',
    class: 'p-name',
    title: 'Open a file by name (Ctrl+P)',
    on: { click: () => this.quickOpen.show() },
  });
  private readonly saveButton = h(
    'button',
    {
      type: 'button',
      class: 'g-button',
      title: 'Save (Ctrl+S)',
      disabled: true,
      on: { click: () => void this.save() },
    },
    'Save',
  );
  private readonly lit: LineHighlights;
  private readonly editor: monaco.editor.IStandaloneCodeEditor;
  private readonly host: PageHost;
  private readonly diagnostics = new Map<string, Diagnostic[]>();
  private readonly views = new Map<string, monaco.editor.ICodeEditorViewState | null>();
  private compared: Comparison | null = null;
  private problem = ''; // why a file could not be opened
  private isLost = false; // the connection
  private current = '';
  private refreshLenses: () => void = () => {};
  readonly panels: Panels;

  constructor(
    private readonly client: LanguageClient,
    root: string,
    names: string[],
    theme: Theme,
    private target: string,
  ) {
    defineThemes();
    this.onDisk = names;
    this.documents = new Documents(client, root, {
      changed: () => this.mark(),
      listed: (listed) => this.list(listed),
      say: (text) => this.say(text),
    });
    this.files = new FileList((name) => void this.open(name));
    this.quickOpen = new QuickOpen(
      () => this.names,
      (name) => void this.open(name).then(() => this.editor.focus()),
    );
    const panelsElement = h('div', { class: 'p-panels' });
    buildFrame({
      root,
      theme,
      target,
      fileName: this.fileName,
      status: this.status,
      saveButton: this.saveButton,
      files: this.files.element,
      middle: [this.notice.element, this.editorElement, this.problems.element],
      panels: panelsElement,
      quickOpen: this.quickOpen.element,
      onTarget: (value) => this.setTarget(value),
      onTheme: (value) => this.setTheme(value),
    });
    this.editor = createEditor(this.editorElement, theme);
    this.lit = new LineHighlights(this.editor);
    this.host = new PageHost(client, this, theme);
    this.setTheme(theme);
    this.panels = new Panels(panelsElement, this.host);
    this.wire();
    this.list(names);
    void this.begin();
  }

  private async begin(): Promise<void> {
    const restored = await this.documents.restore().catch(() => []);
    const wanted = this.wanted();
    if (wanted.name && (await this.openWanted(wanted, 'replace'))) {
      if (wanted.line === undefined) void this.toFirstOperation();
    } else {
      const { problem } = this; // with the file of the address
      for (const name of [...restored, ...this.names.filter((each) => each.endsWith('.py') && each !== wanted.name)])
        if (await this.open(name, 'replace')) break;
      if (!this.current) this.say('no Python files in this folder');
      else void this.toFirstOperation();
      if (problem) this.problem = problem;
      this.mark();
    }
    void this.watchDisk();
  }
  // Opens the file of an address. If there is none that can be shown, the page says so, and the address names the
  // file that is shown.
  private async openWanted(wanted: Address, history: 'replace' | 'none'): Promise<boolean> {
    const isOpen = this.isFile(wanted.name) ? await this.open(wanted.name, history) : this.refuse(wanted.name);
    if (isOpen) this.goTo(wanted);
    return isOpen;
  }
  private refuse(name: string): false {
    this.problem = name.endsWith('.ipynb')
      ? `Notebooks are not shown here: open '${name}' in VS Code or Jupyter. \`gluond check\` reads them, too.`
      : `There is no file '${name}' in this folder.`;
    this.keepAddress();
    this.mark();
    return false;
  }
  private keepAddress(): void {
    if (this.current) window.history.replaceState(null, '', addressOf(this.current));
  }
  private wanted(): Address {
    return readAddress(location.hash, (name) => this.isFile(name));
  }
  private isFile(name: string): boolean {
    return this.names.includes(name) || this.documents.get(name) !== undefined;
  }
  // Goes to the line of an address; false if it has none.
  private goTo({ line, column }: Address): boolean {
    if (line === undefined) return false;
    this.editor.setPosition({ lineNumber: line, column: column ?? 1 });
    const at = this.editor.getPosition()!; // within the text
    this.editor.revealLineInCenter(at.lineNumber);
    this.lit.flash(at.lineNumber);
    return true;
  }
  private list(names: string[]): void {
    this.onDisk = names;
    this.names = [];
    this.mark();
  }
  // Files that were deleted are listed, too, while their text is here.
  private listAll(): void {
    const gone = this.documents.all().filter((file) => file.conflict === '' && !this.onDisk.includes(file.name));
    const names = [...this.onDisk, ...gone.map((file) => file.name)].sort();
    if (names.join('\n') === this.names.join('\n')) return;
    this.names = names;
    this.files.set(names);
  }

  // Moves the cursor to the first load or store of the first kernel, so that a fresh page shows something. A user who
  // was quicker is left alone.
  private async toFirstOperation(): Promise<void> {
    const uri = this.editor.getModel()?.uri.toString();
    if (!uri) return;
    const result = await this.host.request('gluond/operations', { textDocument: { uri } }).catch(() => null);
    const place = result?.operations
      .map((o) => [o.location, ...o.calledFrom].find((l) => l.uri === uri))
      .find((l) => l);
    const position = this.editor.getPosition();
    if (!place || position?.lineNumber !== 1 || position.column !== 1 || this.editor.getModel()?.uri.toString() !== uri)
      return;
    const { startLineNumber, startColumn } = toRange(place.range);
    this.editor.setPosition({ lineNumber: startLineNumber, column: startColumn });
    this.editor.revealLineInCenterIfOutsideViewport(startLineNumber);
  }

  // Looks for files that changed on disk: every two seconds while the page is in sight, less often if looking takes
  // long, and at once when the user comes back.
  private async watchDisk(): Promise<void> {
    window.addEventListener('focus', () => void this.documents.poll());
    document.addEventListener('visibilitychange', () =>
      document.hidden ? this.documents.keepNow() : void this.documents.poll(),
    );
    window.addEventListener('pagehide', () => this.documents.leave());
    for (;;) {
      const began = performance.now();
      if (!document.hidden && this.client.isOpen) await this.documents.poll();
      await new Promise((resolve) => setTimeout(resolve, Math.max(2000, 20 * (performance.now() - began))));
    }
  }

  // Connects again after the server ended or the connection broke. The page keeps what was typed, and tells it to the
  // server that answers.
  private async reconnect(): Promise<void> {
    if (this.isLost) return;
    this.isLost = true;
    this.mark();
    while (this.isLost) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      try {
        await this.client.reconnect();
        await this.client.initialize(null);
        this.isLost = false;
      } catch {
        // The server does not answer yet.
      }
    }
    if (this.target) sendTarget(this.client, this.target);
    this.documents.tellAll();
    this.mark();
    void this.documents.poll();
  }

  // ---------------------------------------------------------------- documents

  private mark(): void {
    this.listAll();
    const dirty = this.documents.dirtyNames();
    const file = this.documents.get(this.current);
    const isDirty = dirty.has(this.current);
    this.files.mark(this.current, dirty);
    this.saveButton.disabled = !isDirty;
    this.fileName.textContent = this.current + (isDirty ? ' ●' : '');
    document.title = `${isDirty ? '● ' : ''}${this.current || 'gluond'} – gluond`;
    if (this.compared && (this.compared.file !== file || !isDirty)) this.endCompare();
    this.notice.show(
      noticeOf(
        {
          isLost: this.isLost,
          problem: this.problem,
          file,
          isDirty,
          isCompared: this.compared?.file === file,
        },
        this.actions,
      ),
    );
  }

  private readonly actions: FileActions = {
    compare: (file) => void this.compare(file),
    endCompare: () => this.endCompare(),
    reload: (file) => void this.attempt(() => this.documents.reload(file)),
    save: (over) => void this.save(over),
    close: (file) => this.close(file),
    dismissProblem: () => ((this.problem = ''), this.mark()),
    dismissRestored: (file) => ((file.isRestored = false), this.mark()),
    takeWaiting: (file) => this.documents.takeWaiting(file),
    dropWaiting: (file) => void this.documents.dropWaiting(file),
  };

  // `history` says whether Back leads to the file that was shown before.
  async open(name: string, history: 'push' | 'replace' | 'none' = 'push'): Promise<boolean> {
    try {
      const { model } = await this.documents.load(name);
      this.problem = '';
      if (name !== this.current) {
        if (this.current) this.views.set(this.current, this.editor.saveViewState());
        const address = addressOf(name);
        if (history === 'push') window.history.pushState(null, '', address);
        if (history === 'replace') window.history.replaceState(null, '', address);
        this.current = name;
        this.editor.setModel(model);
        this.editor.restoreViewState(this.views.get(name) ?? null);
      }
      this.mark();
      this.drawProblems();
      this.cursor();
      return true;
    } catch (error) {
      // The address that was typed, or that Back led to, names no file that can be shown.
      if (history === 'none') this.keepAddress();
      this.problem = sentenceOf(error);
      this.mark();
      return false;
    }
  }

  private close(file: OpenFile): void {
    this.endCompare();
    this.views.delete(file.name);
    this.current = '';
    this.editor.setModel(null);
    this.documents.close(file);
    const next = this.documents.all()[0]?.name ?? this.names.find((name) => name.endsWith('.py') && name !== file.name);
    if (next) void this.open(next, 'replace');
    else this.mark();
  }

  // `over` is the revision on disk that the user agreed to replace.
  async save(over?: string): Promise<void> {
    const file = this.documents.get(this.current);
    if (!file || !this.documents.isDirty(file)) return;
    // A file that is gone is written again: nothing is replaced.
    const base = over ?? (file.conflict === '' ? '' : undefined);
    await this.attempt(async () => {
      if (await this.documents.save(file, base)) this.say(`saved ${file.name}`, true);
      else this.notice.focus();
    });
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problem = '';
    } catch (error) {
      this.problem = sentenceOf(error);
    }
    this.mark();
  }

  private async compare(file: OpenFile): Promise<void> {
    await this.attempt(async () => {
      const onDisk = await this.documents.textOnDisk(file);
      this.endCompare();
      this.compared = new Comparison(file, onDisk, this.editorElement);
    });
  }
  private endCompare(): void {
    if (!this.compared) return;
    const { compared } = this;
    this.compared = null;
    compared.end();
    this.mark();
  }

  // A message that only confirms an action is `brief`: it is gone when it would be about another file.
  private say(text: string, brief = false): void {
    clearTimeout(this.silence);
    this.status.textContent = text;
    if (brief) this.silence = setTimeout(() => (this.status.textContent = ''), 4000);
  }

  // ---------------------------------------------------------------- wiring

  private readonly cursor = promptly(40, () => {
    const model = this.editor.getModel();
    const position = this.editor.getPosition();
    if (model?.getLanguageId() === 'python' && position)
      this.host.emit('panel/cursor', {
        uri: model.uri.toString(),
        version: model.getVersionId(),
        position: fromPosition(position),
      });
  });

  private wire(): void {
    this.client.on<{ uri: string; diagnostics: Diagnostic[] }>(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }) => {
        this.diagnostics.set(uri, diagnostics);
        const model = monaco.editor.getModel(monaco.Uri.parse(uri));
        if (model) {
          monaco.editor.setModelMarkers(model, 'gluond', markersOf(diagnostics));
          this.host.emit('panel/changed', { uri: model.uri.toString(), version: model.getVersionId() });
          this.refreshLenses();
        }
        this.drawProblems();
      },
    );
    this.client.onClosed = () => void this.reconnect();
    const { refreshLenses, refreshHints } = wire({
      client: this.client,
      runCommand: (command, args) => this.run(command, args),
      openAll: (uris) => this.documents.loadAll(uris),
      tell: (problem) => ((this.problem = sentence(problem)), this.mark()),
    });
    this.refreshLenses = refreshLenses;
    // After a change of the target everything has to be asked for again.
    this.client.on('workspace/codeLens/refresh', () => {
      const model = this.editor.getModel();
      if (model) this.host.emit('panel/changed', { uri: model.uri.toString(), version: model.getVersionId() });
      refreshLenses();
      refreshHints();
    });
    // Another specialization has other types and other labels.
    let selected = '';
    this.panels.session.listeners.add(() => {
      const { session } = this.panels;
      const now = session.uri + session.kernels.map((k) => k.specializations.find((s) => s.selected)?.id).join();
      if (now === selected) return;
      selected = now;
      refreshLenses();
      refreshHints();
    });
    this.editor.onDidChangeCursorPosition(() => this.cursor());
    // Monaco forgets the lenses it was about to ask for when the keyboard goes elsewhere, to a panel for instance.
    this.editor.onDidBlurEditorText(() => setTimeout(() => this.refreshLenses()));
    window.addEventListener(
      'keydown',
      (event) => {
        if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
        // In the editor Ctrl+K begins Monaco's own commands.
        const isQuickOpen = event.key === 'p' || (event.key === 'k' && !this.editor.hasTextFocus());
        if (event.key === 's') void this.save();
        else if (isQuickOpen) this.quickOpen.show();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
      true,
    );
    window.addEventListener('beforeunload', (event) => {
      if (this.documents.dirtyNames().size) event.preventDefault();
    });
    window.addEventListener('popstate', () => {
      const wanted = this.wanted();
      const isOther = wanted.name !== '' && wanted.name !== this.current;
      if (isOther) void this.openWanted(wanted, 'none');
      else this.goTo(wanted);
    });
    monaco.editor.registerEditorOpener({
      openCodeEditor: async (_source, resource, selection) => {
        const name = this.documents.nameOf(resource.toString());
        if (name === null || !(await this.open(name))) return false;
        if (selection) {
          const range = 'startLineNumber' in selection ? selection : monaco.Range.fromPositions(selection);
          this.editor.setSelection(range);
          this.editor.revealRangeInCenterIfOutsideViewport(range);
        }
        return true;
      },
    });
  }

  private run(command: string, args: unknown[]): void {
    const kernel = typeof args[1] === 'string' ? args[1] : undefined;
    if (command === 'gluond.showIR') this.panels.show('ir', kernel ? { kernel } : undefined);
    else if (command === 'gluond.showTimeline') {
      if (kernel) this.panels.session.choose(kernel);
      this.panels.show('timeline', typeof args[2] === 'number' ? { line: args[2] } : undefined);
    } else if (command === 'gluond.run' || command === 'gluond.benchmark')
      this.panels.show('benchmark', {
        action: command === 'gluond.run' ? 'run' : 'benchmark',
        ...(kernel ? { kernel } : {}),
      });
    else if (command === 'gluond.selectSpecialization') {
      if (kernel) this.panels.session.choose(kernel);
      document.querySelector<HTMLElement>('.g-context select:last-of-type')?.focus();
    }
  }

  private drawProblems(): void {
    const model = this.editor.getModel();
    this.problems.set((model && this.diagnostics.get(model.uri.toString())) ?? []);
  }

  // ---------------------------------------------------------------- for the panels

  openLocation(uri: string, range: Range, preserveFocus: boolean): void {
    const name = this.documents.nameOf(uri);
    if (name === null) return this.say('this place is outside the served folder', true);
    void this.open(name).then((opened) => {
      if (!opened) return;
      const target = toRange(range);
      this.editor.setPosition({ lineNumber: target.startLineNumber, column: target.startColumn });
      this.editor.revealLineInCenterIfOutsideViewport(target.startLineNumber);
      this.lit.flash(target.startLineNumber);
      if (!preserveFocus) this.editor.focus();
    });
  }
  highlightLines(uri: string, lines: number[]): void {
    if (this.editor.getModel()?.uri.toString() !== monaco.Uri.parse(uri).toString()) return;
    this.lit.set(lines);
  }
  async applyEdit(edit: WorkspaceEdit): Promise<boolean> {
    await this.documents.loadAll(Object.keys(edit.changes));
    for (const [uri, edits] of Object.entries(edit.changes)) {
      const { model } = this.documents.get(this.documents.nameOf(uri)!)!;
      model.pushStackElement();
      model.pushEditOperations(
        null,
        edits.map((e) => ({ range: monaco.Range.lift(toRange(e.range)), text: e.newText })),
        () => null,
      );
      model.pushStackElement();
    }
    return true;
  }

  // ---------------------------------------------------------------- looks

  // The target of launches that name none, kept for the next visit. If it is empty, the imports of a file decide.
  private setTarget(target: string): void {
    keepTarget(target);
    this.target = target;
    sendTarget(this.client, target);
    this.editor.focus();
  }

  private setTheme(theme: Theme): void {
    keepTheme(theme);
    document.documentElement.dataset['theme'] = theme;
    monaco.editor.setTheme(themeName(theme));
    this.host.setTheme(theme);
  }
}

async function start(): Promise<void> {
  const url = new URL('lsp', document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  const client = await LanguageClient.connect(url.href);
  await client.initialize(null);
  const { root, files } = (await client.request('serve/files', {})) as { root: string; files: string[] };
  const target = initialTarget();
  if (target) sendTarget(client, target);
  const page = new Page(client, root, files, initialTheme(), target);
  // For tests and for the console.
  Object.assign(window, { gluond: { page, panels: page.panels, monaco } });
}

start().catch((error: unknown) => {
  document.body.textContent = `gluond: ${messageOf(error)}`;
});
