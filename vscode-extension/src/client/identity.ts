// Whether a program is gluond. It is asked before it serves, because any other program fails there without saying why.

import { execFile } from 'node:child_process';
import * as os from 'node:os';

const patience = 10_000; // of a program on a slow network file system, in milliseconds

// The reason, for the user, why a program cannot be the server; undefined if it can.
export function whyNotGluond(file: string, milliseconds = patience): Promise<string | undefined> {
  const options = { timeout: milliseconds, killSignal: 'SIGKILL', maxBuffer: 1 << 16, cwd: os.homedir() } as const;
  const remedy = 'Set gluond.server.path.';
  return new Promise((resolve) => {
    const child = execFile(file, ['--version'], options, (error, stdout, stderr) => {
      const answer = (stdout.trim() || stderr.trim()).split('\n')[0]!.slice(0, 80);
      if (/^gluond \d/.test(stdout)) resolve(undefined);
      else if (error?.killed)
        resolve(`${file} is not gluond: it did not answer --version in ${milliseconds / 1000} s. ${remedy}`);
      else if (error && typeof error.code === 'string')
        resolve(`${file} cannot be started: ${error.message}. ${remedy}`);
      else resolve(`${file} is not gluond: it answered --version with "${answer}". ${remedy}`);
    });
    child.stdin?.end();
  });
}
