// The changes of each pass between source and ttgir.
import type { PassesResult } from '../protocol.ts';
import { diffLines, type DiffLine } from './diff.ts';

export interface Passes {
  result: PassesResult;
  texts: string[][]; // the lines before the first pass, then those after each pass
  steps: PassStep[];
}

export interface PassStep {
  id: string;
  title: string;
  changed: boolean;
  added: number;
  removed: number;
}

export function linesOf(text: string): string[] {
  return text ? text.replace(/\n$/, '').split('\n') : [];
}

// Counts the lines that each pass added and removed. The numbers of values do not count as changes.
export function passesOf(result: PassesResult): Passes {
  const texts = [linesOf(result.text)];
  const steps = result.passes.map(({ id, title, text }): PassStep => {
    const old = texts[texts.length - 1]!;
    const lines = text === undefined ? old : linesOf(text);
    texts.push(lines);
    const diff = lines === old ? [] : diffLines(old, lines, 'mlir');
    const count = (kind: DiffLine['kind']) => diff.filter((line) => line.kind === kind).length;
    const [added, removed] = [count('added'), count('removed')];
    return { id, title, changed: added + removed > 0, added, removed };
  });
  return { result, texts, steps };
}

// The lines that a pass began with, or null if there is no such pass.
export function textBefore(passes: Passes, pass: string): string[] | null {
  const at = passes.steps.findIndex(({ id }) => id === pass);
  return at < 0 ? null : passes.texts[at]!;
}
