// The meaning of a picture's colors: a swatch for each of a few kinds, a bar with the colors of many.
import type { Theme } from '../host.ts';
import { colourOf, css } from '../model/palette.ts';
import type { LegendEntry } from '../model/svg.ts';
import { h, replace } from '../ui/dom.ts';

const mostSwatches = 8;

// An entry for each kind; of many kinds only the first and the last have one.
export function legendOf(kinds: number, theme: Theme, text: (kind: number) => string): LegendEntry[] {
  const entry = (kind: number) => ({ text: text(kind), colour: css(colourOf(kind, kinds, theme)) });
  return kinds <= mostSwatches ? Array.from({ length: kinds }, (_, kind) => entry(kind)) : [entry(0), entry(kinds - 1)];
}

export function legendItem({ text, colour }: LegendEntry): HTMLElement {
  const box = h('span', { class: 'g-swatch' });
  box.style.backgroundColor = colour;
  return h('span', { class: 'g-legend-item' }, box, text);
}

// `first` is the text at the beginning of the bar.
export function drawLegend(
  parent: HTMLElement,
  entries: readonly LegendEntry[],
  kinds: number,
  theme: Theme,
  first: string,
): void {
  if (kinds <= mostSwatches) return replace(parent, ...entries.map(legendItem));
  const bar = h('span', { class: 'g-ramp' });
  const stops = Array.from({ length: 9 }, (_, i) => css(colourOf((i / 8) * (kinds - 1), kinds, theme)));
  bar.style.background = `linear-gradient(90deg, ${stops.join(', ')})`;
  replace(parent, h('span', { class: 'g-legend-item' }, first, bar, String(kinds - 1)));
}
