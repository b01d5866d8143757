// A bulk copy in pictures: the place of the block in its tensor, and the destination of each 16 bytes of its rows in
// shared memory, linked both ways.
import { dtypeName, plural } from '../model/words.ts';
import type { AccessResult, LayoutMapResult } from '../protocol.ts';
import { bulkTable, messagesOf, outside, tensorPicture, type BulkTable } from '../model/bulk.ts';
import { bankBytes, sectorBytes, usualBanks } from '../model/chips.ts';
import { efficiencyOf } from '../model/access.ts';
import { Layout } from '../model/linear.ts';
import { colourOf, pack } from '../model/palette.ts';
import type { LegendEntry } from '../model/svg.ts';
import { svg } from '../ui/charts.ts';
import { h, replace, segmented } from '../ui/dom.ts';
import { Grid } from '../ui/grid.ts';
import { metric, percent } from './common.ts';
import { drawLegend, legendOf } from './legend.ts';
import type { Session } from './session.ts';

type ColourBy = 'column' | 'row' | 'CTA';

const mapWidth = 240; // the width of the tensor's picture, as bulk.css has it
const mapHeight = 104;

export class BulkView {
  readonly element: HTMLElement;
  readonly memory: Grid;
  readonly block: Grid;
  onSelect: () => void = () => {};
  onActivate: () => void = () => {};
  private readonly colours;
  private readonly where = h('div', { class: 'g-bulk-where' });
  private readonly tensor = h('div', { class: 'g-bulk-tensor' });
  private readonly legend = h('div', { class: 'g-legend' });
  private readonly status = h('div', { class: 'g-status' });
  private readonly split: HTMLElement;
  private readonly memoryCaption = h('figcaption');
  private by: ColourBy = 'column';
  private access: AccessResult | null = null;
  private table: BulkTable | null = null;

  constructor(private readonly session: Session) {
    this.block = this.grid(
      'Block of the tensor',
      (cell) => this.table!.placeOf[cell]!,
      () => this.memory,
    );
    this.memory = this.grid(
      'Shared memory',
      (cell) => this.table!.pieceAt[cell]!,
      () => this.block,
    );
    this.colours = segmented<ColourBy>('Color by', [], 'column', (by) => {
      this.by = by;
      this.redraw();
    });
    this.split = h(
      'div',
      { class: 'g-split g-bulk-split' },
      h(
        'figure',
        { class: 'g-figure g-grow' },
        h('figcaption', {}, 'Block: rows of the tensor, in pieces of 16 bytes'),
        this.block.element,
      ),
      h('figure', { class: 'g-figure g-grow' }, this.memoryCaption, this.memory.element),
    );
    this.element = h(
      'div',
      { class: 'g-bulk' },
      this.where,
      h(
        'div',
        { class: 'g-bulk-top' },
        this.tensor,
        h(
          'div',
          { class: 'g-bulk-key' },
          h('div', { class: 'g-toolbar' }, h('span', { class: 'g-field-label' }, 'Color'), this.colours),
          this.legend,
        ),
      ),
      this.split,
      h('div', { class: 'g-foot' }, this.status),
    );
  }

  private grid(name: string, other: (cell: number) => number, otherGrid: () => Grid): Grid {
    const linked = (cell: number | null) => (cell === null || !this.table || other(cell) < 0 ? [] : [other(cell)]);
    return new Grid(name, {
      hover: (cell) => {
        otherGrid().highlight(null, linked(cell));
        if (cell !== null)
          replace(this.status, name === 'Shared memory' ? this.describePlace(cell) : this.describePiece(cell));
      },
      select: (cell) => {
        otherGrid().setSelected(linked(cell)[0] ?? null);
        if (cell !== null) this.onSelect();
      },
      activate: () => this.onActivate(),
    });
  }

  private subject = '';
  show(access: AccessResult, map: LayoutMapResult, subject: string): void {
    this.access = access;
    this.subject = subject;
    const layout = new Layout(map.map);
    this.table = bulkTable(layout, access.operation.elementBits, map.padding, map.banks || usualBanks);
    const owners = this.table.owners.length;
    if (owners === 1 && this.by === 'CTA') this.by = 'column';
    const ways: ColourBy[] = owners > 1 ? ['column', 'row', 'CTA'] : ['column', 'row'];
    this.colours.set(
      ways.map((value) => ({ value, text: value })),
      this.by,
    );
    this.memoryCaption.textContent = `Shared memory: each row covers all ${this.table.banks} banks`;
    this.drawTensor();
    this.redraw();
    replace(this.status, this.summary());
  }

  redraw(): void {
    const { access, table } = this;
    if (!access || !table) return;
    const colour = (piece: number) => pack(colourOf(...this.kindOf(piece), this.session.theme));
    const pieces = table.rows * table.columns;
    const message = access.bulk?.message ?? [];
    const columns = (message[message.length - 1] ?? 0) / table.elements;
    const rows = message[message.length - 2] ?? 0;
    const label = (piece: number) => (piece < 0 ? '' : `${Math.floor(piece / table.columns)},${piece % table.columns}`);
    this.block.setData({
      subject: this.subject,
      rows: table.rows,
      columns: table.columns,
      pixels: Uint32Array.from({ length: pieces }, (_, piece) => (table.placeOf[piece]! < 0 ? 0 : colour(piece))),
      label,
      isWide: true,
      rowLabel: (row) => String(this.tensorRow(row) ?? row),
      columnLabel: (column) => String(this.firstColumn() + column * table.elements),
      describe: (piece) => this.describePiece(piece),
      ...(columns > 0 && columns < table.columns ? { everyColumn: columns } : {}),
      ...(message.length === 2 && rows > 0 && rows < table.rows ? { everyRow: rows } : {}),
    });
    this.memory.setData({
      subject: this.subject,
      rows: table.memoryRows,
      columns: table.memoryColumns,
      pixels: Uint32Array.from(table.pieceAt, (piece) => (piece < 0 ? 0 : colour(piece))),
      label: (cell) => label(table.pieceAt[cell]!),
      isWide: true,
      rowLabel: (row) => {
        const address = `+0x${((row % table.rowsPerOwner) * bankBytes * table.banks).toString(16).padStart(4, '0')}`;
        return table.owners.length > 1 && row % table.rowsPerOwner === 0
          ? `${this.ownerText(row)} ${address}`
          : address;
      },
      columnLabel: (column) => `b${Math.floor((column * table.bytes) / 4)}`,
      describe: (cell) => this.describePlace(cell),
      rowBreaks: new Set(table.owners.map((_, i) => i * table.rowsPerOwner).filter((row) => row > 0)),
    });
    const [, kinds] = this.kindOf(0);
    drawLegend(this.legend, this.legendEntries(), kinds, this.session.theme, `${this.by} 0`);
  }

  metrics(): HTMLElement[] {
    const { access, table } = this;
    if (!access || !table) return [];
    const { operation, bulk } = access;
    const rows = operation.shape.slice(0, -1).reduce((product, size) => product * size, 1);
    const efficiency = efficiencyOf(access);
    const ctas = table.owners.reduce((n, owner) => n + owner.ctas.length, 0);
    const messages = bulk
      ? messagesOf(bulk, operation.shape, new Set(table.owners.map((owner) => owner.ctas[0])).size)
      : null;
    return [
      metric((rows * access.bytes).toLocaleString('en'), 'bytes, requested by one thread', 'good'),
      metric(
        `${rows} × ${access.bytes} B`,
        bulk?.picked ? 'rows, each at its index' : 'rows of consecutive bytes',
        access.bytes >= 2 * sectorBytes ? 'good' : access.bytes >= sectorBytes ? 'plain' : 'bad',
        'Short rows use only a small part of each sector',
      ),
      metric(
        String(access.sectors),
        `sectors of ${sectorBytes} B, ${access.leastSectors} needed`,
        efficiency > 0.99 ? 'good' : 'bad',
      ),
      metric(
        percent(efficiency),
        'of the bytes moved are used',
        efficiency > 0.99 ? 'good' : efficiency > 0.49 ? 'plain' : 'bad',
      ),
      ...(messages === null
        ? []
        : [
            metric(
              String(messages),
              `${messages === 1 ? 'message' : 'messages'} of ${bulk!.message.join(' × ')}${ctas > 1 ? ' per CTA' : ''}`,
              'plain',
              'A message is at most as wide as the swizzle, and 256 elements long',
            ),
          ]),
      ...(bulk?.multicast
        ? [
            metric(
              'multicast',
              table.owners.map((owner) => `CTA ${owner.ctas[0]} reads for ${owner.ctas.join(', ')}`).join('; '),
              'good',
            ),
          ]
        : []),
    ];
  }

  legendEntries(): LegendEntry[] {
    if (!this.table) return [];
    const [, kinds] = this.kindOf(0);
    return legendOf(kinds, this.session.theme, (kind) =>
      this.by === 'CTA' ? this.ownerText(kind * this.table!.rowsPerOwner) : `${this.by} ${kind}`,
    );
  }

  // The number of a piece's colour, and the number of colours.
  private kindOf(piece: number): [number, number] {
    const table = this.table!;
    if (this.by === 'row') return [Math.floor(piece / table.columns), Math.max(2, table.rows)];
    if (this.by === 'CTA')
      return [
        Math.floor(Math.max(0, table.placeOf[piece]!) / table.memoryColumns / table.rowsPerOwner),
        table.owners.length,
      ];
    // Swizzles permute the pieces of 128 bytes.
    const kinds = Math.min(table.columns, 8);
    return [(piece % table.columns) % kinds, kinds];
  }

  private drawTensor(): void {
    const { bulk, operation } = this.access!;
    const shape = operation.shape;
    const picture = bulk ? tensorPicture(bulk, shape, mapWidth, mapHeight) : null;
    this.tensor.hidden = this.where.hidden = !picture;
    if (!picture || !bulk) return;
    const rect = (r: { x: number; y: number; width: number; height: number }, name: string) =>
      svg('rect', { ...r, class: name });
    const text = `${dtypeName(operation.dtype)} tensor ${bulk.tensor.join(' × ')}, ${this.whereText()}`;
    const drawing = svg(
      'svg',
      {
        width: picture.width + 2,
        height: picture.height + 2,
        viewBox: `-1 -1 ${picture.width + 2} ${picture.height + 2}`,
        role: 'img',
        'aria-label': text,
      },
      rect(picture.tensor, 'g-bulk-whole'),
      ...picture.copied.map((r) => rect(r, 'g-bulk-part')),
    );
    replace(this.where, `Tensor ${bulk.tensor.join(' × ')}: ${this.whereText()}`);
    replace(this.tensor, drawing);
  }

  private whereText(): string {
    const { bulk, operation } = this.access!;
    if (!bulk) return '';
    if (bulk.picked)
      return bulk.rows.length
        ? `${bulk.rows.length} rows of it, from column ${bulk.origin[0] ?? 0}`
        : 'rows that are selected at run time';
    const out = outside(bulk, operation.shape);
    const beyond = out.flatMap((n, d) => (n ? [`${n} of ${operation.shape[d]} along dimension ${d}`] : []));
    const what = operation.writes ? 'not written' : 'filled with zeros';
    return `the block starts at (${bulk.origin.join(', ')})${beyond.length ? `; outside the tensor and ${what}: ${beyond.join(', ')}` : ''}`;
  }

  private summary(): string {
    const { bulk, operation } = this.access!;
    if (!bulk) return '';
    if (bulk.picked && !bulk.rows.length)
      return 'A loaded index selects the rows; the drawing shows the place of each row in shared memory.';
    if (bulk.picked || !bulk.origin.length || bulk.origin.length === operation.shape.length)
      return bulk.tensor.length ? '' : 'The tensor of the descriptor is unknown here.';
    return `im2col: the block starts at (${bulk.origin.join(', ')}) of the image.`;
  }

  private ownerText(row: number): string {
    const owner = this.table!.owners[Math.floor(row / this.table!.rowsPerOwner)]!;
    const partitions = this.table!.owners.some((each) => each.partition > 0);
    return `CTA ${owner.ctas.join(', ')}${partitions ? ` partition ${owner.partition}` : ''}`;
  }

  // The tensor's row that a row of the block comes from, or null if it is not known.
  private tensorRow(row: number): number | null {
    const { bulk, operation } = this.access!;
    if (!bulk || operation.shape.length > 2) return null;
    if (bulk.picked) return bulk.rows[row] ?? null;
    return operation.shape.length === 2 && bulk.origin.length === 2 ? bulk.origin[0]! + row : null;
  }
  private firstColumn(): number {
    const { bulk, operation } = this.access!;
    if (!bulk || !bulk.origin.length) return 0;
    return bulk.picked || bulk.origin.length === operation.shape.length ? bulk.origin[bulk.origin.length - 1]! : 0;
  }

  private describePiece(piece: number): string {
    const table = this.table!;
    const row = Math.floor(piece / table.columns);
    const from = (piece % table.columns) * table.elements;
    const inTensor = this.tensorRow(row);
    const where = `row ${row}, columns ${from} to ${from + table.elements - 1} of the block`;
    const first = this.firstColumn() + from;
    const tensor =
      inTensor === null ? '' : ` (tensor: row ${inTensor}, columns ${first} to ${first + table.elements - 1})`;
    const cell = table.placeOf[piece]!;
    return `${where}${tensor}: ${cell < 0 ? 'not held' : this.placeText(cell)}`;
  }
  private placeText(cell: number): string {
    const table = this.table!;
    const row = Math.floor(cell / table.memoryColumns);
    const byte = (row % table.rowsPerOwner) * bankBytes * table.banks + (cell % table.memoryColumns) * table.bytes;
    const bank = Math.floor(byte / bankBytes) % table.banks;
    const last = Math.floor((byte + table.bytes - 1) / bankBytes) % table.banks;
    return `shared memory +0x${byte.toString(16).padStart(4, '0')}, ${bank === last ? `bank ${bank}` : `banks ${bank} to ${last}`}${table.owners.length > 1 ? `, ${this.ownerText(row)}` : ''}`;
  }
  private describePlace(cell: number): string {
    const piece = this.table!.pieceAt[cell]!;
    return piece < 0
      ? `${this.placeText(cell)}: ${plural(this.table!.bytes, 'byte')} of padding`
      : this.describePiece(piece);
  }
}
