// The lines of the IR explorer: folded, compared with another text, searched, and linked with the source.
import type { Place } from '../host.ts';
import { diffLines, type DiffLine } from '../model/diff.ts';
import { foldsOf, hasNoise, isNoise, search, tokenize, type Fold, type Match } from '../model/irtext.ts';
import type { StageIRResult } from '../protocol.ts';
import { h } from '../ui/dom.ts';
import { Lines } from '../ui/lines.ts';
import { SearchField } from './searchfield.ts';

export interface Text {
  result: StageIRResult;
  lines: string[];
}

type Origin = StageIRResult['lines'][number];

export class IrLines {
  readonly view = new Lines('IR of the stage');
  readonly search = new SearchField(
    'Search the IR',
    () => this.find(0),
    (by) => this.step(by),
  );
  readonly quiet: HTMLElement; // the check box that hides directives and comments
  text: Text | null = null;
  diff: DiffLine[] | null = null;
  private readonly isQuiet: HTMLInputElement;
  private other: Text | null = null;
  private rows: number[] = []; // the lines of the text, or of the diff, that are not folded away
  private folds: Fold[] = [];
  private readonly folded = new Set<number>();
  private matches: Match[] = [];
  private matchAt = -1;
  private lit = new Set<number>(); // the lines of the text that come from the source line under the cursor
  private byLine = new Map<number, Origin>();

  // `place` returns the place of the cursor in the source.
  constructor(private readonly place: () => Place | null) {
    this.isQuiet = h('input', { type: 'checkbox', checked: true, on: { change: () => this.relayout() } });
    this.quiet = h(
      'label',
      { class: 'g-check', hidden: true, title: 'Hide directives, comments and debug information' },
      this.isQuiet,
      'code only',
    );
    this.view.onKey = (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
        this.search.focus();
        return true;
      }
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        const line = this.textLine(this.view.cursor);
        const fold = line === null ? undefined : this.folds.find((f) => f.first === line);
        if (fold) this.toggle(fold.first, event.key === 'ArrowLeft');
        return Boolean(fold);
      }
      return false;
    };
  }

  // Takes a text and one to compare it with. Returns whether it is another version of the last text; draw() shows it.
  set(text: Text, other: Text | null): boolean {
    const isSame =
      this.text?.result.stage === text.result.stage && this.text.result.specialization === text.result.specialization;
    this.text = text;
    this.other = other;
    this.view.element.hidden = !text.result.text;
    const language = languageOf(text);
    this.diff = other ? diffLines(other.lines, text.lines, language === languageOf(other) ? language : '') : null;
    this.quiet.hidden = !hasNoise(language);
    this.byLine = new Map(text.result.lines.map((line) => [line.line, line]));
    this.folds = foldsOf(text.lines);
    if (!isSame) this.folded.clear();
    return isSame;
  }
  draw(keepScroll: boolean): void {
    this.layoutRows();
    if (this.search.query) this.find(this.matchAt);
    this.render(keepScroll);
    this.light(true);
  }

  // The place of the source that a row comes from.
  originOf(row: number | null): Origin | undefined {
    const line = row === null ? null : this.textLine(row);
    return line === null ? undefined : this.byLine.get(line);
  }

  // Marks the lines that come from the cursor's source line, directly or through a call in it.
  light(reveal: boolean): void {
    const place = this.place();
    this.lit = new Set();
    if (!place || !this.text) return;
    for (const line of this.text.result.lines)
      if (
        (line.uri === place.uri && line.sourceLine === place.position.line) ||
        line.calledFrom.includes(place.position.line)
      )
        this.lit.add(line.line);
    if (reveal) {
      const row = this.rows.findIndex((_, at) => this.lit.has(this.textLine(at) ?? -1));
      if (row >= 0) this.view.reveal(row, true);
    }
    this.view.refresh();
  }

  foldAll(fold: boolean): void {
    this.folded.clear();
    // The outermost region, which is the module, stays open.
    if (fold)
      for (const each of this.folds)
        if (this.folds.some((o) => o.first < each.first && o.last >= each.last)) this.folded.add(each.first);
    if (!this.text) return;
    this.layoutRows();
    this.render(false);
  }

  // ---------------------------------------------------------------- rows

  private toggle(first: number, fold: boolean): void {
    if (fold) this.folded.add(first);
    else this.folded.delete(first);
    this.layoutRows();
    this.render(true);
  }

  private relayout(): void {
    if (!this.text) return;
    this.layoutRows();
    this.find(this.matchAt);
    this.light(true);
  }

  private layoutRows(): void {
    const hidden = new Set<number>();
    for (const fold of this.folds)
      if (this.folded.has(fold.first)) for (let line = fold.first + 1; line <= fold.last; ++line) hidden.add(line);
    this.rows = [];
    const { lines } = this.text!;
    const isQuiet = (text: Text, line: number) => this.isQuiet.checked && isNoise(text.lines[line]!, languageOf(text));
    lines.forEach((_, i) => (isQuiet(this.text!, i) ? hidden.add(i) : 0));
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
    const text = this.text;
    if (!text) return;
    const language = languageOf(text);
    const matchesOf = new Map<number, Match[]>();
    for (const match of this.matches) matchesOf.set(match.line, [...(matchesOf.get(match.line) ?? []), match]);
    this.view.set(
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
            fold ? this.foldButton(fold.first, Boolean(isFolded)) : h('span', { class: 'g-fold' }),
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

  private foldButton(first: number, isFolded: boolean): HTMLElement {
    return h(
      'button',
      {
        type: 'button',
        class: isFolded ? 'g-fold g-folded' : 'g-fold',
        title: isFolded ? 'Unfold' : 'Fold',
        attributes: { 'aria-label': isFolded ? 'Unfold' : 'Fold', tabindex: '-1' },
        on: { click: () => this.toggle(first, !isFolded) },
      },
      isFolded ? '▸' : '▾',
    );
  }

  // ---------------------------------------------------------------- search

  private find(at: number): void {
    const { text } = this;
    this.matches = text ? search(text.lines, this.search.query) : [];
    if (text && this.isQuiet.checked)
      this.matches = this.matches.filter((match) => !isNoise(text.lines[match.line]!, languageOf(text)));
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
    this.search.showCount(this.matchAt, this.matches.length);
    if (match) {
      // The regions that hide the match are opened.
      for (const fold of this.folds)
        if (fold.first < match.line && match.line <= fold.last) this.folded.delete(fold.first);
      this.layoutRows();
    }
    this.render(true);
    if (match) this.view.reveal(this.rowOf(match.line), true);
  }
}

function languageOf(text: Text): string {
  return text.result.stages.find((s) => s.id === text.result.stage)?.language ?? 'mlir';
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
