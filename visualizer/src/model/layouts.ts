// The layout classes that the playground edits: what it shows of their parameters, and sensible initial values for a
// tensor. The server checks the values; names and order of the parameters are those of layoutFields.ts.
import { swizzleWidths } from './chips.ts';
import { layoutFields } from './layoutFields.ts';
import { isCall, parsePython, printPython, type Call, type Py } from './python.ts';

export type FieldKind =
  | 'powers' // a list with a power of two for each dimension
  | 'order' // a permutation of the dimensions
  | 'power' // one power of two
  | 'integer'
  | 'flag'
  | 'choice'
  | 'layout' // another layout, as text
  | 'python'; // anything else, as text

// The input that a form has for a parameter.
interface FieldForm {
  kind: FieldKind;
  help: string;
  choices?: readonly number[];
  optional?: boolean; // left out when it has its default
  // `lanes`: of a warp of the target.
  standard: (rank: number, shape: readonly number[], warps: number, bits: number, lanes: number) => Py;
}
export interface Field extends FieldForm {
  name: string;
}

export interface LayoutClass {
  name: string; // with its namespace: "gl.BlockedLayout"
  kind: 'registers' | 'shared memory' | 'tensor memory';
  title: string;
  fields: readonly Field[];
}

const ones = (rank: number) => new Array<number>(rank).fill(1);
const rowOrder = (rank: number) => Array.from({ length: rank }, (_, i) => rank - 1 - i);
const last = (rank: number, value: number) => ones(rank).map((v, i) => (i === rank - 1 ? value : v));
const first = (rank: number, value: number) => ones(rank).map((v, i) => (i === 0 ? value : v));
const cga: FieldForm = {
  kind: 'python',
  help: 'bases of the blocks of a cluster',
  optional: true,
  standard: () => [],
};

function spread(lanes: number, rank: number, shape: readonly number[], perThread: number): number[] {
  const along = Math.max(1, Math.min(lanes, (shape[rank - 1] ?? lanes) / perThread));
  const inEach = last(rank, along);
  if (rank > 1) inEach[rank - 2] = lanes / along;
  else inEach[0] = lanes;
  return inEach;
}

// One unit vector for each bit of an index into the shape, the last dimension first.
function unitBases(shape: readonly number[]): number[][] {
  const bases: number[][] = [];
  for (let d = shape.length - 1; d >= 0; --d)
    for (let size = 1; size < shape[d]!; size *= 2) bases.push(shape.map((_, i) => (i === d ? size : 0)));
  return bases;
}

// Bases of a linear layout that holds each element of the shape once, or copies where there are fewer elements than
// threads: up to two register bits, then the lanes, the warps and the other registers.
function linearBases(
  shape: readonly number[],
  warps: number,
  lanes: number,
): Record<'reg' | 'lane' | 'warp', number[][]> {
  const bases = unitBases(shape);
  const laneBits = Math.log2(lanes);
  const warpBits = Math.log2(warps);
  const before = Math.min(2, Math.max(0, bases.length - laneBits - warpBits));
  const take = (from: number, count: number): number[][] =>
    Array.from({ length: count }, (_, i) => bases[from + i] ?? shape.map(() => 0));
  return {
    reg: [...bases.slice(0, before), ...bases.slice(before + laneBits + warpBits)],
    lane: take(before, laneBits),
    warp: take(before + laneBits, warpBits),
  };
}

// A class of layoutFields.ts, with those of its parameters that have a form.
function classWithForms<Name extends keyof typeof layoutFields>(
  space: string,
  name: Name,
  kind: LayoutClass['kind'],
  title: string,
  forms: Partial<Record<(typeof layoutFields)[Name][number], FieldForm>>,
): LayoutClass {
  const order: readonly (keyof typeof forms)[] = layoutFields[name];
  const fields = order.flatMap((field) => (forms[field] ? [{ name: String(field), ...forms[field] }] : []));
  return { name: `${space}.${name}`, kind, title, fields };
}

export const layoutClasses: readonly LayoutClass[] = [
  classWithForms('gl', 'BlockedLayout', 'registers', 'Blocked', {
    size_per_thread: {
      kind: 'powers',
      help: 'consecutive elements per thread in each dimension',
      standard: (rank, _s, _w, bits) => last(rank, Math.max(1, 128 / bits)),
    },
    threads_per_warp: {
      kind: 'powers',
      help: 'lanes in each dimension; the product is 32 (64 on CDNA)',
      standard: (rank, shape, _w, bits, lanes) => spread(lanes, rank, shape, Math.max(1, 128 / bits)),
    },
    warps_per_cta: {
      kind: 'powers',
      help: 'warps in each dimension; the product is num_warps',
      standard: (rank, _s, warps) => first(rank, warps),
    },
    order: { kind: 'order', help: 'dimensions, the fastest first', standard: (rank) => rowOrder(rank) },
    cga_layout: cga,
  }),
  classWithForms('gl', 'SliceLayout', 'registers', 'Slice', {
    dim: { kind: 'integer', help: 'the dimension that was removed', standard: () => 1 },
    parent: {
      kind: 'layout',
      help: 'the layout before the dimension was removed',
      standard: (rank, _s, warps, _b, lanes) =>
        parsePython(
          `gl.BlockedLayout(${printPython(last(rank + 1, 1))}, ${printPython(last(rank + 1, lanes))}, ${printPython(first(rank + 1, warps))}, ${printPython(rowOrder(rank + 1))})`,
        ),
    },
  }),
  classWithForms('gl', 'NVMMADistributedLayout', 'registers', 'NVIDIA MMA', {
    version: { kind: 'python', help: '[2, 0] for mma.sync, [3, 0] for wgmma', standard: () => [2, 0] },
    warps_per_cta: {
      kind: 'powers',
      help: 'warps in each dimension',
      standard: (rank, _s, warps) => first(rank, warps),
    },
    instr_shape: {
      kind: 'python',
      help: '[16, 8] for mma.sync; [16, N, K] for wgmma',
      standard: () => [16, 8],
    },
    cga_layout: cga,
  }),
  classWithForms('gl', 'DotOperandLayout', 'registers', 'Dot operand', {
    operand_index: { kind: 'choice', choices: [0, 1], help: '0: left, 1: right', standard: () => 0 },
    parent: {
      kind: 'layout',
      help: 'layout of the product',
      standard: (rank, _s, warps) =>
        parsePython(`gl.NVMMADistributedLayout([2, 0], ${printPython(first(rank, warps))}, [16, 8])`),
    },
    k_width: {
      kind: 'power',
      help: 'consecutive elements along K per lane',
      standard: (_r, _s, _w, bits) => Math.max(1, 32 / bits),
    },
  }),
  classWithForms('gl', 'DistributedLinearLayout', 'registers', 'Linear', {
    reg_bases: {
      kind: 'python',
      help: 'one vector for each register bit',
      standard: (_r, shape, warps, _b, lanes) => linearBases(shape, warps, lanes).reg,
    },
    lane_bases: {
      kind: 'python',
      help: 'one vector for each lane bit',
      standard: (_r, shape, warps, _b, lanes) => linearBases(shape, warps, lanes).lane,
    },
    warp_bases: {
      kind: 'python',
      help: 'one vector for each warp bit',
      standard: (_r, shape, warps, _b, lanes) => linearBases(shape, warps, lanes).warp,
    },
    block_bases: { kind: 'python', help: 'one vector for each block bit', standard: () => [] },
    shape: { kind: 'python', help: 'shape of the tensor', standard: (_r, shape) => [...shape] },
  }),
  classWithForms('gl.amd', 'AMDMFMALayout', 'registers', 'AMD MFMA', {
    version: { kind: 'choice', choices: [1, 2, 3, 4], help: '3: CDNA3, 4: CDNA4', standard: () => 3 },
    instr_shape: { kind: 'python', help: '[32, 32, 8] or [16, 16, 16]', standard: () => [32, 32, 8] },
    transposed: { kind: 'flag', help: 'registers run along columns', standard: () => true },
    warps_per_cta: {
      kind: 'powers',
      help: 'warps in each dimension',
      standard: (rank, _s, warps) => first(rank, warps),
    },
  }),
  classWithForms('gl', 'SwizzledSharedLayout', 'shared memory', 'Swizzled', {
    vec: {
      kind: 'power',
      help: 'elements that stay together',
      standard: (_r, _s, _w, bits) => Math.max(1, 128 / bits),
    },
    per_phase: { kind: 'power', help: 'rows with the same phase', standard: () => 1 },
    max_phase: { kind: 'power', help: 'phases before they repeat', standard: () => 8 },
    order: { kind: 'order', help: 'dimensions, the fastest first', standard: (rank) => rowOrder(rank) },
    cga_layout: cga,
  }),
  {
    name: 'gl.PaddedSharedLayout.with_identity_for',
    kind: 'shared memory',
    title: 'Padded',
    fields: [
      {
        name: 'interval_padding_pairs',
        kind: 'python',
        help: 'pairs of an interval and the padding after it, in elements',
        standard: (_r, shape, _w, bits) => [[shape[shape.length - 1] ?? 64, Math.max(1, 128 / bits)]],
      },
      { name: 'shape', kind: 'python', help: 'shape of the tensor', standard: (_r, shape) => [...shape] },
      { name: 'order', kind: 'order', help: 'dimensions, the fastest first', standard: (rank) => rowOrder(rank) },
    ],
  },
  classWithForms('gl', 'NVMMASharedLayout', 'shared memory', 'NVMMA (TMA, wgmma)', {
    swizzle_byte_width: {
      kind: 'choice',
      choices: [0, ...[...swizzleWidths].reverse()],
      help: 'bytes that are swizzled together',
      // The widest that a row of the tensor fills.
      standard: (_r, shape, _w, bits) =>
        swizzleWidths.find((bytes) => ((shape[shape.length - 1] ?? 0) * bits) / 8 >= bytes) ?? 0,
    },
    element_bitwidth: {
      kind: 'choice',
      choices: [8, 16, 32],
      help: 'bits of an element',
      standard: (_r, _s, _w, bits) => bits,
    },
    rank: { kind: 'integer', help: 'dimensions', standard: (rank) => rank },
    transposed: { kind: 'flag', help: 'dimension 0 is contiguous', optional: true, standard: () => false },
    fp4_padded: { kind: 'flag', help: '8 bytes of fp4, 8 unused', optional: true, standard: () => false },
    cga_layout: cga,
  }),
];

export function classOf(name: string): LayoutClass | undefined {
  const bare = (text: string) =>
    text
      .split('.')
      .slice(text.includes('with_identity') ? -2 : -1)
      .join('.');
  return layoutClasses.find((c) => bare(c.name) === bare(name));
}

// The contents of a form: a class and a value for each of its fields.
export interface Form {
  layoutClass: LayoutClass;
  values: Py[];
}

export function formFor(
  layoutClass: LayoutClass,
  shape: readonly number[],
  warps: number,
  lanes: number,
  bits: number,
): Form {
  return { layoutClass, values: layoutClass.fields.map((f) => f.standard(shape.length, shape, warps, bits, lanes)) };
}

// Returns null for a class that the playground has no form for, and for text that is no layout.
export function formOf(
  expression: string,
  shape: readonly number[],
  warps: number,
  lanes: number,
  bits: number,
): Form | null {
  let call: Py;
  try {
    call = parsePython(expression);
  } catch {
    return null;
  }
  const layoutClass = isCall(call) ? classOf(call.name) : undefined;
  if (!isCall(call) || !layoutClass || call.args.length > layoutClass.fields.length) return null;
  const form = formFor(layoutClass, shape, warps, lanes, bits);
  layoutClass.fields.forEach((field, i) => {
    if (field.optional) form.values[i] = field.kind === 'flag' ? false : [];
  });
  call.args.forEach((value, i) => (form.values[i] = value));
  for (const [name, value] of call.keywords) {
    const i = layoutClass.fields.findIndex((f) => f.name === name);
    if (i < 0) return null;
    form.values[i] = value;
  }
  return form;
}

export function expressionOf(form: Form): string {
  const call: Call = { name: form.layoutClass.name, args: [], keywords: [] };
  form.layoutClass.fields.forEach((field, i) => {
    const value = form.values[i]!;
    const isDefault = field.optional && (value === false || (Array.isArray(value) && value.length === 0));
    if (field.optional) {
      if (!isDefault) call.keywords.push([field.name, value]);
    } else call.args.push(value);
  });
  return printPython(call);
}
