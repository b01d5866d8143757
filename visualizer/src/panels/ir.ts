// The IR explorer: what each stage made of the kernel, line by line, beside the source that made it.
import { fileName, plural, sentence } from '../model/words.ts';
import type { Diagnostic } from '../protocol.ts';
import { tellApart } from '../model/labels.ts';
import { linesOf, passesOf, textBefore, type Passes } from '../model/passes.ts';
import { h } from '../ui/dom.ts';
import { Latest } from '../ui/timing.ts';
import { button, Head, Notice } from './common.ts';
import { IrLines, type Text } from './irlines.ts';
import { PassList } from './passlist.ts';
import type { Panel, Session, Why } from './session.ts';
import { StageCompare } from './stagecompare.ts';
import { StageTabs } from './stagetabs.ts';

export class IrPanel implements Panel {
  readonly id = 'ir';
  readonly title = 'IR';
  readonly element: HTMLElement;
  private readonly lines = new IrLines(() => this.session.place);
  private readonly head: Head;
  private readonly notice = new Notice();
  private readonly tabs = new StageTabs((stage) => this.go(stage));
  private readonly compare = new StageCompare(() => this.update('changed'));
  private readonly latest = new Latest();
  private readonly passesButton = button(
    'Passes',
    () => this.togglePasses(),
    'The changes of each pass between source and ttgir',
  );
  private readonly passList = new PassList((id) => this.toPass(id));
  private passes: Passes | null = null;
  private pass = ''; // the pass whose IR is shown; '' stands for the whole stage
  private stage = 'ttgir';
  private failed: string | null = null; // the first stage that cannot be made
  private shownKey = '';

  constructor(private readonly session: Session) {
    this.head = new Head(
      button('Fold all', () => this.lines.foldAll(true)),
      button('Unfold', () => this.lines.foldAll(false)),
      button('Save', () => void this.save(), 'Save the text'),
    );
    const tools = h(
      'div',
      { class: 'g-toolbar' },
      this.tabs.element,
      this.passesButton,
      this.compare.element,
      this.lines.quiet,
      this.lines.search.element,
    );
    this.element = h(
      'div',
      { class: 'g-panel' },
      this.head.element,
      tools,
      this.passList.element,
      this.notice.element,
      this.lines.view.element,
    );
    this.lines.view.onCursor = (row, isFinal) => this.follow(row, isFinal);
    this.lines.view.onHover = (row) => this.hover(row);
  }

  open(what: { kernel?: string }): void {
    if (what.kernel) this.session.choose(what.kernel);
  }

  update(why: Why): void {
    if (why === 'theme') return this.lines.view.refresh();
    const kernel = this.session.kernel();
    if (!this.session.place || !kernel) return this.notice.say('Open a Gluon kernel to see its IR.', 'empty');
    const key = this.key();
    if (why !== 'changed' && this.lines.text && key === this.shownKey) return this.lines.light(true);
    this.fillCompare();
    const { comparand } = this.compare;
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
          comparand?.kind === 'stage'
            ? await ask(comparand.id)
            : comparand?.kind === 'specialization'
              ? await ask(this.stage, comparand.id)
              : this.compare.comparand?.kind === 'pass' && passes
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
      (message) => this.notice.say(this.session.reason(message), this.lines.text ? 'note' : 'empty'),
    );
  }

  private key(): string {
    return [
      this.session.uri,
      this.session.kernel()?.kernel,
      this.session.specialization()?.id,
      this.stage,
      this.pass,
      this.compare.key,
      this.passList.element.hidden,
    ].join('\n');
  }

  private fillCompare(): void {
    const stages = this.lines.text?.result.stages ?? [];
    this.compare.fill(stages, this.stage, this.session.kernel()?.specializations ?? [], this.pass);
  }

  private show(text: Text, other: Text | null): void {
    const keepScroll = this.lines.set(text, other);
    const { result } = text;
    this.tabs.draw(result.stages, this.stage, this.failed);
    this.fillCompare();
    const problems = result.diagnostics.filter((d) => d.severity === 1);
    if (!result.text && problems.length) this.notice.show(this.problemText(text, problems), 'error');
    else if (!result.text) this.notice.say('This stage has no text.', 'note');
    else
      this.notice.say(
        result.stale ? 'The file has errors. The panel shows the IR of the last version without errors.' : '',
      );
    const made = result.milliseconds ? ` · generated in ${result.milliseconds.toFixed(1)} ms` : '';
    const resources = result.resources ? ` · ${result.resources}` : '';
    const counts = other ? this.countText(text, other) : '';
    this.head.set(
      this.session.kernel()?.kernel ?? '',
      `${plural(text.lines.length, 'line')}${made}${resources}${counts}`,
    );
    this.lines.draw(keepScroll);
  }

  // How many lines differ, and from what.
  private countText(text: Text, other: Text): string {
    const count = (kind: 'added' | 'removed') => this.lines.diff!.filter((d) => d.kind === kind).length;
    const whom =
      this.compare.comparand?.kind === 'pass'
        ? 'by the pass'
        : `against ${other.result.stage === text.result.stage ? this.labelOf(other) : other.result.stage}`;
    return ` · ${plural(count('added'), 'line')} added, ${count('removed')} removed ${whom}`;
  }

  // Which stage fails, why and where, and which earlier stages can still be shown.
  private problemText(text: Text, problems: readonly Diagnostic[]): (Node | string)[] {
    const stages = text.result.stages.map((s) => s.id);
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

  private labelOf(text: Text): string {
    const specializations = this.session.kernel()?.specializations ?? [];
    const at = specializations.findIndex((s) => s.id === text.result.specialization);
    return tellApart(specializations.map((s) => s.label))[at] ?? text.result.specialization;
  }

  private go(stage: string): void {
    this.stage = stage;
    this.choosePass('');
    this.compare.leaveStage(stage);
    this.lines.view.cursor = -1;
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
    this.compare.followPass(pass);
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
    this.lines.view.cursor = -1;
    this.drawPasses();
    this.update('changed');
  }

  // ---------------------------------------------------------------- source <-> IR

  private hover(row: number | null): void {
    const origin = this.lines.originOf(row);
    const uri = this.session.uri;
    if (uri)
      this.session.host.highlightLines(
        uri,
        origin ? (origin.uri === uri ? [origin.sourceLine] : origin.calledFrom.slice(-1)) : [],
      );
  }

  private follow(row: number, isFinal: boolean): void {
    const origin = this.lines.originOf(row);
    if (!origin) return;
    this.hover(row);
    if (isFinal)
      this.session.host.openLocation(
        origin.uri,
        { start: { line: origin.sourceLine, character: 0 }, end: { line: origin.sourceLine, character: 0 } },
        { preserveFocus: true },
      );
  }

  private async save(): Promise<void> {
    const result = this.lines.text?.result;
    if (result)
      await this.session.host.saveFile(
        `${fileName(result.specialization)}${this.pass ? `.${this.pass.replace(':', '-')}` : ''}.${result.stage}`,
        'text/plain',
        new TextEncoder().encode(result.text),
      );
  }
}
