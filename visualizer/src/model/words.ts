// Texts that people read.

// The text with a capital first, unless it begins with code such as `k_width` or `gl.load`, and a full stop last.
export function sentence(text: string): string {
  const trimmed = text.trim();
  const isCode = /^\w*[a-z\d](?:_|\.(?=\w)|\()/.test(trimmed);
  const first = isCode ? trimmed.charAt(0) : trimmed.charAt(0).toUpperCase();
  return first + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.');
}

export function plural(count: number, one: string, many = one + 's'): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

const eightBits: Record<string, string> = {
  f8E4M3FN: 'float8e4nv',
  f8E5M2: 'float8e5',
  f8E4M3FNUZ: 'float8e4b8',
  f8E5M2FNUZ: 'float8e5b16',
  f8E4M3B11FNUZ: 'float8e4b15',
};
// The name in Gluon of an element type of the IR: "float16" for "f16". Other texts stay.
export function dtypeName(type: string): string {
  const kinds: Record<string, string> = { f: 'float', bf: 'bfloat', i: 'int' };
  const plain = /^(f|bf|i)(\d+)$/.exec(type);
  return plain ? kinds[plain[1]!]! + plain[2]! : (eightBits[type] ?? type);
}

// The same of an operation's elements; for pointers, an integer of their size.
export function dtypeOf({ dtype, elementBits }: { dtype: string; elementBits: number }): string {
  const name = dtypeName(dtype);
  return name === dtype ? `int${elementBits}` : name;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// A text as a part of a file's name.
export function fileName(text: string): string {
  return text.replace(/[^\w.-]+/g, '-');
}
