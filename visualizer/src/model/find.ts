// Parses what users type to find an owner or an element: "T37", "T37:4", "warp 1 lane 3", "w1 r0", "byte 412",
// "+0x19c", "row 3 col 9", "3, 5".
import type { Layout } from './linear.ts';

export type Wanted = { element: number } | { byte: number } | { values: Record<string, number> };

const names: Record<string, string> = {
  r: 'register',
  l: 'lane',
  w: 'warp',
  b: 'block',
  cta: 'block',
  o: 'offset',
  c: 'col',
  column: 'col',
  p: 'partition',
};

// Returns null if the text names nothing that this layout has.
export function parseWanted(text: string, layout: Layout): Wanted | null {
  const plain = text.trim().toLowerCase();
  const coordinates = /^\(?\s*(\d+(?:\s*,\s*\d+)*)\s*,?\s*\)?$/.exec(plain)?.[1]?.split(',').map(Number);
  if (coordinates) {
    if (coordinates.length !== layout.shape.length || coordinates.some((c, d) => c >= layout.shape[d]!)) return null;
    return { element: coordinates.reduce((index, c, d) => index * layout.shape[d]! + c, 0) };
  }
  const byte = /^(?:byte\s*|\+)(0x[\da-f]+|\d+)$/.exec(plain)?.[1];
  if (byte !== undefined) return layout.dim('offset') ? { byte: Number(byte) } : null;
  const values: Record<string, number> = {};
  let rest = plain;
  while ((rest = rest.replace(/^[\s,]+/, ''))) {
    const thread = /^t(?:hread)?\s*(\d+)(?:\s*:\s*(\d+))?(?!\d)/.exec(rest);
    const lanes = layout.dim('lane')?.size;
    if (thread && lanes) {
      const warps = layout.dim('warp')?.size ?? 1;
      if (Number(thread[1]) >= lanes * warps) return null;
      values['lane'] = Number(thread[1]) % lanes;
      values['warp'] = Math.floor(Number(thread[1]) / lanes);
      if (thread[2] !== undefined) values['register'] = Number(thread[2]);
      rest = rest.slice(thread[0].length);
      continue;
    }
    const pair = /^([a-z]+)\s*(\d+)/.exec(rest);
    if (!pair) return null;
    // In tensor memory r is a row.
    const name = pair[1] === 'r' && layout.dim('row') ? 'row' : (names[pair[1]!] ?? pair[1]!);
    if (!layout.dim(name)) return null;
    values[name] = Number(pair[2]);
    rest = rest.slice(pair[0].length);
  }
  const isThere = Object.entries(values).every(([name, value]) => value < (layout.dim(name)?.size ?? 1));
  return isThere && Object.keys(values).length ? { values } : null;
}

// The places that have these values, in order.
export function placesWith(layout: Layout, values: Readonly<Record<string, number>>): number[] {
  let mask = 0;
  for (const name of Object.keys(values)) {
    const dim = layout.dim(name);
    if (dim) mask |= (dim.size - 1) << dim.shift;
  }
  const wanted = layout.place(values);
  const places: number[] = [];
  for (let place = 0; place < layout.places; ++place) if ((place & mask) === wanted) places.push(place);
  return places;
}
