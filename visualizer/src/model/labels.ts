// Labels of a kernel's specializations: "BLOCK=256 num_warps=4 (cuda:90)".

// Splits a label at blanks outside of brackets and strings.
function partsOf(label: string): string[] {
  return label.match(/(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[[^\]]*\]|\([^)]*\)|\S)+/g) ?? [];
}

// The name in a part: "BLOCK" of "BLOCK=256". A part without "=" is its own name.
const nameOf = (part: string) => /^\w+(?==)/.exec(part)?.[0] ?? part;

// Where the longest would be cut off in a menu: parts are left out as long as no two labels that differ become one;
// what all of them share first, then the longest. The target at the end stays.
export function tellApart(labels: readonly string[], most = 44): string[] {
  if (labels.length < 2 || labels.every((label) => label.length <= most)) return [...labels];
  let all = labels.map(partsOf);
  const told = (parts: readonly (readonly string[])[]) => new Set(parts.map((each) => each.join(' '))).size;
  const longest = (parts: readonly (readonly string[])[]) => Math.max(...parts.map((each) => each.join(' ').length));
  const count = told(all);
  const sizes = new Map<string, { values: Set<string>; length: number }>();
  for (const parts of all)
    for (const part of parts) {
      const size = sizes.get(nameOf(part)) ?? { values: new Set(), length: 0 };
      sizes.set(nameOf(part), { values: size.values.add(part), length: Math.max(size.length, part.length) });
    }
  const names = [...sizes.keys()].filter((name) => !name.startsWith('('));
  names.sort(
    (a, b) =>
      Math.min(sizes.get(a)!.values.size, 2) - Math.min(sizes.get(b)!.values.size, 2) ||
      sizes.get(b)!.length - sizes.get(a)!.length,
  );
  for (const name of names) {
    if (longest(all) <= most) break;
    const without = all.map((parts) => parts.filter((part) => nameOf(part) !== name));
    if (told(without) === count && without.every((parts) => parts.some((part) => !part.startsWith('(')))) all = without;
  }
  return all.map((parts) => parts.join(' '));
}
