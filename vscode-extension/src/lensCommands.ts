// Commands that the server's lenses name; package.json declares them. Pure.
export const knownLensCommands: ReadonlySet<string> = new Set([
  'gluond.selectSpecialization',
  'gluond.showIR',
  'gluond.showLayout',
  'gluond.showAccess',
  'gluond.showConversion',
  'gluond.showSharedMemory',
  'gluond.openPlayground',
  'gluond.showTimeline',
  'gluond.run',
  'gluond.debug',
  'gluond.benchmark',
]);
