// Configurations of the debugger. Pure.

import type { Moment } from '../protocol.ts';

export interface Launch {
  type: string;
  request: string;
  name: string;
  program: string;
  kernel?: string;
  launch?: string;
  [option: string]: unknown;
}

// For a kernel of a file, under one of its launches.
export function launchOf(program: string, kernel?: string, launch?: string): Launch {
  return {
    type: 'gluond',
    request: 'launch',
    name: kernel ? `Debug ${kernel}` : 'Debug Gluon kernel',
    program,
    ...(kernel ? { kernel } : {}),
    ...(launch ? { launch } : {}),
  };
}

// Why a configuration cannot be started, as a sentence; undefined: it can.
export function whyNot(configuration: Record<string, unknown>): string | undefined {
  if (configuration['request'] !== 'launch') return 'The gluond debugger starts kernels itself: "request" is "launch".';
  const program = configuration['program'];
  if (typeof program !== 'string' || program === '')
    return 'The configuration has no "program": the Python file of the kernel.';
  return undefined;
}

// The run of a configuration, as a timeline names it. Undefined: its arguments or its grid are of its own, so that no
// timeline shows it.
export interface Run {
  path: string;
  kernel?: string;
  specialization?: string;
  program: string; // "0,0,0"
  schedule: string;
}
export function runOf(configuration: Record<string, unknown>): Run | undefined {
  const { program, kernel, launch, schedule, programId, args, grid } = configuration;
  if (typeof program !== 'string' || args !== undefined || grid !== undefined) return undefined;
  const id = Array.isArray(programId) ? programId.join(',') : typeof programId === 'string' ? programId : '0,0,0';
  return {
    path: program,
    ...(typeof kernel === 'string' ? { kernel } : {}),
    ...(typeof launch === 'string' ? { specialization: launch } : {}),
    program: wholeId(id),
    schedule: typeof schedule === 'string' ? schedule : 'latest',
  };
}

// Whether a configuration runs what the timeline shows: then a moment of one is the same moment of the other. `path` is
// that of the moment's file.
export function isSameRun(configuration: Record<string, unknown>, moment: Moment, path: string): boolean {
  const run = runOf(configuration);
  return (
    run !== undefined &&
    run.path === path &&
    (run.kernel ?? moment.kernel) === moment.kernel &&
    (run.specialization ?? moment.specialization) === moment.specialization &&
    run.schedule === moment.schedule &&
    run.program === wholeId(moment.program)
  );
}

// "3" means "3,0,0".
function wholeId(id: string): string {
  const parts = id.split(',').map((part) => part.trim());
  return [0, 1, 2].map((i) => parts[i] ?? '0').join(',');
}
