"""What the CTAs of a cluster exchange: conversions, buffers spread over their shared memories and views of them, reductions,
gathers and histograms, compiled by gluond and played (player.py). argv[1] is the program.

    python3 tests/ptx/test_clusters.py build/bin/gluond"""
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
SIZE, COUNT = 4 * 4096, 4096  # of a tile of i32


def rows(cga):
    return blocked([1, 4], [4, 8], [4, 1], [1, 0], cga)


def columns(cga):
    return blocked([4, 1], [8, 4], [1, 4], [0, 1], cga)


def play(body, ctas, given, out=COUNT, chip=90):
    """The kernel's i32 output, and the opcodes met."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "k.ttgir"
        file.write_text(module(body, "i32", chip, ctas))
        done = subprocess.run([GLUOND, "emit", str(file), "--stage", "ptx"], capture_output=True, text=True, timeout=60)
    if done.returncode or done.stderr:
        raise AssertionError(done.stderr + body)
    memory = bytearray(struct.pack(f"<{len(given)}i", *given) + bytes(4 * out))
    counts = Player(done.stdout, [0, 4 * len(given), 0, 0], memory, ctas=ctas).play()
    return list(struct.unpack(f"<{out}i", memory[4 * len(given):])), counts


def loaded(layout):
    return f"{pointers('in', 'p', 'i32', layout)}\n%v = tt.load %in : tensor<64x64x!tt.ptr<i32>, {layout}>\n"


def stored(layout):
    return f"\n{pointers('out', 'q', 'i32', layout)}\ntt.store %out, %w : tensor<64x64x!tt.ptr<i32>, {layout}>"


def line(count, axis, layout, value="%w", name="o"):
    """Stores a tensor of one dimension, `axis` of the tile's being gone."""
    one = f"tensor<{count}x$, #ttg.slice<{{dim = {axis}, parent = {layout}}}>>"
    numbers, addresses = one.replace("$", "i32"), one.replace("$", "!tt.ptr<i32>")
    return f"""
%{name}0 = tt.make_range {{end = {count} : i32, start = 0 : i32}} : {numbers}
%{name}1 = tt.splat %q : !tt.ptr<i32> -> {addresses}
%{name}2 = tt.addptr %{name}1, %{name}0 : {addresses}, {numbers}
tt.store %{name}2, {value} : {addresses}"""


SPREADS = {2: [[[1, 0]], [[0, 1]], [[0, 0]]], 4: [[[1, 0], [0, 1]], [[0, 1], [0, 2]], [[0, 0], [1, 0]]]}


class Clusters(unittest.TestCase):
    def setUp(self):
        random.seed(6)
        self.given = [random.randrange(-1000, 1000) for _ in range(COUNT)]

    def test_conversions(self):
        for ctas, spreads in SPREADS.items():
            for a in spreads:
                for b in spreads:
                    if a == b:
                        continue
                    for source, target in ((rows(a), rows(b)), (rows(a), columns(b))):
                        with self.subTest(source=source, target=target):
                            move = f"%w = ttg.convert_layout %v : tensor<64x64xi32, {source}> -> tensor<64x64xi32, {target}>"
                            result, counts = play(loaded(source) + move + stored(target), ctas, self.given)
                            self.assertEqual(result, self.given)
                            if any(map(any, a)):  # what every CTA has is read from its own memory
                                self.assertTrue([opcode for opcode in counts if opcode.startswith("ld.shared::cluster")])

    def test_buffers(self):
        for spread in ([[1, 0]], [[0, 1]]):
            for source in (rows([[1, 0]]), columns([[0, 1]])):
                for target in (rows([[0, 1]]), columns([[1, 0]]), rows([[0, 0]])):
                    with self.subTest(spread=spread, source=source, target=target):
                        encoding = f"#ttg.swizzled_shared<{{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = {spread}}}>"
                        buffer = f"!ttg.memdesc<64x64xi32, {encoding}, #ttg.shared_memory, mutable>"
                        move = f"""%m = ttg.local_alloc : () -> {buffer}
ttg.local_store %v, %m : tensor<64x64xi32, {source}> -> {buffer}
ttng.cluster_barrier
%w = ttg.local_load %m : {buffer} -> tensor<64x64xi32, {target}>"""
                        self.assertEqual(play(loaded(source) + move + stored(target), 2, self.given)[0], self.given)

    def test_views(self):
        """Half of a buffer, which is in the other CTA's memory, or the other half of each CTA's."""
        for spread in ([[1, 0]], [[0, 1]]):
            source, target = rows(spread), rows([[0, 0]])
            encoding = f"#ttg.swizzled_shared<{{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = {spread}}}>"
            buffer = f"!ttg.memdesc<64x64xi32, {encoding}, #ttg.shared_memory, mutable>"
            view = f"!ttg.memdesc<32x64xi32, {encoding}, #ttg.shared_memory, mutable, 64x64>"
            for first in (0, 32):
                other = 32 - first
                with self.subTest(spread=spread, first=first):
                    # Both halves by views, each put in the other's place.
                    move = f"""%m = ttg.local_alloc %v : (tensor<64x64xi32, {source}>) -> {buffer}
ttng.cluster_barrier
%a = ttg.memdesc_subslice %m[{first}, 0] : {buffer} -> {view}
%b = ttg.memdesc_subslice %m[{other}, 0] : {buffer} -> {view}
%x = ttg.local_load %a : {view} -> tensor<32x64xi32, {target}>
ttng.cluster_barrier
ttg.local_store %x, %b : tensor<32x64xi32, {target}> -> {view}
ttng.cluster_barrier
%w = ttg.local_load %m : {buffer} -> tensor<64x64xi32, {source}>"""
                    half = self.given[64 * first:64 * first + 2048]
                    self.assertEqual(play(loaded(source) + move + stored(source), 2, self.given)[0], half + half)

    def test_reductions(self):
        table = [self.given[64 * i:64 * i + 64] for i in range(64)]
        sums = {1: [sum(row) for row in table], 0: [sum(column) for column in zip(*table)]}
        for ctas, spreads in SPREADS.items():
            for spread in spreads:
                for layout in (rows(spread), columns(spread)):
                    for axis in (0, 1):
                        with self.subTest(layout=layout, axis=axis):
                            reduce = f"""%w = "tt.reduce"(%v) <{{axis = {axis} : i32}}> ({{
^bb0(%x: i32, %y: i32):
%z = arith.addi %x, %y : i32
tt.reduce.return %z : i32
}}) : (tensor<64x64xi32, {layout}>) -> tensor<64xi32, #ttg.slice<{{dim = {axis}, parent = {layout}}}>>"""
                            result, counts = play(loaded(layout) + reduce + line(64, axis, layout), ctas, self.given, 64)
                            self.assertEqual(result, sums[axis])
                            crosses = any(basis[axis] for basis in spread)
                            self.assertEqual(any(opcode.startswith("mapa") for opcode in counts), crosses)

    def test_gathers(self):
        indices = [random.randrange(64) for _ in range(COUNT)]
        for spread in SPREADS[2]:
            layout = rows(spread)
            for axis in (0, 1):
                with self.subTest(spread=spread, axis=axis):
                    body = loaded(layout) + f"""
%far = arith.constant dense<4096> : tensor<64x64xi32, {layout}>
%more = tt.addptr %in, %far : tensor<64x64x!tt.ptr<i32>, {layout}>, tensor<64x64xi32, {layout}>
%i = tt.load %more : tensor<64x64x!tt.ptr<i32>, {layout}>
%w = tt.gather %v[%i] {{axis = {axis} : i32}} : (tensor<64x64xi32, {layout}>, tensor<64x64xi32, {layout}>) -> tensor<64x64xi32, {layout}>"""
                    result, _ = play(body + stored(layout), 2, self.given + indices)
                    wanted = [self.given[64 * indices[k] + k % 64 if axis == 0 else k // 64 * 64 + indices[k]] for k in range(COUNT)]
                    self.assertEqual(result, wanted)

    def test_histograms(self):
        given = [random.randrange(32) for _ in range(COUNT)]
        for spread in ([[1]], [[0]]):
            for bins in ([[1]], [[0]]):
                with self.subTest(spread=spread, bins=bins):
                    layout = blocked([4], [32], [4], [0], spread)
                    to = blocked([1], [32], [4], [0], bins)
                    numbers, addresses = f"tensor<4096xi32, {layout}>", f"tensor<4096x!tt.ptr<i32>, {layout}>"
                    body = f"""%r = tt.make_range {{end = 4096 : i32, start = 0 : i32}} : {numbers}
%s = tt.splat %p : !tt.ptr<i32> -> {addresses}
%a = tt.addptr %s, %r : {addresses}, {numbers}
%v = tt.load %a : {addresses}
%w = tt.histogram %v : {numbers} -> tensor<32xi32, {to}>
%o0 = tt.make_range {{end = 32 : i32, start = 0 : i32}} : tensor<32xi32, {to}>
%o1 = tt.splat %q : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>, {to}>
%o2 = tt.addptr %o1, %o0 : tensor<32x!tt.ptr<i32>, {to}>, tensor<32xi32, {to}>
tt.store %o2, %w : tensor<32x!tt.ptr<i32>, {to}>"""
                    self.assertEqual(play(body, 2, given, 32)[0], [given.count(i) for i in range(32)])


unittest.main(argv=sys.argv[:1])
