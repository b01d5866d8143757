// Runs and times a kernel: one launch, all of them, or a sweep over options, constexprs and layouts; live, best first,
// compared with the chip's peak, with a baseline, and with earlier times of the same launch.
import { fileName, messageOf, plural, sentence } from '../model/words.ts';
import type { BenchmarkParams, BenchmarkPlanResult, BenchmarkRowInfo } from '../protocol.ts';
import { change, combinations, commonProblem, csv, lacksGpu, pastOf, ranked, timeText } from '../model/benchmark.ts';
import { line } from '../ui/charts.ts';
import { h, replace } from '../ui/dom.ts';
import { Latest } from '../ui/timing.ts';
import { BenchmarkSetup } from './benchmarksetup.ts';
import { metricsOf, tensorsTable, timesTable } from './benchmarktables.ts';
import { button, Head, Notice } from './common.ts';
import type { Panel, Session, Why } from './session.ts';

type What = 'run' | 'launch' | 'all' | 'sweep';
const pollMilliseconds = 200;
const mostRows = 512;

interface Run {
  id: string;
  what: What;
  kernel: string;
  uri: string;
  rows: BenchmarkRowInfo[];
  done: boolean;
  error: string;
}

export class BenchmarkPanel implements Panel {
  readonly id = 'benchmark';
  readonly title = 'Benchmark';
  readonly element: HTMLElement;
  private readonly latest = new Latest();
  private readonly notice = new Notice();
  private readonly head: Head;
  private readonly runButton = button(
    'Run',
    () => void this.start('run'),
    'Execute the launch once, and show its tensors or its failure',
  );
  private readonly launchButton = button('Benchmark', () => void this.start('launch'), 'Time the selected launch');
  private readonly allButton = button('All launches', () => void this.start('all'), 'Time every launch of the kernel');
  private readonly sweepButton = button(
    'Sweep',
    () => void this.start('sweep'),
    'Time every combination of the values below',
  );
  private readonly stopButton = button('Stop', () => void this.stop());
  private readonly copyButton = button('CSV', () => void this.save(), 'Save the table as CSV');
  private readonly setup: BenchmarkSetup;
  private readonly metrics = h('div', { class: 'g-metrics' });
  private readonly progress = h('div', { class: 'g-status', attributes: { role: 'status' } });
  private readonly table = h('table', { class: 'g-bench-table' });
  // Explains the buttons until one is pressed.
  private readonly guide = h('dl', { class: 'g-guide', hidden: true });
  private readonly past = h('figure', { class: 'g-figure g-bench-past' });
  private readonly body: HTMLElement;
  private plan: BenchmarkPlanResult | null = null;
  private run: Run | null = null;
  private baseline = '';
  private opened = '';

  constructor(private readonly session: Session) {
    this.launchButton.classList.add('g-primary');
    this.setup = new BenchmarkSetup(session, () => this.drawButtons());
    this.head = new Head(
      this.runButton,
      this.launchButton,
      this.allButton,
      this.sweepButton,
      this.stopButton,
      this.copyButton,
    );
    this.body = h(
      'div',
      { class: 'g-body g-bench' },
      this.guide,
      this.metrics,
      this.progress,
      h(
        'div',
        { class: 'g-bench-scroll', tabIndex: 0, attributes: { role: 'region', 'aria-label': 'Results' } },
        this.table,
      ),
      this.past,
    );
    this.element = h(
      'div',
      { class: 'g-panel' },
      this.head.element,
      this.notice.element,
      this.setup.element,
      this.body,
    );
    this.draw();
  }

  open(what: { kernel?: string; action?: string }): void {
    if (what.kernel) this.session.choose(what.kernel);
    if (what.action === 'benchmark') void this.start('launch');
    if (what.action === 'run') void this.start('run');
  }

  update(why: Why): void {
    if (why === 'theme') return;
    const kernel = this.session.kernel();
    if (!this.session.uri || !kernel) {
      this.plan = null;
      this.draw();
      return this.notice.say('Open a Gluon kernel to run it.', 'empty');
    }
    const key = `${this.session.uri}\n${kernel.kernel}\n${this.session.specialization()?.id}`;
    if (why === 'cursor' && key === this.opened && this.plan) return;
    void this.latest.run(
      () => this.ask(kernel.kernel),
      (plan) => {
        this.opened = key;
        this.plan = plan;
        this.notice.say('');
        this.setup.draw(plan);
        this.draw();
      },
      (message) => this.notice.say(sentence(message), this.plan ? 'note' : 'empty'),
    );
  }

  private ask(kernel: string): Promise<BenchmarkPlanResult> {
    return this.session.host.request('gluond/benchmarkPlan', { textDocument: { uri: this.session.uri! }, kernel });
  }

  // ---------------------------------------------------------------- running

  private async start(what: What): Promise<void> {
    const { uri } = this.session;
    const kernel = this.session.kernel()?.kernel;
    if (!uri || !kernel) return;
    const params: BenchmarkParams = { textDocument: { uri }, kernel, what };
    const values = this.setup.values(this.plan);
    if (values.arguments.length) params.arguments = values.arguments;
    if (values.grid) params.grid = values.grid;
    if (what === 'sweep') {
      params.axes = values.axes;
      const count = combinations(values.axes.map((axis) => axis.values.length));
      if (count > mostRows)
        return this.notice.say(`${count} combinations exceed the limit of ${mostRows}: remove some values.`, 'error');
    }
    try {
      const { run } = await this.session.host.request('gluond/benchmark', params);
      this.run = { id: run, what, kernel, uri, rows: [], done: false, error: '' };
      this.notice.say('');
      this.draw();
      await this.follow(this.run);
    } catch (error) {
      this.notice.say(sentence(messageOf(error)), 'error');
    }
  }

  private async follow(run: Run): Promise<void> {
    let after = 0;
    while (this.run === run && !run.done) {
      const news = await this.session.host.request('gluond/benchmarkRows', { run: run.id, after });
      after = news.sequence;
      for (const row of news.rows) run.rows[row.index] = row;
      run.done = news.done;
      if (this.run === run && (news.rows.length || run.done)) this.draw();
      if (!run.done) await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
    }
    // The plan is requested again, because its history has grown.
    if (this.run === run && this.session.uri === run.uri && this.session.kernel()?.kernel === run.kernel) {
      this.plan = await this.ask(run.kernel).catch(() => this.plan);
      this.draw();
    }
  }

  private async stop(): Promise<void> {
    if (this.run && !this.run.done) await this.session.host.request('gluond/stopBenchmark', { run: this.run.id });
  }

  private async save(): Promise<void> {
    if (!this.run) return;
    await this.session.host.saveFile(
      `${fileName(this.run.kernel)}-benchmark.csv`,
      'text/csv',
      new TextEncoder().encode(csv(ranked(this.rows()))),
    );
  }

  private rows(): BenchmarkRowInfo[] {
    return (this.run?.rows ?? []).filter(Boolean);
  }

  // ---------------------------------------------------------------- what came of it

  private drawButtons(): void {
    const isRunning = this.run !== null && !this.run.done;
    const plan = this.plan;
    for (const each of [this.runButton, this.launchButton, this.allButton, this.sweepButton])
      each.disabled = !plan || isRunning;
    this.allButton.textContent = plan && plan.launches > 1 ? `All ${plan.launches} launches` : 'All launches';
    this.allButton.hidden = !plan || plan.launches < 2;
    const count = plan ? combinations(this.setup.values(plan).axes.map((axis) => axis.values.length)) : 0;
    this.sweepButton.textContent = count > 1 ? `Sweep ${count}` : 'Sweep';
    this.sweepButton.disabled ||= count < 2;
    this.stopButton.hidden = !isRunning;
    this.copyButton.hidden = !this.rows().length;
  }

  private draw(): void {
    const { plan, run } = this;
    this.setup.element.hidden = !plan;
    this.drawButtons();
    const rows = ranked(this.rows());
    this.head.set(run ? run.kernel : (plan?.kernel ?? 'Benchmark'), this.subtitle(rows));
    this.body.hidden = !plan && !run;
    this.drawGuide();
    // Without a GPU every row fails for the same reason, which is shown once, and at once.
    const isWithoutGpu = lacksGpu(rows.filter((row) => row.state === 'failed'));
    const problem =
      run && (run.done || isWithoutGpu)
        ? commonProblem(rows.filter((row) => !isWithoutGpu || row.state === 'failed'))
        : null;
    if (problem && isWithoutGpu)
      this.notice.show(
        [
          `There is no GPU to run the kernel. ${sentence(problem)} The setting `,
          h('code', {}, 'gluond.runner.command'),
          ' selects the GPU of another machine: ',
          h('code', {}, 'ssh box gluond-runner'),
          '. For gluond serve, use ',
          h('code', {}, "--set runner.command='ssh box gluond-runner'"),
          '.',
        ],
        'error',
      );
    else if (problem) this.notice.say(sentence(problem), 'error');
    replace(this.metrics, ...metricsOf(rows[0], run?.what === 'run'));
    replace(this.table, ...this.tableOf(problem && isWithoutGpu ? [] : rows));
    this.drawPast(run?.what === 'run' ? undefined : rows[0]);
    const ended = rows.filter((row) => row.state === 'done' || row.state === 'failed').length;
    replace(
      this.progress,
      problem && isWithoutGpu
        ? ''
        : run && !run.done
          ? `${ended} of ${plural(run.rows.length || 1, 'launch', 'launches')} done`
          : run
            ? `${plural(rows.filter((row) => row.state === 'done').length, 'launch', 'launches')} ${run.what === 'run' ? 'run' : 'timed'}${rows.some((row) => row.problem) ? `, ${rows.filter((row) => row.problem).length} failed` : ''}`
            : '',
    );
  }

  private drawGuide(): void {
    const { plan } = this;
    this.guide.hidden = !plan || this.run !== null;
    if (!plan) return;
    const row = (name: string, ...text: (string | Node)[]) => [h('dt', {}, name), h('dd', {}, ...text)];
    replace(
      this.guide,
      ...row(
        'Run',
        'executes this launch once and summarizes each tensor, or reports a fault, a hang or a write out of bounds.',
      ),
      ...row(
        'Benchmark',
        'times the launch after a warm-up, with a flushed cache, until the spread is small, and compares it with the peak of the GPU.',
      ),
      ...(plan.launches > 1
        ? row('All launches', `times the ${plan.launches} launches of the program, the best first.`)
        : []),
      ...(plan.axes.length
        ? row(
            'Sweep',
            `times every combination of the values under `,
            h('i', {}, 'Arguments and sweep'),
            `: ${plan.axes.map((axis) => axis.name).join(', ')}.`,
          )
        : []),
      ...row(
        'Where',
        plan.runners.length ? 'on the GPU that ' : 'on the GPU of this machine, by gluond-runner',
        ...plan.runners
          .slice(0, 4)
          .map((command, i) => [i ? ', ' : '', h('code', {}, command)])
          .flat(),
        plan.runners.length ? ' finds.' : '.',
      ),
    );
  }

  private subtitle(rows: BenchmarkRowInfo[]): string {
    const devices = [...new Set(rows.map((row) => row.device).filter(Boolean))];
    if (devices.length) return devices.join(', ');
    const plan = this.plan;
    return plan ? `${plan.label}${plan.runners.length > 1 ? ` · ${plan.runners.length} runners` : ''}` : '';
  }

  private tableOf(rows: BenchmarkRowInfo[]): Node[] {
    const isRun = this.run?.what === 'run';
    const [first] = rows;
    if (isRun && first?.tensors) return tensorsTable(first, first.tensors);
    return timesTable(isRun ? rows.slice(0, 1) : rows, this.baseline, (row) => {
      this.baseline = row.id;
      this.draw();
    });
  }

  private drawPast(best: BenchmarkRowInfo | undefined): void {
    const specialization = best?.median ? best.id : (this.plan?.specialization ?? '');
    const past = pastOf(this.plan?.history ?? [], specialization, best?.device ?? '');
    this.past.hidden = past.length < 2;
    if (past.length < 2) return;
    const shown = past.slice(-40);
    const last = shown.at(-1)!;
    const told = change(last.median, shown.at(-2)!.median);
    replace(
      this.past,
      h(
        'figcaption',
        {},
        `${last.label}: the last ${plural(shown.length, 'time')}, ${timeText(last.median)} now${told ? `, ${told.text} than before` : ''}; hollow: other versions of the kernel`,
      ),
      line(
        shown.map((each) => ({
          value: each.median,
          title: `${each.when}: ${timeText(each.median)}`,
          edited: each.edited,
        })),
      ),
    );
  }
}
