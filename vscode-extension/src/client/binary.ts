// Selects the gluond binary to start.
//
// Pure: the file system is a parameter. The setting counts only as the machine's or the user's (its scope in
// package.json is `machine`), so a workspace cannot choose what runs.

import * as path from 'node:path';

export interface Machine {
  // The setting `gluond.server.path`, empty if it is not set.
  setting: string;
  // Where this extension is installed.
  extensionPath: string;
  home: string;
  // $PATH
  searchPath: string;
  windows: boolean;
  isExecutable(file: string): boolean;
}

export type Binary =
  | { found: true; path: string; origin: 'setting' | 'extension' | 'path' }
  | { found: false; message: string; tried: string[] };

export function findBinary(machine: Machine): Binary {
  const name = machine.windows ? 'gluond.exe' : 'gluond';
  if (machine.setting.trim() !== '') {
    const wanted = expandHome(machine.setting.trim(), machine.home);
    if (!path.isAbsolute(wanted))
      return missing(
        [wanted],
        `The setting gluond.server.path must be an absolute path, but it is "${machine.setting}".`,
      );
    if (!machine.isExecutable(wanted))
      return missing([wanted], `The setting gluond.server.path is "${machine.setting}", which is not a program.`);
    return { found: true, path: wanted, origin: 'setting' };
  }
  const bundled = path.join(machine.extensionPath, 'server', name);
  if (machine.isExecutable(bundled)) return { found: true, path: bundled, origin: 'extension' };
  const tried = [bundled];
  for (const folder of machine.searchPath.split(path.delimiter)) {
    // Relative entries of $PATH would make the open folder decide.
    if (folder === '' || !path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, name);
    if (machine.isExecutable(candidate)) return { found: true, path: candidate, origin: 'path' };
    tried.push(candidate);
  }
  return missing(
    tried,
    'The gluond language server was not found: this build of the extension does not contain it, and it is not on the PATH. Set gluond.server.path.',
  );
}

function missing(tried: string[], message: string): Binary {
  return { found: false, message, tried };
}

function expandHome(file: string, home: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(home, file.slice(1)) : file;
}
