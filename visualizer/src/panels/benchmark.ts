// A kernel run and timed: one launch, all of them, or a sweep over options, constexprs and layouts; live, best first, beside what the chip
// could do, beside a baseline, and beside what the same launch took before.
import type { BenchmarkParams, BenchmarkPlanResult, BenchmarkRowInfo } from '../protocol.ts';
import {
  change,
  combinations,
  commonProblem,
  csv,
  digits,
  flopsText,
  lacksGpu,
  pastOf,
  peakText,
  ranked,
  rateText,
  scatterOf,
  splitValues,
  spreadText,
  timeText,
} from '../model/benchmark.ts';
import { bar, line } from '../ui/charts.ts';
import { h, Latest, plural, replace } from '../ui/dom.ts';
import { button, Head, metric, Notice } from './common.ts';
import { sentence } from './session.ts';
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
  private readonly setup = h('details', { class: 'g-bench-setup' });
  private readonly metrics = h('div', { class: 'g-metrics' });
  private readonly progress = h('div', { class: 'g-status', attributes: { role: 'status' } });
  private readonly table = h('table', { class: 'g-bench-table' });
  // What the buttons do, until one was pressed.
  private readonly guide = h('dl', { class: 'g-guide', hidden: true });
  private readonly past = h('figure', { class: 'g-figure g-bench-past' });
  private readonly body: HTMLElement;
  private plan: BenchmarkPlanResult | null = null;
  private run: Run | null = null;
  private baseline = '';
  private opened = '';
  // What the user typed, by kernel and field.
  private readonly typed = new Map<string, string>();

  constructor(private readonly session: Session) {
    this.launchButton.classList.add('g-primary');
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
    this.element = h('div', { class: 'g-panel' }, this.head.element, this.notice.element, this.setup, this.body);
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
        this.drawSetup();
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
    const values = this.values();
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
      this.notice.say(sentence(error instanceof Error ? error.message : String(error)), 'error');
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
    // The history has grown.
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
      `${this.run.kernel.replace(/[^\w.-]+/g, '-')}-benchmark.csv`,
      'text/csv',
      new TextEncoder().encode(csv(ranked(this.rows()))),
    );
  }

  private rows(): BenchmarkRowInfo[] {
    return (this.run?.rows ?? []).filter(Boolean);
  }

  // ---------------------------------------------------------------- what to run it with

  private field(name: string): string {
    return `${this.session.uri}\n${this.plan?.kernel}\n${name}`;
  }

  private values(): { axes: { name: string; values: string[] }[]; arguments: string[]; grid: string } {
    const text = (name: string, standard: string) => this.typed.get(this.field(name)) ?? standard;
    const plan = this.plan;
    if (!plan) return { axes: [], arguments: [], grid: '' };
    return {
      axes: plan.axes
        .map((axis) => ({
          name: axis.name,
          values: splitValues(text(`axis ${axis.name}`, axis.suggestions.join(axis.value.includes('(') ? '\n' : ', '))),
        }))
        .filter((axis) => axis.values.length),
      arguments: plan.arguments.flatMap((argument) => {
        const given = text(`argument ${argument.name}`, '').trim();
        return given && given !== argument.text ? [`${argument.name}=${given}`] : [];
      }),
      grid: text('grid', '').trim() === plan.grid ? '' : text('grid', '').trim(),
    };
  }

  private drawSetup(): void {
    const plan = this.plan;
    if (!plan) return;
    const input = (name: string, standard: string, label: string, long = false) => {
      const key = this.field(name);
      const typed = (element: HTMLInputElement | HTMLTextAreaElement) => {
        if (element.value.trim() === '') element.value = standard;
        this.typed.set(key, element.value);
        this.drawButtons();
      };
      const value = this.typed.get(key) ?? standard;
      return long
        ? h('textarea', {
            value,
            rows: Math.min(6, value.split('\n').length),
            spellcheck: false,
            attributes: { 'aria-label': label },
            on: { change: (event) => typed(event.target as HTMLTextAreaElement) },
          })
        : h('input', {
            type: 'text',
            value,
            spellcheck: false,
            attributes: { 'aria-label': label },
            on: { change: (event) => typed(event.target as HTMLInputElement) },
          });
    };
    const row = (name: string, note: string, control: HTMLElement) =>
      h(
        'tr',
        {},
        h('th', { attributes: { scope: 'row' } }, h('code', {}, name)),
        h('td', { class: 'g-muted' }, note),
        h('td', {}, control),
      );
    const assumed = plan.arguments.filter((argument) => argument.assumed).length;
    replace(
      this.setup,
      h(
        'summary',
        {},
        assumed || !plan.grid
          ? `Arguments and sweep: ${plural(assumed + (plan.grid ? 0 : 1), 'value')} assumed`
          : 'Arguments and sweep',
      ),
      h(
        'div',
        { class: 'g-bench-forms' },
        h(
          'table',
          {},
          h('caption', {}, 'Launched with'),
          row('grid', 'programs', input('grid', plan.grid, 'grid')),
          ...plan.arguments.map((argument) =>
            row(
              argument.name,
              `${argument.type}${argument.assumed ? ', assumed' : ''}`,
              input(`argument ${argument.name}`, argument.text, `value of ${argument.name}`),
            ),
          ),
        ),
        h(
          'table',
          {},
          h('caption', {}, 'A sweep tries every combination of'),
          ...plan.axes.map((axis) => {
            const isLayout = axis.value.includes('(');
            return row(
              axis.name,
              isLayout ? 'layouts, one per line' : `now ${axis.value}`,
              input(
                `axis ${axis.name}`,
                axis.suggestions.join(isLayout ? '\n' : ', '),
                `values of ${axis.name}`,
                isLayout,
              ),
            );
          }),
        ),
      ),
    );
  }

  // ---------------------------------------------------------------- what came of it

  private drawButtons(): void {
    const isRunning = this.run !== null && !this.run.done;
    const plan = this.plan;
    for (const each of [this.runButton, this.launchButton, this.allButton, this.sweepButton])
      each.disabled = !plan || isRunning;
    this.allButton.textContent = plan && plan.launches > 1 ? `All ${plan.launches} launches` : 'All launches';
    this.allButton.hidden = !plan || plan.launches < 2;
    const count = plan ? combinations(this.values().axes.map((axis) => axis.values.length)) : 0;
    this.sweepButton.textContent = count > 1 ? `Sweep ${count}` : 'Sweep';
    this.sweepButton.disabled ||= count < 2;
    this.stopButton.hidden = !isRunning;
    this.copyButton.hidden = !this.rows().length;
  }

  private draw(): void {
    const { plan, run } = this;
    this.setup.hidden = !plan;
    this.drawButtons();
    const rows = ranked(this.rows());
    this.head.set(run ? run.kernel : (plan?.kernel ?? 'Benchmark'), this.subtitle(rows));
    this.body.hidden = !plan && !run;
    this.drawGuide();
    // Without a GPU every row fails for the same reason: that is said once, and at once.
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
    this.drawMetrics(rows[0]);
    if (run?.what === 'run') this.drawTensors(problem && isWithoutGpu ? undefined : rows[0]);
    else this.drawTable(problem && isWithoutGpu ? [] : rows);
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

  private drawMetrics(best: BenchmarkRowInfo | undefined): void {
    if (!best || best.median <= 0) return replace(this.metrics);
    const once = this.run?.what === 'run';
    const before = best.before ? change(best.median, best.before.median, scatterOf(best)) : null;
    replace(
      this.metrics,
      metric(
        timeText(best.median),
        once ? 'one cold run; use Benchmark to measure' : `the best, ${best.label}`,
        'plain',
        plural(best.runs, 'run'),
      ),
      before
        ? metric(
            before.text,
            `than ${best.before!.edited ? 'before the edit' : 'last time'} (${timeText(best.before!.median)})`,
            before.state,
            best.before!.when,
          )
        : null,
      rateText(best) ? metric(rateText(best), 'moved') : null,
      flopsText(best) ? metric(flopsText(best), 'computed') : null,
      peakText(best)
        ? metric(
            peakText(best),
            `of the peak of the GPU's ${best.bound === 'compute' ? 'matrix units' : 'memory'}`,
            best.percentOfPeak >= 80 ? 'good' : best.percentOfPeak >= 50 ? 'plain' : 'bad',
            'The least time that the chip needs for these bytes and operations, of the time it took',
          )
        : null,
      metric(String(best.registers), 'registers per thread'),
      best.localBytes ? metric(`${best.localBytes} B`, 'spilled per thread', 'bad') : null,
      metric(best.sharedBytes ? `${digits(best.sharedBytes / 1024)} KB` : 'none', 'shared memory'),
      best.occupancy > 0
        ? metric(
            `${Math.round(best.occupancy * 100)}%`,
            `occupancy${best.limitedBy ? `, limited by ${best.limitedBy}` : ''}`,
          )
        : null,
    );
  }

  private drawTable(rows: BenchmarkRowInfo[]): void {
    if (!rows.length) return replace(this.table);
    const most = Math.max(...rows.map((row) => row.high || row.median), 0);
    const baseline =
      rows.find((row) => row.id === this.baseline && row.median > 0) ?? rows.find((row) => row.median > 0);
    const hasRates = rows.some((row) => row.gigabytesPerSecond > 0);
    const hasFlops = rows.some((row) => row.teraflops > 0);
    const titles = [
      'Configuration',
      'Time',
      '',
      ...(hasRates ? ['Moved'] : []),
      ...(hasFlops ? ['Computed'] : []),
      'Of peak',
      'Compared',
      'Before',
      'Regs',
      'Shared',
      'Occupancy',
      'Compiled',
    ];
    replace(
      this.table,
      h('thead', {}, h('tr', {}, ...titles.map((title) => h('th', { attributes: { scope: 'col' } }, title)))),
      h(
        'tbody',
        {},
        ...rows.map((row, i) =>
          this.drawRow(row, i === 0 && row.median > 0, baseline, most, hasRates, hasFlops, titles.length),
        ),
      ),
    );
  }

  // What a run left behind.
  private drawTensors(row: BenchmarkRowInfo | undefined): void {
    if (!row?.tensors) return this.drawTable(row ? [row] : []);
    const number = (value: number) =>
      h(
        'td',
        { class: 'g-bench-number' },
        value === 0
          ? '0'
          : Math.abs(value) >= 1e6 || Math.abs(value) < 1e-3
            ? value.toExponential(3)
            : String(+value.toPrecision(6)),
      );
    replace(
      this.table,
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...['Tensor', 'Type', '', 'Least', 'Most', 'Mean', 'NaN', 'Infinite'].map((title) =>
            h('th', { attributes: { scope: 'col' } }, title),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        ...row.tensors.map((tensor) =>
          h(
            'tr',
            { class: tensor.overwritten ? 'g-bench-failed' : '' },
            h('th', { attributes: { scope: 'row' } }, tensor.name),
            h('td', {}, `${tensor.dtype}[${tensor.shape.join(', ')}]`),
            h(
              'td',
              {},
              tensor.overwritten
                ? h('span', { class: 'g-bad' }, 'written out of bounds')
                : tensor.changed
                  ? 'written'
                  : h('span', { class: 'g-muted' }, 'unchanged'),
            ),
            number(tensor.least),
            number(tensor.most),
            number(tensor.mean),
            h('td', { class: tensor.nans ? 'g-bench-number g-bad' : 'g-bench-number' }, String(tensor.nans)),
            h('td', { class: 'g-bench-number' }, String(tensor.infinities)),
          ),
        ),
        row.printed
          ? h(
              'tr',
              {},
              h('th', { attributes: { scope: 'row' } }, 'printed'),
              h('td', { colSpan: 7 }, h('code', { class: 'g-bench-printed' }, row.printed)),
            )
          : null,
      ),
    );
  }

  private drawRow(
    row: BenchmarkRowInfo,
    isBest: boolean,
    baseline: BenchmarkRowInfo | undefined,
    most: number,
    hasRates: boolean,
    hasFlops: boolean,
    columns: number,
  ): HTMLTableRowElement {
    const isBaseline = row === baseline;
    const notes = row.notes.join('\n');
    const name = h(
      'th',
      { title: notes, attributes: { scope: 'row' } },
      row.label || row.id,
      row.notes.length ? h('span', { class: 'g-badge', title: notes }, plural(row.notes.length, 'note')) : null,
    );
    if (row.problem) {
      const detail = [row.problem.error, row.problem.log].filter(Boolean).join('\n');
      return h(
        'tr',
        { class: 'g-bench-failed' },
        name,
        h('td', { colSpan: columns - 1, title: detail }, h('span', { class: 'g-bad' }, sentence(row.problem.message))),
      );
    }
    if (row.median <= 0)
      return h(
        'tr',
        { class: 'g-bench-waiting' },
        name,
        h('td', { colSpan: columns - 1, class: 'g-muted' }, row.state),
      );
    const compared =
      baseline && !isBaseline
        ? change(row.median, baseline.median, Math.max(scatterOf(row), scatterOf(baseline)))
        : null;
    const before = row.before ? change(row.median, row.before.median, scatterOf(row)) : null;
    const told = (what: ReturnType<typeof change>) =>
      what ? h('span', { class: `g-change-${what.state}` }, what.text) : '';
    return h(
      'tr',
      {
        class: `${isBest ? 'g-bench-best' : ''}${isBaseline ? ' g-bench-baseline' : ''}`,
        tabIndex: 0,
        title: isBaseline
          ? 'The other rows are compared with this row'
          : 'Click to compare the other rows with this row',
        attributes: { 'aria-selected': String(isBaseline), 'data-id': row.id },
        on: {
          click: () => this.compareWith(row),
          keydown: (event) => {
            if (event.key === 'Enter' || event.key === ' ') this.compareWith(row);
          },
        },
      },
      name,
      h('td', { class: 'g-bench-number' }, timeText(row.median), ' ', h('span', { class: 'g-muted' }, spreadText(row))),
      h(
        'td',
        { class: 'g-bench-bar' },
        bar(
          {
            value: row.median,
            low: row.low,
            high: row.high,
            state: row.state === 'running' ? 'live' : isBest ? 'best' : 'plain',
          },
          most,
        ),
      ),
      hasRates ? h('td', { class: 'g-bench-number' }, rateText(row)) : null,
      hasFlops ? h('td', { class: 'g-bench-number' }, flopsText(row)) : null,
      h('td', { class: 'g-bench-number' }, peakText(row)),
      h('td', {}, isBaseline ? 'baseline' : told(compared)),
      h('td', { title: row.before?.when ?? '' }, told(before)),
      h(
        'td',
        { class: 'g-bench-number' },
        String(row.registers || ''),
        row.localBytes ? h('span', { class: 'g-bad', title: 'bytes spilled' }, ` +${row.localBytes} B`) : null,
      ),
      h('td', { class: 'g-bench-number' }, row.sharedBytes ? `${digits(row.sharedBytes / 1024)} KB` : ''),
      h(
        'td',
        { class: 'g-bench-number', title: row.limitedBy ? `limited by ${row.limitedBy}` : '' },
        row.occupancy > 0 ? `${Math.round(row.occupancy * 100)}%` : '',
      ),
      h('td', { class: 'g-bench-number' }, row.compileMs > 0 ? `${digits(row.compileMs)} ms` : ''),
    );
  }

  private compareWith(row: BenchmarkRowInfo): void {
    this.baseline = row.id;
    this.draw();
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
