// The layout map's text and color for the owner of each element.
import type { Theme } from '../host.ts';
import type { LayoutMapResult } from '../protocol.ts';
import { bankBytes, usualBanks } from './chips.ts';
import { type Layout, paddedOffset } from './linear.ts';
import { colourOf, pack, shade, type Rgb } from './palette.ts';

export type ColourBy = 'warp' | 'lane' | 'register' | 'block' | 'bank' | 'offset' | 'row' | 'col' | 'partition';

// The dimensions that a layout can be coloured by, the most telling first.
export function coloursOf(layout: Layout, kind: string): ColourBy[] {
  if (kind === 'shared memory')
    return layout.dim('partition')?.bits ? ['bank', 'offset', 'block', 'partition'] : ['bank', 'offset', 'block'];
  if (kind === 'tensor memory') return ['row', 'col', 'block'];
  const order: ColourBy[] = ['warp', 'lane', 'register', 'block'];
  return order.filter((name) => layout.dim(name));
}

export class Owners {
  constructor(
    readonly layout: Layout,
    readonly result: Pick<LayoutMapResult, 'kind' | 'elementBits' | 'padding' | 'banks'>,
  ) {}

  get banks(): number {
    return this.result.banks || usualBanks;
  }

  get elementBytes(): number {
    return Math.max(1, (this.result.elementBits || 32) / 8);
  }

  // Byte in shared memory.
  byteOf(place: number): number {
    return paddedOffset(this.layout.value(place, 'offset'), this.result.padding) * this.elementBytes;
  }
  bankOf(place: number): number {
    return Math.floor(this.byteOf(place) / bankBytes) % this.banks;
  }

  kindOf(place: number, by: ColourBy): number {
    return by === 'bank' ? this.bankOf(place) : this.layout.value(place, by);
  }
  kinds(by: ColourBy): number {
    return by === 'bank' ? this.banks : (this.layout.dim(by)?.size ?? 1);
  }

  // The kind that this kind is a copy of: warp 2 may hold the same elements as warp 0. Null if no lower one has them.
  copyOf(kind: number, by: ColourBy): number | null {
    if (this.result.kind !== 'registers' || !this.layout.dim(by)) return null;
    const place = this.layout.place({ [by]: kind });
    const first = this.kindOf(this.layout.firstPlace[this.layout.elementOf[place]!]!, by);
    return first === kind ? null : first;
  }

  colour(place: number, by: ColourBy, theme: Theme): Rgb {
    const colour = colourOf(this.kindOf(place, by), this.kinds(by), theme);
    if (by !== 'warp') return colour;
    const lanes = this.layout.dim('lane')?.size ?? 1;
    return lanes > 1 ? shade(colour, this.layout.value(place, 'lane') / (lanes - 1), theme) : colour;
  }

  // One pixel for each element. Holes are transparent.
  pixels(by: ColourBy, theme: Theme): Uint32Array {
    const pixels = new Uint32Array(this.layout.elements);
    const cache = new Map<number, number>();
    const lane = this.layout.dim('lane');
    const dim = by === 'bank' ? undefined : this.layout.dim(by);
    const kindAt = dim
      ? (place: number) => (place >>> dim.shift) & (dim.size - 1)
      : (place: number) => this.kindOf(place, by);
    for (let element = 0; element < pixels.length; ++element) {
      const place = this.layout.firstPlace[element]!;
      if (place < 0) continue;
      const key = kindAt(place) * 1024 + (by === 'warp' && lane ? (place >>> lane.shift) & (lane.size - 1) : 0);
      let pixel = cache.get(key);
      if (pixel === undefined) cache.set(key, (pixel = pack(this.colour(place, by, theme))));
      pixels[element] = pixel;
    }
    return pixels;
  }

  // How many neighbours along the last dimension are one thread's consecutive registers (or consecutive in memory): the
  // same everywhere, as a linear layout has it. At most `columns`.
  run(columns: number): number {
    const unit =
      this.result.kind === 'registers' ? 'register' : this.result.kind === 'shared memory' ? 'offset' : 'col';
    const layout = this.layout;
    const origin = layout.firstPlace[0]!;
    if (origin < 0 || this.result.padding.length) return 1;
    const size = layout.dim(unit)?.size ?? 1;
    let run = 1;
    while (run < columns && run < size) {
      const place = layout.firstPlace[run]!;
      if (place < 0 || place !== layout.place({ [unit]: run })) break;
      run *= 2;
    }
    return run;
  }
  runLabel(place: number, run: number): string {
    if (place < 0) return '–';
    if (this.result.kind !== 'registers') return this.label(place);
    const register = this.layout.value(place, 'register');
    return `${this.label(place)}-${register + run - 1}`;
  }

  thread(place: number): number {
    return this.layout.value(place, 'warp') * (this.layout.dim('lane')?.size ?? 1) + this.layout.value(place, 'lane');
  }

  // The label of a cell: "T37:4", "1088", "r12,c3".
  label(place: number): string {
    if (place < 0) return '–';
    if (this.result.kind === 'shared memory')
      return String(paddedOffset(this.layout.value(place, 'offset'), this.result.padding));
    if (this.result.kind === 'tensor memory')
      return `r${this.layout.value(place, 'row')},c${this.layout.value(place, 'col')}`;
    const block = (this.layout.dim('block')?.size ?? 1) > 1 ? `B${this.layout.value(place, 'block')} ` : '';
    return `${block}T${this.thread(place)}:${this.layout.value(place, 'register')}`;
  }

  // The label of the thread alone.
  shortLabel(place: number): string {
    return place < 0 ? '–' : `T${this.thread(place)}`;
  }

  // Describes the owner of an element.
  describe(place: number): string {
    if (place < 0) return 'not held by any thread';
    const parts: string[] = [];
    if (this.result.kind === 'shared memory') {
      const byte = this.byteOf(place);
      parts.push(`byte ${byte}`, `bank ${this.bankOf(place)}`, `row ${Math.floor(byte / (bankBytes * this.banks))}`);
    } else if (this.result.kind === 'tensor memory') {
      parts.push(`row ${this.layout.value(place, 'row')}`, `column ${this.layout.value(place, 'col')}`);
    } else {
      parts.push(
        `warp ${this.layout.value(place, 'warp')}`,
        `lane ${this.layout.value(place, 'lane')}`,
        `register ${this.layout.value(place, 'register')}`,
      );
    }
    if ((this.layout.dim('block')?.size ?? 1) > 1) parts.push(`block ${this.layout.value(place, 'block')}`);
    return parts.join(', ');
  }
}
