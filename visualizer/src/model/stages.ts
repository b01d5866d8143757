// The stages that Triton has for a target beyond those there are.
export function missingStages(target: string, stages: readonly string[]): string[] {
  return target.startsWith('hip:') ? ['llir', 'amdgcn'].filter((stage) => !stages.includes(stage)) : [];
}
