// Layouts as Python writes them, to a tree and back: gl.BlockedLayout([1, 2], [8, 4], [4, 1], [1, 0]). Literals, lists,
// tuples and calls only; nothing is evaluated.
export type Py = number | string | boolean | null | Py[] | Call;
export interface Call {
  name: string; // "gl.BlockedLayout"
  args: Py[];
  keywords: [string, Py][];
}

export function isCall(value: Py | undefined): value is Call {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class SyntaxProblem extends Error {}

export function parsePython(text: string): Py {
  let at = 0;
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) ++at;
  };
  const take = (token: string): boolean => {
    skip();
    if (!text.startsWith(token, at)) return false;
    at += token.length;
    return true;
  };
  const expect = (token: string) => {
    if (!take(token)) throw new SyntaxProblem(`expected '${token}' at ${at}`);
  };
  const match = (pattern: RegExp): string | undefined => {
    skip();
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return undefined;
    at += found[0].length;
    return found[0];
  };
  const list = (close: string): Py[] => {
    const items: Py[] = [];
    while (!take(close)) {
      items.push(value());
      if (!take(',')) {
        expect(close);
        break;
      }
    }
    return items;
  };
  const value = (): Py => {
    if (take('[')) return list(']');
    if (take('(')) return list(')');
    const number = match(/-?\d+(\.\d+)?/y);
    if (number !== undefined) return Number(number);
    const string = match(/'[^']*'|"[^"]*"/y);
    if (string !== undefined) return string.slice(1, -1);
    const name = match(/[A-Za-z_][\w.]*/y);
    if (name === undefined)
      throw new SyntaxProblem(at < text.length ? `unexpected '${text[at]}' at ${at}` : 'unexpected end');
    if (name === 'None') return null;
    if (name === 'True' || name === 'False') return name === 'True';
    if (!take('(')) throw new SyntaxProblem(`'${name}' is not a literal`);
    const call: Call = { name, args: [], keywords: [] };
    while (!take(')')) {
      const start = at;
      const keyword = match(/[A-Za-z_]\w*(?=\s*=)/y);
      if (keyword !== undefined) {
        expect('=');
        call.keywords.push([keyword, value()]);
      } else {
        at = start;
        call.args.push(value());
      }
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return call;
  };
  const result = value();
  skip();
  if (at < text.length) throw new SyntaxProblem(`unexpected '${text[at]}' at ${at}`);
  return result;
}

export function printPython(value: Py): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(printPython).join(', ')}]`;
  return `${value.name}(${[...value.args.map(printPython), ...value.keywords.map(([k, v]) => `${k}=${printPython(v)}`)].join(', ')})`;
}
