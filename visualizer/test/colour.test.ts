import assert from 'node:assert/strict';
import test from 'node:test';
import { colourOf, inkOn, luminance, pack, unpack, type Rgb } from '../src/model/palette.ts';

// How a colour looks to eyes without one kind of cone (Viénot, Brettel and Mollon, linear RGB).
const blind: Record<string, number[][]> = {
  protan: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deutan: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
  tritan: [
    [1.01354, 0.14268, -0.15622],
    [-0.01181, 0.87561, 0.13619],
    [0.07707, 0.81208, 0.11085],
  ],
};
const linear = (v: number) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const seen = (colour: Rgb, matrix: number[][]) =>
  matrix.map((row) => row.reduce((sum, w, i) => sum + w * linear(colour[i]!), 0));
const lab = ([r, g, b]: number[]) => {
  const f = (t: number) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = f((0.4124 * r! + 0.3576 * g! + 0.1805 * b!) / 0.9505);
  const y = f(0.2126 * r! + 0.7152 * g! + 0.0722 * b!);
  const z = f((0.0193 * r! + 0.1192 * g! + 0.9505 * b!) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
};
const distance = (a: number[], b: number[]) => Math.hypot(...a.map((v, i) => v - b[i]!));

test('eight kinds stay apart for colour-blind eyes, in every theme', () => {
  for (const theme of ['dark', 'light', 'high-contrast', 'high-contrast-light'] as const)
    for (const [kind, matrix] of Object.entries(blind))
      for (let a = 0; a < 8; ++a)
        for (let b = a + 1; b < 8; ++b) {
          const apart = distance(lab(seen(colourOf(a, 8, theme), matrix)), lab(seen(colourOf(b, 8, theme), matrix)));
          assert.ok(apart > 9, `${theme}, ${kind}: ${a} and ${b} are ${apart.toFixed(1)} apart`);
        }
});
test('many kinds rise in lightness', () => {
  for (const theme of ['dark', 'light'] as const) {
    const steps = Array.from({ length: 32 }, (_, i) => luminance(colourOf(i, 32, theme)));
    for (let i = 1; i < steps.length; ++i) assert.ok(steps[i]! > steps[i - 1]!, `${theme}: ${i}`);
  }
});
test('labels can be read on every colour', () => {
  for (const count of [8, 32])
    for (let i = 0; i < count; ++i) {
      const colour = colourOf(i, count, 'dark');
      const ink = inkOn(colour) === '#ffffff' ? 1 : 0.007;
      const [light, dark] = [luminance(colour), ink].sort((a, b) => b - a) as [number, number];
      assert.ok(
        (light + 0.05) / (dark + 0.05) >= 3.4,
        `${i} of ${count}: ${((light + 0.05) / (dark + 0.05)).toFixed(2)}`,
      );
    }
});
test('pixels keep their colour', () => {
  assert.deepEqual(unpack(pack([1, 2, 3])), [1, 2, 3]);
});
