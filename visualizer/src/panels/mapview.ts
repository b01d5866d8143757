// A layout made visible, for every panel that shows one: the tensor on one side, its owners (threads, shared memory,
// tensor memory) on the other, linked both ways by hover and selection.
import { messageOf, plural } from '../model/words.ts';
import type { LayoutMapResult } from '../protocol.ts';
import { parseWanted, placesWith } from '../model/find.ts';
import { coordinatesOf, foldedPlane, indexOf, Layout, slotOffset, type Plane } from '../model/linear.ts';
import { Part } from '../model/part.ts';
import { coloursOf, Owners, type ColourBy } from '../model/owners.ts';
import { OwnersGrid } from '../model/ownersgrid.ts';
import type { LegendEntry } from '../model/svg.ts';
import { append, h, replace, segmented } from '../ui/dom.ts';
import { Grid } from '../ui/grid.ts';
import { Latest } from '../ui/timing.ts';
import { stepper } from './common.ts';
import { drawLegend, legendOf } from './legend.ts';
import type { Session } from './session.ts';

const mostChips = 512;
const chipsPerFrame = 48;
const fewChips = 4; // fit into one line

export class MapView {
  readonly element: HTMLElement;
  readonly map: Grid;
  readonly places: Grid;
  onActivate: (element: number) => void = () => {};
  onSelect: (element: number | null) => void = () => {};
  onSlot: () => void = () => {};
  private readonly status = h('div', { class: 'g-status' });
  private readonly legend = h('div', { class: 'g-legend' });
  private readonly chips = h('div', {
    class: 'g-chips',
    attributes: { role: 'list', 'aria-label': 'Elements of the selected thread' },
  });
  private readonly colourGroup;
  private readonly finder: HTMLInputElement;
  private readonly slices = h('div', { class: 'g-slices', hidden: true });
  private readonly asking = new Latest();
  private readonly when = h('span', { class: 'g-muted', hidden: true });
  private elements: readonly string[] | null = null; // what the value contains, if that is known
  private readonly caption = h('span', { class: 'g-caption' });
  private readonly split: HTMLElement;
  private readonly heights = [0, 0];
  private by: ColourBy = 'warp';
  private slice = 0;
  private slot = 0;
  private subject = '';
  layout: Layout | null = null;
  owners: Owners | null = null;
  result: LayoutMapResult | null = null;
  private inside: { elements: number[] | null; keys: number[] | null } = { elements: null, keys: null };
  private part: Part | null = null; // of the buffer that is shown, if the value is one
  private plane: Plane = { rows: 1, columns: 1, slices: 1 };
  private cells: OwnersGrid | null = null; // of the owners' grid

  constructor(
    private readonly session: Session,
    private readonly options: { compact?: boolean } = {},
  ) {
    this.map = new Grid('Tensor', {
      hover: (cell) => this.hoverElement(cell === null ? null : this.elementOf(cell)),
      select: (cell) => this.selectElement(cell === null ? null : this.elementOf(cell)),
      activate: (cell) => this.onActivate(this.elementOf(cell)),
      height: (pixels) => this.useHeight(0, pixels),
    });
    this.places = new Grid('Owners', {
      hover: (cell) => this.hoverKey(cell),
      select: (cell) => this.selectKey(cell),
      activate: (cell) => {
        const element = this.cells?.elementsAt(cell)?.[0];
        if (element !== undefined) this.onActivate(element);
      },
      height: (pixels) => this.useHeight(1, pixels),
    });
    this.colourGroup = segmented<ColourBy>('Color by', [], 'warp', (by) => {
      this.by = by;
      this.draw();
    });
    this.split = h(
      'div',
      { class: 'g-split' },
      h('figure', { class: 'g-figure g-grow' }, h('figcaption', {}, 'Tensor'), this.map.element),
      h('figure', { class: 'g-figure' }, h('figcaption', {}, this.caption), this.places.element),
    );
    this.finder = h('input', {
      type: 'search',
      class: 'g-find',
      placeholder: 'Find',
      title:
        'Type an owner or an element and press Enter: T37, T37:4, warp 1 lane 3, register 2, block 1; byte 412; row 3 col 9; 3, 5',
      spellcheck: false,
      attributes: { 'aria-label': 'Find an owner or an element' },
      on: {
        keydown: (event) => event.key === 'Enter' && this.find(this.finder.value),
        input: () => {
          this.finder.removeAttribute('aria-invalid');
          if (!this.finder.value) this.selectElement(null);
        },
      },
    });
    const toolbar = h(
      'div',
      { class: 'g-toolbar' },
      h('span', { class: 'g-field-label' }, 'Color'),
      this.colourGroup,
      this.slices,
      this.when,
      options.compact ? null : this.finder,
    );
    this.element = h(
      'div',
      { class: options.compact ? 'g-mapview g-compact' : 'g-mapview' },
      toolbar,
      this.split,
      this.chips,
      h('div', { class: 'g-foot' }, this.status, this.legend),
    );
  }

  // `subject` names the value that has this layout. A layout of another value starts without a selection, however alike
  // the two look.
  show(result: LayoutMapResult | null, subject: string): void {
    const before = this.result;
    this.elements = null;
    const isSameShape = before?.shape.join() === result?.shape.join();
    const isSamePart = JSON.stringify(before?.part) === JSON.stringify(result?.part);
    this.part = result ? Part.of(result) : null;
    if (subject !== this.subject || !isSameShape || !isSamePart) this.forget();
    if (!isSamePart && this.part && result?.slots) this.slot = indexOf(this.part.firstSlot, result.slots);
    this.subject = subject;
    const same =
      before &&
      result &&
      before.layout === result.layout &&
      isSameShape &&
      before.elementBits === result.elementBits &&
      isSamePart &&
      before.slots?.join() === result.slots?.join();
    this.result = result;
    if (same) return this.redraw();
    if (!result) {
      this.layout = this.owners = this.cells = null;
      this.selectPart();
      this.map.setData(null);
      this.places.setData(null);
      replace(this.status);
      replace(this.legend);
      return;
    }
    try {
      this.layout = new Layout(result.map);
    } catch (error) {
      this.result = null;
      this.map.setData(null);
      this.places.setData(null);
      replace(this.status, messageOf(error));
      return;
    }
    this.owners = new Owners(this.layout, result);
    this.reserveChips(result);
    this.plane = foldedPlane(result.shape);
    const colours = coloursOf(this.layout, result.kind);
    if (!colours.includes(this.by)) this.by = colours[0] ?? 'offset';
    this.colourGroup.set(
      colours.map((value) => ({ value, text: value })),
      this.by,
    );
    this.cells = new OwnersGrid(this.layout, this.owners);
    this.caption.textContent = this.cells.caption;
    this.selectPart();
    // The same element of the same value may have other owners now.
    if (this.chosen !== null) this.chosenKeys = this.keysOf(this.chosen);
    this.found = null;
    this.draw();
    this.map.setSelected(this.chosen === null ? null : this.cellOf(this.chosen));
    this.places.setSelected(this.chosenKeys[0] ?? null);
    this.afterSelection();
  }

  // Shows what the elements contain at the timeline's moment, in place of their owners. `ask` gives null if
  // the timeline's run has no such value, and is rejected if it has none at that moment.
  showMoment(ask: (() => Promise<readonly string[] | null>) | null): void {
    const moment = this.session.moment?.moment;
    const when = `step ${moment?.toLocaleString('en')} of the timeline`;
    void this.asking.run(
      async () => (ask && moment !== undefined ? ask() : null), // an answer for another value comes too late
      (elements) => this.setElements(elements, elements ? `At ${when}` : ''),
      (message) => this.setElements(null, `No values at ${when}: ${message}`),
    );
  }
  private setElements(elements: readonly string[] | null, text: string): void {
    const shape = this.result?.part?.shape ?? this.result?.shape;
    const fits = elements?.length === shape?.reduce((a, b) => a * b, 1);
    this.elements = fits ? elements : null;
    this.when.textContent = text;
    this.when.hidden = !text;
    this.redraw();
  }

  private forget(): void {
    this.slice = this.slot = 0;
    this.chosen = null;
    this.chosenKeys = [];
    this.found = null;
    this.finder.value = '';
    this.finder.removeAttribute('aria-invalid');
  }
  private keysOf(element: number): number[] {
    const { layout, cells } = this;
    return layout && cells ? [...new Set(layout.placesOf(element).map(cells.keyOf))] : [];
  }

  // The room for the registers of a thread is there before a thread is selected, so that a click does not move the
  // picture under the pointer. All threads of a layout have as many.
  private reserveChips(result: LayoutMapResult): void {
    this.chips.hidden = result.kind !== 'registers' || this.options.compact === true;
    const registers = this.layout?.dim('register')?.size ?? 1;
    this.chips.classList.toggle('g-few', registers <= fewChips);
  }

  // Small tensors leave their room to the parts below.
  private useHeight(figure: number, pixels: number): void {
    this.heights[figure] = pixels + 22; // with the caption
    (this.split.children[figure] as HTMLElement).style.maxHeight = `${this.heights[figure]}px`;
    this.split.style.setProperty('--g-useful', `${this.heights[0]! + this.heights[1]! + 10}px`);
  }

  redraw(): void {
    this.draw();
    this.afterSelection(); // the veil over unselected cells has the theme's color
  }

  // From a cell of the tensor's grid to its element in the slice that is shown, and back.
  elementOf(cell: number): number {
    return this.slice * this.plane.rows * this.plane.columns + cell;
  }
  cellOf(element: number): number | null {
    const per = this.plane.rows * this.plane.columns;
    return Math.floor(element / per) === this.slice ? element % per : null;
  }

  // Which of the value's elements an element of the buffer is; null if it is none.
  private numberOf(element: number): number | null {
    const { part, layout } = this;
    return part && layout ? part.elementAt([...this.slotIndex(), ...layout.coordinates(element)]) : element;
  }
  // The elements of the shown slot that belong to the value; null if all do.
  private partElements(): number[] | null {
    const { part, layout } = this;
    if (!part || !layout) return null;
    const inside = Array.from({ length: layout.elements }, (_, i) => i).filter((i) => this.numberOf(i) !== null);
    return inside.length < layout.elements ? inside : null;
  }

  describe(element: number): string {
    const { layout, owners } = this;
    if (!layout || !owners) return '';
    const place = layout.firstPlace[element]!;
    const copies = place < 0 || layout.copies <= 1 ? '' : `, and ${layout.copies - 1} more`;
    const number = this.numberOf(element);
    const value = this.elements && number !== null ? ` = ${this.elements[number] || 'never written'}` : '';
    const outside = number === null ? ', outside of the part' : '';
    return `(${layout.coordinates(element).join(', ')})${value}  ${this.slotName()}${owners.describe(place)}${copies}${outside}`;
  }

  // ---------------------------------------------------------------- pictures

  private draw(): void {
    const { layout, owners, cells, result, elements } = this;
    if (!layout || !owners || !cells || !result) return;
    const { rows, columns, slices } = this.plane;
    const per = rows * columns;
    const all = owners.pixels(this.by, this.session.theme);
    const pixels = slices > 1 ? all.slice(this.slice * per, (this.slice + 1) * per) : all;
    const isFolded = result.shape.length === 1 && rows > 1;
    const subject = `${this.subject} ${this.slice}`;
    this.map.setData({
      subject,
      rows,
      columns,
      pixels,
      ...(elements
        ? { label: (cell: number) => elements[this.numberOf(this.elementOf(cell)) ?? -1] ?? '' }
        : {
            label: (cell: number) => owners.label(layout.firstPlace[this.elementOf(cell)]!),
            shortLabel: (cell: number) =>
              result.kind === 'registers' ? owners.shortLabel(layout.firstPlace[this.elementOf(cell)]!) : '',
            run: owners.run(columns),
            runLabel: (cell: number) => owners.runLabel(layout.firstPlace[this.elementOf(cell)]!, owners.run(columns)),
          }),
      rowLabel: (row) => String(isFolded ? row * columns : row),
      columnLabel: (column) => String(column),
      describe: (cell) => this.describe(this.elementOf(cell)),
    });
    const isMemory = result.kind !== 'registers';
    const inUnit = (cell: number) => cell % (cells.unitRows * cells.columns);
    this.places.setData({
      subject: this.subject,
      rows: cells.rows,
      columns: cells.columns,
      pixels: cells.pixels(this.by, this.session.theme),
      label: (cell) => {
        const owned = cells.elementsAt(cell);
        if (!isMemory) return `T${inUnit(cell)}`;
        return owned ? layout.coordinates(owned[0]!).join(',') : '';
      },
      shortLabel: (cell) => (isMemory ? '' : String(inUnit(cell))),
      rowLabel: (row) => cells.rowName(row),
      rowBreaks: cells.breaks(),
      columnLabel: (column) =>
        result.kind === 'shared memory' ? `b${Math.floor((column * owners.elementBytes) / 4)}` : String(column),
      describe: (cell) => this.describeKey(cell),
      ...(result.kind === 'shared memory' && owners.elementBytes < 4 ? { everyColumn: 4 / owners.elementBytes } : {}),
    });
    this.drawSlices();
    this.drawLegend();
    if (this.map.selectedCell === null) this.say(null);
  }

  private describeKey(key: number): string {
    return this.slotName() + this.cells!.describe(key);
  }

  private drawSlices(): void {
    const { slices } = this.plane;
    const slots = this.drawSlots();
    this.slices.hidden = slices <= 1 && !slots.length;
    if (slices <= 1) return replace(this.slices, ...slots);
    const at = coordinatesOf(this.slice, this.result!.shape.slice(0, -2)).join(', ');
    const steps = stepper('Slice', this.slice, slices, h('code', {}, `[${at}, :, :]`), (slice) => {
      this.slice = slice;
      this.draw();
      this.afterSelection();
    });
    replace(this.slices, ...slots, ...steps);
  }

  // Controls that select one of the equal slots of a buffer. They show where it begins in the buffer.
  private drawSlots(): HTMLElement[] {
    const { result, layout, owners } = this;
    const count = result?.slots?.reduce((a, b) => a * b, 1) ?? 1;
    if (!result?.slots || !layout || !owners) return [];
    const at = coordinatesOf(this.slot, result.slots);
    const index = `[${[...at, ...result.shape.map(() => ':')].join(', ')}]`;
    const base =
      result.kind === 'shared memory'
        ? `, from byte ${(slotOffset(layout, result.padding, this.slot) * owners.elementBytes).toLocaleString('en')}`
        : '';
    const text = h('code', { title: `${plural(count, 'slot')}, which all look the same` }, `${index}${base}`);
    return stepper('Slot', this.slot, count, text, (slot) => {
      this.slot = slot;
      this.selectPart();
      this.redraw();
      this.onSlot();
    });
  }
  // Which of the equal slots is shown, an index for each of their dimensions; empty for a value without slots.
  slotIndex(): number[] {
    return this.result?.slots ? coordinatesOf(this.slot, this.result.slots) : [];
  }
  get shownSlot(): number | undefined {
    return this.result?.slots ? this.slot : undefined;
  }
  private slotName(): string {
    return this.result?.slots ? `slot ${this.slot}, ` : '';
  }

  // The legend: the meaning of each color. Of many colors only the first and the last are listed.
  legendEntries(): LegendEntry[] {
    const owners = this.owners;
    if (!owners) return [];
    return legendOf(owners.kinds(this.by), this.session.theme, (kind) => {
      const original = owners.copyOf(kind, this.by);
      return original === null ? `${this.by} ${kind}` : `${this.by} ${kind}: copy of ${original}`;
    });
  }

  // The title of a picture that is saved.
  pictureTitle(): string {
    const { result } = this;
    return result
      ? `${result.layout}  ${result.dtype}[${result.shape.join(', ')}]${this.plane.slices > 1 ? ` slice ${this.slice}` : ''}${result.slots ? ` slot ${this.slot}` : ''}`
      : '';
  }

  private drawLegend(): void {
    const kinds = this.owners!.kinds(this.by);
    const entries = this.legendEntries();
    drawLegend(this.legend, entries, kinds, this.session.theme, entries[0]!.text);
  }

  // ---------------------------------------------------------------- linking

  private hoverElement(element: number | null): void {
    if (element === null || !this.layout) return this.restore();
    this.places.highlight(this.selectedKeys(), this.keysOf(element));
    this.say(element);
  }

  private hoverKey(key: number | null): void {
    if (key === null || !this.cells) return this.restore();
    this.map.highlight(this.selectedCells(), this.cellsOf(this.cells.elementsAt(key) ?? []));
    replace(this.status, this.describeKey(key));
  }

  private restore(): void {
    this.map.highlight(this.selectedCells(), []);
    this.places.highlight(this.selectedKeys(), []);
    this.say(this.chosen);
  }

  private chosen: number | null = null;
  private chosenKeys: number[] = [];
  private chipFrame = 0; // the frame that adds more chips
  private found: readonly number[] | null = null; // the elements that the user searched for

  // Selects the owner or the element that the user typed.
  find(text: string): void {
    const { layout, owners, cells } = this;
    if (!layout || !owners || !cells || !text.trim()) return;
    const wanted = parseWanted(text, layout);
    const places = !wanted
      ? []
      : 'values' in wanted
        ? placesWith(layout, wanted.values)
        : 'element' in wanted
          ? layout.placesOf(wanted.element)
          : Array.from({ length: layout.places }, (_, place) => place).filter(
              (place) => owners.byteOf(place) === wanted.byte - (wanted.byte % owners.elementBytes),
            );
    if (!places.length) {
      this.finder.setAttribute('aria-invalid', 'true');
      const example =
        this.result!.kind === 'registers'
          ? 'T3, T3:1, warp 0 lane 3, register 1'
          : this.result!.kind === 'shared memory'
            ? 'byte 64, offset 3'
            : 'row 3 col 1';
      return replace(
        this.status,
        `“${text.slice(0, 40)}” was not found. Type for example ${example}, or an element: ${layout.shape.map(() => 0).join(', ')}`,
      );
    }
    const element = layout.elementOf[places[0]!]!;
    const per = this.plane.rows * this.plane.columns;
    if (Math.floor(element / per) !== this.slice) {
      this.slice = Math.floor(element / per);
      this.draw();
    }
    this.chosen = element;
    this.chosenKeys = [...new Set(places.map(cells.keyOf))];
    this.found = [...new Set(places.map((place) => layout.elementOf[place]!))];
    this.map.setSelected(this.cellOf(element));
    this.places.setSelected(this.chosenKeys[0]!);
    this.afterSelection();
    if (this.found.length > 1) replace(this.status, `${text.trim()}: ${plural(this.found.length, 'element')}`);
    this.onSelect(element);
  }

  // Finds what of the shown slot belongs to the value, if that is a part of a buffer. The rest is dimmed.
  private selectPart(): void {
    const elements = this.partElements();
    this.inside = { elements, keys: elements && [...new Set(elements.flatMap((element) => this.keysOf(element)))] };
  }

  // The owners that stay bright. A selected thread keeps all its elements bright; a place in memory holds one, so
  // nothing is dimmed.
  private selectedKeys(): number[] | null {
    return this.chosenKeys.length && this.result?.kind === 'registers' ? this.chosenKeys : this.inside.keys;
  }
  private selectedCells(): number[] | null {
    if (this.found && this.found.length > 1) return this.cellsOf(this.found);
    if (this.chosenKeys.length && this.result?.kind === 'registers')
      return this.cellsOf(this.chosenKeys.flatMap((key) => this.cells?.elementsAt(key) ?? []));
    return this.inside.elements && this.cellsOf(this.inside.elements);
  }
  private cellsOf(elements: readonly number[]): number[] {
    return [...new Set(elements.map((e) => this.cellOf(e)).filter((c): c is number => c !== null))];
  }

  selectElement(element: number | null): void {
    this.found = null;
    this.chosen = element;
    this.chosenKeys = element === null ? [] : this.keysOf(element);
    this.places.setSelected(this.chosenKeys[0] ?? null);
    this.afterSelection();
    this.onSelect(element);
  }

  private selectKey(key: number | null): void {
    this.found = null;
    this.chosenKeys = key === null ? [] : [key];
    const elements = key === null ? [] : (this.cells?.elementsAt(key) ?? []);
    this.chosen = elements[0] ?? null;
    this.map.setSelected(this.chosen === null ? null : this.cellOf(this.chosen));
    this.afterSelection();
    this.onSelect(this.chosen);
  }

  private afterSelection(): void {
    const marked = this.chosen === null ? [] : [this.cellOf(this.chosen)].filter((c): c is number => c !== null);
    this.map.highlight(this.selectedCells(), marked);
    this.places.highlight(this.selectedKeys(), []);
    this.say(this.chosen);
    this.drawChips();
  }

  // The registers of the selected thread, each a button to its element.
  private drawChips(): void {
    const { layout, cells } = this;
    cancelAnimationFrame(this.chipFrame);
    replace(this.chips);
    if (!layout || !cells || this.chips.hidden) return;
    if (!this.chosenKeys.length)
      return append(this.chips, h('span', { class: 'g-muted' }, 'The elements of a selected thread are listed here.'));
    const key = this.chosenKeys[0]!;
    const elements = cells.elementsAt(key) ?? [];
    append(this.chips, h('span', { class: 'g-chip-title' }, cells.threadName(key)));
    const count = Math.min(elements.length, mostChips);
    // A thread may hold hundreds of registers, so each frame adds only some of the chips. The keyboard can go on to the
    // next thread at once.
    const add = (from: number) => {
      const to = Math.min(count, from + chipsPerFrame);
      for (let register = from; register < to; ++register)
        append(this.chips, this.chip(layout, elements[register]!, register));
      if (to < count) this.chipFrame = requestAnimationFrame(() => add(to));
      else if (elements.length > count)
        append(this.chips, h('span', { class: 'g-muted' }, `and ${elements.length - count} more`));
    };
    add(0);
  }

  private chip(layout: Layout, element: number, register: number): HTMLElement {
    const at = layout.coordinates(element);
    return h(
      'button',
      {
        type: 'button',
        class: element === this.chosen ? 'g-chip g-on' : 'g-chip',
        attributes: { role: 'listitem', 'aria-label': `register ${register}: element ${at.join(', ')}` },
        on: {
          click: () => {
            this.chosen = element;
            this.map.setSelected(this.cellOf(element));
            this.afterSelection();
            this.onSelect(element);
          },
          mouseenter: () => this.map.highlight(this.selectedCells(), this.cellsOf([element])),
          mouseleave: () => this.restore(),
        },
      },
      h('b', {}, `r${register}`),
      ` ${at.join(',')}`,
    );
  }

  private say(element: number | null): void {
    if (element === null)
      replace(
        this.status,
        this.options.compact
          ? ''
          : h(
              'span',
              { class: 'g-how' },
              'Point at an element to highlight its owners, click to select it, double-click to go to its line',
            ),
      );
    else replace(this.status, this.describe(element));
  }
}
