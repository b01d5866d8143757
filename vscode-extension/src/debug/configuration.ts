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

// Whether a configuration runs what the timeline shows: then a moment of one is the same moment of the other. `path` is
// that of the moment's file.
export function isSameRun(configuration: Record<string, unknown>, moment: Moment, path: string): boolean {
  const { program, kernel, launch, schedule, programId, args, grid } = configuration;
  const id = Array.isArray(programId) ? programId.join(',') : typeof programId === 'string' ? programId : '0,0,0';
  return (
    program === path &&
    (kernel === undefined || kernel === moment.kernel) &&
    (launch === undefined || launch === moment.specialization) &&
    (schedule ?? 'latest') === moment.schedule &&
    wholeId(id) === wholeId(moment.program) &&
    args === undefined &&
    grid === undefined
  );
}

// "3" means "3,0,0".
function wholeId(id: string): string {
  const parts = id.split(',').map((part) => part.trim());
  return [0, 1, 2].map((i) => parts[i] ?? '0').join(',');
}
