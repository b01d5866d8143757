"""Elements that move between layouts arrive: kernels that load a tile in one layout, take it through shared memory or
convert_layout to another, and store it, compiled by gluond and played (player.py). argv[1] is the program.

    python3 tests/ptx/test_moves.py build/bin/gluond [--all]"""
import os
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from player import Player  # noqa: E402
from ttgir import blocked, module, pointers  # noqa: E402

GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin/gluond")
ALL = "--all" in sys.argv
os.environ["GLUOND_CACHE_DIR"] = "off"

MMA2 = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>"
MMA3 = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>"


def operand(index, parent, width):
    return f"#ttg.dot_op<{{opIdx = {index}, parent = {parent}, kWidth = {width}}}>"


REGISTERS = {
    "rows": blocked([1, 4], [4, 8], [4, 1], [1, 0]), "columns": blocked([4, 1], [8, 4], [1, 4], [0, 1]),
    "lines": blocked([1, 1], [1, 32], [4, 1], [1, 0]), "words": blocked([1, 1], [8, 4], [4, 1], [1, 0]),
    "quads": blocked([1, 4], [8, 4], [4, 1], [1, 0]), "swapped": blocked([1, 1], [8, 4], [4, 1], [0, 1]),
    "pairs": blocked([1, 2], [8, 4], [4, 1], [1, 0]), "pairs_down": blocked([2, 1], [4, 8], [1, 4], [0, 1]),
    "mma2": MMA2, "mma3": MMA3, "a": operand(0, MMA2, 2), "b": operand(1, MMA2, 2), "a_wide": operand(0, MMA2, 4), "a3": operand(0, MMA3, 2)}


def swizzled(vec, phase, most, order):
    return f"#ttg.swizzled_shared<{{vec = {vec}, perPhase = {phase}, maxPhase = {most}, order = {order}}}>"


def nvmma(width, transposed):
    return lambda bits: f"#ttg.nvmma_shared<{{swizzlingByteWidth = {min(width, 8 * bits)}, transposed = {transposed}, elementBitWidth = {bits}}}>"


SHARED = {"swizzled": swizzled(8, 1, 8, [1, 0]), "swizzled_down": swizzled(8, 1, 8, [0, 1]), "plain": swizzled(1, 1, 1, [1, 0]),
          "nvmma": nvmma(128, "false"), "nvmma_down": nvmma(64, "true"),
          "padded": "#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>", "padded_oddly": "#ttg.padded_shared<[64:+2] {order = [1, 0], shape = [64, 64]}>"}
ELEMENTS = {"f16": 16, "f32": 32, "i8": 8, "i64": 64}
WITHIN_WARP = ["words", "pairs", "quads", "swapped"]


def kernel(element, source, target, shared, chip, indexed):
    """`shared`: None for convert_layout. `indexed`: the buffer is the second of two."""
    source, target = REGISTERS[source], REGISTERS[target]
    tile = f"tensor<64x64x{element}, "
    if shared is None:
        move = f"%w = ttg.convert_layout %v : {tile}{source}> -> {tile}{target}>"
    else:
        encoding = SHARED[shared]
        encoding = encoding if isinstance(encoding, str) else encoding(ELEMENTS[element])
        buffer = f"!ttg.memdesc<64x64x{element}, {encoding}, #ttg.shared_memory, mutable>"
        several = buffer.replace("<64x", "<2x64x", 1)
        move = (f"%all = ttg.local_alloc : () -> {several}\n%one = arith.constant 1 : i32\n"
                f"%m = ttg.memdesc_index %all[%one] : {several} -> {buffer}" if indexed else f"%m = ttg.local_alloc : () -> {buffer}")
        move += f"\nttg.local_store %v, %m : {tile}{source}> -> {buffer}\n%w = ttg.local_load %m : {buffer} -> {tile}{target}>"
    return module(f"""{pointers("in", "p", element, source)}
%v = tt.load %in : tensor<64x64x!tt.ptr<{element}>, {source}>
{move}
{pointers("out", "q", element, target)}
tt.store %out, %w : tensor<64x64x!tt.ptr<{element}>, {target}>""", element, chip)


class Moves(unittest.TestCase):
    def check(self, *case):
        size = 4096 * ELEMENTS[case[0]] // 8
        random.seed(str(case))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "k.ttgir"
            file.write_text(kernel(*case))
            done = subprocess.run([GLUOND, "emit", str(file), "--stage", "ptx"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""), case)
        memory = bytearray(random.randbytes(size) + bytes(size))
        wanted = bytes(memory[:size])
        counts = Player(done.stdout, [0, size, 0, 0], memory).play()
        self.assertEqual(bytes(memory[size:]), wanted, case)
        return {opcode.split(".")[0] + (".trans" if "trans" in opcode else "") for opcode in counts} | {"shared" for opcode in counts if "shared" in opcode}

    def test_matrices(self):
        self.assertIn("ldmatrix", self.check("f16", "rows", "a", "swizzled", 80, False))
        self.assertIn("ldmatrix", self.check("f16", "rows", "a3", "nvmma", 90, True))
        self.assertIn("ldmatrix.trans", self.check("f16", "rows", "b", "swizzled", 90, False))
        self.assertIn("ldmatrix.trans", self.check("f16", "rows", "a", "nvmma_down", 80, True))
        self.assertIn("ldmatrix", self.check("f32", "rows", "words", "nvmma", 90, False))
        self.assertIn("ldmatrix", self.check("i8", "rows", "a_wide", "nvmma", 90, False))
        self.assertIn("stmatrix", self.check("f16", "mma3", "rows", "nvmma", 90, False))
        self.assertIn("stmatrix", self.check("f16", "mma2", "mma2", "padded", 90, False))
        self.assertIn("stmatrix.trans", self.check("f16", "mma3", "columns", "nvmma_down", 90, True))
        self.assertNotIn("stmatrix", self.check("f16", "mma3", "rows", "nvmma", 80, False))
        self.assertNotIn("stmatrix", self.check("f16", "mma2", "mma2", "padded_oddly", 90, False))

    def test_shuffles(self):
        for element in ELEMENTS:
            for source, target in [(a, b) for a in WITHIN_WARP for b in WITHIN_WARP if a != b]:
                with self.subTest(element=element, source=source, target=target):
                    self.check(element, source, target, None, 90, False)
        for element in ELEMENTS:  # at most one register bit trades places with a lane bit
            for source, target in [("words", "swapped"), ("words", "pairs"), ("pairs", "words"), ("quads", "pairs")]:
                with self.subTest(element=element, source=source, target=target):
                    opcodes = self.check(element, source, target, None, 90, False)
                    self.assertIn("shfl", opcodes)
                    self.assertNotIn("shared", opcodes)

    def test_any(self):
        cases = [(element, source, target, shared, chip, indexed) for element in ("f16", "f32", "i8") for source in REGISTERS for target in REGISTERS
                 for shared in [*SHARED, None] for chip in (80, 90) for indexed in ((False, True) if shared and "padded" not in shared else (False,))]
        random.Random(6).shuffle(cases)
        for case in cases if ALL else cases[:60]:
            with self.subTest(case):
                self.check(*case)


unittest.main(argv=sys.argv[:1])
