// The page of `gluond serve`: files, an editor, the panels.
import type { Theme } from '../host.ts';
import { Panels } from '../panels/app.ts';
import { messageOf, sentence } from '../model/words.ts';
import type { Diagnostic, Range, WorkspaceEdit } from '../protocol.ts';
import { targets } from '../model/targets.ts';
import { h, select } from '../ui/dom.ts';
import { promptly } from '../ui/timing.ts';
import { monospace } from '../ui/fonts.ts';
import { Comparison } from './comparison.ts';
import { Documents, type OpenFile } from './documents.ts';
import { FileList } from './files.ts';
import { PageHost, type EditorSide } from './host.ts';
import { LanguageClient } from './lsp.ts';
import { NoticeBar, type Notice } from './notice.ts';
import { ProblemList } from './problems.ts';
import { QuickOpen } from './quickopen.ts';
import { splitter } from './splitter.ts';
import { defineThemes, themeName } from './themes.ts';
import { fromPosition, markersOf, monaco, toRange, wire } from './monaco.ts';

const themes: readonly { value: Theme; text: string }[] = [
  { value: 'dark', text: 'Dark' },
  { value: 'light', text: 'Light' },
  { value: 'high-contrast', text: 'High contrast' },
  { value: 'high-contrast-light', text: 'High contrast, light' },
];

function initialTheme(): Theme {
  const stored = localStorage.getItem('gluond.theme') as Theme | null;
  if (stored && themes.some((t) => t.value === stored)) return stored;
  const isLight = matchMedia('(prefers-color-scheme: light)').matches;
  if (matchMedia('(prefers-contrast: more)').matches) return isLight ? 'high-contrast-light' : 'high-contrast';
  return isLight ? 'light' : 'dark';
}

function sentenceOf(error: unknown): string {
  return sentence(messageOf(error));
}

class Page implements EditorSide {
  private readonly documents: Documents;
  private readonly files: FileList;
  private readonly notice = new NoticeBar();
  private readonly quickOpen: QuickOpen;
  private names: string[];
  private readonly editorElement = h('div', { class: 'p-editor' });
  private readonly problems = new ProblemList((range) => {
    this.editor.setSelection(toRange(range));
    this.editor.revealRangeInCenterIfOutsideViewport(toRange(range));
    this.editor.focus();
  });
  private readonly status = h('span', { class: 'p-status', attributes: { role: 'status' } });
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
  private readonly lit: monaco.editor.IEditorDecorationsCollection;
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
    this.names = names;
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
    const folder = decodeURIComponent(root.replace(/^file:\/\//, ''));
    document.body.append(
      h(
        'header',
        { class: 'p-header' },
        h('span', { class: 'p-logo', attributes: { 'aria-hidden': 'true' } }, ...logoCells()),
        h('strong', {}, 'gluond'),
        h('span', { class: 'p-path', title: folder }, folder.split('/').pop() || folder),
        this.fileName,
        h('span', { class: 'p-space' }),
        this.status,
        select(
          'Target of launches that do not name one',
          [
            { value: '', text: 'Target: as imported' },
            ...targets.map(({ id, products }) => ({ value: id, text: `${id}  ${products}` })),
          ],
          target,
          (value) => this.setTarget(value),
        ),
        select('Theme', themes, theme, (value) => this.setTheme(value)),
        this.saveButton,
      ),
      h(
        'main',
        { class: 'p-main' },
        this.files.element,
        h('div', { class: 'p-middle' }, this.notice.element, this.editorElement, this.problems.element),
        splitter(),
        panelsElement,
      ),
      this.quickOpen.element,
    );
    this.editor = monaco.editor.create(this.editorElement, {
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
    this.lit = this.editor.createDecorationsCollection();
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
    const first =
      this.names.includes(wanted) || this.documents.get(wanted)
        ? wanted
        : (restored[0] ?? this.names.find((name) => name.endsWith('.py')));
    if (first) void this.open(first, 'replace').then(() => this.toFirstOperation());
    else this.say('no Python files in this folder');
    void this.watchDisk();
  }
  private wanted(): string {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return '';
    }
  }
  private list(names: string[]): void {
    this.names = names;
    this.files.set(names);
    this.mark();
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
    window.addEventListener('pagehide', () => this.documents.keepNow());
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
    if (this.target) configure(this.client, this.target);
    this.documents.tellAll();
    this.mark();
    void this.documents.poll();
  }

  // ---------------------------------------------------------------- documents

  private mark(): void {
    const dirty = this.documents.dirtyNames();
    const file = this.documents.get(this.current);
    const isDirty = dirty.has(this.current);
    this.files.mark(this.current, dirty);
    this.saveButton.disabled = !isDirty;
    this.fileName.textContent = this.current + (isDirty ? ' ●' : '');
    document.title = `${isDirty ? '● ' : ''}${this.current || 'gluond'} – gluond`;
    if (this.compared && (this.compared.file !== file || !isDirty)) this.endCompare();
    this.notice.show(this.noticeOf(file, isDirty));
  }

  private noticeOf(file: OpenFile | undefined, isDirty: boolean): Notice | null {
    if (this.isLost)
      return {
        text: 'The connection to gluond is lost, or gluond has ended. This page keeps your text and connects again by itself. A new server has another address; it restores the unsaved text.',
        actions: [],
      };
    if (this.problem) return { text: this.problem, actions: [], onDismiss: () => ((this.problem = ''), this.mark()) };
    if (!file) return null;
    const isCompared = this.compared?.file === file;
    const compare = isCompared
      ? { label: 'Close comparison', run: () => this.endCompare() }
      : { label: 'Compare', title: 'Show the file on disk beside your text', run: () => void this.compare(file) };
    const reload = {
      label: 'Reload',
      title: 'Load the file from disk; undo restores your text',
      run: () => void this.attempt(() => this.documents.reload(file)),
    };
    if (file.conflict === '')
      return {
        text: `'${file.name}' was deleted on disk. Its text is kept here.`,
        actions: [
          { label: 'Save it again', run: () => void this.save('') },
          { label: 'Close', title: 'Discard the text', run: () => this.close(file) },
        ],
      };
    if (file.conflict !== null)
      return {
        text: `'${file.name}' changed on disk, and your text has unsaved changes.`,
        actions: [
          compare,
          reload,
          {
            label: 'Overwrite',
            title: 'Replace the file on disk with your text',
            run: () => void this.save(file.conflict ?? undefined),
          },
        ],
      };
    if (file.isRestored && isDirty)
      return {
        text: `The unsaved text of an earlier visit was restored in '${file.name}'.`,
        actions: [
          compare,
          { label: 'Discard', title: 'Load the file from disk; undo restores the text', run: reload.run },
        ],
        onDismiss: () => ((file.isRestored = false), this.mark()),
      };
    return isCompared
      ? { text: `'${file.name}': on disk to the left, your text to the right.`, actions: [compare] }
      : null;
  }

  // `history` says whether Back leads to the file that was shown before.
  async open(name: string, history: 'push' | 'replace' | 'none' = 'push'): Promise<boolean> {
    try {
      const { model } = await this.documents.load(name);
      this.problem = '';
      if (name !== this.current) {
        if (this.current) this.views.set(this.current, this.editor.saveViewState());
        const address = '#' + encodeURIComponent(name);
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
    await this.attempt(async () => {
      if (await this.documents.save(file, over)) this.say(`saved ${file.name}`);
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

  private say(text: string): void {
    this.status.textContent = text;
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
      const name = this.wanted();
      if (name && name !== this.current) void this.open(name, 'none');
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
    else if (command === 'gluond.run' || command === 'gluond.benchmark')
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
    if (name === null) return this.say('this place is outside the served folder');
    void this.open(name).then((opened) => {
      if (!opened) return;
      const target = toRange(range);
      this.editor.setPosition({ lineNumber: target.startLineNumber, column: target.startColumn });
      this.editor.revealLineInCenterIfOutsideViewport(target.startLineNumber);
      this.flash(target.startLineNumber);
      if (!preserveFocus) this.editor.focus();
    });
  }
  private flashTimer = 0;
  private flash(line: number): void {
    this.lit.set([{ range: new monaco.Range(line, 1, line, 1), options: { isWholeLine: true, className: 'p-flash' } }]);
    clearTimeout(this.flashTimer);
    this.flashTimer = window.setTimeout(() => this.lit.clear(), 900);
  }
  highlightLines(uri: string, lines: number[]): void {
    if (this.editor.getModel()?.uri.toString() !== monaco.Uri.parse(uri).toString()) return;
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
  async applyEdit(edit: WorkspaceEdit): Promise<boolean> {
    for (const [uri, edits] of Object.entries(edit.changes)) {
      const name = this.documents.nameOf(uri);
      if (name === null) return false;
      const { model } = await this.documents.load(name);
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
    localStorage.setItem('gluond.target', target);
    this.target = target;
    configure(this.client, target);
    this.editor.focus();
  }

  private setTheme(theme: Theme): void {
    localStorage.setItem('gluond.theme', theme);
    document.documentElement.dataset['theme'] = theme;
    monaco.editor.setTheme(themeName(theme));
    this.host.setTheme(theme);
  }
}

function configure(client: LanguageClient, target: string): void {
  client.notify('workspace/didChangeConfiguration', { settings: { gluond: target ? { target } : {} } });
}

function logoCells(): HTMLElement[] {
  return Array.from({ length: 9 }, (_, i) => h('i', { class: `p-cell p-cell-${(i * 5 + Math.floor(i / 3)) % 4}` }));
}

async function start(): Promise<void> {
  const url = new URL('lsp', document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  const client = await LanguageClient.connect(url.href);
  await client.initialize(null);
  const { root, files } = (await client.request('serve/files', {})) as { root: string; files: string[] };
  const stored = localStorage.getItem('gluond.target') ?? '';
  const target = targets.some(({ id }) => id === stored) ? stored : '';
  if (target) configure(client, target);
  const page = new Page(client, root, files, initialTheme(), target);
  // For tests and for the console.
  Object.assign(window, { gluond: { page, panels: page.panels, monaco } });
}

start().catch((error: unknown) => {
  document.body.textContent = `gluond: ${messageOf(error)}`;
});
