// Configurations of the debugger. Pure.

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
