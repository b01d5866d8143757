// The timeline: a simulated run of one program, its lanes, and the contents of its buffers at any moment.
import type { DebuggedMoment } from '../host.ts';
import { levelsOf, Timeline } from '../model/timeline.ts';
import { plural, sentence } from '../model/words.ts';
import type {
  Location,
  MomentContents,
  MomentResult,
  SimulateResult,
  TimelineBuffer,
  TimelineFinding,
  TimelineSlice,
} from '../protocol.ts';
import { colourOf, pack, type Rgb, shade } from '../model/palette.ts';
import { h, replace, select } from '../ui/dom.ts';
import { Grid } from '../ui/grid.ts';
import { Latest, promptly } from '../ui/timing.ts';
import { Tracks } from '../ui/tracks.ts';
import { button, Head, Notice, stepper } from './common.ts';
import { bytesText } from './conversion.ts';
import type { Panel, Session, Why } from './session.ts';

const schedules = ['latest', 'earliest', 'random:1', 'random:2', 'random:3'];

export class TimelinePanel implements Panel {
  readonly id = 'timeline';
  readonly title = 'Timeline';
  readonly element: HTMLElement;
  readonly tracks: Tracks;
  private readonly head: Head;
  private readonly notice = new Notice();
  private readonly findings = h('div', { class: 'g-chips', attributes: { role: 'group', 'aria-label': 'Findings' } });
  private readonly events = h('ul', { class: 'g-timeline-events' });
  private readonly now = h('div', { class: 'g-timeline-now', attributes: { 'aria-live': 'polite' } });
  private readonly state = h('div', { class: 'g-timeline-state' });
  private readonly buffers = h('div', { class: 'g-timeline-buffers' });
  private readonly stage = h('div', { class: 'g-stepper' });
  private readonly written = h('div', { class: 'g-status' });
  private readonly grid: Grid;
  private readonly body: HTMLElement;
  private readonly program = h('input', {
    type: 'text',
    class: 'g-timeline-program',
    value: '0,0,0',
    title: 'The program of the grid: 3,0,0',
    attributes: { 'aria-label': 'Program' },
    on: { change: () => this.run() },
  });
  private readonly running = new Latest();
  private readonly looking = new Latest();
  private timeline: Timeline | null = null;
  private subject = ''; // which kernel and specialization the run is of
  private schedule = 'latest';
  private moment = 0;
  private isChosen = false; // by the user
  private buffer = 0;
  private chosenStage: number | null = null;
  private finding: number | null = null;
  private contents: MomentContents | null = null;
  private readonly lookSoon = promptly(40, () => this.look());

  constructor(private readonly session: Session) {
    this.tracks = new Tracks({
      seek: (moment) => this.seek(moment),
      open: (slice) => this.reveal(slice.place, false),
      describe: (slice) => this.describe(slice),
    });
    this.grid = new Grid('Contents of the buffer', {});
    this.head = new Head(
      select(
        'Schedule',
        schedules.map((value) => ({ value, text: value })),
        this.schedule,
        (value) => {
          this.schedule = value;
          this.run();
        },
      ),
      this.program,
      button('Run', () => this.run(), 'Simulate the program again'),
    );
    this.body = h(
      'div',
      { class: 'g-body g-timeline-body' },
      this.findings,
      this.events,
      this.tracks.element,
      this.now,
      h(
        'div',
        { class: 'g-timeline-pair' },
        this.state,
        h('div', { class: 'g-timeline-memory' }, this.buffers, this.stage, this.grid.element, this.written),
      ),
    );
    this.element = h('div', { class: 'g-panel g-timeline' }, this.head.element, this.notice.element, this.body);
    this.body.hidden = true;
    this.head.set('Timeline');
    session.host.onNotification('panel/moment', (moment) => this.followDebugger(moment));
  }

  open(what: { code?: string; line?: number; kernel?: string }): void {
    this.wanted = what;
    if (what.kernel) this.session.choose(what.kernel);
  }
  private wanted: { code?: string; line?: number } = {};

  update(why: Why): void {
    if (why === 'theme') return this.draw();
    const { session } = this;
    const kernel = session.kernel();
    if (!session.place || !kernel)
      return this.clear(session.place ? 'There is no kernel in this file.' : 'Open a Gluon kernel to see a run of it.');
    const subject = `${session.uri} ${kernel.kernel} ${session.specialization()?.id}`;
    // A run takes time: it begins when the panel is shown, and for another kernel; not with every letter.
    if (subject !== this.subject) {
      this.subject = subject;
      this.program.value = '0,0,0';
      this.unlight();
      this.run();
    } else if (why === 'changed' && this.timeline) {
      this.notice.say('The kernel was edited after this run. Click Run to simulate it again.');
    } else {
      this.light();
      this.openWanted();
    }
  }
  // The lines at which the partitions are, while the panel is in sight.
  private light(): void {
    const { uri } = this.session;
    if (!uri || this.element.hidden || !this.timeline) return;
    const lines = this.stopped.filter((place) => place.uri === uri).map((place) => place.range.start.line);
    this.session.host.highlightLines(uri, lines);
  }
  private unlight(): void {
    if (this.session.uri && !this.element.hidden && this.stopped.length)
      this.session.host.highlightLines(this.session.uri, []);
    this.stopped = [];
  }
  private stopped: Location[] = [];

  private run(): void {
    const { session } = this;
    const kernel = session.kernel();
    if (!session.uri || !kernel) return;
    const specialization = session.specialization()?.id;
    this.notice.say('Simulating …', this.timeline ? 'note' : 'empty');
    void this.running.run(
      () =>
        session.host.request('gluond/simulate', {
          textDocument: { uri: session.uri! },
          kernel: kernel.kernel,
          ...(specialization ? { specialization } : {}),
          program: this.program.value,
          schedule: this.schedule,
        }),
      (result) => this.show(result),
      (message) => this.clear(session.reason(message)),
    );
  }

  private clear(text: string): void {
    this.unlight();
    this.timeline = null;
    this.contents = null;
    this.session.moment = null;
    this.body.hidden = true;
    this.tracks.show(null, this.session.theme);
    this.head.set('Timeline');
    this.notice.say(text, 'empty');
  }

  private show(result: SimulateResult): void {
    this.timeline = new Timeline(result);
    this.body.hidden = false;
    this.notice.say(result.stopped ?? '');
    this.finding = null;
    this.chosenStage = null;
    this.buffer = Math.max(
      0,
      result.buffers.findIndex((each) => each.writes.length > 0),
    );
    const found = result.findings.length ? plural(result.findings.length, 'finding') : 'no problems found';
    this.head.set(
      result.kernel,
      `program ${result.program} of ${result.grid} · ${result.schedule} · ${plural(result.steps, 'step')} · ${found}`,
    );
    this.program.value = result.program;
    this.tracks.show(this.timeline, this.session.theme);
    this.drawFindings();
    this.drawBuffers();
    const first = result.findings.findIndex((each) => each.severity !== 'information');
    if (!this.openWanted()) {
      if (first >= 0) this.chooseFinding(first, false);
      else this.seek(result.steps, false);
    }
  }

  // The finding that a link in the editor asked for: by its code, or at a line.
  private openWanted(): boolean {
    const { code, line } = this.wanted;
    const { timeline } = this;
    if (!timeline || (code === undefined && line === undefined)) return false;
    this.wanted = {};
    const index = timeline.result.findings.findIndex(
      (each) =>
        (code === undefined || each.code === code) &&
        (line === undefined ||
          [each, ...each.events].some(({ place }) => place !== undefined && this.lineOf(place) === line + 1)),
    );
    if (index >= 0) this.chooseFinding(index);
    return index >= 0;
  }

  private chooseFinding(index: number, isChosen = true): void {
    const finding = this.timeline!.result.findings[index]!;
    this.finding = index;
    this.chosenStage = null;
    if (finding.buffer !== undefined) this.buffer = finding.buffer;
    this.drawFindings();
    this.drawBuffers();
    this.seek(finding.moment, isChosen);
  }

  // A moment that the user chose is the debugger's, too.
  private seek(moment: number, isChosen = true): void {
    this.moment = moment;
    this.isChosen = isChosen;
    this.tracks.setMoment(moment);
    this.lookSoon();
  }

  // A debugger of the run that is shown went to a moment.
  private followDebugger(to: DebuggedMoment): void {
    const result = this.timeline?.result;
    if (
      result &&
      to.uri === this.session.uri &&
      (to.kernel ?? result.kernel) === result.kernel &&
      (to.specialization ?? result.specialization) === result.specialization &&
      to.program === result.program &&
      to.schedule === result.schedule
    )
      this.seek(Math.min(to.moment, result.steps), false);
  }

  private look(): void {
    const { timeline } = this;
    if (!timeline) return;
    const { result } = timeline;
    void this.looking.run(
      () =>
        this.session.host.request('gluond/moment', {
          run: result.run,
          moment: this.moment,
          ...(result.buffers.length ? { buffer: this.buffer } : {}),
          ...(this.chosenStage === null ? {} : { stage: this.chosenStage }),
          ...(this.finding === null ? {} : { finding: this.finding }),
        }),
      (moment) => this.showMoment(moment),
      (message) => replace(this.now, sentence(message)),
    );
    if (!this.isChosen) return;
    this.session.host.seekDebugger?.({
      uri: this.session.uri!,
      kernel: result.kernel,
      specialization: result.specialization,
      program: result.program,
      schedule: result.schedule,
      moment: this.moment,
    });
  }

  // ------------------------------------------------------------ at the moment

  private showMoment(result: MomentResult): void {
    const { timeline } = this;
    if (!timeline) return;
    const bytes = timeline.bytesAt(result.moment);
    this.stopped = result.partitions.flatMap(({ location }) => location ?? []);
    this.light();
    this.session.moment = {
      run: timeline.result.run,
      moment: result.moment,
      uri: this.session.uri ?? '',
      buffers: timeline.result.buffers.map(({ place }) =>
        place === undefined ? undefined : timeline.result.places[place]?.location,
      ),
    };
    replace(
      this.now,
      h('b', {}, `step ${result.moment.toLocaleString('en')}`),
      ` of ${timeline.steps.toLocaleString('en')}`,
      bytes ? ` · ${bytesText(bytes)} in flight` : '',
    );
    const row = (name: Node | string, text: string) => h('li', {}, h('b', {}, name), ' ', h('span', {}, text));
    const group = (title: string, rows: HTMLElement[]) =>
      rows.length ? [h('h3', {}, title), h('ul', {}, ...rows)] : [];
    replace(
      this.state,
      ...group(
        'Partitions',
        result.partitions.map(({ name, state, location }) =>
          location
            ? h(
                'li',
                {},
                h(
                  'button',
                  {
                    type: 'button',
                    class: 'g-chip',
                    title: 'Go to the line',
                    on: { click: () => this.session.reveal(location, false) },
                  },
                  `line ${location.range.start.line + 1}`,
                ),
                ' ',
                h('b', {}, name),
                ' ',
                h('span', {}, state),
              )
            : row(name, state),
        ),
      ),
      ...group(
        'Barriers',
        result.barriers.map(({ name, text }) => row(name, text)),
      ),
      ...group(
        'In flight',
        result.operations.map(({ name, text }) => row(name, text)),
      ),
    );
    this.contents = result.contents ?? null;
    this.drawContents(result.problem);
  }

  private drawFindings(): void {
    const findings = this.timeline?.result.findings ?? [];
    replace(
      this.findings,
      ...findings.map((finding, i) =>
        h(
          'button',
          {
            type: 'button',
            class: `g-chip${finding.severity === 'information' ? '' : ' g-bad'}${i === this.finding ? ' g-on' : ''}`,
            title: sentence(finding.message),
            attributes: { 'aria-pressed': String(i === this.finding), 'data-code': finding.code },
            on: {
              click: () => {
                this.chooseFinding(i);
                this.reveal(finding.place, true);
              },
            },
          },
          `${finding.place === undefined ? '' : `line ${this.lineOf(finding.place)}: `}${finding.code.replace(/^run-/, '')}`,
        ),
      ),
    );
    const chosen: TimelineFinding | undefined = this.finding === null ? undefined : findings[this.finding];
    replace(
      this.events,
      chosen ? h('li', { class: 'g-timeline-message' }, sentence(chosen.message)) : null,
      ...(chosen?.events ?? []).map(({ message, place }) =>
        h(
          'li',
          {},
          place === undefined
            ? message
            : h(
                'button',
                { type: 'button', class: 'g-link', on: { click: () => this.reveal(place, false) } },
                `line ${this.lineOf(place)}: ${message}`,
              ),
        ),
      ),
    );
    this.events.hidden = !chosen;
  }

  private drawBuffers(): void {
    const buffers = this.timeline?.result.buffers ?? [];
    if (!buffers.length) {
      replace(this.buffers, h('span', { class: 'g-muted' }, 'The kernel has no buffers.'));
      return;
    }
    replace(
      this.buffers,
      select(
        'Buffer',
        buffers.map((each, i) => ({ value: String(i), text: this.bufferName(each) })),
        String(this.buffer),
        (value) => {
          this.buffer = Number(value);
          this.chosenStage = null;
          this.look();
        },
      ),
      button('Last write', () => this.toAccess(-1), 'Go back to the last write of this buffer'),
      button('Next write', () => this.toAccess(1), 'Go to the next write of this buffer'),
    );
  }
  private bufferName(buffer: TimelineBuffer): string {
    const line = buffer.place === undefined ? '' : `, line ${this.lineOf(buffer.place)}`;
    const kind = buffer.kind === 'tensor memory' ? ' in tensor memory' : '';
    return `${buffer.name || 'buffer'} ${buffer.dtype}[${buffer.shape.join(', ')}]${kind}${line}`;
  }
  private toAccess(step: 1 | -1): void {
    const writes = this.timeline?.result.buffers[this.buffer]?.writes ?? [];
    const to =
      step > 0
        ? writes.find((each) => each > this.moment)
        : writes.filter((each) => each < this.moment).reduce((a, b) => Math.max(a, b), -1);
    this.chosenStage = null;
    if (to !== undefined && to >= 0) this.seek(to);
  }

  // The elements of a stage: what was written last, what a finding is about, what was never written.
  private drawContents(problem?: string): void {
    const { contents } = this;
    this.grid.element.hidden = !contents;
    this.stage.hidden = !contents || contents.stages < 2;
    if (!contents) {
      this.grid.setData(null);
      replace(this.written, problem ? sentence(problem) : '');
      return;
    }
    const text = h('span', { class: 'g-stepper-text' }, `${contents.stage} of ${contents.stages}`);
    if (contents.stages > 1)
      replace(
        this.stage,
        ...stepper('Stage', contents.stage, contents.stages, text, (at) => {
          this.chosenStage = at;
          this.look();
        }),
      );
    const { writtenAt, writtenBy } = contents;
    replace(
      this.written,
      writtenAt === undefined ? 'Not written yet.' : `Last written in step ${writtenAt.toLocaleString('en')}`,
      ...(writtenBy
        ? [
            ', ',
            h(
              'button',
              { type: 'button', class: 'g-link', on: { click: () => this.session.reveal(writtenBy, false) } },
              `line ${writtenBy.range.start.line + 1}`,
            ),
          ]
        : []),
      contents.changed.length ? ` (${plural(contents.changed.length, 'element')} here, coloured)` : '',
      contents.touched.length ? ` · ${plural(contents.touched.length, 'element')} of the finding` : '',
    );
    const columns = contents.shape.length ? contents.shape[contents.shape.length - 1]! : 1;
    const rows = Math.max(1, contents.values.length / Math.max(columns, 1));
    const { theme } = this.session;
    const isDark = theme === 'dark' || theme === 'high-contrast';
    const plain: Rgb = isDark ? [44, 52, 64] : [232, 236, 241];
    const pixels = new Uint32Array(contents.values.length);
    const hatched = new Uint8Array(contents.values.length);
    const hues = new Uint8Array(contents.values.length); // 0: neither, else the hue and one
    for (const i of contents.changed) hues[i] = 1 + 1;
    for (const i of contents.touched) hues[i] = 6 + 1;
    const levels = levelsOf(contents.values);
    contents.values.forEach((value, i) => {
      if (value === '') hatched[i] = 1;
      const level = levels[i]!;
      const hue: Rgb = hues[i] ? colourOf(hues[i] - 1, 8, theme) : isDark ? [104, 116, 134] : [146, 158, 176];
      pixels[i] = pack(
        value === '' && !hues[i] ? plain : Number.isNaN(level) ? colourOf(3, 8, theme) : shade(hue, level, theme),
      );
    });
    const describe = (cell: number) => {
      const index = contents.shape.length > 1 ? `[${Math.floor(cell / columns)}, ${cell % columns}]` : `[${cell}]`;
      const value = contents.values[cell] || 'never written';
      const what = [
        contents.touched.includes(cell) ? 'part of the finding' : '',
        contents.changed.includes(cell) ? 'written last' : '',
      ].filter(Boolean);
      return [`${index} = ${value}`, ...what].join(' · ');
    };
    this.grid.setData({
      subject: `${this.timeline?.result.run} ${this.buffer}`,
      rows,
      columns,
      pixels,
      hatched,
      label: (cell) => contents.values[cell] ?? '',
      rowLabel: (row) => String(row),
      columnLabel: (column) => String(column),
      describe,
    });
    // Frames around all of them would say nothing.
    const isPart = contents.touched.length < contents.values.length && contents.touched.length <= 1024;
    this.grid.highlight(null, isPart ? contents.touched : []);
  }

  // ------------------------------------------------------------ words and places

  private describe(slice: TimelineSlice): string {
    const place = slice.place === undefined ? '' : ` · line ${this.lineOf(slice.place)}`;
    const name = slice.kind === 'wait' ? 'waits' : slice.name;
    const what = slice.what ? ` · ${slice.what}` : slice.bytes ? ` · ${bytesText(slice.bytes)}` : '';
    const span = slice.to - slice.from > 1 ? `${slice.from} to ${slice.to}` : `${slice.to}`;
    return `${name}${place}${what} · step ${span}`;
  }
  private lineOf(place: number): number {
    return (this.timeline?.result.places[place]?.location.range.start.line ?? 0) + 1;
  }
  private reveal(place: number | undefined, preserveFocus: boolean): void {
    const found = place === undefined ? undefined : this.timeline?.result.places[place];
    if (found) this.session.reveal(found.location, preserveFocus);
  }
  private draw(): void {
    this.tracks.show(this.timeline, this.session.theme);
    if (this.contents) this.drawContents();
  }
}
