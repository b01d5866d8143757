# What running the file as a script raises for certain, in functions that the script calls, and launches that
# Triton's launcher refuses.
import triton
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))


@gluon.jit
def copy(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LINE)
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


@gluon.jit
def with_layout(src, dst, layout):
    offs = gl.arange(0, 256, layout=LINE)
    gl.store(dst + offs, gl.load(src + offs))


@triton.autotune(configs=[triton.Config({"BLOCK": 256}), triton.Config({"BLOCK": 512})], key=["n"])
@gluon.jit
def tuned(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LINE)
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


@triton.autotune(configs=[triton.Config({"BLOCK": 256}), triton.Config({"BLOK": 512})], key=["n"])
@gluon.jit
def tuned_by_a_wrong_name(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LINE)
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


@triton.autotune(configs=[triton.Config({"BLOCK": 256})], key=["size"])  # warning: [module-exception]
@gluon.jit
def tuned_by_another_key(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LINE)
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


def misspelt(src, dst):
    cpoy[(4,)](src, dst, src.numel(), BLOCK=256)  # warning: [module-exception]


def uncalled(src, dst):
    also_misspelt(src, dst)  # warning: [module-exception]
    copy[(4,)](src, dst, src.numel(), BLOCK=256)


def grid_of_wrong_name(src, dst):
    tuned[lambda meta: (triton.cdiv(src.numel(), meta["SIZE"]),)](src, dst, src.numel())  # error: [launch-argument]


if __name__ == "__main__":
    x, y = torch.empty(1024, device="cuda"), torch.empty(1024, device="cuda")
    copy[4](x, y, 1024, BLOCK=256)  # error: [launch-argument]
    copy[(1024 / 256,)](x, y, 1024, BLOCK=256)  # error: [launch-argument]
    copy[(4,)](x, y, 1024, BLOCK=256)
    copy[lambda meta: (triton.cdiv(1024, meta["BLOCK"]),)](x, y, 1024, BLOCK=256)
    tuned[(4,)](x, y, 1024)
    grid_of_wrong_name(x, y)

if __name__ == "__main__":
    misspelt(x, y)

if __name__ == "__main__":
    with_layout[(1,)](x, y, LINE)
    with_layout[(1,)](x, y, gl.BlockedLayout([2], [32], [4], [0]))  # error: [launch-argument]

if __name__ == "__main__":
    with_layout[(1,)](x, y, gl.float32)  # error: [launch-argument]

if __name__ == "__main__":
    with_layout[(1,)](x, y, "wide")  # error: [launch-argument]

if __name__ == "__main__":
    tuned[(4,)](x, y, 1024, BLOCK=256)  # error: [launch-argument]

if __name__ == "__main__":
    tuned_by_a_wrong_name[(4,)](x, y, 1024)  # error: [launch-argument]
