"""`gluond simulator`, asked as the Python package asks it, and records that name the data of a launch; no Triton is needed. Run by ctest; argv: gluond."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
from gluond.recorddata import npy  # noqa: E402
from gluond.simulator import Refused, Simulator, SimulatorError  # noqa: E402

GLUOND = os.path.abspath(sys.argv.pop(1))

KERNELS = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def scale(x, out, n, factor, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + i, gl.load(x + i, mask=i < n) * factor, mask=i < n)


@gluon.jit
def unmasked(x, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(x + i, gl.sqrt(gl.load(x + i)))


@gluon.jit
def meet(count, out):
    gl.atomic_add(count, 1)
    while gl.atomic_add(count, 0) < gl.num_programs(0):
        pass
    gl.store(out + gl.program_id(0), 1)


@gluon.jit
def through_table(table, out, n, BLOCK: gl.constexpr):
    x = gl.load(table + gl.program_id(0)).to(gl.pointer_type(gl.float32), bitcast=True)
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + gl.program_id(0) * n + i, gl.load(x + i, mask=i < n), mask=i < n)


x, ints = torch.empty(1000, device="cuda"), torch.zeros(1000, device="cuda", dtype=torch.int32)
scale[(4, )](x, x, 1000, 0.5, 256)
unmasked[(4, )](x, 256)
meet[(300, )](ints, ints)
through_table[(2, )](torch.zeros(2, device="cuda", dtype=torch.int64), x, 100, 128)
"""


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


def memory(*buffers):
    """(the member of a request, its parts): buffers of (name, address, bytes)."""
    told, offset = [], 0
    for name, address, data in buffers:
        told.append({"name": name, "address": address, "data": {"offset": offset, "size": len(data)}})
        offset += len(data)
    return told, [data for _, _, data in buffers]


def after(result, binary, number, before):
    """A buffer as the launch left it."""
    now = bytearray(before)
    for change in result["changes"]:
        if change["memory"] == number:
            data = change["data"]
            now[change["offset"]:change["offset"] + data["size"]] = binary[data["offset"]:data["offset"] + data["size"]]
    return bytes(now)


class Served(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = Path(folder.name)
        (cls.path / "kernels.py").write_text(KERNELS)
        cls.client = Simulator(GLUOND)
        cls.addClassCleanup(cls.client.close)

    def code(self, kernel):
        command = [GLUOND, "emit", "kernels.py", "--kernel", kernel, "--stage", "ttgir"]
        return subprocess.run(command, cwd=self.path, capture_output=True, check=True, env={**os.environ, "GLUOND_CACHE_DIR": "off"}).stdout

    def launch(self, kernel, grid, arguments, *buffers, seconds=60, **more):
        memories, parts = memory(*buffers)
        params = {"grid": grid, "arguments": [{"value": value} for value in arguments], "memories": memories, "isCooperative": False, **more}
        return self.client.run(self.code(kernel), params, parts, seconds)

    def test_what_changed_comes_back(self):
        x = [float(i) for i in range(1000)]
        result, binary = self.launch("scale", [4, 1, 1], [4096, 65536, 1000, 0.5], ("x", 4096, floats(x)), ("out", 65536, bytes(4000)))
        self.assertEqual((result["end"], result["programs"], result["findings"]), ("finished", 4, []))
        self.assertEqual([change["memory"] for change in result["changes"]], [1])
        self.assertLess(result["changes"][0]["data"]["size"], 4000)  # the first product is zero, as it was
        self.assertEqual(after(result, binary, 1, bytes(4000)), floats([value / 2 for value in x]))

    def test_findings(self):
        result, binary = self.launch("unmasked", [4, 1, 1], [8192], ("x", 8192, floats([4.0] * 1000)))
        self.assertEqual((result["end"], [each["code"] for each in result["findings"]]), ("failed", ["run-out-of-bounds"]))
        self.assertEqual(result["findings"][0]["program"], [3, 0, 0])
        self.assertIn("byte 4000 of 'x'", result["findings"][0]["message"])
        self.assertEqual(after(result, binary, 0, floats([4.0] * 1000)), floats([2.0] * 768 + [4.0] * 232))  # of the programs before
        result, _ = self.launch("unmasked", [1, 1, 1], [8192], ("x", 8192, floats([4.0, -1.0] * 128)))
        self.assertEqual([each["code"] for each in result["findings"]], ["run-first-nan"])

    def test_arguments_that_share_memory(self):
        result, binary = self.launch("scale", [1, 1, 1], [4096, 4096 + 400, 100, 2], ("x", 4096, floats([1.0] * 200)))
        self.assertEqual(after(result, binary, 0, floats([1.0] * 200)), floats([1.0] * 100 + [2.0] * 100))

    def test_pointers_in_memory(self):
        rows = [floats([float(k)] * 100) for k in (1, 2)]
        table = struct.pack("<2Q", 1 << 20, 1 << 21)
        result, binary = self.launch("through_table", [2, 1, 1], [4096, 8192, 100], ("table", 4096, table), ("out", 8192, bytes(800)),
                                     ("a", 1 << 20, rows[0]), ("b", 1 << 21, rows[1]))
        self.assertEqual((result["end"], result["findings"]), ("finished", []))
        self.assertEqual(after(result, binary, 1, bytes(800)), rows[0] + rows[1])

    def test_programs_that_wait_for_each_other(self):
        buffers = ("count", 4096, bytes(4)), ("out", 8192, bytes(1200))
        result, binary = self.launch("meet", [300, 1, 1], [4096, 8192], *buffers, isCooperative=True)
        self.assertEqual((result["end"], result["programs"]), ("finished", 300))
        result, _ = self.launch("meet", [2000, 1, 1], [4096, 8192], ("count", 4096, bytes(4)), ("out", 8192, bytes(8000)), seconds=0.5)
        self.assertEqual(result["end"], "time")

    def test_requests_that_cannot_be(self):
        x = ("x", 4096, floats([1.0] * 1000))
        for params, why in (
                ({"arguments": []}, "the kernel takes 4 arguments, but the launch passes 0"),
                ({"grid": [1]}, "a grid has three numbers"),
                ({"grid": [-1, 1, 1]}, "a grid has three numbers"),
                ({"arguments": [{"value": each} for each in (-1, 4096, 1000, 0.5)]}, "argument 0: a pointer needs an address"),
                ({"memories": [{"name": "x", "address": 4096, "data": {"offset": 0, "size": 1 << 40}}]}, "the memory of 'x' is not in it"),
                ({"memories": 3}, "memories"),
        ):
            with self.assertRaises(Refused) as raised:
                self.ask(params, x)
            self.assertIn(why, str(raised.exception))
        for code, why in ((b"module {}", "no kernel"), (b"not IR", "cannot read the IR"), (b"", "no kernel")):
            with self.assertRaises(Refused) as raised:
                self.client.run(code, {"grid": [1, 1, 1], "arguments": [], "memories": []}, [], 10)
            self.assertIn(why, str(raised.exception))
        result, _ = self.launch("scale", [4, 1, 1], [4096, 4096, 1000, 0.5], x)  # it goes on
        self.assertEqual(result["end"], "finished")

    def ask(self, params, buffer):
        memories, parts = memory(buffer)
        whole = {"grid": [4, 1, 1], "arguments": [{"value": each} for each in (4096, 4096, 1000, 0.5)], "memories": memories, "isCooperative": False}
        return self.client.run(self.code("scale"), {**whole, **params}, parts, 10)

    def test_a_lost_process_is_replaced(self):
        client = Simulator(GLUOND)
        self.assertGreater(client.limit(), 1 << 30)
        client.process.process.kill()
        client.process.process.wait()
        self.assertGreater(client.limit(), 1 << 30)
        client.close()
        with self.assertRaises(SimulatorError):
            Simulator("/nowhere/gluond").limit()


class Data(unittest.TestCase):
    """Records whose tensors name .npy files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        (self.path / "kernels.py").write_text(KERNELS)
        (self.path / "data").mkdir()
        (self.path / "outside.npy").write_bytes(npy("<f4", [4, 100], floats([3.0] * 400)))
        listed = subprocess.run([GLUOND, "launches", "kernels.py", "--format", "jsonl"], cwd=self.path, capture_output=True, check=True, text=True).stdout
        self.record = next(each for each in map(json.loads, listed.splitlines()) if each["kernel"] == "scale")

    def run_it(self, x, code=0):
        self.record["file"] = "../kernels.py"
        self.record["run"]["values"]["n"] = 100
        self.record["run"]["values"]["x"] = x
        (self.path / ".gluond").mkdir(exist_ok=True)
        (self.path / ".gluond" / "a.launches.jsonl").write_text(json.dumps(self.record) + "\n")
        (self.path / ".gluond" / "data").mkdir(exist_ok=True)
        (self.path / ".gluond" / "data" / "x.npy").write_bytes(npy("<f4", [4, 100], floats([2.0] * 300 + [7.0] * 100)))
        done = subprocess.run([GLUOND, "run", "kernels.py", "--kernel", "scale", "--device", "cpu", "--format", "json"], cwd=self.path, text=True,
                              capture_output=True, env={**os.environ, "GLUOND_CACHE_DIR": "off"})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_contents_with_the_recorded_strides(self):
        x, _ = self.run_it({"shape": [4, 100], "strides": [250, 1], "data": "data/x.npy"})["tensors"]
        self.assertEqual((x["shape"], x["least"], x["most"], x["mean"]), ([4, 100], 2, 7, 3.25))

    def test_files_outside_of_the_records_folder_are_not_read(self):
        (self.path / ".gluond").mkdir()
        (self.path / ".gluond" / "link.npy").symlink_to(self.path / "outside.npy")
        for file in ("../outside.npy", str(self.path / "outside.npy"), "link.npy", "data/none.npy"):
            self.assertIn("problem", self.run_it({"shape": [4, 100], "strides": [100, 1], "data": file}, code=1), file)
        x, _ = self.run_it({"shape": [4, 100], "strides": [100, 1], "data": "data/x.txt"})["tensors"]  # no .npy: no data
        self.assertNotEqual(x["most"], 7)


if __name__ == "__main__":
    unittest.main(verbosity=2)
