// Line ends of a file, so that editing it does not change those of unchanged lines: the editor uses "\n"
// everywhere.
import { diffLines } from './diff.ts';

export const withoutReturns = (text: string) => text.replace(/\r\n?/g, '\n');

function split(text: string): { lines: string[]; ends: string[] } {
  const parts = text.split(/(\r\n|\r|\n)/);
  return { lines: parts.filter((_, i) => i % 2 === 0), ends: parts.filter((_, i) => i % 2 === 1) };
}

// The edited text with the line ends of `file`, the text it was made from. New lines get the line end that most lines
// have.
export function withLineEnds(file: string, edited: string): string {
  const before = split(file);
  const counts = new Map<string, number>();
  for (const end of before.ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  const usual = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '\n';
  if (counts.size <= 1) return usual === '\n' ? edited : edited.replaceAll('\n', usual);
  const lines = edited.split('\n');
  const ends = lines.map(() => usual);
  for (const line of diffLines(before.lines, lines))
    if (line.kind === 'same') ends[line.right] = before.ends[line.left] ?? usual;
  return lines.map((line, i) => (i + 1 < lines.length ? line + ends[i]! : line)).join('');
}
