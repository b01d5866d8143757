// Differences between two texts, line by line: Myers' shortest edit script, with a limit after which the middle counts
// as replaced (IR of another kernel has nothing in common worth a second).
export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  left: number; // line of the left text, -1 for an added one
  right: number; // line of the right text, -1 for a removed one
}

const mostEdits = 4000;

// The part of a line that is compared. The numbers of values, registers, labels and locations are ignored, because they
// all change when one line is added or removed.
export function comparable(line: string, language: string): string {
  switch (language) {
    case 'mlir':
      return line.replace(/%[\w$.-]+(?::\d+)?(?:#\d+)?/g, '%').replace(/\^bb\d+/g, '^bb');
    case 'llvm':
      return line
        .replace(/,? *!\w+ !\d+/g, '')
        .replace(/%[\w$.-]+/g, '%')
        .replace(/; preds = .*/, '')
        .replace(/^\d+:/, ':')
        .replace(/#\d+/g, '#');
    case 'ptx':
      return line
        .replace(/%([a-z]+)\d+/g, '%$1')
        .replace(/\$L__\w+/g, '$L')
        .replace(/^\s*\.loc\b.*/, '.loc')
        .replace(/^(\s*\.reg .*)<\d+>/, '$1');
    default:
      return line;
  }
}

// If `language` defines how the numbers of values are written, lines that differ only in them are equal.
export function diffLines(leftLines: readonly string[], rightLines: readonly string[], language = ''): DiffLine[] {
  const left = leftLines.map((line) => comparable(line, language));
  const right = rightLines.map((line) => comparable(line, language));
  let begin = 0;
  while (begin < left.length && begin < right.length && left[begin] === right[begin]) ++begin;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > begin && rightEnd > begin && left[leftEnd - 1] === right[rightEnd - 1]) {
    --leftEnd;
    --rightEnd;
  }
  const result: DiffLine[] = [];
  for (let i = 0; i < begin; ++i) result.push({ kind: 'same', left: i, right: i });
  for (const line of middle(left.slice(begin, leftEnd), right.slice(begin, rightEnd)))
    result.push({
      kind: line.kind,
      left: line.left < 0 ? -1 : line.left + begin,
      right: line.right < 0 ? -1 : line.right + begin,
    });
  for (let i = 0; leftEnd + i < left.length; ++i) result.push({ kind: 'same', left: leftEnd + i, right: rightEnd + i });
  return result;
}

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const replaced = (): DiffLine[] => [
    ...a.map((_, i): DiffLine => ({ kind: 'removed', left: i, right: -1 })),
    ...b.map((_, i): DiffLine => ({ kind: 'added', left: -1, right: i })),
  ];
  if (!a.length || !b.length) return replaced();
  // furthest[d] has, for each diagonal k (at index k + d), how far down `a` d edits reach.
  const trail: Int32Array[] = [];
  let previous = new Int32Array(1);
  const most = Math.min(a.length + b.length, mostEdits);
  for (let d = 0; d <= most; ++d) {
    const furthest = new Int32Array(2 * d + 1);
    for (let k = -d; k <= d; k += 2) {
      const at = (diagonal: number) => previous[diagonal + d - 1] ?? -1;
      let x = d === 0 ? 0 : k === -d || (k !== d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) ++x;
      furthest[k + d] = x;
      if (x >= a.length && x - k >= b.length) {
        trail.push(furthest);
        return walkBack(trail, a.length, b.length);
      }
    }
    trail.push(furthest);
    previous = furthest;
  }
  return replaced();
}

function walkBack(trail: readonly Int32Array[], endA: number, endB: number): DiffLine[] {
  const result: DiffLine[] = [];
  let x = endA;
  let y = endB;
  for (let d = trail.length - 1; d > 0; --d) {
    const before = trail[d - 1]!;
    const at = (diagonal: number) => before[diagonal + d - 1] ?? -1;
    const k = x - y;
    const isInsertion = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromK = isInsertion ? k + 1 : k - 1;
    const fromX = at(fromK);
    const fromY = fromX - fromK;
    while (x > (isInsertion ? fromX : fromX + 1) && y > (isInsertion ? fromY + 1 : fromY)) {
      --x;
      --y;
      result.push({ kind: 'same', left: x, right: y });
    }
    if (isInsertion) result.push({ kind: 'added', left: -1, right: --y });
    else result.push({ kind: 'removed', left: --x, right: -1 });
  }
  while (x > 0 && y > 0) {
    --x;
    --y;
    result.push({ kind: 'same', left: x, right: y });
  }
  return result.reverse();
}
