// Labels of a kernel's specializations: "BLOCK=256 num_warps=4 (cuda:90)".

// Splits a label at blanks outside of brackets and strings.
function partsOf(label: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const token of label.match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\s\S]/g) ?? []) {
    if ('[({'.includes(token)) ++depth;
    if ('])}'.includes(token) && depth) --depth;
    if (token === ' ' && !depth) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.filter(Boolean);
}

// The name in a part: "BLOCK" of "BLOCK=256". A part without "=" is its own name.
const nameOf = (part: string) => /^\w+(?==)/.exec(part)?.[0] ?? part;

// Where the longest would be cut off in a menu: parts are left out as long as no two labels that differ become one;
// what all of them share first, then what distinguishes the same of them as an earlier part, then the longest. The
// target at the end stays. lsp/features/facts/Labels.h has the same rule for lenses.
export function tellApart(labels: readonly string[], most = 44): string[] {
  if (labels.length < 2 || labels.every((label) => label.length <= most)) return [...labels];
  let all = labels.map(partsOf);
  const told = (parts: readonly (readonly string[])[]) => new Set(parts.map((each) => each.join(' '))).size;
  const longest = (parts: readonly (readonly string[])[]) => Math.max(...parts.map((each) => each.join(' ').length));
  const count = told(all);
  const names = [
    ...new Set(
      all
        .flat()
        .filter((part) => !part.startsWith('('))
        .map(nameOf),
    ),
  ];
  const known = new Set<string>();
  const ranks = names.map((name, position) => {
    const values = all.map((parts) => parts.find((part) => nameOf(part) === name) ?? '');
    const groups = values.map((value) => values.indexOf(value)).join(' ');
    const isRepeated = known.has(groups);
    known.add(groups);
    const length = Math.max(...values.map((value) => value.length));
    return { name, rank: [new Set(values).size > 1 ? 1 : 0, isRepeated ? 0 : 1, -length, -position] };
  });
  ranks.sort((a, b) => a.rank.map((each, i) => each - b.rank[i]!).find((difference) => difference !== 0) ?? 0);
  for (const { name } of ranks) {
    if (longest(all) <= most) break;
    const without = all.map((parts) => parts.filter((part) => nameOf(part) !== name));
    if (told(without) === count && without.every((parts) => parts.some((part) => !part.startsWith('(')))) all = without;
  }
  return all.map((parts) => parts.join(' '));
}
