"""gluond-runner with the code objects that Triton 3.9.0 makes for AMD's GPUs, over the fake HIP. Run by ctest:

    test_hip.py GLUOND_RUNNER FAKE_HIP

Exit code 77 where no Python has Triton 3.9 (scripts/peers.sh).
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/oracle"), str(ROOT / "tests/support")]
import peers  # noqa: E402

peers.under_python_with(peers.TRITON, "Triton 3.9.0")
RUNNER, FAKE = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))

import record_goldens as oracle  # noqa: E402

KERNELS = """\
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna5


@gluon.jit
def copy(src, dst, count, WAVE: gl.constexpr):
    i = gl.arange(0, 256, gl.BlockedLayout([1], [WAVE], [4], [0]))
    gl.store(dst + i, gl.load(src + i, mask=i < count), mask=i < count)


@gluon.jit
def tdm(desc):
    buffer = gl.allocate_shared_memory(desc.dtype, shape=desc.block_shape, layout=desc.layout)
    if len(desc.block_shape) == 2:
        cdna5.tdm.async_load(desc, [0, 0], buffer)
    else:
        cdna5.tdm.async_load(desc, [0, 0, 0], buffer)
    cdna5.tdm.async_wait(0)
"""


class Runner:

    def __init__(self, arch):
        environment = {**os.environ, "GLUOND_HIP_LIBRARY": FAKE, "GLUOND_CUDA_LIBRARY": "/nowhere", "GLUOND_FAKE_ARCH": arch}
        self.process = subprocess.Popen([RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.id = 0
        assert "result" in self.ask("initialize", {"protocol": 3})

    def ask(self, method, params, binary=b""):
        self.id += 1
        text = json.dumps({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\nBinary-Length: %d\r\n\r\n" % (len(text), len(binary)) + text + binary)
        self.process.stdin.flush()
        sizes = {}
        while line := self.process.stdout.readline().strip():
            name, _, value = line.decode().partition(": ")
            sizes[name] = int(value)
        answer = json.loads(self.process.stdout.read(sizes["Content-Length"]))
        self.process.stdout.read(sizes.get("Binary-Length", 0))
        return answer

    def load(self, kernel, code, shared=0):
        return self.ask("load", {"device": 0, "kernel": kernel, "code": {"offset": 0, "size": len(code)}, "threads": 128, "sharedBytes": shared, "cluster": 1}, code)

    def run(self, loaded, arguments, shared=0):
        launch = {"module": loaded["result"]["module"], "grid": [1, 1, 1], "threads": 128, "sharedBytes": shared, "cluster": 1, "isCooperative": False,
                  "isProgrammatic": False, "scratchBytes": 0, "scratchAlignment": 1, "arguments": arguments}
        return self.ask("run", {"launch": launch, "limitMs": 1000, "guard": True, "outputs": []})

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)
        self.process.stdout.close()


def tensor(name, shape, dtype="fp32"):
    strides = [1]
    for extent in shape[:0:-1]:
        strides.insert(0, strides[0] * extent)
    return {"name": name, "type": "", "value": None,
            "tensor": {"dtype": dtype, "shape": shape, "strides": strides, "offset": 0, "fill": {"kind": "constant", "low": 3, "high": 3, "seed": 0}}}


def descriptor(name, shape, block):
    return {**tensor(name, shape, "fp16"),
            "descriptor": {"elementType": 0, "swizzle": 0, "elementBytes": 2, "padInterval": 0, "padAmount": 0, "nanPadding": False, "isFp4": False, "box": block,
                           "shape": [], "strides": [], "isIm2Col": False, "lowerCorner": [], "upperCorner": [], "elementStrides": []}}


class TritonsCode(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.environ["TRITON_CACHE_DIR"] = folder.name
        (Path(folder.name) / "kernels.py").write_text(KERNELS)
        oracle.load_triton()
        oracle.driver.set_active(oracle.NoDriver(oracle.gpu_target("hip:gfx942")))
        self.module = oracle.load_file(Path(folder.name) / "kernels.py", None)

    def compile(self, name, target, signature, constants=None):
        import triton
        return triton.compile(oracle.GluonASTSource(getattr(self.module, name), signature, constants or {}, {}), target=oracle.gpu_target(target))

    def runner(self, arch):
        runner = Runner(arch)
        self.addCleanup(runner.close)
        return runner

    def test_it_loads_and_runs(self):
        for arch, wave in (("gfx942", 64), ("gfx950", 64), ("gfx1100", 32), ("gfx1201", 32), ("gfx1250", 32)):
            with self.subTest(arch):
                made = self.compile("copy", "hip:" + arch, {"src": "*fp32", "dst": "*fp32", "count": "i32", "WAVE": "constexpr"}, {"WAVE": wave})
                runner = self.runner(arch)
                loaded = runner.load("copy", made.asm["hsaco"])
                self.assertIn("result", loaded)
                self.assertGreater(loaded["result"]["scalarRegisters"], 0)
                arguments = [tensor("src", [256]), tensor("dst", [256]), {"name": "count", "type": "i32", "value": 256}]
                ran = runner.run(loaded, arguments)
                self.assertEqual(ran["result"]["tensors"][1]["mean"], 3, ran)
                wrong = runner.run(loaded, arguments[:2])
                self.assertIn("takes parameters of 8 8 4 8 8 bytes, the launch gives 8 8 8 8", wrong["error"]["message"])
                other = self.runner("gfx942" if arch != "gfx942" else "gfx90a").load("copy", made.asm["hsaco"])
                self.assertIn(f"this code is for {arch}, but the GPU is", other["error"]["message"])

    def test_descriptors_have_the_size_that_it_takes(self):
        for block in ([32, 64], [4, 16, 32]):
            with self.subTest(len(block)):
                layout = f"SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order={list(range(len(block)))[::-1]}, cga_layout=[])"
                made = self.compile("tdm", "hip:gfx1250", {"desc": f"tensordesc<fp16{block},{layout}>".replace(" ", "")})
                self.assertEqual(made.metadata.tensordesc_meta[0]["block_size"], block)
                runner, shared = self.runner("gfx1250"), made.metadata.shared
                loaded = runner.load("tdm", made.asm["hsaco"], shared)
                ran = runner.run(loaded, [descriptor("desc", [extent * 4 for extent in block], block)], shared)
                self.assertIn("result", ran, ran)


if __name__ == "__main__":
    unittest.main(verbosity=2)
