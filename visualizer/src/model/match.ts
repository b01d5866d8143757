// Finds names by a few of their letters, as "quick open" does: "lay/til" finds "kernels/layouts/tiles.py".

// How well a name fits: larger is better, and null means that it does not. All letters occur in order; runs, beginnings
// of words and the file's own name count more than its folders, and short names more than long ones.
export function score(query: string, name: string): number | null {
  const letters = query.toLowerCase().replace(/\s+/g, '');
  const text = name.toLowerCase();
  const own = text.lastIndexOf('/') + 1;
  // If the file's own name has all the letters, the folders do not count.
  const from = (start: number): number | null => {
    let at = start;
    let total = 0;
    let previous = -2;
    for (const letter of letters) {
      const next = text[at] === letter ? at : text.indexOf(letter, at);
      if (next < 0) return null;
      if (next === previous + 1) total += 4;
      if (next === 0 || /[^a-z0-9]/.test(text[next - 1]!)) total += 3;
      if (next >= own) total += 2;
      previous = next;
      at = next + 1;
    }
    return total - text.length / 100;
  };
  if (!letters) return 0;
  const whole = from(0);
  if (whole === null) return null;
  const contained = text.indexOf(letters, own);
  return Math.max(whole, from(own) ?? whole, contained >= 0 ? (from(contained) ?? whole) + 4 : whole);
}

export function bestMatches(query: string, names: readonly string[], most = 50): string[] {
  return names
    .map((name) => ({ name, value: score(query, name) }))
    .filter((each): each is { name: string; value: number } => each.value !== null)
    .sort((a, b) => b.value - a.value)
    .slice(0, most)
    .map((each) => each.name);
}
