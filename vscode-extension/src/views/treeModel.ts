// The tree of kernels and launches as plain data, including the texts of its rows. Pure.

import type { KernelInfo, Range, SpecializationInfo } from '../protocol.ts';
import { originIcon, originText, plain, selectedOf, shortLabel } from '../model/pick.ts';

export type Node =
  | { kind: 'file'; uri: string; label: string; description: string }
  | { kind: 'kernel'; uri: string; kernel: KernelInfo }
  | { kind: 'specialization'; uri: string; kernel: KernelInfo; specialization: SpecializationInfo };

// The place that a click on a row opens.
export interface Target {
  uri: string;
  range: Range;
}

export interface Row {
  label: string;
  description: string;
  // Lines of plain text.
  tooltip: string[];
  icon: string;
  // `viewItem` of the menus in package.json.
  context: string;
  expandable: boolean;
  target?: Target;
}

export function rowOf(node: Node): Row {
  switch (node.kind) {
    case 'file':
      return {
        label: plain(node.label),
        description: plain(node.description),
        tooltip: [],
        icon: 'file-code',
        context: 'file',
        expandable: true,
        target: { uri: node.uri, range: start },
      };
    case 'kernel': {
      const { kernel } = node;
      const count = kernel.specializations.length;
      const selected = selectedOf(kernel);
      return {
        label: plain(kernel.kernel),
        description: plain(count > 1 ? `${count} specializations` : selected ? selected.target : ''),
        tooltip: [kernel.kernel, `line ${kernel.range.start.line + 1}`, ...(selected ? [selected.label] : [])],
        icon: 'symbol-method',
        context: 'kernel',
        expandable: count > 0,
        target: { uri: node.uri, range: kernel.range },
      };
    }
    case 'specialization': {
      const { kernel, specialization } = node;
      const source = specialization.source;
      return {
        label: plain(shortLabel(specialization, kernel.specializations)),
        description: plain(specialization.target),
        tooltip: [
          specialization.label,
          originText(specialization.origin),
          ...(specialization.selected ? ['selected'] : []),
        ],
        icon: specialization.selected ? 'pass-filled' : originIcon(specialization.origin),
        context: specialization.selected ? 'specialization.selected' : 'specialization',
        expandable: false,
        target: source ? { uri: source.uri, range: source.range } : { uri: node.uri, range: kernel.range },
      };
    }
  }
}

export function childrenOf(uri: string, kernels: readonly KernelInfo[]): Node[] {
  return kernels.map((kernel) => ({ kind: 'kernel', uri, kernel }));
}

export function specializationsOf(node: { uri: string; kernel: KernelInfo }): Node[] {
  return node.kernel.specializations.map((specialization) => ({
    kind: 'specialization',
    uri: node.uri,
    kernel: node.kernel,
    specialization,
  }));
}

// The same between refreshes, so that folded rows stay folded.
export function idOf(node: Node): string {
  switch (node.kind) {
    case 'file':
      return node.uri;
    case 'kernel':
      return `${node.uri}#${node.kernel.kernel}@${node.kernel.range.start.line}`;
    case 'specialization':
      return `${node.uri}#${node.kernel.kernel}@${node.kernel.range.start.line}#${node.specialization.id}`;
  }
}

const start: Range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
