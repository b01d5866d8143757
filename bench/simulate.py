"""The simulator beside Triton's interpreter, on the same work in one run on one machine.

    PYTHON bench/simulate.py GLUOND [RUNS]

PYTHON has triton 3.9.0 and numpy; no torch, no GPU. Each pair is a Gluon kernel in `gluond run --device cpu` and a plain Triton kernel under
TRITON_INTERPRET=1, over the same inputs; their results are compared. Times are the best of RUNS (3): gluond's is what its simulation took,
without compiling; the interpreter's is that of the launch.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

import numpy as np

os.environ["TRITON_INTERPRET"] = "1"
GLUOND = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "gluond"
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 3


class Storage:
    """The bytes of an array, as far as the interpreter asks a torch tensor for them."""

    def __init__(self, array):
        self.array = array

    def data_ptr(self):
        return self.array.ctypes.data

    def cpu(self):
        return self

    def copy_(self, other):
        pass


class Dtype:

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return "torch." + self.name


DTYPES = {name: Dtype(name) for name in ("float16", "float32")}  # triton remembers them by identity


class Array:
    """A numpy array that the interpreter takes for a torch tensor."""

    def __init__(self, array=None):
        self.array = array

    dtype = property(lambda self: DTYPES[str(self.array.dtype)])

    def data_ptr(self):
        return self.array.ctypes.data

    def untyped_storage(self):
        return Storage(self.array)

    def storage_offset(self):
        return 0

    def size(self):
        return self.array.shape

    def stride(self):
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def new_empty(self, *shape, device=None):
        return Array()

    def set_(self, storage, offset, size, stride):
        self.array = storage.array


torch = types.ModuleType("torch")  # triton asks it for the class of tensors
torch.Tensor = Array
sys.modules["torch"] = torch
import triton  # noqa: E402
import triton.language as tl  # noqa: E402


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=float("-inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + row * n + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def layer_norm(x, w, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)
    d = tl.where(i < n, v - tl.sum(v, 0) / n, 0.0)
    r = 1.0 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    tl.store(out + row * n + i, d * r * tl.load(w + i, mask=i < n), mask=i < n)


@triton.jit
def scale_rows(x, s, out, steps, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    for k in range(steps):
        at = (tl.program_id(0) * steps + k) * BLOCK + i
        tl.store(out + at, tl.load(x + at) * tl.load(s + i))


@triton.jit
def matmul(a, b, c, K, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, K, BK):
        x = tl.load(a + m[:, None] * K + step + k[None, :])
        y = tl.load(b + (step + k)[:, None] * N + n[None, :])
        acc = tl.dot(x, y, acc)
    tl.store(c + m[:, None] * N + n[None, :], acc)


GLUON = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import mma_v2


@gluon.jit
def add(x, y, out, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([4], [32], [4], [0]))
    gl.store(out + i, gl.load(x + i, mask=i < n) + gl.load(y + i, mask=i < n), mask=i < n)


@gluon.jit
def softmax(x, out, n, BLOCK: gl.constexpr):
    row = gl.program_id(0)
    i = gl.arange(0, BLOCK, gl.BlockedLayout([4], [32], [4], [0]))
    v = gl.load(x + row * n + i, mask=i < n, other=float("-inf"))
    e = gl.exp(v - gl.max(v, 0))
    gl.store(out + row * n + i, e / gl.sum(e, 0), mask=i < n)


@gluon.jit
def layer_norm(x, w, out, n, BLOCK: gl.constexpr):
    row = gl.program_id(0)
    i = gl.arange(0, BLOCK, gl.BlockedLayout([4], [32], [4], [0]))
    v = gl.load(x + row * n + i, mask=i < n, other=0.0)
    d = gl.where(i < n, v - gl.sum(v, 0) / n, 0.0)
    r = 1.0 / gl.sqrt(gl.sum(d * d, 0) / n + 1e-5)
    gl.store(out + row * n + i, d * r * gl.load(w + i, mask=i < n), mask=i < n)


@gluon.jit
def scale_rows(x, s, out, steps, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([4], [32], [4], [0]))
    for k in range(steps):
        at = (gl.program_id(0) * steps + k) * BLOCK + i
        gl.store(out + at, gl.load(x + at) * gl.load(s + i))


@gluon.jit
def matmul(a, b, c, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    M: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    A: gl.constexpr = gl.DotOperandLayout(0, M, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, M, 2)
    m = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    n = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, L))
    k = gl.arange(0, BK, gl.SliceLayout(0, L))
    kk = gl.arange(0, BK, gl.SliceLayout(1, L))
    acc = gl.zeros((BM, BN), gl.float32, M)
    for step in range(0, K, BK):
        x = gl.load(a + m[:, None] * K + step + k[None, :])
        y = gl.load(b + (step + kk)[:, None] * N + n[None, :])
        acc = mma_v2(gl.convert_layout(x, A), gl.convert_layout(y, B), acc)
    gl.store(c + m[:, None] * N + n[None, :], gl.convert_layout(acc, L))


def f32(*shape):
    return torch.empty(shape, device="cuda")


add[(256, )](f32(1 << 18), f32(1 << 18), f32(1 << 18), 1 << 18, 1024)
softmax[(256, )](f32(256, 1000), f32(256, 1000), 1000, 1024)
layer_norm[(256, )](f32(256, 1000), f32(1000), f32(256, 1000), 1000, 1024)
scale_rows[(16, )](f32(16 * 64 * 128), f32(128), f32(16 * 64 * 128), 64, 128)
h = lambda: torch.empty((512, 512), device="cuda", dtype=torch.float16)
matmul[(8, 8)](h(), h(), f32(512, 512), 512, 512, 64, 64, 32)
"""

random = np.random.default_rng(0)


def f32(*shape):
    return random.standard_normal(shape).astype(np.float32)


def f16(*shape):
    return random.standard_normal(shape).astype(np.float16)


# kernel, grid, arrays by name (the last one is the result), the rest of the arguments
CASES = [
    (add, (256, ), {"x": f32(1 << 18), "y": f32(1 << 18), "out": np.zeros(1 << 18, np.float32)}, (1 << 18, 1024)),
    (softmax, (256, ), {"x": f32(256, 1000), "out": np.zeros((256, 1000), np.float32)}, (1000, 1024)),
    (layer_norm, (256, ), {"x": f32(256, 1000), "w": f32(1000), "out": np.zeros((256, 1000), np.float32)}, (1000, 1024)),
    (scale_rows, (16, ), {"x": f32(16 * 64 * 128), "s": f32(128), "out": np.zeros(16 * 64 * 128, np.float32)}, (64, 128)),
    (matmul, (8, 8), {"a": f16(512, 512), "b": f16(512, 512), "c": np.zeros((512, 512), np.float32)}, (512, 512, 64, 64, 32)),
]


def interpreted(kernel, grid, arrays, rest):
    best = float("inf")
    for _ in range(RUNS):
        start = time.perf_counter()
        kernel[grid](*map(Array, arrays.values()), *rest)
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def simulated(folder, name, arrays, result):
    command = [GLUOND, "run", folder / "kernels.py", "--kernel", name, "--device", "cpu", "--format", "json", "--target", "cuda:90"]
    for argument, array in arrays.items():
        np.save(folder / f"{argument}.npy", array if argument != result else np.zeros_like(array))
        command += ["--arg", f"{argument}={folder / argument}.npy"]
    np.save(folder / "expected.npy", arrays[result])
    command += ["--reference", f"{result}={folder / 'expected.npy'}", "--absolute", "0.01", "--relative", "0.01"]
    best = float("inf")
    for _ in range(RUNS):
        done = subprocess.run(list(map(str, command)), capture_output=True, env={**os.environ, "GLUOND_RUNNER": "exec /nowhere/gluond-runner"})
        report = json.loads(done.stdout)
        if not report["comparisons"][0]["isEqual"]:
            sys.exit(f"{name}: the results differ: {report['comparisons']}")
        best = min(best, report["microseconds"] / 1e3)
    return best


def main():
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        (folder / "kernels.py").write_text(GLUON)
        print(f"{'kernel':12} {'interpreter':>12} {'simulator':>12} {'times':>8}")
        for kernel, grid, arrays, rest in CASES:
            name = kernel.fn.__name__
            slow = interpreted(kernel, grid, arrays, rest)
            fast = simulated(folder, name, arrays, list(arrays)[-1])
            print(f"{name:12} {slow:9.1f} ms {fast:9.2f} ms {slow / fast:8.0f}", flush=True)


if __name__ == "__main__":
    main()
