"""Kernels on an AMD GPU that only says yes: Triton compiles and launches as always. argv: the record file, the architecture as HIP names it."""
import sys

import gluond
import triton
from recorded import Array
from triton.backends.compiler import GPUTarget
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.runtime.driver import driver
from triton.runtime.jit import JITFunction

launches = []
ARCH = sys.argv[2]
WAVE = gl.constexpr(64 if ARCH.startswith("gfx9") else 32)


class Utilities:

    def load_binary(self, name, binary, shared, device):
        assert binary.startswith(b"\x7fELF")  # a code object
        return (1, 2, 32, 0, 1024)

    def unload_module(self, module):
        pass

    def get_device_properties(self, device):
        return {"max_shared_mem": 65536, "warpSize": WAVE.value, "arch": ARCH}


class Driver:
    utils, binary_ext = Utilities(), "hsaco"

    def __init__(self):
        self.launcher_cls = lambda source, metadata: lambda *arguments: launches.append((source.name, metadata.num_warps, metadata.shared))
        # As HIPDriver does it.
        self.get_current_target = lambda: GPUTarget("hip", self.utils.get_device_properties(0)["arch"].split(":")[0], WAVE.value)
        self.get_current_device = lambda: 0
        self.get_current_stream = lambda device: 0
        self.get_benchmarker = lambda: lambda call, quantiles: (call(), [1.0] * len(quantiles))[1]


@gluon.jit
def scale(src, dst, count, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([2], [WAVE], [gl.num_warps()], [0]))
    gl.store(dst + i, gl.load(src + i, mask=i < count) * 2, mask=i < count)


@triton.autotune(configs=[triton.Config({"waves_per_eu": waves}, num_warps=4) for waves in (1, 2)], key=["count"])
@gluon.jit
def tuned(dst, count):
    gl.store(dst + gl.arange(0, 256, gl.BlockedLayout([1], [WAVE], [gl.num_warps()], [0])), count)


def main():
    src, dst = Array(1000), Array(1000)
    for _ in range(2):  # one specialization, however often
        scale[(2, )](src, dst, 1000, 512)
    scale[(4, )](src, dst, 999, 512, num_warps=8)
    tuned[(1, )](dst, 7)


if __name__ == "__main__":
    driver.set_active(Driver())
    run = JITFunction.run
    with gluond.record(sys.argv[1]) as recorder:
        main()
    assert JITFunction.run is run, "the recorder is still there"
    print(len(launches), sum(recorder.added.values()))
