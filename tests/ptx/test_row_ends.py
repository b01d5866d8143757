"""Rows that end anywhere: tiles of 64x64 elements that a mask cuts are loaded and stored, by wide accesses where the
masks of a thread's elements agree, compiled by gluond and played.

    python3 tests/ptx/test_row_ends.py build/bin/gluond build/bin/ptx_player"""
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from beside import play  # noqa: E402
from launches import Launch  # noqa: E402
from ttgir import blocked, module, pointers  # noqa: E402

GLUOND, PLAYER = (os.path.abspath(path) for path in (sys.argv[1:] or ["build/bin/gluond", "build/bin/ptx_player"]))
os.environ["GLUOND_CACHE_DIR"] = "off"

BYTES = {"i8": 1, "i16": 2, "i32": 4}
# The mask of `index` and `bound`, and whether it holds.
MASKS = {"below": (["slt, %mc, %bound"], lambda row, column, bound: column < bound), "over": (["sgt, %bound, %mc"], lambda row, column, bound: column < bound),
         "from": (["sge, %mc, %bound"], lambda row, column, bound: column >= bound), "rows": (["slt, %mc, %bound", "slt, %mr, %bound"], lambda row, column, bound: column < bound and row < bound),
         "one": (["eq, %mc, %bound"], lambda row, column, bound: column == bound), "others": (["ne, %mc, %bound"], lambda row, column, bound: column != bound),
         "two": (["ne, %mc, %bound", "slt, %mc, %bound"], lambda row, column, bound: column < bound)}


def kernel(element, per_thread, mask, bound, target):
    layout = blocked([1, per_thread], [32 // (64 // per_thread), 64 // per_thread], [4, 1], [1, 0])
    tile, places, bits = (f"tensor<64x64x{of}, {layout}>" for of in (element, f"!tt.ptr<{element}>", "i1"))
    numbers = f"tensor<64x64xi32, {layout}>"
    lines = []
    for axis in "rc":
        removed, shape = (1, "64x1") if axis == "r" else (0, "1x64")
        line = f"tensor<64xi32, #ttg.slice<{{dim = {removed}, parent = {layout}}}>>"
        lines += [f"%m{axis}0 = tt.make_range {{end = 64 : i32, start = 0 : i32}} : {line}",
                  f"%m{axis}1 = tt.expand_dims %m{axis}0 {{axis = {removed} : i32}} : {line} -> tensor<{shape}xi32, {layout}>",
                  f"%m{axis} = tt.broadcast %m{axis}1 : tensor<{shape}xi32, {layout}> -> {numbers}"]
    lines += [f"%bound = arith.constant dense<{bound}> : {numbers}", f"%other = arith.constant dense<7> : {tile}"]
    for number, comparison in enumerate(MASKS[mask][0]):
        lines.append(f"%is{number} = arith.cmpi {comparison} : {numbers}")
    lines.append(f"%mask = arith.andi %is0, %is{len(MASKS[mask][0]) - 1} : {bits}")
    text = module("\n".join(lines) + f"""
{pointers("in", "p", element, layout)}
%v = tt.load %in, %mask, %other : {places}
{pointers("out", "q", element, layout)}
tt.store %out, %v : {places}
%away = arith.constant dense<4096> : {numbers}
%there = tt.addptr %out, %away : {places}, {numbers}
tt.store %there, %v, %mask : {places}""", element, target)
    return re.sub(rf"(%[pq]: !tt.ptr<{element}>)", r"\1 {tt.divisibility = 16 : i32}", text, count=2)


def launch(source):
    """Of a kernel with two pointers: to `source`, and to zeros."""
    made = Launch({"args": [{"name": name, "type": "*i8", "divisible_by": 16} for name in "pq"], "options": {"num_warps": 4}}, grid=(1, 1, 1)).json()
    page = 1 << 14
    for region, data in zip(made["regions"], (source, bytes(2 * len(source)))):
        region["at"] += 1 << 35
        region.update(data=data.hex(), bytes=-(-len(data) // page) * page)
    made["show"] = [made["regions"][1]["name"]]
    return made


class RowEnds(unittest.TestCase):
    def check(self, element, per_thread, mask, bound, target=90):
        """Returns the code, whose first tile shows what was loaded and whose second what was stored."""
        width, holds = BYTES[element], MASKS[mask][1]
        size = 4096 * width
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "k.ttgir"
            file.write_text(kernel(element, per_thread, mask, bound, target))
            ptx = Path(folder) / "k.ptx"
            done = subprocess.run([GLUOND, "emit", str(file), "--stage", "ptx"], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            ptx.write_text(done.stdout)
            random.seed(bound)
            source, wanted = random.randbytes(size), bytearray(2 * size)
            answer = play(PLAYER, launch(source), [ptx])
        for at in range(0, size, width):
            row, column = divmod(at // width, 64)
            inside = holds(row, column, bound)
            loaded = source[at:at + width] if inside else (7).to_bytes(width, "little")
            wanted[at:at + width] = loaded
            if inside:
                wanted[size + at:size + at + width] = loaded
        self.assertIsInstance(answer, dict, answer)
        left = bytes.fromhex(next(iter(answer["played"][0]["shown"].values())))
        self.assertTrue(left[:2 * size] == wanted, "other elements")
        return done.stdout

    def test_any_end(self):
        for element, per_thread in (("i16", 8), ("i8", 16), ("i8", 8), ("i32", 4), ("i16", 16)):
            for mask in MASKS:
                for bound in (0, 1, 13, 37, 63, 64):
                    with self.subTest(element=element, per_thread=per_thread, mask=mask, bound=bound):
                        self.check(element, per_thread, mask, bound)

    def test_wide_within_the_row(self):
        for target in (80, 90, 100):
            for mask in ("below", "over", "from", "rows"):
                with self.subTest(target=target, mask=mask):
                    text = self.check("i16", 8, mask, 37, target)
                    self.assertRegex(text, r"@%p\d+ ld\.global\.v4\.b32")
                    self.assertRegex(text, r"@%p\d+ st\.global\.v4\.b32")
                    self.assertRegex(text, r"@%p\d+ st\.global\.b16")
                    # Masks of single elements are computed where they are used, not held on the way.
                    self.assertLess(text.split("bra", 1)[0].count("setp"), 20)

    def test_narrow_where_masks_change_anywhere(self):
        for mask in ("one", "others", "two"):
            with self.subTest(mask=mask):
                self.assertNotRegex(self.check("i16", 8, mask, 37), r"@%p\d+ ld\.global\.v4")

    def test_narrow_where_few_accesses_are_one(self):
        self.assertNotRegex(self.check("i32", 4, "below", 37), r"@%p\d+ ld\.global\.v4")


unittest.main(argv=sys.argv[:1])
