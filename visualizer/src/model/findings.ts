// Generated from compiler/diagnostics/tables by the target diagnostics_docs; do not edit.

// The lints about the order of events: a run may show what they tell.
export const timelineCodes: ReadonlySet<string> = new Set([
  'read-before-write',
  'copy-not-awaited',
  'never-awaited',
  'copy-not-committed',
  'overwritten-in-flight',
  'mma-not-awaited',
  'missing-fence',
  'partition-race',
  'wrong-phase',
  'wait-never-ends',
  'arrival-count',
  'wrong-expected-bytes',
  'missing-expect',
  'barrier-not-initialized',
]);
