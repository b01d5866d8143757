// Selects the gluond binary to start.
//
// Pure: the file system is a parameter. A workspace cannot choose what runs: the settings count only as the machine's
// or the user's (their scope in package.json is `machine`), and the environment of a project's own folder, such as
// `.venv`, does not count (docs/contributing/threat-model.md).

import * as path from 'node:path';

export interface Machine {
  // The setting `gluond.server.path`, empty if it is not set.
  setting: string;
  // Where this extension is installed.
  extensionPath: string;
  home: string;
  // The folder of the Python interpreter that is selected in the Python extension; '' if it is not known, or the window
  // is not trusted.
  environment: string;
  // The setting `gluond.server.preferEnvironment`.
  prefersEnvironment: boolean;
  // The open folders.
  workspaces: readonly string[];
  // $PATH
  searchPath: string;
  windows: boolean;
  isExecutable(file: string): boolean;
  // The path without links.
  realPath(file: string): string;
  // Nobody but the user and root can have written the file or anything in its place.
  isOwn(file: string): boolean;
}

export type Binary =
  | { found: true; path: string; origin: 'setting' | 'extension' | 'environment' | 'path' }
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
  const tried: string[] = [];
  const fromExtension = (): Binary | undefined => {
    const bundled = path.join(machine.extensionPath, 'server', name);
    if (machine.isExecutable(bundled)) return { found: true, path: bundled, origin: 'extension' };
    tried.push(bundled);
    return undefined;
  };
  const fromEnvironment = (): Binary | undefined => {
    if (machine.environment === '') return undefined;
    const candidate = path.join(machine.environment, name);
    const refusal = machine.isExecutable(candidate) ? whyUntrusted(candidate, machine) : '';
    if (refusal === undefined) return { found: true, path: candidate, origin: 'environment' };
    tried.push(refusal === '' ? candidate : `${candidate}: ${refusal}`);
    return undefined;
  };
  const places = machine.prefersEnvironment ? [fromEnvironment, fromExtension] : [fromExtension, fromEnvironment];
  for (const place of places) {
    const found = place();
    if (found) return found;
  }
  for (const folder of machine.searchPath.split(path.delimiter)) {
    // Relative entries of $PATH would make the open folder decide.
    if (folder === '' || !path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, name);
    if (machine.isExecutable(candidate)) return { found: true, path: candidate, origin: 'path' };
    tried.push(candidate);
  }
  return missing(
    tried,
    'The gluond language server was not found: this build of the extension does not contain it, and it is neither in the selected Python environment nor on the PATH. Set gluond.server.path.',
  );
}

// Why a program of a Python environment is not started; undefined if it may be.
function whyUntrusted(file: string, machine: Machine): string | undefined {
  for (const place of [path.resolve(file), machine.realPath(file)]) {
    for (const workspace of machine.workspaces)
      if (isBeneath(place, path.resolve(workspace)) || isBeneath(place, machine.realPath(workspace)))
        return 'not started, since it lies in the open folder; to start it, name it in gluond.server.path';
    if (!machine.isOwn(place)) return 'not started, since other users can change it';
  }
  return undefined;
}

function isBeneath(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative));
}

function missing(tried: string[], message: string): Binary {
  return { found: false, message, tried };
}

function expandHome(file: string, home: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(home, file.slice(1)) : file;
}
