// Colors that color-blind readers can distinguish, on dark and on light backgrounds. Colors are never the only
// information: every cell has a label, a tooltip and a text for a screen reader as well.
//
// Up to eight kinds are distinguished by hue (after Okabe and Ito); more of them form an order, and get a scale of even
// lightness (after viridis), so that neighbors look similar and ends differ for every reader.
import type { Theme } from '../host.ts';

export type Rgb = readonly [number, number, number];

const hues: readonly Rgb[] = [
  [86, 180, 233], // sky
  [230, 159, 0], // orange
  [0, 158, 115], // green
  [204, 121, 167], // rose
  [240, 228, 66], // yellow
  [0, 114, 178], // blue
  [213, 94, 0], // vermilion
  [92, 92, 100], // grey: a light one is rose to eyes without green
];
const scale: readonly Rgb[] = [
  [72, 36, 117],
  [65, 68, 135],
  [53, 95, 141],
  [42, 120, 142],
  [33, 145, 140],
  [34, 168, 132],
  [68, 191, 112],
  [122, 209, 81],
  [189, 223, 38],
  [253, 231, 37],
];

function mix(a: Rgb, b: Rgb, t: number): Rgb {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t].map(
    Math.round,
  ) as unknown as Rgb;
}

export function isDark(theme: Theme): boolean {
  return theme === 'dark' || theme === 'high-contrast';
}

// The colour of kind `index` among `count`.
export function colourOf(index: number, count: number, theme: Theme): Rgb {
  if (count <= hues.length) return soften(hues[index % hues.length]!, theme);
  const at = (index / (count - 1)) * (scale.length - 1);
  const low = Math.min(Math.floor(at), scale.length - 2);
  return soften(mix(scale[low]!, scale[low + 1]!, at - low), theme);
}

// Full hues glare in large areas, so a little of the background is mixed in, unless the theme is one of high contrast.
function soften(colour: Rgb, theme: Theme): Rgb {
  if (theme === 'dark') return mix(colour, [20, 24, 31], 0.12);
  if (theme === 'light') return mix(colour, [255, 255, 255], 0.16);
  return colour;
}

// A step of lightness inside one hue, `t` from 0 to 1.
export function shade(colour: Rgb, t: number, theme: Theme): Rgb {
  return isDark(theme) ? mix(colour, [12, 15, 20], 0.34 * (1 - t)) : mix(colour, [255, 255, 255], 0.42 * (1 - t));
}

export function luminance([r, g, b]: Rgb): number {
  const linear = (v: number) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

// Black or white, whichever reads better on it.
export function inkOn(colour: Rgb): string {
  return luminance(colour) > 0.195 ? '#10141a' : '#ffffff';
}

// As ImageData wants it (little endian).
export function pack([r, g, b]: Rgb, alpha = 255): number {
  return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
export function unpack(pixel: number): Rgb {
  return [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
}
export function css([r, g, b]: Rgb): string {
  return `rgb(${r}, ${g}, ${b})`;
}
