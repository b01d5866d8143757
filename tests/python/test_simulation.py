"""python -m gluond --device cpu and python -m gluond.record --data, under Triton 3.9.0 and without a GPU. Run by ctest:

    test_simulation.py GLUOND

Exit code 77 where no Python has Triton 3.9 (scripts/peers.sh); what needs torch is skipped where it is missing.
"""
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/support")]
import peers  # noqa: E402

peers.under_python_with(peers.TRITON, "Triton 3.9.0")
GLUOND = os.path.abspath(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/bin/gluond")
PROGRAMS = Path(__file__).resolve().parent / "programs"
HAS_TORCH = importlib.util.find_spec("torch") is not None


class Simulated(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = Path(folder.name) / "project"
        cls.path.mkdir()
        for program in ("simulated.py", "simulated_torch.py"):
            shutil.copy(PROGRAMS / program, cls.path)
        (cls.path / "pyproject.toml").write_text("")

    def started(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "TRITON_CACHE_DIR": str(self.path / "cache"), "GLUOND": GLUOND,
                       "TRITON_DEFAULT_FP_FUSION": "1"}
        return subprocess.Popen([sys.executable, *map(str, arguments)], cwd=self.path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def python(self, *arguments, code=0):
        process = self.started(*arguments)
        output, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, code, output + errors)
        return output, errors

    def run_it(self, what, *options, code=0):
        return self.python("-m", "gluond", "--device", "cpu", *options, "simulated.py", what, code=code)


class Programs(Simulated):

    def test_a_program_runs(self):
        output, _ = self.run_it("fine")
        self.assertEqual(output.splitlines()[-1], "fine")
        self.assertIn("idx (127) x: 1.0", output)  # device_print

    def test_a_finding_is_an_exception_at_the_kernels_line(self):
        lines = self.run_it("bounds")[0].splitlines()
        source = (self.path / "simulated.py").read_text().splitlines()
        load = source.index("    return gl.load(x + i)") + 1
        call = source.index("    gl.store(out + i, first(x, i))") + 1
        self.assertEqual(lines[1:4], [
            f"simulated.py:{load}: this access reads out of bounds: byte 4000 of 'x', which has 4000 bytes (element 232 of the access), in program (3, 0, 0) [run-out-of-bounds]",
            "    return gl.load(x + i)", f"  called from simulated.py:{call}"])

    def test_launches_go_on_after_every_kind_of_finding(self):
        output, _ = self.run_it("again")
        self.assertEqual([line.split()[0] for line in output.splitlines() if line.startswith("run-")],
                         ["run-deadlock", "run-out-of-bounds", "run-assertion"])
        self.assertNotIn("no error", output)

    def test_findings_as_warnings(self):
        output, errors = self.run_it("again", "--findings", "warn")
        self.assertEqual(output.count("no error"), 3)
        self.assertIn("SimulationWarning", errors)

    def test_nan_is_a_warning(self):
        output, errors = self.run_it("nan")
        self.assertEqual(output.split(), ["5"])
        self.assertIn("[run-first-nan]", errors)

    def test_a_kernel_without_end(self):
        _, errors = self.run_it("endless", "--time-limit", "1", code=1)
        self.assertIn("SimulationError: endless was stopped after 1 s", errors)
        self.assertRegex(errors, "simulated.py:[0-9]+: the run was stopped while the program was here.*\\[run-unfinished\\]")

    def test_ctrl_c(self):
        process = self.started("-m", "gluond", "--device", "cpu", "simulated.py", "endless")
        found = []
        deadline = time.monotonic() + 100  # until the simulator computes
        while not found and time.monotonic() < deadline:
            time.sleep(0.1)
            listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout
            found = [int(line.split()[0]) for line in listed.splitlines() if line.endswith("simulator")]
        self.assertTrue(found)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertFalse(Path(f"/proc/{found[0]}").exists())  # ended with it

    def test_arguments_that_cannot_be(self):
        self.assertIn("MemoryError: add: the memory behind its arguments takes 93.1 GiB, of which 'x' has 93.1", self.run_it("large", code=1)[1])
        lines = self.run_it("wrong")[0].splitlines()
        self.assertEqual(lines[0], "ValueError add writes to 'out', which is read-only")
        self.assertNotIn("no error", lines)

    def test_another_target(self):
        self.run_it("bounds", "--target", "hip:gfx1201")
        for name in ("cpu", "cuda:91", "blackwell", "hip:gfx999"):
            said = self.run_it("fine", "--target", name, code=2)[1]
            self.assertIn(f"there is no target '{name}'", said)
            self.assertIn("cuda:90, cuda:100", said)

    def test_devices_that_programs_are_told(self):
        names = "cuda:103", "hip:gfx942", "hip:gfx950:xnack-", "hip:gfx1201", "hip:gfx1250-strict", "hip:gfx1030", "hip:gfx803"
        output, _ = self.python("-c", "import sys\nfrom gluond.devices import *\nfor name in sys.argv[1:]:\n"
                                "    target = target_of(name)\n    print(target.warp_size, *capability_of(target))", *names)
        self.assertEqual(output.splitlines(), ["32 10 3", "64 9 4", "64 9 5", "32 12 0", "32 12 5", "32 9 4", "64 9 4"])

    def test_pytest(self):
        (self.path / "test_it.py").write_text("import simulated\n\ndef test_fine():\n    simulated.main('fine')\n\n"
                                              "def test_bounds():\n    simulated.main('endless')\n")
        output, _ = self.python("-m", "gluond", "--device", "cpu", "--time-limit", "1", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py", code=1)
        self.assertIn("1 failed, 1 passed", output)


class Data(Simulated):

    def test_the_inputs_that_broke_it(self):
        _, errors = self.python("-m", "gluond.record", "--data", "--device", "cpu", "simulated.py", "record", code=1)
        self.assertIn("SimulationError", errors)
        self.assertIn("1 new specialization", errors)
        records = self.path / ".gluond" / "simulated.launches.jsonl"
        record, = (json.loads(line) for line in records.read_text().splitlines())
        data, = (records.parent / "simulated.data").glob("*.npy")  # of the launch that failed, alone
        self.assertEqual(record["run"]["values"]["x"]["data"], f"simulated.data/{data.name}")
        import numpy
        self.assertTrue(numpy.array_equal(numpy.load(data), numpy.arange(1000, dtype="float32") - 7))
        command = [GLUOND, "run", "simulated.py", "--kernel", "checked", "--launch", record["id"], "--device", "cpu", "--format", "json"]
        done = subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("run-assertion", done.stdout)
        self.assertEqual(json.loads(done.stdout)["tensors"][0]["least"], -7)

        # A record's data lie beneath its folder: nothing else is read.
        for elsewhere in ("../outside.npy", str(self.path / "outside.npy")):
            shutil.copy(data, self.path / "outside.npy")
            record["run"]["values"]["x"]["data"] = elsewhere
            records.write_text(json.dumps(record) + "\n")
            done = subprocess.run(command, cwd=self.path, capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 1)
            self.assertIn("outside", done.stdout)
            self.assertNotIn("least", done.stdout)

    def test_too_large(self):
        _, errors = self.python("-m", "gluond.record", "--data", "--data-limit", "0.001", "--device", "cpu", "-o", "small.launches.jsonl", "simulated.py", "nan")
        self.assertIn("roots: some tensors are too large", errors)
        self.assertNotIn('"data"', (self.path / "small.launches.jsonl").read_text())


@unittest.skipUnless(HAS_TORCH, "torch is not installed")
class Torch(Simulated):

    def test_cuda_is_the_cpu(self):
        output, _ = self.python("-m", "gluond", "--device", "cpu", "-m", "pytest", "-q", "-p", "no:cacheprovider", "simulated_torch.py")
        self.assertIn(" passed", output)


if __name__ == "__main__":
    unittest.main(verbosity=2)
