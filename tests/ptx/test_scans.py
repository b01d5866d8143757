"""Scans and sums of tiles are right whatever the layout: kernels that combine a tile of 64x64 integers along an axis, compiled by
gluond and played (player.py). argv[1] is the program.

    python3 tests/ptx/test_scans.py build/bin/gluond"""
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from player import Player  # noqa: E402
from ttgir import blocked, module, pointers  # noqa: E402

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
os.environ["GLUOND_CACHE_DIR"] = "off"

LAYOUTS = {
    "one warp along": blocked([1, 4], [4, 8], [4, 1], [1, 0]), "all warps along": blocked([2, 1], [4, 8], [4, 1], [1, 0]),
    "some warps along": blocked([2, 2], [8, 4], [2, 2], [0, 1]), "threads": blocked([64, 1], [1, 32], [1, 4], [0, 1]),
    "no registers together": blocked([1, 1], [8, 4], [2, 2], [1, 0]), "repeated": blocked([4, 1], [32, 1], [4, 1], [1, 0]),
    "many lanes beside": blocked([1, 2], [2, 16], [2, 2], [1, 0]),
    "lanes after warps": "#ttg.linear<{register = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], lane = [[32, 0], [0, 4], [0, 8], [0, 16], [0, 32]], warp = [[8, 0], [16, 0]], block = []}>",
    "registers between": "#ttg.linear<{register = [[0, 1], [0, 2], [4, 0], [0, 4], [0, 8]], lane = [[1, 0], [2, 0], [8, 0], [0, 16], [0, 32]], warp = [[16, 0], [32, 0]], block = []}>"}
M32 = 0xFFFFFFFF


def numbers():
    return [[random.getrandbits(32) for _ in range(64)] for _ in range(64)]


class Scans(unittest.TestCase):
    def play(self, layout, body, values):
        """The tile that a kernel stores; `body` makes %w of %v."""
        tile = f"tensor<64x64xi32, {layout}>"
        text = module(f"""{pointers("in", "p", "i32", layout)}
%v = tt.load %in : tensor<64x64x!tt.ptr<i32>, {layout}>
{body.replace("TILE", tile)}
{pointers("out", "q", "i32", layout)}
tt.store %out, %w : tensor<64x64x!tt.ptr<i32>, {layout}>""", "i32")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "k.ttgir"
            file.write_text(text)
            done = subprocess.run([GLUOND, "emit", str(file), "--stage", "ptx"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""), text)
        memory = bytearray(struct.pack("<4096I", *[x for row in values for x in row]) + bytes(16384))
        Player(done.stdout, [0, 16384, 0, 0], memory).play()
        flat = struct.unpack("<4096I", memory[16384:])
        return [list(flat[64 * row:64 * row + 64]) for row in range(64)]

    def lines(self, axis, reverse, tile):
        """The tile's lines along the axis, in the scan's direction; its own inverse."""
        made = [list(line) for line in zip(*tile)] if axis == 0 else tile
        return [line[::-1] if reverse else line for line in made]

    def test_order_and_place(self):
        # The composition of x -> a x + b with others is associative, but not commutative.
        body = """%k = arith.constant dense<3> : TILE
%a = arith.ori %v, %k : TILE
%u, %w = "tt.scan"(%a, %v) <{axis = AXIS : i32, reverse = REVERSE}> ({
^bb0(%a1: i32, %b1: i32, %a2: i32, %b2: i32):
%a3 = arith.muli %a1, %a2 : i32
%b3 = arith.muli %a2, %b1 : i32
%b4 = arith.addi %b3, %b2 : i32
tt.scan.return %a3, %b4 : i32, i32
}) : (TILE, TILE) -> (TILE, TILE)"""
        random.seed(1)
        for name, layout in LAYOUTS.items():
            for axis in (0, 1):
                for reverse in (False, True):
                    with self.subTest(name, axis=axis, reverse=reverse):
                        values = numbers()
                        got = self.play(layout, body.replace("AXIS", str(axis)).replace("REVERSE", str(reverse).lower()), values)
                        for have, line in zip(self.lines(axis, reverse, got), self.lines(axis, reverse, values)):
                            total, wanted = 0, []
                            for x in line:
                                total = ((x | 3) * total + x) & M32
                                wanted.append(total)
                            self.assertEqual(have, wanted)

    def test_sums(self):
        random.seed(2)
        for name, layout in LAYOUTS.items():
            for axis in (0, 1):
                with self.subTest(name, axis=axis):
                    values = numbers()
                    line = f"tensor<64xi32, #ttg.slice<{{dim = {axis}, parent = {layout}}}>>"
                    one = f"tensor<{'1x64' if axis == 0 else '64x1'}xi32, {layout}>"
                    got = self.play(layout, f"""%s = "tt.reduce"(%v) <{{axis = {axis} : i32}}> ({{
^bb0(%x: i32, %y: i32):
%z = arith.xori %x, %y : i32
tt.reduce.return %z : i32
}}) : (TILE) -> {line}
%e = tt.expand_dims %s {{axis = {axis} : i32}} : {line} -> {one}
%w = tt.broadcast %e : {one} -> TILE""", values)
                    for have, elements in zip(self.lines(axis, False, got), self.lines(axis, False, values)):
                        whole = 0
                        for x in elements:
                            whole ^= x
                        self.assertEqual(have, [whole] * 64)


unittest.main(argv=sys.argv[:1])
