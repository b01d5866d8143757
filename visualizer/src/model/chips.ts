// Generated from compiler/chips by the target chip_tables; do not edit.

// A target, and the chip by the names that people know.
export interface Target {
  id: string;
  vendor: string;
  products: string;
  architecture: string;
  warpSize: number;
}

// The target of programs where nothing names one.
export const standardTarget = 'cuda:90';

// The names of all targets, those without a chip included.
export const targetPattern = 'cuda:([5-9][0-9]|[1-9][0-9]{2})|hip:gfx[1-9][0-9]*[0-9a-f]{2}(-strict)?';

// The bytes of a sector and of a line of global memory, and those that a bank of shared memory answers at a time.
export const sectorBytes = 32;
export const lineBytes = 128;
export const bankBytes = 4;
// The banks of a chip without a row.
export const usualBanks = 32;
// The widths in bytes of the swizzles of shared memory, the widest first.
export const swizzleWidths: readonly number[] = [128, 64, 32];

// The targets that menus offer. Any other that the server understands can stand in a pyproject.toml.
export const targets: readonly Target[] = [
  { id: 'cuda:80', vendor: 'NVIDIA', products: 'A100', architecture: 'Ampere', warpSize: 32 },
  { id: 'cuda:86', vendor: 'NVIDIA', products: 'RTX 30, A10, A40', architecture: 'Ampere', warpSize: 32 },
  { id: 'cuda:89', vendor: 'NVIDIA', products: 'RTX 40, L4, L40', architecture: 'Ada', warpSize: 32 },
  { id: 'cuda:90', vendor: 'NVIDIA', products: 'H100, H200', architecture: 'Hopper', warpSize: 32 },
  { id: 'cuda:100', vendor: 'NVIDIA', products: 'B200, GB200', architecture: 'Blackwell', warpSize: 32 },
  { id: 'cuda:103', vendor: 'NVIDIA', products: 'B300, GB300', architecture: 'Blackwell Ultra', warpSize: 32 },
  { id: 'cuda:120', vendor: 'NVIDIA', products: 'RTX 50', architecture: 'Blackwell', warpSize: 32 },
  { id: 'hip:gfx90a', vendor: 'AMD', products: 'MI250', architecture: 'CDNA 2', warpSize: 64 },
  { id: 'hip:gfx942', vendor: 'AMD', products: 'MI300', architecture: 'CDNA 3', warpSize: 64 },
  { id: 'hip:gfx950', vendor: 'AMD', products: 'MI350', architecture: 'CDNA 4', warpSize: 64 },
  { id: 'hip:gfx1100', vendor: 'AMD', products: 'RX 7900', architecture: 'RDNA 3', warpSize: 32 },
  { id: 'hip:gfx1201', vendor: 'AMD', products: 'RX 9070', architecture: 'RDNA 4', warpSize: 32 },
  { id: 'hip:gfx1250', vendor: 'AMD', products: 'gfx1250', architecture: '', warpSize: 32 },
];
