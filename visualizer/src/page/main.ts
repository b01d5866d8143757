// The page of `gluond serve`: files, an editor, the panels.
import type { Theme } from '../host.ts';
import { Panels } from '../panels/app.ts';
import type { Diagnostic, Range, WorkspaceEdit } from '../protocol.ts';
import { targets } from '../model/targets.ts';
import { h, promptly, replace, select } from '../ui/dom.ts';
import { FileList } from './files.ts';
import { PageHost, type EditorSide } from './host.ts';
import { LanguageClient } from './lsp.ts';
import { defineThemes, themeName } from './themes.ts';
import { fromPosition, fromRange, markersOf, monaco, toRange, wire } from './monaco.ts';

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

class Page implements EditorSide {
  private readonly dirty = new Set<string>();
  private readonly files: FileList;
  private readonly editorElement = h('div', { class: 'p-editor' });
  private readonly problems = h('div', { class: 'p-problems', attributes: { role: 'listbox', 'aria-label': 'Problems' } });
  private readonly status = h('span', { class: 'p-status', attributes: { role: 'status' } });
  private readonly fileName = h('span', { class: 'p-name' });
  private readonly saveButton = h('button', { type: 'button', class: 'g-button', title: 'Save (Ctrl+S)', disabled: true, on: { click: () => void this.save() } }, 'Save');
  private readonly lit: monaco.editor.IEditorDecorationsCollection;
  private readonly editor: monaco.editor.IStandaloneCodeEditor;
  private readonly host: PageHost;
  private readonly diagnostics = new Map<string, Diagnostic[]>();
  private current = '';
  private refreshLenses: () => void = () => {};
  readonly panels: Panels;

  constructor(
    private readonly client: LanguageClient,
    private readonly root: string,
    names: string[],
    theme: Theme,
    target: string,
  ) {
    defineThemes();
    this.files = new FileList((name) => void this.open(name));
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
        select('Target of launches that name none', [{ value: '', text: 'Target: as imported' }, ...targets.map(({ id, chip }) => ({ value: id, text: `${id}  ${chip}` }))], target, (value) => this.setTarget(value)),
        select('Theme', themes, theme, (value) => this.setTheme(value)),
        this.saveButton,
      ),
      h('main', { class: 'p-main' }, this.files.element, h('div', { class: 'p-middle' }, this.editorElement, this.problems), this.splitter(), panelsElement),
    );
    this.editor = monaco.editor.create(this.editorElement, {
      model: null,
      theme: themeName(theme),
      automaticLayout: true,
      fontFamily: 'ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", Consolas, monospace',
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
    });
    this.lit = this.editor.createDecorationsCollection();
    this.host = new PageHost(client, this, theme);
    this.setTheme(theme);
    this.panels = new Panels(panelsElement, this.host);
    this.wire();
    this.files.set(names);
    const wanted = decodeURIComponent(location.hash.slice(1));
    const first = names.includes(wanted) ? wanted : names.find((name) => name.endsWith('.py'));
    if (first) void this.open(first).then(() => this.toFirstOperation());
    else this.say('no Python files in this folder');
    window.addEventListener('focus', () => void this.reread());
  }

  // So that a fresh page shows something: the first load or store of the first kernel, unless the user was quicker.
  private async toFirstOperation(): Promise<void> {
    const uri = this.editor.getModel()?.uri.toString();
    if (!uri) return;
    const result = await this.host.request('gluond/operations', { textDocument: { uri } }).catch(() => null);
    const place = result?.operations.map((o) => [o.location, ...o.calledFrom].find((l) => l.uri === uri)).find((l) => l);
    const position = this.editor.getPosition();
    if (!place || position?.lineNumber !== 1 || position.column !== 1 || this.editor.getModel()?.uri.toString() !== uri) return;
    const { startLineNumber, startColumn } = toRange(place.range);
    this.editor.setPosition({ lineNumber: startLineNumber, column: startColumn });
    this.editor.revealLineInCenterIfOutsideViewport(startLineNumber);
  }

  // What was changed outside while the user was elsewhere. Unsaved text is kept.
  private async reread(): Promise<void> {
    const { files } = (await this.client.request('serve/files', {})) as { files: string[] };
    this.files.set(files);
    this.mark();
    for (const model of monaco.editor.getModels()) {
      const name = this.nameOf(model.uri.toString());
      if (name === null || this.dirty.has(name)) continue;
      const version = model.getVersionId();
      const read = (await this.client.request('serve/read', { name }).catch(() => null)) as { text: string } | null;
      if (!read || model.isDisposed() || model.getVersionId() !== version || read.text === model.getValue()) continue;
      model.pushEditOperations(null, [{ range: model.getFullModelRange(), text: read.text }], () => null);
      this.dirty.delete(name);
      this.mark();
    }
  }

  // ---------------------------------------------------------------- documents

  private uriOf(name: string): monaco.Uri {
    return monaco.Uri.parse(`${this.root}/${name.split('/').map(encodeURIComponent).join('/')}`);
  }
  private nameOf(uri: string): string | null {
    const path = decodeURIComponent(uri);
    const root = decodeURIComponent(this.root) + '/';
    return path.startsWith(root) ? path.slice(root.length) : null;
  }

  private async modelOf(name: string): Promise<monaco.editor.ITextModel> {
    const uri = this.uriOf(name);
    const known = monaco.editor.getModel(uri);
    if (known) return known;
    const { text } = (await this.client.request('serve/read', { name })) as { text: string };
    const language = name.endsWith('.py') ? 'python' : 'plaintext';
    const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel(text, language, uri);
    model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
    if (language === 'python') this.synchronize(model, name);
    else model.onDidChangeContent(() => this.edited(name));
    return model;
  }

  private synchronize(model: monaco.editor.ITextModel, name: string): void {
    const uri = model.uri.toString();
    this.client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version: model.getVersionId(), text: model.getValue() } });
    model.onDidChangeContent((event) => {
      this.client.notify('textDocument/didChange', {
        textDocument: { uri, version: event.versionId },
        // Monaco's changes are relative to the text before all of them, and given from the end on.
        contentChanges: event.isFlush ? [{ text: model.getValue() }] : event.changes.map((change) => ({ range: fromRange(change.range), text: change.text })),
      });
      this.edited(name);
    });
  }

  private edited(name: string): void {
    this.dirty.add(name);
    this.mark();
  }
  private mark(): void {
    this.files.mark(this.current, this.dirty);
    this.saveButton.disabled = !this.dirty.has(this.current);
    this.fileName.textContent = this.current + (this.dirty.has(this.current) ? ' ●' : '');
    document.title = `${this.current || 'gluond'} – gluond`;
  }

  async open(name: string): Promise<boolean> {
    try {
      const model = await this.modelOf(name);
      this.current = name;
      history.replaceState(null, '', '#' + encodeURIComponent(name));
      this.editor.setModel(model);
      this.mark();
      this.drawProblems();
      this.cursor();
      return true;
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  async save(): Promise<void> {
    const name = this.current;
    const model = this.editor.getModel();
    if (!model || !this.dirty.has(name)) return;
    const version = model.getVersionId();
    try {
      await this.client.request('serve/save', { name, text: model.getValue() });
      this.client.notify('textDocument/didSave', { textDocument: { uri: model.uri.toString() } });
      if (model.getVersionId() === version) this.dirty.delete(name);
      this.mark();
      this.say(`saved ${name}`);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  private say(text: string): void {
    this.status.textContent = text;
  }

  // ---------------------------------------------------------------- wiring

  private readonly cursor = promptly(40, () => {
    const model = this.editor.getModel();
    const position = this.editor.getPosition();
    if (model?.getLanguageId() === 'python' && position) this.host.emit('panel/cursor', { uri: model.uri.toString(), version: model.getVersionId(), position: fromPosition(position) });
  });

  private wire(): void {
    this.client.on<{ uri: string; diagnostics: Diagnostic[] }>('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
      this.diagnostics.set(uri, diagnostics);
      const model = monaco.editor.getModel(monaco.Uri.parse(uri));
      if (model) {
        monaco.editor.setModelMarkers(model, 'gluond', markersOf(diagnostics));
        this.host.emit('panel/changed', { uri: model.uri.toString(), version: model.getVersionId() });
        this.refreshLenses();
      }
      this.drawProblems();
    });
    this.client.onClosed = () => this.say('gluond has ended: start it again and reload this page');
    const { refreshLenses, refreshHints } = wire({ client: this.client, runCommand: (command, args) => this.run(command, args) });
    this.refreshLenses = refreshLenses;
    // Another target: everything that was shown is another.
    this.client.on('workspace/codeLens/refresh', () => {
      const model = this.editor.getModel();
      if (model) this.host.emit('panel/changed', { uri: model.uri.toString(), version: model.getVersionId() });
      refreshLenses();
      refreshHints();
    });
    // Another specialization: other types, other labels.
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
    this.editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => void this.save());
    window.addEventListener('keydown', (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 's') {
        event.preventDefault();
        void this.save();
      }
    });
    window.addEventListener('beforeunload', (event) => {
      if (this.dirty.size) event.preventDefault();
    });
    monaco.editor.registerEditorOpener({
      openCodeEditor: async (_source, resource, selection) => {
        const name = this.nameOf(resource.toString());
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
      this.panels.show('benchmark', { action: command === 'gluond.run' ? 'run' : 'benchmark', ...(kernel ? { kernel } : {}) });
    else if (command === 'gluond.selectSpecialization') {
      if (kernel) this.panels.session.choose(kernel);
      document.querySelector<HTMLElement>('.g-context select:last-of-type')?.focus();
    }
  }

  private drawProblems(): void {
    const model = this.editor.getModel();
    const diagnostics = (model && this.diagnostics.get(model.uri.toString())) ?? [];
    const words = ['', 'error', 'warning', 'information', 'hint'];
    const shown = [...diagnostics].sort((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line);
    this.problems.hidden = !shown.length;
    replace(
      this.problems,
      ...shown.slice(0, 200).map((diagnostic) =>
        h(
          'button',
          {
            type: 'button',
            class: `p-problem p-${words[diagnostic.severity]}`,
            attributes: { role: 'option' },
            on: {
              click: () => {
                this.editor.setSelection(toRange(diagnostic.range));
                this.editor.revealRangeInCenterIfOutsideViewport(toRange(diagnostic.range));
                this.editor.focus();
              },
            },
          },
          h('b', {}, words[diagnostic.severity] ?? ''),
          h('span', { class: 'p-where' }, `${diagnostic.range.start.line + 1}:${diagnostic.range.start.character + 1}`),
          h('span', {}, diagnostic.message),
          h('code', {}, diagnostic.code),
        ),
      ),
    );
  }

  // ---------------------------------------------------------------- for the panels

  openLocation(uri: string, range: Range, preserveFocus: boolean): void {
    const name = this.nameOf(uri);
    if (name === null) return this.say('that place is outside the served folder');
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
    this.lit.set(lines.map((line) => ({ range: new monaco.Range(line + 1, 1, line + 1, 1), options: { isWholeLine: true, className: 'p-lit', overviewRuler: { color: '#7fd1b9', position: monaco.editor.OverviewRulerLane.Center } } })));
  }
  async applyEdit(edit: WorkspaceEdit): Promise<boolean> {
    for (const [uri, edits] of Object.entries(edit.changes)) {
      const name = this.nameOf(uri);
      if (name === null) return false;
      const model = await this.modelOf(name);
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

  // For launches that name no target; kept for the next visit. Nothing: what a file's imports are for.
  private setTarget(target: string): void {
    localStorage.setItem('gluond.target', target);
    configure(this.client, target);
    this.editor.focus();
  }

  private setTheme(theme: Theme): void {
    localStorage.setItem('gluond.theme', theme);
    document.documentElement.dataset['theme'] = theme;
    monaco.editor.setTheme(themeName(theme));
    this.host.setTheme(theme);
  }

  // Between editor and panels: drag, or arrow keys.
  private splitter(): HTMLElement {
    const set = (share: number) => {
      const clamped = Math.min(Math.max(share, 0.2), 0.8);
      document.documentElement.style.setProperty('--p-share', `${clamped}`);
      bar.setAttribute('aria-valuenow', String(Math.round(clamped * 100)));
    };
    const bar = h('div', { class: 'p-splitter', tabIndex: 0, attributes: { role: 'separator', 'aria-orientation': 'vertical', 'aria-label': 'Width of the editor', 'aria-valuenow': '46' } });
    const middle = () => document.querySelector('.p-middle')!.getBoundingClientRect();
    bar.addEventListener('pointerdown', (event) => bar.setPointerCapture(event.pointerId));
    bar.addEventListener('pointermove', (event) => {
      if (!bar.hasPointerCapture(event.pointerId)) return;
      const left = middle().left;
      set((event.clientX - left) / (innerWidth - left));
    });
    bar.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowLeft' ? -0.03 : event.key === 'ArrowRight' ? 0.03 : 0;
      if (!step) return;
      event.preventDefault();
      set(middle().width / (innerWidth - middle().left) + step);
    });
    return bar;
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
  document.body.textContent = `gluond: ${error instanceof Error ? error.message : String(error)}`;
});
