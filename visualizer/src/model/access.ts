// One warp instruction as a table of memory: rows are 128-byte lines of global memory, or the wavefronts of shared
// memory; a cell is a word (or less, if lanes share words), with the lane that accesses it.
import type { AccessResult } from '../protocol.ts';
import { bankBytes, lineBytes, sectorBytes, usualBanks } from './chips.ts';

export interface MemoryTable {
  columns: number;
  cellBytes: number;
  rows: MemoryRow[];
}
export interface MemoryRow {
  label: string;
  note: string; // shown after the row
  isConflict: boolean; // a wavefront beyond a phase's first
  gapBefore: boolean; // addresses are missing between this row and the one above, or a new phase begins
  // For each cell, the first lane that accesses it; -1 if it is moved but not accessed, -2 if it is not touched.
  lanes: Int16Array;
  sharers: Map<number, number[]>; // cells that several lanes access
}

export function globalTable(access: AccessResult): MemoryTable {
  const cellBytes = Math.max(1, Math.min(4, access.bytes));
  const columns = lineBytes / cellBytes;
  const rows = new Map<number, MemoryRow>();
  const rowOf = (line: number) => {
    let row = rows.get(line);
    if (!row) {
      row = {
        label: addressText(line),
        note: '',
        isConflict: false,
        gapBefore: false,
        lanes: new Int16Array(columns).fill(-2),
        sharers: new Map(),
      };
      rows.set(line, row);
    }
    return row;
  };
  access.addresses.forEach((address, lane) => {
    if (!access.active[lane]) return;
    for (let byte = address; byte < address + access.bytes; byte += cellBytes) {
      const line = Math.floor(byte / lineBytes) * lineBytes;
      const row = rowOf(line);
      const cell = Math.floor((byte - line) / cellBytes);
      if (row.lanes[cell]! >= 0) row.sharers.set(cell, [...(row.sharers.get(cell) ?? [row.lanes[cell]!]), lane]);
      else row.lanes[cell] = lane;
      // The whole sector moves.
      const perSector = sectorBytes / cellBytes;
      const first = Math.floor(cell / perSector) * perSector;
      for (let other = first; other < first + perSector; ++other) if (row.lanes[other] === -2) row.lanes[other] = -1;
    }
  });
  const lines = [...rows.keys()].sort((a, b) => a - b);
  lines.forEach((line, i) => {
    const row = rows.get(line)!;
    row.gapBefore = i > 0 && lines[i - 1] !== line - lineBytes;
    const used = row.lanes.reduce((n, lane) => n + (lane >= 0 ? 1 : 0), 0) * cellBytes;
    const moved = row.lanes.reduce((n, lane) => n + (lane > -2 ? 1 : 0), 0) * cellBytes;
    row.note = `${used} of ${moved} bytes used`;
  });
  return { columns, cellBytes, rows: lines.map((line) => rows.get(line)!) };
}

export function sharedTable(access: AccessResult): MemoryTable {
  const columns = access.banks || usualBanks;
  const rows: MemoryRow[] = [];
  const phases = [...new Set(access.phases)].sort((a, b) => a - b);
  for (const phase of phases) {
    // The words that each bank has to supply, in order. It supplies one word in each wavefront.
    const words: { word: number; lanes: number[] }[][] = Array.from({ length: columns }, () => []);
    access.addresses.forEach((address, lane) => {
      if (access.phases[lane] !== phase || !access.active[lane]) return;
      for (
        let word = Math.floor(address / bankBytes);
        word <= Math.floor((address + access.bytes - 1) / bankBytes);
        ++word
      ) {
        const bank = words[word % columns]!;
        const known = bank.find((entry) => entry.word === word);
        if (known) {
          if (!known.lanes.includes(lane)) known.lanes.push(lane);
        } else bank.push({ word, lanes: [lane] });
      }
    });
    const wavefronts = Math.max(1, ...words.map((bank) => bank.length));
    for (let i = 0; i < wavefronts; ++i) {
      const lanes = new Int16Array(columns).fill(-2);
      const sharers = new Map<number, number[]>();
      words.forEach((bank, column) => {
        const entry = bank[i];
        if (!entry) return;
        lanes[column] = entry.lanes[0]!;
        if (entry.lanes.length > 1) sharers.set(column, entry.lanes);
      });
      const busy = lanes.reduce((n, lane) => n + (lane >= 0 ? 1 : 0), 0);
      rows.push({
        label: phases.length > 1 ? `phase ${phase}.${i}` : `wave ${i}`,
        note: i > 0 ? `waits: bank conflict, ${busy} of ${columns} banks busy` : `${busy} of ${columns} banks busy`,
        isConflict: i > 0,
        gapBefore: i === 0 && rows.length > 0,
        lanes,
        sharers,
      });
    }
  }
  return { columns, cellBytes: bankBytes, rows };
}

export function addressText(address: number): string {
  return (address < 0 ? '-' : '+') + '0x' + Math.abs(address).toString(16).padStart(4, '0');
}

// The least number of wavefronts, or of sectors, divided by the number that the access takes.
export function efficiencyOf(access: AccessResult): number {
  if (access.operation.kind === 'shared') return access.wavefronts ? access.leastWavefronts / access.wavefronts : 1;
  return access.sectors ? access.leastSectors / access.sectors : 1;
}
