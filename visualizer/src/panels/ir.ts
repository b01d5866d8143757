// The IR explorer: what each stage made of the kernel, line by line, beside the source that made it.
import { fileName, plural, sentence } from '../model/words.ts';
import type { Diagnostic, StageIRResult } from '../protocol.ts';
import { diffLines, type DiffLine } from '../model/diff.ts';
import { foldsOf, hasNoise, isNoise, search, tokenize, type Fold, type Match } from '../model/irtext.ts';
import { tellApart } from '../model/labels.ts';
import { linesOf, passesOf, textBefore, type Passes } from '../model/passes.ts';
import { h, iconButton, replace, select, setOptions } from '../ui/dom.ts';
import { Latest, debounce } from '../ui/timing.ts';
import { Lines } from '../ui/lines.ts';
import { button, Head, Notice } from './common.ts';
import { PassList } from './passlist.ts';
import type { Panel, Session, Why } from './session.ts';
import { StageTabs } from './stagetabs.ts';

interface Text {
  result: StageIRResult;
  lines: string[];
}

const beforePass = 'pass:before';

export class IrPanel implements Panel {
  readonly id = 'ir';
  readonly title = 'IR';
  readonly element: HTMLElement;
  readonly code = new Lines('IR of the stage');
  private readonly head: Head;
  private readonly notice = new Notice();
  private readonly tabs = new StageTabs((stage) => this.go(stage));
  private readonly compare: HTMLSelectElement;
  private readonly quiet: HTMLInputElement;
  private readonly quietLabel: HTMLElement;
  private readonly query: HTMLInputElement;
  private readonly found = h('span', { class: 'g-muted', attributes: { 'aria-live': 'polite' } });
  private readonly latest = new Latest();
  private readonly passesButton = button(
    'Passes',
    () => this.togglePasses(),
    'What each pass between source and ttgir changed',
  );
  private readonly passList = new PassList((id) => this.toPass(id));
  private passes: Passes | null = null;
  private pass = ''; // the pass whose IR is shown; '' stands for the whole stage
  private stage = 'ttgir';
  private against = '';
  private current: Text | null = null;
  private other: Text | null = null;
  private diff: DiffLine[] | null = null;
  private rows: number[] = []; // the lines of the text, or of the diff, that are not folded away
  private folds: Fold[] = [];
  private readonly folded = new Set<number>();
  private matches: Match[] = [];
  private matchAt = -1;
  private lit = new Set<number>(); // the lines of the text that come from the source line under the cursor
  private byLine = new Map<number, StageIRResult['lines'][number]>();

  constructor(private readonly session: Session) {
    this.compare = select('Compare with', [{ value: '', text: 'no comparison' }], '', (value) => {
      this.against = value;
      this.update('changed');
    });
    this.compare.title = 'Compare with another stage or specialization; numbers of values and registers are ignored';
    this.quiet = h('input', { type: 'checkbox', checked: true, on: { change: () => this.relayout() } });
    this.quietLabel = h(
      'label',
      { class: 'g-check', hidden: true, title: 'Hide directives, comments and debug information' },
      this.quiet,
      'code only',
    );
    this.query = h('input', {
      type: 'search',
      placeholder: 'Search, or /regex/',
      attributes: { 'aria-label': 'Search the IR' },
      on: {
        input: debounce(60, () => this.find(0)),
        keydown: (event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          this.step(event.shiftKey ? -1 : 1);
        },
      },
    });
    this.head = new Head(
      button('Fold all', () => this.foldAll(true)),
      button('Unfold', () => this.foldAll(false)),
      button('Save', () => void this.save(), 'Save the text'),
    );
    const tools = h(
      'div',
      { class: 'g-toolbar' },
      this.tabs.element,
      this.passesButton,
      this.compare,
      this.quietLabel,
      h(
        'span',
        { class: 'g-search' },
        this.query,
        iconButton('left', 'Previous match', () => this.step(-1)),
        iconButton('right', 'Next match', () => this.step(1)),
        this.found,
      ),
    );
    this.element = h(
      'div',
      { class: 'g-panel' },
      this.head.element,
      tools,
      this.passList.element,
      this.notice.element,
      this.code.element,
    );
    this.code.onCursor = (row, isFinal) => this.follow(row, isFinal);
    this.code.onHover = (row) => this.hover(row);
    this.code.onKey = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
        this.query.focus();
        this.query.select();
        return true;
      }
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        const line = this.textLine(this.code.cursor);
        const fold = line === null ? undefined : this.folds.find((f) => f.first === line);
        if (fold) this.toggle(fold.first, event.key === 'ArrowLeft');
        return Boolean(fold);
      }
      return false;
    };
  }

  open(what: { kernel?: string }): void {
    if (what.kernel) this.session.choose(what.kernel);
  }

  update(why: Why): void {
    if (why === 'theme') return this.code.refresh();
    const kernel = this.session.kernel();
    if (!this.session.place || !kernel) return this.notice.say('Open a Gluon kernel to see its IR.', 'empty');
    const key = this.key();
    if (why !== 'changed' && this.current && key === this.shownKey) return this.light(true);
    this.fillCompare();
    const [kind, what] = this.against
      ? [this.against.slice(0, this.against.indexOf(':')), this.against.slice(this.against.indexOf(':') + 1)]
      : ['', ''];
    const ask = async (stage: string, specialization?: string): Promise<Text> => {
      const pass = stage === 'ttgir' && this.pass ? { pass: this.pass } : {};
      const result = await this.session.host.request('gluond/stageIR', {
        textDocument: { uri: this.session.uri! },
        kernel: kernel.kernel,
        stage,
        ...pass,
        ...(specialization ? { specialization } : {}),
      });
      return { result, lines: linesOf(result.text) };
    };
    if (this.stage !== 'ttgir') this.pass = '';
    const asksPasses = this.stage === 'ttgir' && (!this.passList.element.hidden || this.pass !== '');
    void this.latest.run(
      async () => {
        const wanted = this.stage;
        const passes = asksPasses
          ? passesOf(
              await this.session.host.request('gluond/passes', {
                textDocument: { uri: this.session.uri! },
                kernel: kernel.kernel,
              }),
            )
          : null;
        // The pass is one of another target, or comes after one that fails now.
        if (this.pass && !passes?.steps.some(({ id }) => id === this.pass)) this.choosePass('');
        const text = await ask(wanted).catch(async (error: unknown) => {
          // Another target has other stages. Its last one is shown instead.
          const source = await ask('source');
          if (source.result.stages.some(({ id }) => id === wanted)) throw error;
          this.stage = source.result.stages.at(-1)?.id ?? 'source';
          return this.stage === 'source' ? source : ask(this.stage);
        });
        const other =
          kind === 'stage'
            ? await ask(what)
            : kind === 'specialization'
              ? await ask(this.stage, what)
              : this.against === beforePass && passes
                ? this.beforePass(text, passes)
                : null;
        // If there is no text, find the first stage that fails.
        let failed: string | null = null;
        if (!text.result.text && text.result.diagnostics.some((d) => d.severity === 1))
          for (const { id } of text.result.stages)
            if (id === this.stage || !(await ask(id)).result.text) {
              failed = id;
              break;
            }
        return [text, other, failed, passes] as const;
      },
      ([text, other, failed, passes]) => {
        this.passes = passes;
        this.drawPasses();
        this.shownKey = this.key();
        this.failed = failed;
        this.show(text, other);
      },
      (message) => this.notice.say(this.session.reason(message), this.current ? 'note' : 'empty'),
    );
  }

  private failed: string | null = null; // the first stage that cannot be made
  private shownKey = '';
  private key(): string {
    return [
      this.session.uri,
      this.session.kernel()?.kernel,
      this.session.specialization()?.id,
      this.stage,
      this.pass,
      this.against,
      this.passList.element.hidden,
    ].join('\n');
  }

  private fillCompare(): void {
    const kernel = this.session.kernel();
    const stages = this.current?.result.stages ?? [];
    const specializations = kernel?.specializations ?? [];
    const labels = tellApart(specializations.map((s) => s.label));
    const options = [
      { value: '', text: 'no comparison' },
      ...(this.pass ? [{ value: beforePass, text: 'before the pass' }] : []),
      ...stages
        .filter((s) => s.id !== this.stage)
        .map((s) => ({ value: `stage:${s.id}`, text: `${s.id}: ${s.title}`, group: 'another stage' })),
      ...specializations
        .map((s, i) => ({
          value: `specialization:${s.id}`,
          text: labels[i]!,
          group: 'another specialization',
          selected: s.selected,
        }))
        .filter((s) => !s.selected),
    ];
    if (!options.some((o) => o.value === this.against)) this.against = '';
    setOptions(this.compare, options, this.against);
  }

  private show(text: Text, other: Text | null): void {
    const keep =
      this.current?.result.stage === text.result.stage &&
      this.current.result.specialization === text.result.specialization;
    this.current = text;
    this.other = other;
    const { result } = text;
    this.tabs.draw(result.stages, this.stage, this.failed, this.session.specialization()?.target ?? '');
    this.fillCompare();
    const problems = result.diagnostics.filter((d) => d.severity === 1);
    this.code.element.hidden = !result.text;
    if (!result.text && problems.length) this.notice.show(this.problemText(problems), 'error');
    else if (!result.text) this.notice.say('This stage has no text.', 'note');
    else
      this.notice.say(
        result.stale ? 'The file has errors. The panel shows the IR of the last version without errors.' : '',
      );
    this.diff = other
      ? diffLines(other.lines, text.lines, this.language(text) === this.language(other) ? this.language(text) : '')
      : null;
    this.quietLabel.hidden = !hasNoise(this.language(text));
    const made = result.milliseconds ? ` · generated in ${result.milliseconds.toFixed(1)} ms` : '';
    const counts = this.diff
      ? ` · ${plural(this.diff.filter((d) => d.kind === 'added').length, 'line')} added, ${this.diff.filter((d) => d.kind === 'removed').length} removed ${this.against === beforePass ? 'by the pass' : `against ${other!.result.stage === result.stage ? this.labelOf(other!) : other!.result.stage}`}`
      : '';
    this.head.set(this.session.kernel()?.kernel ?? '', `${plural(text.lines.length, 'line')}${made}${counts}`);
    this.byLine = new Map(result.lines.map((line) => [line.line, line]));
    this.folds = foldsOf(text.lines);
    if (!keep) this.folded.clear();
    this.layoutRows();
    if (this.query.value) this.find(this.matchAt);
    this.render(keep);
    this.light(true);
  }

  // Which stage fails, why and where, and which earlier stages can still be shown.
  private problemText(problems: readonly Diagnostic[]): (Node | string)[] {
    const stages = this.current!.result.stages.map((s) => s.id);
    const failed = this.failed ?? this.stage;
    const earlier = stages.slice(0, stages.indexOf(failed));
    const uri = this.session.uri!;
    return [
      `${failed} cannot be generated${earlier.length ? `, but ${earlier.join(' and ')} can` : ''}: `,
      ...problems.slice(0, 8).map((problem) =>
        h(
          'div',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'g-problem',
              title: 'Go to the line',
              on: { click: () => this.session.reveal({ uri, range: problem.range }, false) },
            },
            `line ${problem.range.start.line + 1}`,
          ),
          ` ${sentence(problem.message)}`,
        ),
      ),
      problems.length > 8 ? `and ${problems.length - 8} more` : '',
    ];
  }

  private language(text: Text): string {
    return text.result.stages.find((s) => s.id === text.result.stage)?.language ?? 'mlir';
  }
  private labelOf(text: Text): string {
    const specializations = this.session.kernel()?.specializations ?? [];
    const at = specializations.findIndex((s) => s.id === text.result.specialization);
    return tellApart(specializations.map((s) => s.label))[at] ?? text.result.specialization;
  }

  private go(stage: string): void {
    this.stage = stage;
    this.choosePass('');
    if (this.against === `stage:${stage}`) this.against = '';
    this.code.cursor = -1;
    this.update('changed');
  }

  // ---------------------------------------------------------------- passes

  private togglePasses(): void {
    this.passList.element.hidden = !this.passList.element.hidden;
    if (this.passList.element.hidden) this.choosePass('');
    else if (this.stage !== 'ttgir') this.go('ttgir');
    this.update('changed');
  }
  // Shows what a pass did: the IR after it against the IR before it.
  private choosePass(pass: string): void {
    if (pass === this.pass) return;
    this.pass = pass;
    this.against = pass ? beforePass : this.against === beforePass ? '' : this.against;
  }
  private drawPasses(): void {
    this.passesButton.setAttribute('aria-pressed', String(!this.passList.element.hidden));
    this.passList.draw(this.passes, this.pass);
  }
  private beforePass(text: Text, passes: Passes): Text | null {
    const lines = textBefore(passes, this.pass);
    return lines && { result: { ...text.result, lines: [] }, lines };
  }
  private toPass(id: string): void {
    this.choosePass(id);
    this.code.cursor = -1;
    this.drawPasses();
    this.update('changed');
  }

  // ---------------------------------------------------------------- rows

  private layoutRows(): void {
    const hidden = new Set<number>();
    for (const fold of this.folds)
      if (this.folded.has(fold.first)) for (let line = fold.first + 1; line <= fold.last; ++line) hidden.add(line);
    this.rows = [];
    const { lines } = this.current!;
    const isQuiet = (text: Text, line: number) => this.quiet.checked && isNoise(text.lines[line]!, this.language(text));
    lines.forEach((_, i) => (isQuiet(this.current!, i) ? hidden.add(i) : 0));
    if (this.diff)
      this.diff.forEach((line, i) =>
        (line.right < 0 ? isQuiet(this.other!, line.left) : hidden.has(line.right)) ? 0 : this.rows.push(i),
      );
    else lines.forEach((_, i) => (hidden.has(i) ? 0 : this.rows.push(i)));
  }

  // The line of the text that a row shows, or null for a removed line of a diff.
  private textLine(row: number): number | null {
    const index = this.rows[row];
    if (index === undefined) return null;
    if (!this.diff) return index;
    const right = this.diff[index]!.right;
    return right < 0 ? null : right;
  }
  private rowOf(line: number): number {
    return this.rows.findIndex((index) => (this.diff ? this.diff[index]!.right === line : index === line));
  }

  private render(keepScroll: boolean): void {
    const text = this.current!;
    const language = this.language(text);
    const matchesOf = new Map<number, Match[]>();
    for (const match of this.matches) matchesOf.set(match.line, [...(matchesOf.get(match.line) ?? []), match]);
    this.code.set(
      {
        count: this.rows.length,
        render: (row) => {
          const entry = this.diff?.[this.rows[row]!];
          const line = this.textLine(row);
          const shown = line === null ? this.other!.lines[entry!.left]! : text.lines[line]!;
          const marks = line === null ? [] : (matchesOf.get(line) ?? []);
          const content = coloured(shown, language, marks, this.matches[this.matchAt]);
          const fold = line === null ? undefined : this.folds.find((f) => f.first === line);
          const isFolded = fold && this.folded.has(fold.first);
          const cell = h(
            'span',
            { class: 'g-code-cell' },
            fold
              ? h(
                  'button',
                  {
                    type: 'button',
                    class: isFolded ? 'g-fold g-folded' : 'g-fold',
                    title: isFolded ? 'Unfold' : 'Fold',
                    attributes: { 'aria-label': isFolded ? 'Unfold' : 'Fold', tabindex: '-1' },
                    on: { click: () => this.toggle(fold.first, !isFolded) },
                  },
                  isFolded ? '▸' : '▾',
                )
              : h('span', { class: 'g-fold' }),
            content,
            isFolded ? h('span', { class: 'g-muted' }, ` … ${fold.last - fold.first} lines`) : null,
          );
          const origin = line === null ? undefined : this.byLine.get(line);
          const classes = [
            entry?.kind === 'added' ? 'g-added' : entry?.kind === 'removed' ? 'g-removed' : '',
            line !== null && this.lit.has(line) ? 'g-lit' : '',
            origin ? 'g-linked' : '',
          ].join(' ');
          return { gutter: line === null ? '−' : String(line + 1), content: cell, classes };
        },
      },
      keepScroll,
    );
  }

  private relayout(): void {
    if (!this.current) return;
    this.layoutRows();
    this.find(this.matchAt);
    this.light(true);
  }

  private toggle(first: number, fold: boolean): void {
    if (fold) this.folded.add(first);
    else this.folded.delete(first);
    this.layoutRows();
    this.render(true);
  }
  private foldAll(fold: boolean): void {
    this.folded.clear();
    // The outermost region, which is the module, stays open.
    if (fold)
      for (const each of this.folds)
        if (this.folds.some((o) => o.first < each.first && o.last >= each.last)) this.folded.add(each.first);
    if (!this.current) return;
    this.layoutRows();
    this.render(false);
  }

  // ---------------------------------------------------------------- source <-> IR

  // Marks the lines that come from the cursor's source line, directly or through a call in it.
  private light(reveal: boolean): void {
    const place = this.session.place;
    this.lit = new Set();
    if (!place || !this.current) return;
    for (const line of this.current.result.lines)
      if (
        (line.uri === place.uri && line.sourceLine === place.position.line) ||
        line.calledFrom.includes(place.position.line)
      )
        this.lit.add(line.line);
    if (reveal) {
      const row = this.rows.findIndex((_, at) => this.lit.has(this.textLine(at) ?? -1));
      if (row >= 0) this.code.reveal(row, true);
    }
    this.code.refresh();
  }

  private hover(row: number | null): void {
    const line = row === null ? null : this.textLine(row);
    const origin = line === null ? undefined : this.byLine.get(line);
    const uri = this.session.uri;
    if (uri)
      this.session.host.highlightLines(
        uri,
        origin ? (origin.uri === uri ? [origin.sourceLine] : origin.calledFrom.slice(-1)) : [],
      );
  }

  private follow(row: number, isFinal: boolean): void {
    const line = this.textLine(row);
    const origin = line === null ? undefined : this.byLine.get(line);
    if (!origin) return;
    this.hover(row);
    if (isFinal)
      this.session.host.openLocation(
        origin.uri,
        { start: { line: origin.sourceLine, character: 0 }, end: { line: origin.sourceLine, character: 0 } },
        { preserveFocus: true },
      );
  }

  // ---------------------------------------------------------------- search

  private find(at: number): void {
    const language = this.current ? this.language(this.current) : '';
    this.matches = this.current ? search(this.current.lines, this.query.value) : [];
    if (this.quiet.checked)
      this.matches = this.matches.filter((match) => !isNoise(this.current!.lines[match.line]!, language));
    this.matchAt = this.matches.length ? Math.min(Math.max(at, 0), this.matches.length - 1) : -1;
    this.showMatch();
  }
  private step(by: number): void {
    if (!this.matches.length) return;
    this.matchAt = (this.matchAt + by + this.matches.length) % this.matches.length;
    this.showMatch();
  }
  private showMatch(): void {
    const match = this.matches[this.matchAt];
    replace(
      this.found,
      this.query.value ? (match ? `${this.matchAt + 1} of ${this.matches.length}` : 'no matches') : '',
    );
    if (match) {
      // The regions that hide the match are opened.
      for (const fold of this.folds)
        if (fold.first < match.line && match.line <= fold.last) this.folded.delete(fold.first);
      this.layoutRows();
    }
    this.render(true);
    if (match) this.code.reveal(this.rowOf(match.line), true);
  }

  private async save(): Promise<void> {
    const result = this.current?.result;
    if (result)
      await this.session.host.saveFile(
        `${fileName(result.specialization)}${this.pass ? `.${this.pass.replace(':', '-')}` : ''}.${result.stage}`,
        'text/plain',
        new TextEncoder().encode(result.text),
      );
  }
}

// A line with its tokens coloured and its matches marked. A match may begin or end inside a token.
function coloured(line: string, language: string, matches: readonly Match[], current: Match | undefined): HTMLElement {
  const content = h('span', { class: 'g-code' });
  let at = 0;
  for (const token of tokenize(line, language)) {
    const end = at + token.text.length;
    let from = at;
    for (const match of matches) {
      if (match.end <= from || match.begin >= end) continue;
      if (match.begin > from) content.append(span(token.kind, line.slice(from, match.begin)));
      const stop = Math.min(end, match.end);
      content.append(
        h('mark', { class: match === current ? 'g-current' : '' }, line.slice(Math.max(from, match.begin), stop)),
      );
      from = stop;
    }
    if (from < end) content.append(span(token.kind, line.slice(from, end)));
    at = end;
  }
  return content;
}

function span(kind: string, text: string): Node {
  return kind === 'plain' ? document.createTextNode(text) : h('span', { class: `g-t-${kind}` }, text);
}
