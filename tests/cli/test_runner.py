"""`gluond run` and `gluond bench` as scripts see them, over gluond-runner and a fake CUDA driver (tests/unit/runner/FakeCuda.cpp), whose
kernels do what their names say, and the same over a fake HIP. Run by ctest; argv: gluond, gluond-runner, the fake drivers of CUDA and HIP."""
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GLUOND, RUNNER_PROGRAM, FAKE, FAKE_HIP = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))


def runner_of(cuda="/nowhere.so", hip="/nowhere.so", **settings):
    """The command of a runner that finds these libraries."""
    settings = " ".join(f"{name}='{value}'" for name, value in settings.items())
    return f"exec env GLUOND_CUDA_LIBRARY={cuda} GLUOND_HIP_LIBRARY={hip} {settings} {RUNNER_PROGRAM}"


RUNNER, AMD_RUNNER = runner_of(FAKE), runner_of(hip=FAKE_HIP)


@dataclasses.dataclass(frozen=True)
class Gpu:
    """The GPU of a fake driver."""
    name: str
    target: str
    lanes: int
    peak: float  # of its memory, in GB/s
    driver: str
    library: str  # the variable that names the driver's library
    fake: str
    other: tuple  # another GPU of the vendor: its name and target
    registers: int | None
    stage: str  # that shows the compiled kernel
    fault: str
    isMissing: str  # what is said where there is no GPU
    listed: str  # by the doctor

    def runner(self, **settings):
        return runner_of(**{self.driver.lower(): self.fake}, **settings)

    @property
    def id(self):
        return self.target.replace(":", "")


H200 = Gpu("NVIDIA H200", "cuda:90", 32, 4800, "CUDA", "GLUOND_CUDA_LIBRARY", FAKE, ("NVIDIA A100", "cuda:80"), 40, "ptx", "CUDA_ERROR_ILLEGAL_ADDRESS",
           "no GPU here runs the launch, so the kernel is simulated on the CPU (the CUDA driver finds no GPU; see gluond doctor)",
           "yes  NVIDIA GPU: NVIDIA H200 (cuda:90, 132 SMs, 1 GiB), CUDA 12.8")
MI300X = Gpu("AMD Instinct MI300X", "hip:gfx942", 64, 5300, "HIP", "GLUOND_HIP_LIBRARY", FAKE_HIP, ("AMD Instinct MI355X", "hip:gfx950"), None, "isa",
             "hipErrorIllegalAddress", "no GPU here runs the launch, so the kernel is simulated on the CPU (the HIP driver finds no GPU: ",
             "yes  AMD GPU: AMD Instinct MI300X (hip:gfx942, 304 CUs, 1 GiB), HIP 6.4")
SAMPLES = Path(__file__).resolve().parents[2] / "samples"

KERNELS = """import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=w) for b, w in ((128, 1), (256, 2), (512, 4))], key=["n"])
@gluon.jit
def copy_tuned(src, dst, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [gl.num_warps()], [0]))
    gl.store(dst + i, gl.load(src + i, mask=i < n), mask=i < n)


@gluon.jit
def copy_unknown(src_ptr, dst_ptr, n):
    gl.store(dst_ptr + n, gl.load(src_ptr + n))


@gluon.jit
def hang(dst):
    gl.store(dst, 1.0)


@gluon.jit
def fault_700(dst):
    gl.store(dst, 1.0)


@gluon.jit
def touch(dst, n):
    gl.store(dst, 1.0)


@gluon.jit
def add1(x, scale):
    gl.store(x, gl.load(x) * scale)


src, dst = torch.arange(1000, device="cuda").to(torch.float32), torch.empty(1000, device="cuda")
copy_tuned[lambda meta: (triton.cdiv(1000, meta["BLOCK"]), )](src, dst, 1000)
hang[(1, )](dst)
fault_700[(1, )](dst)
touch[(1, )](torch.ones(60, device="cuda"), 240)
add1[(1, )](torch.zeros(64, device="cuda"), 2.5)
"""


def run(*arguments, runner=RUNNER, env=None):
    command = [GLUOND, *map(str, arguments)] + (["--runner", runner] if runner else [])
    result = subprocess.run(command, capture_output=True, timeout=120, env={**os.environ, "GLUOND_CACHE_DIR": "off", **(env or {})})
    return result.returncode, result.stdout.decode("utf-8"), result.stderr.decode("utf-8")


class RunnerCli(unittest.TestCase):
    gpu = H200

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)
        self.kernels = self.with_lanes(KERNELS)
        self.file = self.path / "kernels.py"
        self.file.write_text(self.kernels)
        self.sample = self.path / "copy_2d.py"
        self.sample.write_text(self.with_lanes((SAMPLES / "copy_2d.py").read_text()))

    def with_lanes(self, text):
        """The kernels with layouts for the GPU's warps."""
        for each in ("[{}]", "[1, {}]", "[{}, 1]"):
            text = text.replace(each.format(32), each.format(self.gpu.lanes))
        return text

    def gluond(self, *arguments, runner=None, env=None):
        return run(*arguments, runner=self.gpu.runner() if runner is None else runner, env=env)

    def json(self, *arguments, code=0):
        got, out, err = self.gluond(*arguments, "--format", "json")
        self.assertEqual(got, code, out + err)
        return json.loads(out)

    # ------------------------------------------------------------ run

    def test_run_writes_what_the_kernel_wrote(self):
        code, out, err = self.gluond("run", self.sample, "--kernel", "copy_2d", "--out", f"src={self.path}/a.npy", "--out", f"dst={self.path}/b.npy",
                             "--reference", f"dst={self.path}/a.npy")
        self.assertEqual((code, err), (2, f"gluond: cannot read '{self.path}/a.npy': No such file or directory\n"))
        code, out, err = self.gluond("run", self.sample, "--kernel", "copy_2d", "--out", f"src={self.path}/a.npy", "--out", f"dst={self.path}/b.npy")
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn(f"copy_2d.{self.gpu.id}.0 on {self.gpu.name}", out)
        self.assertIn("dst  fp32[100, 200]  written", out)
        self.assertEqual((self.path / "a.npy").read_bytes(), (self.path / "b.npy").read_bytes())
        code, out, err = self.gluond("run", self.sample, "--kernel", "copy_2d", "--reference", f"dst={self.path}/a.npy")
        self.assertEqual(code, 0, out + err)
        self.assertIn("dst equals", out)

    def test_run_takes_files_and_says_where_results_differ(self):
        self.gluond("run", self.file, "--kernel", "copy_tuned", "--arg", "src=iota", "--out", f"src={self.path}/a.npy")
        result = self.json("run", self.file, "--kernel", "copy_tuned", "--arg", f"src={self.path}/a.npy", "--reference", f"dst={self.path}/a.npy")
        self.assertTrue(result["comparisons"][0]["isEqual"])
        self.assertEqual(result["tensors"][1]["first"], [0, 1, 2, 3, 4, 5, 6, 7])
        result = self.json("run", self.file, "--kernel", "copy_tuned", "--arg", "src=constant(3)", "--reference", f"dst={self.path}/a.npy", code=1)
        first = result["comparisons"][0]["first"]
        self.assertEqual((first["index"], first["result"], first["reference"]), ([0], 3.0, 0.0))
        self.assertEqual(result["comparisons"][0]["differing"], 999)

    def test_a_difference_has_an_owner(self):
        values = bytearray((self.write_iota("a.npy")).read_bytes())
        values[-4 * (1000 - 700):-4 * (1000 - 700) + 4] = b"\0\0\0\0"
        (self.path / "b.npy").write_bytes(values)
        arguments = ("run", self.file, "--kernel", "copy_tuned", "--launch", f"copy_tuned.{self.gpu.id}.1", "--arg", "src=iota", "--reference", f"dst={self.path}/b.npy")
        result = self.json(*arguments, code=1)
        self.assertEqual(result["comparisons"][0]["first"]["index"], [700])
        # 256 a program, by 2 warps of 32 lanes: 700 = 2 * 256 + 188, and 188 = 2 * 64 + 60 = register 2, warp 1, lane 28; of 64 lanes: 128 + 60.
        place = {32: "warp 1, lane 28, register 2", 64: "warp 0, lane 60, register 1"}[self.gpu.lanes]
        owner = f"program (2, 0, 0), {place} of gl.BlockedLayout([1], [{self.gpu.lanes}], [2], [0]), line 11"
        self.assertEqual(result["comparisons"][0]["first"]["owner"], owner)
        code, out, _ = self.gluond(*arguments)
        self.assertIn("written by " + owner, out)

    def write_iota(self, name):
        self.gluond("run", self.file, "--kernel", "copy_tuned", "--arg", "src=iota", "--out", f"src={self.path}/{name}")
        return self.path / name

    def test_contents_follow_the_host_code(self):
        result = self.json("run", self.file, "--kernel", "add1")
        self.assertEqual(result["tensors"][0]["first"], [1] * 8, "torch.zeros, and the fake adds 1")

    def test_grid_follows_the_host_code(self):
        self.assertEqual(self.json("run", self.file, "--kernel", "copy_tuned")["grid"], [8, 1, 1])
        self.assertEqual(self.json("run", self.file, "--kernel", "copy_tuned", "--grid", "3x2")["grid"], [3, 2, 1])

    def test_what_is_assumed_is_said(self):
        result = self.json("run", self.file, "--kernel", "copy_unknown", "--arg", "src_ptr=[100]", "--arg", "dst_ptr=[100]")
        types = [f"{name}: assumed elements of type fp32" for name in ("src_ptr", "dst_ptr")]
        self.assertEqual(result["assumed"], [*types, "n: assumed 4096", "grid: assumed 1 program"])
        result = self.json("run", self.file, "--kernel", "copy_unknown", "--arg", "src_ptr=zeros:f32[100]", "--arg", "dst_ptr=zeros:f32[100]", "--arg", "n=5",
                           "--grid", "1")
        self.assertEqual(result["assumed"], [])

    def test_records_say_what_runs(self):
        code, out, _ = self.gluond("launches", self.file, "--format", "jsonl", runner="")
        records = [json.loads(line) for line in out.splitlines()]
        first = next(record for record in records if record["kernel"] == "copy_tuned")
        self.assertEqual(first["run"]["grid"], [8, 1, 1])
        self.assertEqual(first["run"]["values"]["n"], 1000)
        self.assertEqual(first["run"]["values"]["src"], {"shape": [1000], "strides": [1], "fill": "iota"})
        first["run"]["values"]["src"]["fill"] = "constant"
        first["run"]["values"]["src"]["low"] = 7
        (self.path / "r.jsonl").write_text(json.dumps(first) + "\n")
        result = self.json("run", self.path / "r.jsonl", "--launch", first["id"])
        self.assertEqual(result["tensors"][1]["first"], [7] * 8)
        del first["run"]
        (self.path / "r.jsonl").write_text(json.dumps(first) + "\n")
        result = self.json("run", self.path / "r.jsonl", "--arg", "src=[64]", "--arg", "dst=[64]", "--arg", "n=64")
        self.assertEqual(result["assumed"], ["grid: assumed 1 program"])

    # ------------------------------------------------------------ failures

    def test_failures_are_reported(self):
        for kernel, kind, words in (("hang", "hang", "hang did not end within 1 s"), ("fault_700", "fault", self.gpu.fault)):
            result = self.json("run", self.file, "--kernel", kernel, "--time-limit", "1", code=1)
            self.assertEqual(result["problem"]["kind"], kind)
            self.assertEqual(result["problem"]["kernel"], kernel)
            self.assertIn(words, result["problem"]["message"])
            code, out, err = self.gluond("bench", self.file, "--kernel", kernel, "--time-limit", "1")
            self.assertEqual(code, 1)
            self.assertIn(words, out)
        result = self.json("run", self.file, "--kernel", "touch", code=1)
        self.assertEqual(result["overwritten"], ["dst"])

    def test_a_failing_launch_among_others(self):
        self.file.write_text(self.kernels.replace("fault_700[(1, )](dst)", "fault_700[(1, )](dst)\nfault_700[(1, )](dst, num_warps=8)"))
        result = self.json("bench", self.file, "--kernel", "fault_700", "--all", code=1)
        self.assertEqual([row["state"] for row in result["rows"]], ["failed", "failed"])

    def test_no_gpu(self):
        code, out, err = self.gluond("run", self.file, "--kernel", "add1", runner=runner_of())
        self.assertEqual((code, out), (1, ""))
        self.assertIn("looked for /nowhere.so", err)
        self.assertIn(f"--stage {self.gpu.stage}", err)
        code, out, err = self.gluond("bench", self.file, "--kernel", "add1", runner="exec /nowhere/gluond-runner")
        self.assertEqual(code, 1)
        self.assertIn("'exec /nowhere/gluond-runner' ended without an answer (it ended with code 127)", err)
        code, out, err = self.gluond("run", self.file, "--kernel", "add1", runner="", env={"GLUOND_RUNNER": self.gpu.runner(), "GLUOND_FAKE_DEVICES": "0"})
        self.assertEqual(code, 0)
        self.assertIn(self.gpu.isMissing, err)
        self.assertIn("simulated on the CPU in", out)

    def test_doctor_tells_of_gpus(self):
        code, out, _ = self.gluond("doctor", runner="", env={"GLUOND_RUNNER": self.gpu.runner()})
        self.assertEqual(code, 0)
        self.assertIn(self.gpu.listed, out)
        code, out, _ = self.gluond("doctor", runner="", env={"GLUOND_RUNNER": runner_of()})
        self.assertEqual(code, 0)
        self.assertIn("no   NVIDIA GPU: there is no CUDA driver library here", out)
        self.assertIn("no   AMD GPU: there is no HIP library of ROCm here; looked for /nowhere.so", out)

    def test_the_runner_lists_its_gpus(self):
        done = subprocess.run([RUNNER_PROGRAM, "--devices"], capture_output=True, env={**os.environ, self.gpu.library: self.gpu.fake}, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout)["devices"][0]["name"], self.gpu.name)
        done = subprocess.run([RUNNER_PROGRAM, "--devices"], capture_output=True, env={**os.environ, self.gpu.library: "/nowhere"}, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"/nowhere", done.stderr)
        self.assertIn(b"protocol 3", subprocess.run([RUNNER_PROGRAM, "--version"], capture_output=True, timeout=60).stdout)

    def test_wrong_use_is_2(self):
        for arguments in ((), ("none.py", "--kernel", "k"), (self.file, ), (self.file, "--kernel", "none"), (self.file, "--kernel", "add1", "--launch", "none"),
                          (self.file, "--kernel", "add1", "--device", "7"), (self.file, "--kernel", "add1", "--format", "xml")):
            for command in ("run", "bench"):
                code, out, err = self.gluond(command, *arguments)
                self.assertEqual(code, 2, (command, arguments, out, err))
                self.assertTrue(err)
        code, out, err = self.gluond("run", self.file, "--kernel", "add1", "--out", "x")
        self.assertEqual(code, 2)

    def test_arguments_that_do_not_fit(self):
        for argument, words in (("y=1", "unknown argument 'y'"), ("scale=x", "is not a number"), ("x=f16", "compiled for fp32"), ("x=[4,5;1]", "have different lengths"),
                                ("x=often", "unknown fill 'often'"), ("x=zeros:f99", "unknown element type 'f99'"), ("x=zeros:8x8", "in brackets"), ("x=none.npy", "No such file")):
            for command in ("run", "bench"):
                code, out, err = self.gluond(command, self.file, "--kernel", "add1", "--arg", argument)
                self.assertEqual(code, 2, argument)
                self.assertIn(words, err)
                self.assertEqual(err.count("\n"), 1, err)
        for more, words in ((("--arg", "BLOCK=4"), "BLOCK is a constexpr in this launch"), (("--grid", "0"), "'0' is not a grid"),
                            (("--out", "dest=x.npy"), "no tensor 'dest'; choose one of ")):
            code, out, err = self.gluond("run", self.file, "--kernel", "copy_tuned", *more)
            self.assertEqual(code, 2, more)
            self.assertIn(words, err)
        # Before a GPU is looked for.
        for axis in ("num_warps", "no_such=1,2"):
            code, out, err = self.gluond("bench", self.file, "--kernel", "copy_tuned", "--vary", axis, runner=runner_of())
            self.assertEqual(code, 2, err)
            self.assertIn("--vary", err)
        code, out, err = self.gluond("run", self.sample, "--kernel", "copy_2d", "--launch", f"copy_2d.{self.gpu.id}.1", "--arg", "src_row=17")
        self.assertIn("multiple of 16", err)

    # ------------------------------------------------------------ bench

    def test_bench_ranks_launches(self):
        result = self.json("bench", self.file, "--kernel", "copy_tuned", "--all", "--budget", "50")
        self.assertEqual(len(result["rows"]), 3)
        self.assertEqual(result["device"]["name"], self.gpu.name)
        for row in result["rows"]:
            self.assertEqual(row["state"], "done")
            self.assertEqual(row["bytes"], 8000, "each tensor once")
            self.assertAlmostEqual(row["microseconds"]["median"], 100.3, delta=0.3)
            self.assertAlmostEqual(row["gigabytesPerSecond"], 8000 / row["microseconds"]["median"] / 1e3, places=6)
            self.assertAlmostEqual(row["percentOfPeak"], 100 * row["gigabytesPerSecond"] / self.gpu.peak, places=6)
            self.assertEqual(row["bound"], "memory")
            self.assertIsNone(row["flops"])
            self.assertEqual(row["registers"], self.gpu.registers or row["registers"])
        self.assertEqual(sorted(row["warps"] for row in result["rows"]), [1, 2, 4])

    def test_bench_as_a_table(self):
        code, out, err = self.gluond("bench", self.file, "--kernel", "copy_tuned", "--all", "--budget", "50")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"launch +median +spread +GB/s +TFLOP/s +of peak")
        self.assertEqual(out.count(" us "), 3)
        self.assertIn("BLOCK=512 num_warps=4", out)

    def test_own_numbers_win(self):
        result = self.json("bench", self.file, "--kernel", "copy_tuned", "--bytes", "1e9", "--flops", "2e9", "--budget", "20")
        self.assertEqual((result["rows"][0]["bytes"], result["rows"][0]["flops"]), (1e9, 2e9))

    def test_several_runners_share(self):
        command = [GLUOND, "bench", str(self.file), "--kernel", "copy_tuned", "--all", "--format", "json", *2 * ("--runner", self.gpu.runner())]
        done = subprocess.run(command, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["state"] for row in json.loads(done.stdout)["rows"]], ["done"] * 3)

    # ------------------------------------------------------------ against earlier results

    def test_bench_against_an_earlier_one(self):
        saved = self.path / "before.json"
        arguments = ("bench", self.file, "--kernel", "copy_tuned", "--all", "--budget", "20")
        code, out, err = self.gluond(*arguments, "--save", saved)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual([row["state"] for row in json.loads(saved.read_text())["rows"]], ["done"] * 3)
        code, out, err = self.gluond(*arguments, "--against", saved)
        self.assertEqual((code, err), (0, ""), out)
        self.assertEqual(out.count(": same, "), 3, out)

        def changed(change):
            earlier = json.loads(saved.read_text())
            change(earlier)
            (self.path / "changed.json").write_text(json.dumps(earlier))
            code, out, err = self.gluond(*arguments, "--against", self.path / "changed.json", "--format", "json")
            return code, [row["against"] for row in json.loads(out)["rows"]]

        def times(factor, **more):
            def change(earlier):
                for row in earlier["rows"]:
                    row["microseconds"].update({"median": row["microseconds"]["median"] * factor, **more})
            return change

        code, against = changed(times(0.9))
        self.assertEqual((code, {each["verdict"] for each in against}), (1, {"slower"}))
        self.assertAlmostEqual(against[0]["change"], 1 / 0.9 - 1, delta=0.01)
        self.assertEqual(changed(times(1.2))[1][0]["verdict"], "faster")
        self.assertEqual(changed(times(0.99))[0], 0)  # within the tolerance
        self.assertEqual(changed(times(0.9, precision=0.3))[1][0]["verdict"], "same")  # it was not known better
        for change, words in ((lambda earlier: earlier["device"].update(name=self.gpu.other[0]), f"measured on {self.gpu.other[0]}"),
                              (lambda earlier: [row.update(target=self.gpu.other[1]) for row in earlier["rows"]], f"measured for {self.gpu.other[1]}"),
                              (lambda earlier: [row.pop("microseconds") for row in earlier["rows"]], "failed then"),
                              (lambda earlier: earlier["rows"].clear(), "has no launch copy_tuned")):
            code, against = changed(change)
            self.assertEqual((code, against[0]["verdict"]), (0, "not compared"))
            self.assertIn(words, against[0]["reason"])

    def test_files_that_are_no_results(self):
        code, out, err = self.gluond("bench", self.file, "--kernel", "add1", "--against", self.path / "none.json")
        self.assertEqual(code, 2)
        self.assertIn("gluond bench --save writes it", err)
        for text in ("", "[]", "{}", '{"rows": 3}', '{"rows": [], "device": {"name": 3}}', "[" * 100000):
            (self.path / "wrong.json").write_text(text)
            code, out, err = self.gluond("bench", self.file, "--kernel", "add1", "--against", self.path / "wrong.json")
            self.assertEqual(code, 2, text[:50])
            self.assertIn("is no result of gluond bench --save", err)
        code, out, err = self.gluond("bench", self.file, "--kernel", "add1", "--budget", "20", "--save", self.path / "no" / "folder.json")
        self.assertEqual(code, 1)

    def test_a_runner_that_does_not_start_is_done_without(self):
        one = self.gpu.runner()
        for runners in ((one, "exec /nowhere/gluond-runner"), (one, "exec sleep 0", one)):
            options = [word for runner in runners for word in ("--runner", runner)]
            code, out, err = self.gluond("bench", self.file, "--kernel", "copy_tuned", "--all", "--budget", "20", "--format", "json", *options, runner="")
            self.assertEqual((code, [row["state"] for row in json.loads(out)["rows"]]), (0, ["done"] * 3), err)
            self.assertEqual(err.count("the other runners do without one: "), 1, err)


class RunnerCliOnAmd(RunnerCli):
    gpu = MI300X


class UnknownGpus(unittest.TestCase):

    def test_an_unknown_gpu_has_the_peak_of_its_clock(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "kernels.py"
            file.write_text(KERNELS)
            code, out, err = run("bench", file, "--kernel", "copy_tuned", "--budget", "20", "--format", "json", runner=runner_of(FAKE, GLUOND_FAKE_NAME="GPU of tomorrow"))
        row = json.loads(out)["rows"][0]
        self.assertAlmostEqual(row["percentOfPeak"], 100 * row["gigabytesPerSecond"] / (2 * 3201e6 * 6144 / 8 / 1e9), places=6)


AMD_KERNELS = """import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@triton.autotune(configs=[triton.Config({"BLOCK": b}, num_warps=w) for b, w in ((128, 1), (256, 2))], key=["n"])
@gluon.jit
def copy_tuned(src, dst, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [64], [gl.num_warps()], [0]))
    gl.store(dst + i, gl.load(src + i, mask=i < n), mask=i < n)


@gluon.jit
def hang(dst):
    gl.store(dst, 1.0)


@gluon.jit
def fault_700(dst):
    gl.store(dst, 1.0)


@gluon.jit
def abort_0(dst):
    gl.store(dst, 1.0)


src, dst = torch.arange(1000, device="cuda").to(torch.float32), torch.empty(1000, device="cuda")
copy_tuned[lambda meta: (triton.cdiv(1000, meta["BLOCK"]), )](src, dst, 1000)
hang[(1, )](dst)
fault_700[(1, )](dst)
abort_0[(1, )](dst)
"""


class AmdGpus(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        self.file = self.path / "kernels.py"
        self.file.write_text(AMD_KERNELS)

    def needs_code(self):
        code, out, err = run("emit", self.file, "--kernel", "hang", "--target", "hip:gfx942", "--stage", "amdgcn", runner="")
        if code:
            self.skipTest("gluond does not compile for AMD yet")

    def json(self, *arguments, code=0, runner=AMD_RUNNER):
        got, out, err = run(*arguments, "--format", "json", runner=runner)
        self.assertEqual(got, code, out + err)
        return json.loads(out)

    def test_run(self):
        self.needs_code()
        code, out, err = run("run", self.file, "--kernel", "copy_tuned", "--out", f"src={self.path}/a.npy", "--out", f"dst={self.path}/b.npy", runner=AMD_RUNNER)
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("copy_tuned.hipgfx942.0 on AMD Instinct MI300X", out)
        self.assertRegex(out, r"\d+ registers, \d+ SGPRs")
        self.assertEqual((self.path / "a.npy").read_bytes(), (self.path / "b.npy").read_bytes())
        result = self.json("run", self.file, "--kernel", "copy_tuned", "--arg", "src=constant(3)", "--reference", f"dst={self.path}/a.npy", code=1)
        self.assertEqual((result["target"], result["guarded"]), ("hip:gfx942", True))
        self.assertEqual(result["comparisons"][0]["differing"], 999)

    def test_bench(self):
        self.needs_code()
        result = self.json("bench", self.file, "--kernel", "copy_tuned", "--all", "--budget", "50")
        self.assertEqual((result["device"]["target"], result["driver"]), ("hip:gfx942", "HIP 6.4"))
        self.assertEqual([row["state"] for row in result["rows"]], ["done"] * 2)
        for row in result["rows"]:
            self.assertAlmostEqual(row["percentOfPeak"], 100 * row["gigabytesPerSecond"] / 5300, places=6)
            self.assertGreater(row["scalarRegisters"], 0)
        unknown = self.json("bench", self.file, "--kernel", "copy_tuned", "--budget", "20", runner=runner_of(hip=FAKE_HIP, GLUOND_FAKE_NAME="AMD GPU of tomorrow"))
        self.assertIsNone(unknown["rows"][0]["percentOfPeak"])  # what HIP says of the memory's clock gives no bandwidth

    def test_failures_are_reported(self):
        self.needs_code()
        for kernel, kind, words in (("hang", "hang", "hang did not end within 1 s"), ("fault_700", "fault", "hipErrorIllegalAddress"),
                                    ("abort_0", "fault", "abort_0 failed on the GPU. The kernel reads or writes an invalid address")):
            result = self.json("run", self.file, "--kernel", kernel, "--time-limit", "1", code=1)
            self.assertEqual((result["problem"]["kind"], result["problem"]["kernel"]), (kind, kernel))
            self.assertIn(words, result["problem"]["message"])

    def test_machines_with_both_vendors(self):
        self.needs_code()
        both = runner_of(FAKE, FAKE_HIP)
        for arguments in (("--target", "hip:gfx942"), ("--device", "1")):
            self.assertEqual(self.json("run", self.file, "--kernel", "copy_tuned", *arguments, runner=both)["device"], "AMD Instinct MI300X")
        # Two machines, one of either vendor: the one with the GPU for the target runs all.
        command = [GLUOND, "bench", str(self.file), "--kernel", "copy_tuned", "--all", "--target", "hip:gfx942", "--budget", "20", "--format", "json",
                   "--runner", RUNNER, "--runner", AMD_RUNNER]
        done = subprocess.run(command, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual((result["device"]["target"], [row["state"] for row in result["rows"]]), ("hip:gfx942", ["done"] * 2))

    def test_nvidia_launches_choose_their_gpu(self):
        self.file.write_text(KERNELS)
        result = self.json("run", self.file, "--kernel", "add1", "--target", "cuda:90", runner=runner_of(FAKE, FAKE_HIP))
        self.assertEqual(result["device"], "NVIDIA H200")

    def test_a_gpu_that_is_not_the_target(self):
        for target, runner, gpu in (("hip:gfx950", AMD_RUNNER, "AMD Instinct MI300X (hip:gfx942): --target hip:gfx942"),
                                    ("hip:gfx942", RUNNER, "NVIDIA H200 (cuda:90): --target cuda:90")):
            for command in ("run", "bench"):
                code, out, err = run(command, self.file, "--kernel", "hang", "--target", target, runner=runner)
                self.assertEqual((code, out), (1, ""), err)
                self.assertIn(f"this launch is for {target}, but the GPU is {gpu}", err)
        code, out, err = run("run", self.file, "--kernel", "hang", "--target", "hip:gfx942", runner=runner_of(hip=FAKE_HIP, GLUOND_FAKE_ARCH="gfx1036"))
        self.assertEqual((code, out), (1, ""), err)
        self.assertIn("(hip:gfx1036), for which gluond cannot compile: --runner or --device names another GPU", err)
        code, out, err = run("run", self.file, "--kernel", "hang", "--target", "hip:gfx950", runner="", env={"GLUOND_RUNNER": AMD_RUNNER})
        self.assertEqual(code, 0, err)
        self.assertIn("no GPU here runs the launch, so the kernel is simulated on the CPU (this launch is for hip:gfx950, but the GPU is AMD", err)
        self.assertIn("simulated on the CPU in", out)

    def test_doctor(self):
        out = run("doctor", runner="", env={"GLUOND_RUNNER": AMD_RUNNER})[1]
        self.assertIn("yes  AMD GPU: AMD Instinct MI300X (hip:gfx942, 304 CUs, 1 GiB), HIP 6.4", out)
        self.assertIn("no   NVIDIA GPU: there is no CUDA driver library here", out)
        out = run("doctor", runner="", env={"GLUOND_RUNNER": runner_of(FAKE, FAKE_HIP)})[1]
        self.assertIn("yes  NVIDIA GPU: NVIDIA H200", out)
        self.assertIn("yes  AMD GPU: AMD Instinct MI300X", out)
        for settings, words in (({"GLUOND_FAKE_HIP_VERSION": "40221131"}, "is too old: it is HIP 4.2 (ROCm 5.0 or newer is required"),
                                ({"GLUOND_FAKE_DEVICES": "0"}, "the HIP driver finds no GPU: "), ({"GLUOND_FAKE_INIT": "999"}, "does not start: hipErrorUnknown")):
            out = run("doctor", runner="", env={"GLUOND_RUNNER": runner_of(hip=FAKE_HIP, **settings)})[1]
            self.assertRegex(out, "no   AMD GPU: .*" + words.replace("(", "[(]"))

    def test_no_gpu_says_so_once(self):
        code, out, err = run("bench", self.file, "--kernel", "hang", runner=runner_of(hip=FAKE_HIP, GLUOND_FAKE_DEVICES="0"))
        self.assertEqual((code, out), (1, ""))
        self.assertIn("cannot run kernels: the HIP driver finds no GPU: ", err)
        self.assertNotIn("CUDA", err)  # ROCm is installed, so CUDA is not missed
        code, out, err = run("bench", self.file, "--kernel", "hang", "--format", "json", runner=runner_of(hip=FAKE_HIP, GLUOND_FAKE_DEVICES="0"))
        problem = json.loads(out)["problem"]
        self.assertEqual((code, err, problem["kind"]), (1, "", "noDevice"))
        self.assertIn("the HIP driver finds no GPU", problem["message"])
        self.assertIn("gluond emit", problem["advice"])

    def test_an_amd_launch_misses_no_cuda(self):
        for command in ("run", "bench"):
            err = run(command, self.file, "--kernel", "hang", "--target", "hip:gfx942", runner=runner_of())[2]
            self.assertIn("cannot run kernels: there is no HIP library of ROCm here; looked for /nowhere.so (", err)
            self.assertNotIn("CUDA", err)
        out, err = run("run", self.file, "--kernel", "hang", "--target", "hip:gfx942", runner="", env={"GLUOND_RUNNER": runner_of()})[1:]
        self.assertIn("so the kernel is simulated on the CPU (there is no HIP library of ROCm here; see gluond doctor)", err)


if __name__ == "__main__":
    unittest.main()
