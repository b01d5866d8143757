// Kernels and specializations for tests.
import type { KernelInfo, Range, SpecializationInfo } from '../src/protocol.ts';

export function range(line: number, from = 0, to = 1): Range {
  return { start: { line, character: from }, end: { line, character: to } };
}

export function specialization(id: string, more: Partial<SpecializationInfo> = {}): SpecializationInfo {
  return { id, label: `label ${id}`, origin: 'launch', target: 'cuda:90', selected: false, ...more };
}

export function kernel(
  name: string,
  line: number,
  specializations: SpecializationInfo[] = [specialization('1', { selected: true })],
): KernelInfo {
  return { kernel: name, range: range(line, 4, 4 + name.length), specializations };
}
