// The comment that silences Pyright in a file with kernels, and its place. Pure.
//
// Measured with pyright 1.1.414 on right kernels with Triton 3.9 installed: these are the rules that fire.

export const pyrightRules: readonly string[] = [
  'reportCallIssue', // kernel[grid](..., num_warps=4): "no parameter named num_warps"
  'reportArgumentType', // a layout where a gl.constexpr is declared
  'reportAssignmentType', // layout: gl.constexpr = gl.BlockedLayout(...)
  'reportAttributeAccessIssue', // attributes of values that are constexprs or tensors
  'reportGeneralTypeIssues', // for i in gl.static_range(n)
  'reportIndexIssue', // offsets[:, None] of a value that pyright takes for a constexpr
  'reportOperatorIssue', // arithmetic between them
  'reportOptionalMemberAccess',
  'reportOptionalOperand',
  'reportPossiblyUnboundVariable', // names defined under a constexpr condition
];

export const pyrightComment = `# pyright: ${pyrightRules.map((rule) => `${rule}=false`).join(', ')}`;

// The line before which the comment goes, after a "#!" line and an encoding. Undefined if the file has such a comment.
export function pyrightLine(text: string): number | undefined {
  const lines = text.split(/\r?\n/);
  if (lines.some((line) => /^#\s*pyright:\s*.*=/.test(line))) return undefined;
  let line = 0;
  if (lines[line]?.startsWith('#!')) line++;
  if (/^#.*coding[:=]/.test(lines[line] ?? '')) line++;
  return line;
}
