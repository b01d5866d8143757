// The part of a buffer that a value is: a slot of it, a slice, or both. Coordinates have the slots first.
import type { LayoutMapResult } from '../protocol.ts';
import { indexOf } from './linear.ts';

export class Part {
  private readonly sizes: readonly number[]; // of the buffer
  private readonly shape: readonly number[]; // of the part: 1 where it selected one
  private readonly offsets: readonly number[];
  private readonly buffer: string;
  private readonly slots: number; // how many dimensions count slots

  private constructor(result: LayoutMapResult, part: NonNullable<LayoutMapResult['part']>) {
    this.sizes = [...(result.slots ?? []), ...result.shape];
    this.shape = [...this.sizes.slice(part.shape.length).map(() => 1), ...part.shape];
    this.offsets = part.offsets;
    this.buffer = part.buffer;
    this.slots = result.slots?.length ?? 0;
  }
  static of(result: LayoutMapResult): Part | null {
    const sizes = (result.slots?.length ?? 0) + result.shape.length;
    return result.part?.offsets.length === sizes ? new Part(result, result.part) : null;
  }

  // The slot that it begins in, an index for each of their dimensions; what is not known is 0.
  get firstSlot(): number[] {
    return this.offsets.slice(0, this.slots).map((offset) => Math.max(0, offset));
  }
  get isWholeSlot(): boolean {
    return this.shape.every((size, i) => i < this.slots || size === this.sizes[i]);
  }

  // Which of the part's elements lies there; null if it has none there. A slot that is not known may be any.
  elementAt(coordinates: readonly number[]): number | null {
    const at = coordinates.map((c, i) => (this.offsets[i]! < 0 ? 0 : c - this.offsets[i]!));
    return at.every((c, i) => c >= 0 && c < this.shape[i]!) ? indexOf(at, this.shape) : null;
  }

  // "slot 1 of a [3, 64, 64]", "part [?, 16:48, :] of a [3, 64, 64]".
  describe(): string {
    const of = `of ${this.buffer || 'a buffer'} [${this.sizes.join(', ')}]`;
    const isOne = this.shape.every((size, i) => i >= this.slots || size === 1);
    if (this.slots && isOne && this.isWholeSlot) {
      const known = this.offsets.slice(0, this.slots);
      return known.some((offset) => offset < 0) ? `one slot ${of}` : `slot ${known.join(', ')} ${of}`;
    }
    const ranges = this.offsets.map((from, i) => {
      if (this.shape[i] === this.sizes[i]) return ':';
      if (from < 0) return '?';
      return this.shape[i] === 1 ? String(from) : `${from}:${from + this.shape[i]!}`;
    });
    return `part [${ranges.join(', ')}] ${of}`;
  }
}
