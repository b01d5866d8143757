// The elements that a conversion between two layouts moves, and how far.
import { dtypeName, dtypeOf, messageOf, plural } from '../model/words.ts';
import type { ConversionResult, OperationInfo } from '../protocol.ts';
import { Conversion, distances, threads } from '../model/conversion.ts';
import { foldedPlane, Layout } from '../model/linear.ts';
import { Owners } from '../model/owners.ts';
import { colourOf, css, isDark, pack, type Rgb } from '../model/palette.ts';
import { append, h, replace } from '../ui/dom.ts';
import { Latest } from '../ui/timing.ts';
import { Grid } from '../ui/grid.ts';
import { button, exportButtons, Head, metric, Notice } from './common.ts';
import { legendItem } from './legend.ts';
import { OperationList } from './operations.ts';
import { type Panel, type Session, type Why } from './session.ts';

const kindTitles: Record<string, string> = {
  nothing: 'free',
  registers: 'in the thread',
  lanes: 'within the warp',
  warps: 'shared memory',
  blocks: 'across the cluster',
};

// The instructions of a warp for a conversion, as gluond compiles it.
function instructionMetrics({ instructions, kind }: ConversionResult): HTMLElement[] {
  if (!instructions)
    return kind === 'nothing' || kind === 'registers'
      ? [metric('0', 'instructions: registers are renamed', 'good')]
      : [];
  const { swaps, shuffles, selects, stores, storeBytes, loads, loadBytes, barriers, barrier } = instructions;
  if (swaps) return [metric(String(swaps), swaps === 1 ? 'swap of registers per warp' : 'swaps of registers per warp')];
  if (!stores) return [metric(String(shuffles), 'shuffles per warp'), metric(String(selects), 'additional selects')];
  const width = (bytes: number) => (bytes >= 16 ? 'good' : bytes >= 8 ? 'plain' : 'bad');
  return [
    metric(
      `${stores} × ${storeBytes} B`,
      'shared stores per warp',
      width(storeBytes),
      `${plural(stores, 'instruction')}, ${storeBytes} bytes per lane each`,
    ),
    metric(
      `${loads} × ${loadBytes} B`,
      'shared loads per warp',
      width(loadBytes),
      `${plural(loads, 'instruction')}, ${loadBytes} bytes per lane each`,
    ),
    metric(
      String(barriers),
      barrier === 'warp'
        ? `${barriers === 1 ? 'wait' : 'waits'} of the warp`
        : `${barriers === 1 ? 'barrier' : 'barriers'} of the program`,
    ),
  ];
}

export class ConversionPanel implements Panel {
  readonly id = 'conversion';
  readonly title = 'Conversion';
  readonly element: HTMLElement;
  readonly moves: Grid;
  private readonly from: Grid;
  private readonly to: Grid;
  private readonly matrix: Grid;
  private readonly list: OperationList;
  private readonly head: Head;
  private readonly notice = new Notice();
  private readonly latest = new Latest();
  private readonly metrics = h('div', { class: 'g-metrics' });
  private readonly legend = h('div', { class: 'g-legend' });
  private readonly status = h('div', { class: 'g-status' });
  private readonly body: HTMLElement;
  private readonly layouts = h('div', { class: 'g-layout-pair' });
  private result: ConversionResult | null = null;
  private model: Conversion | null = null;
  private transfers: { size: number; counts: Int32Array } = { size: 0, counts: new Int32Array(0) };
  private perGroup = 1;
  private subject = '';

  constructor(private readonly session: Session) {
    this.list = new OperationList(session, () => this.again());
    const linked = (name: string) =>
      new Grid(name, {
        hover: (element) => this.hover(element),
        select: (element) => this.select(element),
        activate: () => this.reveal(false),
      });
    this.moves = linked('How far each element moves');
    this.from = linked('Owners before');
    this.to = linked('Owners after');
    this.matrix = new Grid('Senders and receivers', {
      hover: (cell) => replace(this.status, cell === null ? '' : this.matrixText(cell)),
      select: (cell) => this.selectTransfer(cell),
    });
    this.head = new Head(
      button('Source', () => this.reveal(false), 'Go to the line'),
      exportButtons(
        session,
        () => this.moves,
        () => 'conversion',
      ),
    );
    const figure = (caption: string, grid: Grid) =>
      h('figure', { class: 'g-figure' }, h('figcaption', {}, caption), grid.element);
    this.body = h(
      'div',
      { class: 'g-body' },
      this.metrics,
      this.layouts,
      h(
        'div',
        { class: 'g-quad' },
        figure('How far each element moves', this.moves),
        figure('Threads: rows send, columns receive', this.matrix),
        figure('Before', this.from),
        figure('After', this.to),
      ),
      h('div', { class: 'g-foot' }, this.status, this.legend),
    );
    this.element = h('div', { class: 'g-panel' }, this.head.element, this.list.element, this.notice.element, this.body);
    this.body.hidden = true;
  }

  open(what: { operation?: OperationInfo }): void {
    if (what.operation) this.list.point(what.operation);
  }

  update(why: Why): void {
    if (why === 'theme') return this.draw();
    if (!this.session.place) return this.notice.say('Open a Gluon kernel to see its conversions.', 'empty');
    void this.latest.run(
      async () => {
        const operations = await this.session.operations();
        const chosen = this.list.set(operations, (o) => o.kind === 'conversion', why !== 'changed');
        if (!chosen) throw new Error(`'${operations.kernel}' has no layout conversions`);
        return this.ask(chosen, operations.target);
      },
      (result) => this.show(result),
      (message) => this.fail(message),
    );
  }

  private again(): void {
    const chosen = this.list.chosen;
    if (!chosen) return;
    void this.latest.run(
      async () => this.ask(chosen, (await this.session.operations()).target),
      (result) => this.show(result),
      (message) => this.fail(message),
    );
  }
  private ask(operation: OperationInfo, target: string): Promise<ConversionResult> {
    return this.session.host.request('gluond/conversion', {
      from: operation.registers ?? '',
      to: operation.other ?? '',
      shape: operation.shape,
      dtype: dtypeOf(operation),
      target,
      inLoop: operation.inLoop,
    });
  }
  private fail(message: string): void {
    this.result = null;
    this.body.hidden = true;
    this.head.set('Conversions');
    this.notice.say(this.session.reason(message), 'empty');
  }

  private show(result: ConversionResult): void {
    this.result = result;
    const operation = this.list.chosen!;
    const subject = [
      this.session.uri,
      this.session.kernel()?.kernel,
      operation.index,
      result.from.layout,
      result.to.layout,
    ].join(' ');
    if (subject !== this.subject) this.dimmed = null;
    this.subject = subject;
    this.notice.say(this.list.isElsewhere ? 'The line of the cursor does not convert a layout.' : '', 'note');
    this.body.hidden = false;
    try {
      this.model = new Conversion(new Layout(result.from.map), new Layout(result.to.map));
    } catch (error) {
      return this.fail(messageOf(error));
    }
    this.head.set(
      `convert_layout · line ${this.session.lineOf(operation)}`,
      `${dtypeName(operation.dtype)} [${operation.shape.join(', ')}] · ${result.summary}`,
    );
    replace(
      this.layouts,
      h('code', { title: result.from.summary }, result.from.layout),
      h('span', { class: 'g-arrow', attributes: { 'aria-label': 'to' } }, '→'),
      h('code', { title: result.to.summary }, result.to.layout),
    );
    const far = result.kind === 'warps' || result.kind === 'blocks';
    replace(
      this.metrics,
      metric(
        kindTitles[result.kind] ?? result.kind,
        'how it moves',
        far ? 'bad' : result.kind === 'lanes' ? 'plain' : 'good',
      ),
      metric(
        bytesText(result.bytesMoved),
        `of ${bytesText(result.bytes)} change threads`,
        result.bytesMoved ? 'plain' : 'good',
      ),
      metric(bytesText(result.sharedBytes), 'of shared memory', result.sharedBytes ? 'plain' : 'good'),
      ...instructionMetrics(result),
      operation.inLoop && far
        ? metric('in a loop', 'executed in every iteration', 'bad')
        : metric('once', operation.inLoop ? 'per iteration' : 'not in a loop'),
    );
    this.draw();
  }

  // Elements that stay have calm colours. The farther they go, the louder the colour and the higher the contrast.
  private distanceColour(distance: number): Rgb {
    const order = [7, 2, 0, 1, 6];
    return colourOf(order[distance]!, 8, this.session.theme);
  }

  private draw(): void {
    const { result, model } = this;
    if (!result || !model) return;
    const { from: layoutFrom, to: layoutTo, distances: distance } = model;
    const plane = foldedPlane(result.to.shape);
    // All slices are drawn below each other, because a conversion is looked at as a whole.
    const rows = plane.rows * plane.slices;
    const columns = plane.columns;
    const theme = this.session.theme;
    const movePixels = Uint32Array.from(distance, (d) => pack(this.distanceColour(d)));
    const ownersFrom = new Owners(layoutFrom, result.from);
    const ownersTo = new Owners(layoutTo, result.to);
    const { subject } = this;
    const common = {
      subject,
      rows,
      columns,
      rowLabel: (r: number) => String(r),
      columnLabel: (c: number) => String(c),
      describe: (cell: number) => this.describe(cell),
    };
    this.moves.setData({ ...common, pixels: movePixels, label: (cell) => ['', 'r', 'l', 'w', 'b'][distance[cell]!]! });
    this.from.setData({
      ...common,
      pixels: ownersFrom.pixels('warp', theme),
      label: (cell) => ownersFrom.label(layoutFrom.firstPlace[cell]!),
    });
    this.to.setData({
      ...common,
      pixels: ownersTo.pixels('warp', theme),
      label: (cell) => ownersTo.label(layoutTo.firstPlace[cell]!),
    });
    this.perGroup = Math.max(1, threads(layoutTo) / 128);
    this.transfers = model.transfers(this.perGroup);
    const { size, counts } = this.transfers;
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    const lanes = Math.max(1, (layoutTo.dim('lane')?.size ?? 32) / this.perGroup);
    this.matrix.setData({
      subject,
      rows: size,
      columns: size,
      pixels: Uint32Array.from(counts, (n) =>
        n
          ? pack(
              colourOf(
                Math.round((isDark(theme) ? 0.25 + (0.75 * n) / most : 0.75 - (0.75 * n) / most) * 99),
                100,
                theme,
              ),
            )
          : 0,
      ),
      label: (cell) => (counts[cell] ? String(counts[cell]) : ''),
      rowLabel: (r) => `T${r * this.perGroup}`,
      columnLabel: (c) => `T${c * this.perGroup}`,
      describe: (cell) => this.matrixText(cell),
      everyColumn: lanes,
      everyRow: lanes,
    });
    const counted = new Array<number>(distances.length).fill(0);
    for (const d of distance) ++counted[d]!;
    replace(this.legend);
    distances.forEach((text, d) => {
      if (!counted[d]) return;
      const entry = { text: `${text}: ${counted[d].toLocaleString('en')}`, colour: css(this.distanceColour(d)) };
      append(this.legend, legendItem(entry));
    });
    replace(this.status, result.summary);
  }

  describe(element: number): string {
    const { model, result } = this;
    if (!model || !result) return '';
    const place = model.to.firstPlace[element]!;
    if (place < 0) return 'not held by any thread';
    const source = model.sources[place]!;
    const before = source < 0 ? 'nowhere' : new Owners(model.from, result.from).label(source);
    return `(${model.to.coordinates(element).join(', ')})  ${before} → ${new Owners(model.to, result.to).label(place)}`;
  }

  private matrixText(cell: number): string {
    const { size, counts } = this.transfers;
    const group = this.perGroup;
    const who = (i: number) => (group > 1 ? `threads ${i * group} to ${i * group + group - 1}` : `thread ${i}`);
    return `${who(Math.floor(cell / size))} → ${who(cell % size)}: ${plural(counts[cell] ?? 0, 'element')}`;
  }

  private hover(element: number | null): void {
    const marked = element === null ? [] : [element];
    for (const grid of [this.moves, this.from, this.to]) grid.highlight(this.dimmed, marked);
    replace(this.status, element === null ? (this.result?.summary ?? '') : this.describe(element));
  }
  private dimmed: number[] | null = null;
  private select(element: number | null): void {
    this.dimmed = null;
    for (const grid of [this.moves, this.from, this.to]) {
      grid.setSelected(element);
      grid.highlight(null);
    }
    if (element !== null) {
      replace(this.status, this.describe(element));
      this.reveal(true);
    }
  }
  // The elements that go from one thread to another.
  private selectTransfer(cell: number | null): void {
    const { size } = this.transfers;
    this.dimmed =
      cell === null || !this.model
        ? null
        : this.model.elementsBetween(Math.floor(cell / size), cell % size, this.perGroup);
    for (const grid of [this.moves, this.from, this.to]) grid.highlight(this.dimmed);
  }
  private reveal(preserveFocus: boolean): void {
    if (this.list.chosen) this.session.reveal(this.session.placeOf(this.list.chosen), preserveFocus);
  }
}

export function bytesText(bytes: number): string {
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`;
  return `${bytes.toLocaleString('en')} B`;
}
