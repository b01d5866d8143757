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

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// A text as a part of a file's name.
export function fileName(text: string): string {
  return text.replace(/[^\w.-]+/g, '-');
}
