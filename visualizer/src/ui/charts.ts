// The benchmark panel's charts, drawn as SVG with the panels' own colors: bars of times, and a line of a kernel's
// history. The same data is shown as text next to them, so they are hidden from screen readers.

const space = 'http://www.w3.org/2000/svg';

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export interface Bar {
  value: number;
  low: number;
  high: number;
  state: 'best' | 'plain' | 'live';
}
// One bar of a table's row, with a whisker from low to high.
export function bar({ value, low, high, state }: Bar, most: number): SVGSVGElement {
  const x = (v: number) => (most > 0 ? (100 * Math.min(v, most)) / most : 0);
  const element = svg('svg', {
    class: `g-bar-chart g-bar-${state}`,
    viewBox: '0 0 100 10',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  element.append(svg('rect', { x: 0, y: 1.5, width: x(value), height: 7, class: 'g-bar-fill' }));
  if (high > low)
    element.append(
      svg('path', {
        d: `M${x(low)} 5H${x(high)}M${x(low)} 3V7M${x(high)} 3V7`,
        class: 'g-bar-whisker',
        'vector-effect': 'non-scaling-stroke',
      }),
    );
  return element;
}

export interface Point {
  value: number;
  title: string;
  edited: boolean; // of another version of the kernel
}
// Draws times one after another, the newest at the right.
export function line(points: readonly Point[]): SVGSVGElement {
  const width = 320;
  const height = 64;
  const pad = 7;
  const element = svg('svg', {
    class: 'g-line-chart',
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'xMinYMid meet',
    'aria-hidden': 'true',
  });
  const values = points.map((point) => point.value);
  const least = Math.min(...values);
  const most = Math.max(...values);
  // An axis from zero would hide the differences. A margin of a tenth of the range keeps noise from looking like
  // change.
  const span = Math.max(most - least, most * 0.05) || 1;
  const middle = (most + least) / 2;
  const x = (i: number) => (points.length > 1 ? pad + (i * (width - 2 * pad)) / (points.length - 1) : width / 2);
  const y = (value: number) => height / 2 - ((value - middle) / span) * (height - 2 * pad) * 1;
  element.append(
    svg('path', {
      d: points.map((point, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(point.value).toFixed(1)}`).join(''),
      class: 'g-line-path',
    }),
  );
  points.forEach((point, i) => {
    const dot = svg('circle', {
      cx: x(i).toFixed(1),
      cy: y(point.value).toFixed(1),
      r: i === points.length - 1 ? 4 : 3,
      class: point.edited ? 'g-line-dot g-line-edited' : 'g-line-dot',
    });
    dot.append(svg('title', {}, point.title));
    element.append(dot);
  });
  return element;
}
