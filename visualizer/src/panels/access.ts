// Where the addresses of one warp instruction fall: lines and sectors of global memory, banks of shared memory.
import { dtypeName, plural } from '../model/words.ts';
import type { AccessResult, GivenValue, LayoutMapResult, OperationInfo } from '../protocol.ts';
import { addressText, efficiencyOf, globalTable, sharedTable, type MemoryTable } from '../model/access.ts';
import { lineBytes, sectorBytes } from '../model/chips.ts';
import { colourOf, pack } from '../model/palette.ts';
import { h, iconButton, replace } from '../ui/dom.ts';
import { Latest } from '../ui/timing.ts';
import { Grid } from '../ui/grid.ts';
import { BulkView } from './bulk.ts';
import { button, exportButtons, Head, metric, Notice, percent } from './common.ts';
import { OperationList } from './operations.ts';
import type { Panel, Session, Why } from './session.ts';

const accessKinds: readonly string[] = ['global', 'shared', 'bulk'];

// The layout of a bulk copy's buffer.
interface Answer {
  access: AccessResult;
  buffer?: LayoutMapResult;
}

const lanesHeight = 96; // as grids.css has it
const captionHeight = 22;

export class AccessPanel implements Panel {
  readonly id = 'access';
  readonly title = 'Access';
  readonly element: HTMLElement;
  readonly grid: Grid;
  private readonly lanes: Grid;
  private readonly latest = new Latest();
  private readonly notice = new Notice();
  private readonly head: Head;
  private readonly list: OperationList;
  private readonly body: HTMLElement;
  private readonly metrics = h('div', { class: 'g-metrics' });
  private readonly steppers = h('div', { class: 'g-toolbar' });
  private readonly caption = h('figcaption');
  private readonly assumptions = h('div', { class: 'g-assumptions' });
  private readonly status = h('div', { class: 'g-status' });
  private readonly foot = h('div', { class: 'g-foot' }, this.status);
  private readonly split: HTMLElement;
  private readonly bulk: BulkView;
  private warp = 0;
  private instruction = 0;
  private given: GivenValue[] = [];
  private kernel = '';
  private access: AccessResult | null = null;
  private shown = ''; // the file, kernel and specialization that `access` belongs to
  private table: MemoryTable | null = null;
  private buffer: LayoutMapResult | null = null; // the buffer of a bulk copy

  constructor(private readonly session: Session) {
    this.list = new OperationList(session, () => this.restart());
    this.grid = new Grid('Memory', {
      hover: (cell) => this.hoverCell(cell),
      select: (cell) => {
        if (cell !== null && this.access) this.session.reveal(this.session.placeOf(this.access.operation), true);
        this.lanes.highlight(cell === null ? null : this.lanesAt(cell));
      },
      activate: () => this.access && this.session.reveal(this.session.placeOf(this.access.operation), false),
      height: (pixels) => this.split.style.setProperty('--g-useful', `${pixels + captionHeight + lanesHeight + 10}px`),
    });
    this.lanes = new Grid('Lanes', {
      hover: (lane) => this.hoverLane(lane),
      select: (lane) => this.grid.highlight(lane === null ? null : this.cellsOf(lane)),
      activate: () => this.access && this.session.reveal(this.session.placeOf(this.access.operation), false),
    });
    this.bulk = new BulkView(session);
    this.bulk.onSelect = () => this.access && this.session.reveal(this.session.placeOf(this.access.operation), true);
    this.bulk.onActivate = () => this.access && this.session.reveal(this.session.placeOf(this.access.operation), false);
    this.head = new Head(
      button(
        'Source',
        () => this.access && session.reveal(this.session.placeOf(this.access.operation), false),
        'Go to the line',
      ),
      exportButtons(
        session,
        () => (this.buffer ? this.bulk.memory : this.grid),
        () =>
          `${this.access?.operation.op ?? 'access'} line ${this.access ? this.session.lineOf(this.access.operation) : ''}`,
        {
          legend: () => (this.buffer ? this.bulk.legendEntries() : []),
        },
      ),
    );
    this.split = h(
      'div',
      { class: 'g-split g-split-rows' },
      h('figure', { class: 'g-figure g-grow' }, this.caption, this.grid.element),
      h('figure', { class: 'g-figure g-lanes' }, h('figcaption', {}, 'Lanes of the warp'), this.lanes.element),
    );
    this.body = h(
      'div',
      { class: 'g-body' },
      this.metrics,
      this.steppers,
      this.split,
      this.bulk.element,
      this.foot,
      this.assumptions,
    );
    this.element = h('div', { class: 'g-panel' }, this.head.element, this.list.element, this.notice.element, this.body);
    this.body.hidden = true;
  }

  open(what: { operation?: OperationInfo }): void {
    if (what.operation) {
      this.list.point(what.operation);
      this.restart();
    }
  }

  update(why: Why): void {
    if (why === 'theme') return this.draw();
    if (!this.session.place) return this.notice.say('Open a Gluon kernel to see its loads and stores.', 'empty');
    void this.latest.run(
      async () => {
        const operations = await this.session.operations();
        const shown = [this.session.uri, operations.kernel, operations.specialization].join(' ');
        if (shown !== this.shown) {
          this.access = this.buffer = null;
          this.shown = shown;
        }
        if (operations.kernel !== this.kernel) {
          this.kernel = operations.kernel;
          this.given = [];
        }
        const before = this.list.chosen;
        const chosen = this.list.set(operations, (o) => accessKinds.includes(o.kind), why !== 'changed');
        if (!chosen) throw new Error(`'${operations.kernel}' has no load, store or copy.`);
        if (chosen.index !== before?.index || chosen.op !== before.op) this.warp = this.instruction = 0;
        if (
          why === 'cursor' &&
          this.access &&
          chosen.index === this.access.operation.index &&
          chosen.summary === this.access.operation.summary
        )
          return this.buffer ? { access: this.access, buffer: this.buffer } : { access: this.access };
        return this.ask(chosen);
      },
      (answer) => this.show(answer),
      (message) => this.fail(message),
    );
  }

  private restart(): void {
    this.warp = this.instruction = 0;
    this.again();
  }
  private again(): void {
    const chosen = this.list.chosen;
    if (!chosen) return;
    void this.latest.run(
      () => this.ask(chosen),
      (answer) => this.show(answer),
      (message) => this.fail(message),
    );
  }
  private async ask(operation: OperationInfo): Promise<Answer> {
    const access = await this.session.host.request('gluond/access', {
      textDocument: { uri: this.session.uri! },
      kernel: this.kernel,
      operation: operation.index,
      warp: this.warp,
      instruction: this.instruction,
      given: this.given,
    });
    if (operation.kind !== 'bulk' || operation.other === undefined) return { access };
    return { access, buffer: await this.session.layoutOf(operation, true) };
  }

  private fail(message: string): void {
    this.access = this.buffer = null;
    this.head.set('Access');
    this.notice.say(this.session.reason(message), 'empty');
    this.body.hidden = true;
  }

  private show({ access, buffer }: Answer): void {
    this.access = access;
    this.buffer = buffer ?? null;
    const notes = [
      this.list.isElsewhere ? 'The line of the cursor has no load, store or copy.' : '',
      access.unknown && !buffer ? `The addresses cannot be drawn, because they depend on ${access.unknown}.` : '',
    ];
    this.notice.say(notes.filter(Boolean).join(' '), 'note');
    this.body.hidden = false;
    const operation = access.operation;
    this.head.set(
      `${operation.title} · line ${this.session.lineOf(operation)}`,
      `${dtypeName(operation.dtype)} [${operation.shape.join(', ')}] `,
      h('code', {}, operation.registers ?? ''),
      operation.other ? h('code', {}, ` ${operation.other}`) : '',
    );
    this.draw();
  }

  private draw(): void {
    const access = this.access;
    if (!access) return;
    const isShared = access.operation.kind === 'shared';
    const isBulk = access.operation.kind === 'bulk';
    this.split.hidden = this.steppers.hidden = isBulk;
    this.bulk.element.hidden = !isBulk;
    this.foot.hidden = isBulk;
    if (isBulk) return this.drawBulk(access);
    this.split.hidden = !access.addresses.length;
    const efficiency = efficiencyOf(access);
    const by = access.instruction ? `, by ${access.instruction}` : '';
    const unit = access.instruction?.includes('matrix') ? 'per row of a matrix' : 'per lane and instruction';
    const all = `over ${access.instructions === 1 ? 'the only instruction' : `all ${plural(access.instructions, 'instruction')}`}`;
    const elements = plural(access.elements, 'element');
    // Few atomic instructions take more than one element.
    const vector = access.operation.op.includes('atomic')
      ? metric(`${access.bytes} B`, unit + by, 'plain', elements)
      : metric(
          `${access.bytes} B`,
          unit + by,
          access.bytes >= 16 ? 'good' : access.bytes >= 8 ? 'plain' : 'bad',
          `${elements}; at most 16 bytes are possible`,
        );
    replace(
      this.metrics,
      vector,
      ...(isShared
        ? [
            metric(
              String(access.wavefronts),
              `${access.wavefronts === 1 ? 'wavefront' : 'wavefronts'}, ${access.leastWavefronts} needed`,
              access.wavefronts > access.leastWavefronts ? 'bad' : 'good',
            ),
            metric(
              access.wavefronts > access.leastWavefronts
                ? `${Math.ceil(access.wavefronts / access.leastWavefronts)}-way`
                : 'none',
              'bank conflicts',
              access.wavefronts > access.leastWavefronts ? 'bad' : 'good',
            ),
            metric(String(access.totalWavefronts), `${all}, ${access.totalLeastWavefronts} needed`),
          ]
        : access.unknown
          ? []
          : [
              metric(
                String(access.sectors),
                `${access.sectors === 1 ? 'sector' : 'sectors'} of ${sectorBytes} B, ${access.leastSectors} needed`,
                efficiency > 0.99 ? 'good' : 'bad',
              ),
              metric(
                percent(efficiency),
                'of the bytes moved are used',
                efficiency > 0.99 ? 'good' : efficiency > 0.49 ? 'plain' : 'bad',
              ),
              metric(String(access.lines), `${access.lines === 1 ? 'line' : 'lines'} of 128 B`),
              metric(percent(access.totalSectors ? access.totalLeastSectors / access.totalSectors : 1), all),
            ]),
    );
    this.drawSteppers(access);
    this.drawAssumptions(access);
    this.table = access.addresses.length ? (isShared ? sharedTable(access) : globalTable(access)) : null;
    this.drawTable(access, isShared);
    this.drawLanes(access);
    replace(this.status, access.addresses.length ? this.laneText(0) : '');
  }

  private drawBulk(access: AccessResult): void {
    if (this.buffer) this.bulk.show(access, this.buffer, this.subject(access));
    replace(this.metrics, ...this.bulk.metrics());
    this.drawAssumptions(access);
  }

  private drawSteppers(access: AccessResult): void {
    const stepper = (label: string, value: number, count: number, set: (value: number) => void) =>
      h(
        'span',
        { class: 'g-stepper', attributes: { role: 'group', 'aria-label': label } },
        h('span', { class: 'g-field-label' }, label),
        iconButton('left', `Previous ${label.toLowerCase()}`, () => set((value - 1 + count) % count)),
        h('input', {
          type: 'number',
          min: '0',
          max: String(count - 1),
          value: String(value),
          attributes: { 'aria-label': label },
          on: {
            change: (event) => {
              const wanted = Math.trunc(Number((event.target as HTMLInputElement).value));
              if (Number.isFinite(wanted)) set(Math.min(Math.max(wanted, 0), count - 1));
            },
          },
        }),
        h('output', {}, `of ${count}`),
        iconButton('right', `Next ${label.toLowerCase()}`, () => set((value + 1) % count)),
      );
    replace(
      this.steppers,
      stepper('Warp', this.warp, access.warps, (value) => {
        this.warp = value;
        this.again();
      }),
      stepper('Instruction', this.instruction, access.instructions, (value) => {
        this.instruction = value;
        this.again();
      }),
      h('span', { class: 'g-muted' }, 'program 0, first iteration'),
    );
  }

  private drawAssumptions(access: AccessResult): void {
    if (!access.assumptions.length) return replace(this.assumptions);
    replace(
      this.assumptions,
      ...[false, true].flatMap((launched) =>
        this.values(
          launched ? 'Launched with' : 'Assuming',
          access.assumptions.filter((each) => each.launched === launched),
        ),
      ),
      this.given.length
        ? button(
            'Reset',
            () => ((this.given = []), this.again()),
            'Restore the values of the launch and those that gluond assumes',
          )
        : null,
    );
  }

  private values(label: string, assumptions: readonly AccessResult['assumptions'][number][]): HTMLElement[] {
    if (!assumptions.length) return [];
    return [
      h('span', { class: 'g-field-label' }, label),
      ...assumptions.map((assumption) =>
        h(
          'label',
          { class: assumption.given ? 'g-assumption g-given' : 'g-assumption' },
          h('code', {}, assumption.name),
          h('input', {
            type: 'number',
            value: String(assumption.value),
            attributes: { 'aria-label': `value of ${assumption.name}` },
            on: {
              change: (event) => {
                const value = Number((event.target as HTMLInputElement).value);
                if (!Number.isSafeInteger(value)) return;
                this.given = [
                  ...this.given.filter((g) => g.name !== assumption.name),
                  { name: assumption.name, value },
                ];
                this.again();
              },
            },
          }),
        ),
      ),
    ];
  }

  private drawTable(access: AccessResult, isShared: boolean): void {
    const table = this.table;
    if (!table || !table.rows.length) return this.grid.setData(null);
    this.caption.textContent = isShared
      ? 'Each column is a bank, each row a wavefront; numbers are lanes'
      : `Each row is a line of ${lineBytes} bytes in sectors of ${sectorBytes}; numbers are lanes${table.rows.some((row) => row.lanes.includes(-1)) ? ', hatched bytes are moved but not used' : ''}`;
    const rows = table.rows.length;
    const pixels = new Uint32Array(rows * table.columns);
    const hatched = new Uint8Array(pixels.length);
    const ground = pack(this.session.theme.includes('light') ? [232, 235, 240] : [34, 39, 48]);
    table.rows.forEach((row, r) =>
      row.lanes.forEach((lane, c) => {
        const at = r * table.columns + c;
        if (lane >= 0) pixels[at] = pack(colourOf(lane, access.addresses.length, this.session.theme));
        else {
          pixels[at] = ground;
          if (lane === -1) hatched[at] = 1;
        }
      }),
    );
    const perSector = sectorBytes / table.cellBytes;
    this.grid.setData({
      subject: this.subject(access),
      rows,
      columns: table.columns,
      pixels,
      hatched,
      label: (cell) => {
        const lane = table.rows[Math.floor(cell / table.columns)]!.lanes[cell % table.columns]!;
        return lane >= 0 ? String(lane) : '';
      },
      rowLabel: (row) => table.rows[row]!.label,
      columnLabel: (column) => (isShared ? String(column) : String(column * table.cellBytes)),
      describe: (cell) => this.describe(cell),
      rowBreaks: new Set(table.rows.flatMap((row, i) => (row.gapBefore ? [i] : []))),
      warnRows: new Set(table.rows.flatMap((row, i) => (row.isConflict ? [i] : []))),
      ...(isShared ? {} : { everyColumn: perSector }),
    });
  }

  private drawLanes(access: AccessResult): void {
    const count = access.active.length;
    const columns = Math.min(32, count);
    const pixels = new Uint32Array(count);
    access.active.forEach(
      (active, lane) => (pixels[lane] = active ? pack(colourOf(lane, count, this.session.theme)) : 0),
    );
    this.lanes.setData({
      subject: this.subject(access),
      rows: count / columns,
      columns,
      pixels,
      label: (lane) => String(lane),
      columnLabel: (column) => String(column),
      describe: (lane) => this.laneText(lane),
    });
  }
  private subject({ operation }: AccessResult): string {
    return [this.shown, operation.index, this.warp, this.instruction].join(' ');
  }

  private describe(cell: number): string {
    const table = this.table!;
    const row = table.rows[Math.floor(cell / table.columns)]!;
    const column = cell % table.columns;
    const lane = row.lanes[column]!;
    const isShared = this.access!.operation.kind === 'shared';
    const where = isShared ? `bank ${column}, ${row.label}` : `${row.label} + ${column * table.cellBytes}`;
    const sharers = row.sharers.get(column);
    const who = sharers
      ? `lanes ${sharers.join(', ')}`
      : lane >= 0
        ? `lane ${lane}`
        : lane === -1
          ? 'moved but not used'
          : 'not accessed';
    return `${where}: ${who} (${row.note})`;
  }

  private laneText(lane: number): string {
    const access = this.access!;
    if (!access.active[lane]) return `lane ${lane}: masked off`;
    const at = access.coordinates[lane]?.join(', ') ?? '';
    const address = access.addresses[lane];
    return `lane ${lane}: element (${at})${access.elements > 1 ? ` and the next ${access.elements - 1}` : ''}${address === undefined ? '' : `, ${plural(access.bytes, 'byte')} at ${addressText(address)}`}`;
  }

  private lanesAt(cell: number): number[] {
    const table = this.table;
    if (!table) return [];
    const row = table.rows[Math.floor(cell / table.columns)]!;
    const lane = row.lanes[cell % table.columns]!;
    return row.sharers.get(cell % table.columns) ?? (lane >= 0 ? [lane] : []);
  }
  private cellsOf(lane: number): number[] {
    const table = this.table;
    if (!table) return [];
    return table.rows.flatMap((row, r) =>
      [...row.lanes.keys()]
        .filter((c) => row.lanes[c] === lane || row.sharers.get(c)?.includes(lane))
        .map((c) => r * table.columns + c),
    );
  }
  private hoverCell(cell: number | null): void {
    this.lanes.highlight(null, cell === null ? [] : this.lanesAt(cell));
    replace(this.status, cell === null ? '' : this.describe(cell));
  }
  private hoverLane(lane: number | null): void {
    this.grid.highlight(null, lane === null ? [] : this.cellsOf(lane));
    replace(this.status, lane === null ? '' : this.laneText(lane));
  }
}
