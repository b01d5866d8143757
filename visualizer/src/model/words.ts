// Texts that people read.

// The text with a capital first and a full stop last.
export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.');
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
