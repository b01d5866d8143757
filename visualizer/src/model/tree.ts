// Files by folders: displays a list of paths as a tree.

export interface Folder {
  path: string; // the parts have '/' between them; the top is ''
  label: string; // folders that hold one folder and nothing else are one: "a/b"
  folders: Folder[];
  files: string[]; // paths
}

export function treeOf(names: readonly string[]): Folder {
  const make = (path: string): Folder => ({
    path,
    label: path.slice(path.lastIndexOf('/') + 1),
    folders: [],
    files: [],
  });
  const top = make('');
  const known = new Map<string, Folder>([['', top]]);
  const folderOf = (path: string): Folder => {
    const found = known.get(path);
    if (found) return found;
    const made = make(path);
    known.set(path, made);
    const slash = path.lastIndexOf('/');
    folderOf(slash < 0 ? '' : path.slice(0, slash)).folders.push(made);
    return made;
  };
  for (const name of names) {
    const slash = name.lastIndexOf('/');
    folderOf(slash < 0 ? '' : name.slice(0, slash)).files.push(name);
  }
  const joined = (folder: Folder): Folder => {
    let whole = folder;
    while (whole.path && !whole.files.length && whole.folders.length === 1) {
      const inner = whole.folders[0]!;
      whole = { ...inner, label: `${whole.label}/${inner.label}` };
    }
    return { ...whole, folders: whole.folders.map(joined) };
  };
  return joined(top);
}
