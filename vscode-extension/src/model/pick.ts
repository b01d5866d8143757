// The texts of menus, the status bar and the tree about kernels and specializations. Pure.

import { tellApart } from '../../../visualizer/src/model/labels.ts';
import { targetPattern, targets as chips } from '../../../visualizer/src/model/chips.ts';
import type { KernelInfo, Position, SpecializationInfo } from '../protocol.ts';

// A target, and the chip people know it by.
export interface Target {
  id: string;
  chip: string;
}

// The targets that the menu offers. Any other that the server understands can be typed.
export const targets: readonly Target[] = chips.map(({ id, vendor, products, architecture }) => ({
  id,
  chip: `${vendor} ${products}${architecture ? ` (${architecture})` : ''}`,
}));

export function isTarget(text: string): boolean {
  return new RegExp(`^(${targetPattern})$`).test(text);
}

export function chipOf(target: string): string | undefined {
  return targets.find((each) => each.id === target)?.chip;
}

// The kernel whose `def` is the last at or above the line: the one the cursor is in, as far as kernels follow one
// another.
export function kernelAt(kernels: readonly KernelInfo[], position: Position): KernelInfo | undefined {
  let found: KernelInfo | undefined;
  for (const kernel of kernels) {
    if (kernel.range.start.line > position.line) continue;
    if (!found || kernel.range.start.line >= found.range.start.line) found = kernel;
  }
  return found ?? kernels[0];
}

export function selectedOf(kernel: KernelInfo): SpecializationInfo | undefined {
  return kernel.specializations.find((each) => each.selected) ?? kernel.specializations[0];
}

// The origin of a specialization as text.
export function originText(origin: string): string {
  return originTexts.get(origin) ?? origin;
}
const originTexts: ReadonlyMap<string, string> = new Map([
  ['directive', 'directive in the source'],
  ['record', 'recorded launch'],
  ['launch', 'launch found in this file'],
  ['default', 'no launch found: typed defaults'],
]);

// The codicon for the origin of a specialization.
export function originIcon(origin: string): string {
  return originIcons.get(origin) ?? 'circle-outline';
}
const originIcons: ReadonlyMap<string, string> = new Map([
  ['directive', 'comment'],
  ['record', 'history'],
  ['launch', 'rocket'],
  ['default', 'question'],
]);

// The name of a specialization among the others of its kernel: for a long label only the distinguishing part. The
// target, in parentheses at the end of a label, is left out, because it is shown next to it.
export function shortLabel(
  specialization: SpecializationInfo,
  all: readonly SpecializationInfo[] = [specialization],
): string {
  const at = all.indexOf(specialization);
  const label = tellApart(all.map((each) => each.label))[at] ?? specialization.label;
  const tail = `(${specialization.target})`;
  return (label.endsWith(tail) ? label.slice(0, -tail.length) : label).trim() || specialization.id;
}

// At most `length` characters, the middle left out.
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = Math.ceil((length - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (length - 1 - head))}`;
}

// Escapes text for a Markdown tooltip or a label with $(icons), so that text of a workspace file is shown unchanged.
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, ' ').replace(/\$\(/g, '$\u200b(');
}
