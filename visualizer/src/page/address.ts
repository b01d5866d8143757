// Addresses of the page: "#folder/file.py", or a place in it, "#file.py:41" and "#file.py:41:9".

export interface Address {
  name: string; // '' if there is none
  line?: number; // from 1
  column?: number;
}

export function addressOf(name: string): string {
  return '#' + encodeURIComponent(name);
}

// A file's name may end like a place.
export function readAddress(hash: string, isFile: (name: string) => boolean): Address {
  let text: string;
  try {
    text = decodeURIComponent(hash.slice(1));
  } catch {
    return { name: '' };
  }
  const place = isFile(text) ? null : /^(.+?):(\d+)(?::(\d+))?$/.exec(text);
  if (!place) return { name: text };
  return { name: place[1]!, line: Number(place[2]), column: Number(place[3] ?? 1) };
}
