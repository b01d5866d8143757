// The chips that menus offer, by the names that people know. Any other target that the server understands can stand in
// a pyproject.toml.
export const targets: readonly { id: string; chip: string }[] = [
  { id: 'cuda:80', chip: 'A100' },
  { id: 'cuda:86', chip: 'RTX 30, A10' },
  { id: 'cuda:89', chip: 'RTX 40, L40' },
  { id: 'cuda:90', chip: 'H100, H200' },
  { id: 'cuda:100', chip: 'B200' },
  { id: 'cuda:103', chip: 'B300' },
  { id: 'cuda:120', chip: 'RTX 50' },
  { id: 'hip:gfx90a', chip: 'MI250' },
  { id: 'hip:gfx942', chip: 'MI300' },
  { id: 'hip:gfx950', chip: 'MI350' },
  { id: 'hip:gfx1100', chip: 'RX 7900' },
  { id: 'hip:gfx1201', chip: 'RX 9070' },
  { id: 'hip:gfx1250', chip: 'gfx1250' },
];

// The stages that Triton has for a target beyond those there are.
export function missingStages(target: string, stages: readonly string[]): string[] {
  return target.startsWith('hip:') ? ['llir', 'amdgcn'].filter((stage) => !stages.includes(stage)) : [];
}
