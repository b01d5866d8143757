"""gluond in place of Triton's compiler (python/gluond), under Triton 3.9.0 and without a GPU. Run by ctest:

    test_compile.py GLUOND

Exit code 77 where no Python has Triton 3.9 (scripts/peers.sh).
"""
import dataclasses
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "scripts/oracle"), str(ROOT / "tests/support")]
import peers  # noqa: E402

peers.under_python_with(peers.TRITON, "Triton 3.9.0")
if len(sys.argv) > 1:
    os.environ["GLUOND"] = os.path.abspath(sys.argv.pop(1))

import gluond  # noqa: E402
import record_goldens as oracle  # noqa: E402

KERNEL = """\
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def double(src, dst):
    offsets = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))
    x = gl.load(src + offsets)
    gl.store(dst + offsets, x + x)


@gluon.jit
def double_wave64(src, dst):
    offsets = gl.arange(0, 256, layout=gl.BlockedLayout([1], [64], [4], [0]))
    x = gl.load(src + offsets)
    gl.store(dst + offsets, x + x)
"""


class Compile(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name)
        (self.path / "kernels.py").write_text(KERNEL)
        os.environ["TRITON_CACHE_DIR"] = str(self.path / "cache")
        oracle.load_triton()
        self.target = oracle.gpu_target("cuda:90")
        oracle.driver.set_active(oracle.NoDriver(self.target))
        self.module = oracle.load_file(self.path / "kernels.py", None)

    def compile(self, name, options=None, **signature):
        import triton
        kernel = getattr(self.module, name)
        return triton.compile(oracle.GluonASTSource(kernel, signature, {}, {}), target=self.target, options=options)

    def counts(self, before):
        after = gluond.statistics()
        return after["compiled"] - before["compiled"], after["left_to_triton"] - before["left_to_triton"], after["reasons"][len(before["reasons"]):]

    def test_ptx_is_gluonds(self):
        before = gluond.statistics()
        with gluond.using():
            ptx = self.compile("double", src="*fp32", dst="*fp32").asm["ptx"]
        self.assertEqual(self.counts(before), (1, 0, []))
        with tempfile.TemporaryDirectory() as folder:
            ttgir = Path(folder) / "kernel.ttgir"
            ttgir.write_text(self.compile("double", src="*fp32", dst="*fp32").asm["ttgir"])
            own = subprocess.run([os.environ["GLUOND"], "emit", str(ttgir), "--stage", "ptx"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(ptx.strip(), own.strip())

    def test_triton_compiles_outside(self):
        with gluond.using():
            ours = self.compile("double", src="*fp32", dst="*fp32").asm["ptx"]
        before = gluond.statistics()
        theirs = self.compile("double", src="*fp32", dst="*fp32").asm["ptx"]
        self.assertEqual(self.counts(before), (0, 0, []))
        self.assertNotEqual(ours, theirs)

    def test_another_triton_is_refused(self):
        import triton
        from triton import knobs
        with unittest.mock.patch.object(triton, "__version__", "3.6.0"):
            with self.assertRaisesRegex(ImportError, r"Triton 3\.9 makes .* this is Triton 3\.6\.0"):
                gluond.install()
            with self.assertWarnsRegex(RuntimeWarning, "all kernels are left to Triton"):
                gluond.install(fallback=True)
        self.assertIsNone(knobs.runtime.add_stages_inspection_hook)

    def test_hsaco_is_gluonds(self):
        import triton
        kernel = self.module.double_wave64
        target = oracle.gpu_target("hip:gfx942")
        oracle.driver.set_active(oracle.NoDriver(target))
        compiled = lambda: triton.compile(oracle.GluonASTSource(kernel, {"src": "*fp32", "dst": "*fp32"}, {}, {}), target=target)
        theirs = compiled()
        with tempfile.TemporaryDirectory() as folder:
            ttgir = Path(folder) / "kernel.ttgir"
            ttgir.write_text(theirs.asm["ttgir"])
            done = subprocess.run([os.environ["GLUOND"], "emit", str(ttgir), "--stage", "hsaco", "-o", folder], capture_output=True, text=True)
            if "hsaco" in done.stderr or "cannot compile for" in done.stderr:
                self.skipTest("gluond does not compile for AMD yet")
            self.assertEqual(done.returncode, 0, done.stderr)
            own = (Path(folder) / "kernel.hsaco").read_bytes()
        before = gluond.statistics()
        with gluond.using():
            ours = compiled()
        self.assertEqual(self.counts(before), (1, 0, []))
        self.assertEqual(ours.asm["hsaco"], own)
        self.assertIn(".amdhsa_kernel double_wave64", ours.asm["amdgcn"])
        self.assertEqual((ours.metadata.name, ours.metadata.num_warps, ours.metadata.shared), (theirs.metadata.name, theirs.metadata.num_warps, theirs.metadata.shared))
        self.assertEqual(ours.metadata.tensordesc_meta, theirs.metadata.tensordesc_meta)

    def test_every_option_of_a_launch_is_known(self):
        from triton.backends.amd.compiler import HIPOptions
        from triton.backends.nvidia.compiler import CUDAOptions
        for target, options in (("cuda:90", CUDAOptions), ("hip:gfx942", HIPOptions)):
            names = [each.name for each in dataclasses.fields(options)]
            self.assertIn("num_warps", names)
            file = self.path / "launches.py"
            launch = lambda keywords: f"from kernels import double, double_wave64\ndef run(x, options):\n    double_wave64[(1, )](x, x, {keywords})\n"
            for keywords, known in ((", ".join(f"{name}=options[{name!r}]" for name in names), True), ("num_wraps=4", False)):
                file.write_text(launch(keywords))
                done = subprocess.run([os.environ["GLUOND"], "check", "--target", target, str(file)], capture_output=True, text=True)
                self.assertEqual("launch-argument" not in done.stdout, known, done.stdout + done.stderr)

    def test_sanitized_kernels_are_left_to_triton(self):
        before = gluond.statistics()
        with gluond.using():
            self.compile("double", {"instrumentation_mode": "fpsan"}, src="*fp32", dst="*fp32")
        compiled, left, reasons = self.counts(before)
        self.assertEqual((compiled, left), (0, 1))
        self.assertIn("fpsan", reasons[0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
