"""The same kernels from gluond and from Triton 3.9.0 as code objects, and what both do to the same memory (player.py)."""
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/oracle"), str(ROOT / "tests/support"), str(Path(__file__).resolve().parent)]
from player import BASE, Player  # noqa: E402

LDS = {"gfx906": 65536, "gfx908": 65536, "gfx90a": 65536, "gfx942": 65536, "gfx950": 163840, "gfx1250": 327680}
SIZES = {"i1": 1, "u1": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "fp16": 2, "bf16": 2, "i32": 4, "u32": 4, "fp32": 4, "i64": 8, "u64": 8, "fp64": 8}


def wave(arch):
    return 64 if arch.startswith("gfx9") else 32


def threads_of(hsaco):
    """How many threads a workgroup has, all partitions together: a number of the code object's metadata (MessagePack)."""
    at = hsaco.index(b".max_flat_workgroup_size") + len(b".max_flat_workgroup_size")
    size = {0xcc: 1, 0xcd: 2, 0xce: 4}.get(hsaco[at], 0)
    return int.from_bytes(hsaco[at + 1:at + 1 + size], "big") if size else hsaco[at]


def gluonds(program, folder, records):
    """Code objects by the record's id; and what gluond says of those that it gives none for."""
    file = folder / "kernels.launches.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = subprocess.run([program, "emit", str(file), "--stage", "hsaco", "-o", str(folder / "ours")], capture_output=True, text=True,
                          env={**os.environ, "GLUOND_CACHE_DIR": "off"})
    made, said = {}, {}
    for record in records:
        at = folder / "ours" / f"{record['id']}.hsaco"
        if at.exists():
            made[record["id"]] = at.read_bytes()
        else:
            error = folder / "ours" / f"{record['id']}.error"
            said[record["id"]] = error.read_text() if error.exists() else next((line for line in done.stderr.splitlines() if record["id"] in line), done.stderr[-500:])
    return made, said


def tritons(folder, records):
    """Likewise, Triton's. In a child: Triton ends the process where it rejects some kernels."""
    import record_goldens as oracle
    oracle.load_triton()
    out = folder / "theirs"
    out.mkdir(exist_ok=True)
    left = list(records)
    while left:
        child = os.fork()
        if child == 0:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 2)
            for record in left:
                (out / "now").write_text(record["id"])
                try:
                    (out / f"{record['id']}.hsaco").write_bytes(oracle.compiled(record, folder, ("ttgir", "llir", "amdgcn", "hsaco")))
                except BaseException as error:
                    (out / f"{record['id']}.said").write_text(f"{type(error).__name__}: {error}")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            break
        died = (out / "now").read_text()
        (out / f"{died}.said").write_text("Triton's process ended")
        left = left[[record["id"] for record in left].index(died) + 1:]
    made, said = {}, {}
    for record in records:
        at = out / f"{record['id']}.hsaco"
        if at.exists():
            made[record["id"]] = at.read_bytes()
        else:
            said[record["id"]] = (out / f"{record['id']}.said").read_text()
    return made, said


class Launch:
    """Arguments of a kernel: arrays of numpy become pointers, one behind another in one memory."""

    def __init__(self, arrays, gap=256):
        self.arrays, self.at, size = arrays, [], gap
        for array in arrays:
            self.at.append(size)
            size += (array.nbytes + 2 * gap - 1) // gap * gap
        self.memory = np.zeros(size, np.uint8)
        for array, at in zip(arrays, self.at):
            self.memory[at:at + array.nbytes] = array.reshape(-1).view(np.uint8)

    def play(self, hsaco, record, threads, scalars=()):
        """What the arrays are afterwards."""
        arch = record["target"][4:]
        packed, pointers = b"", iter(self.at)
        numbers = iter(scalars)
        for argument in record["args"]:
            if argument["type"] == "constexpr":
                continue
            kind = argument["type"]
            data = struct.pack("<Q", BASE + next(pointers)) if kind.startswith("*") else number(kind, next(numbers))
            packed = packed.ljust((len(packed) + len(data) - 1) // len(data) * len(data), b"\0") + data
        grid = tuple(record.get("grid", (1, 1, 1)))
        packed = packed.ljust((len(packed) + 7) // 8 * 8, b"\0") + bytes(16)  # scratch memory, of which there is none
        packed += struct.pack("<3I3H", *grid, threads, 1, 1)  # what the driver adds: the grid and the group
        memory = self.memory.copy()
        player = Player(hsaco, arch)
        self.counts = player.play(packed, memory, threads, LDS.get(arch, 65536), grid)
        return [memory[at:at + array.nbytes].view(array.dtype).reshape(array.shape) for array, at in zip(self.arrays, self.at)], memory


def number(kind, value):
    if kind.startswith("fp"):
        return struct.pack({"fp16": "<e", "fp32": "<f", "fp64": "<d"}[kind], value)
    return int(value).to_bytes(SIZES[kind], "little", signed=value < 0)
