// IR as displayed text: folds, tokens for colors, matches.
export interface Fold {
  first: number; // the line that stays visible
  last: number;
}

// Regions: from a line that ends in an opening bracket to the one that closes it.
export function foldsOf(lines: readonly string[]): Fold[] {
  const folds: Fold[] = [];
  const open: number[] = [];
  lines.forEach((line, i) => {
    const text = line.trimEnd();
    const closes = /^\s*[})]/.test(text);
    if (closes && open.length) {
      const first = open.pop()!;
      // "} else {" closes one and opens the next: the brace stays visible as its header.
      const last = /[{(]$/.test(text) ? i - 1 : i;
      if (last > first) folds.push({ first, last });
    }
    if (/[{(]$/.test(text)) open.push(i);
  });
  return folds.sort((a, b) => a.first - b.first);
}

// What an assembler or a debugger wants and a reader does not: places in the source (the panel links them), sections of
// debug information, metadata, markers of inline assembly.
const noise: Readonly<Record<string, RegExp>> = {
  ptx: /^\s*(?:\.loc\b|\.file\b|\/\/|\.section\b|\.b8\b|\.b32\b|\.b64\b|\$L__(?:tmp|func_begin|func_end|info_string|debug)\w*:|$)/,
  llvm: /^(?:;|!|source_filename|target |attributes #|declare |$)|^\s+#dbg_/,
  sass: /^\s*(?:\/\/|\.section|\.sectioninfo|\.align|\.headerflags|\.elftype|$)/,
};
export function hasNoise(language: string): boolean {
  return language in noise;
}
export function isNoise(line: string, language: string): boolean {
  return noise[language]?.test(line) ?? false;
}

export type TokenKind =
  'plain' | 'comment' | 'string' | 'value' | 'op' | 'type' | 'attribute' | 'number' | 'keyword' | 'symbol';
export interface Token {
  kind: TokenKind;
  text: string;
}

const mlir: readonly [TokenKind, RegExp][] = [
  ['comment', /\/\/.*/y],
  ['string', /"(?:[^"\\]|\\.)*"/y],
  ['value', /%[\w$.\-#:]+/y],
  ['symbol', /[@^][\w$.-]+/y],
  ['attribute', /#[\w$.-]+/y],
  [
    'type',
    /!?(?:tt\.ptr|ttg\.memdesc|ttg\.async\.token|tensor|memdesc|vector)\b|![\w.]+|\b(?:[iu]\d+|bf16|f\d+\w*|index)\b/y,
  ],
  ['keyword', /\b(?:module|attributes|loc|step|to|iter_args|else|true|false|dense|private|public)\b/y],
  ['op', /\b(?:tt|ttg|ttng|amdg|gluon|scf|arith|math|cf|nvvm|rocdl|llvm|ub|gpu|func|builtin)\.[\w.]+/y],
  ['number', /-?\b(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\b/y],
];
// PTX and SASS. Comments in AMD's assembly begin with semicolons.
const assembly: readonly [TokenKind, RegExp][] = [
  ['comment', /\/\/.*/y],
  ['string', /"(?:[^"\\]|\\.)*"/y],
  ['keyword', /\.[\w.]+/y],
  ['value', /[%$][\w.]+|\b[vsRrPp]\d+\b/y],
  ['number', /-?\b(?:0x[\da-fA-F]+|\d+(?:\.\d+)?)\b/y],
  ['op', /^\s*[a-zA-Z_][\w.]*/y],
];

const amdAssembly: readonly [TokenKind, RegExp][] = [['comment', /;.*/y], ...assembly];

// Cuts a line where the colour changes. `language` is the stage's.
export function tokenize(line: string, language: string): Token[] {
  const rules = language === 'mlir' || language === 'llvm' ? mlir : language.startsWith('amd') ? amdAssembly : assembly;
  const tokens: Token[] = [];
  const push = (kind: TokenKind, text: string) => {
    const before = tokens[tokens.length - 1];
    if (before && before.kind === kind && kind === 'plain') before.text += text;
    else tokens.push({ kind, text });
  };
  for (let at = 0; at < line.length;) {
    let found: [TokenKind, string] | undefined;
    for (const [kind, pattern] of rules) {
      pattern.lastIndex = at;
      const match = pattern.exec(line);
      if (match && match[0]) {
        found = [kind, match[0]];
        break;
      }
    }
    if (!found) {
      // A word, or one character.
      const word = /\w+/y;
      word.lastIndex = at;
      found = ['plain', word.exec(line)?.[0] ?? line[at]!];
    }
    push(found[0], found[1]);
    at += found[1].length;
  }
  return tokens;
}

export interface Match {
  line: number;
  begin: number;
  end: number;
}

// Plain text, or a regular expression between slashes; upper case in the query makes it exact. A broken expression
// finds nothing.
export function search(lines: readonly string[], query: string, most = 5000): Match[] {
  if (!query) return [];
  const flags = /[A-Z]/.test(query) ? 'g' : 'gi';
  let pattern: RegExp;
  try {
    const expression = /^\/(.+)\/$/.exec(query)?.[1];
    pattern = new RegExp(expression ?? query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), flags);
  } catch {
    return [];
  }
  const matches: Match[] = [];
  for (let line = 0; line < lines.length && matches.length < most; ++line)
    for (const match of lines[line]!.matchAll(pattern)) {
      if (!match[0]) continue;
      matches.push({ line, begin: match.index, end: match.index + match[0].length });
    }
  return matches;
}
