# What host code gets wrong, and what is found where no one calls it.
import torch
import triton
from another_library import warps_of
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

FLAT = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))
TILE = gl.NVMMASharedLayout(128, 16, 2)


@gluon.jit
def copy(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=FLAT)
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


@gluon.jit
def scale(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=FLAT)  # error: [not-power-of-two]
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


@gluon.jit
def narrow(src, dst, WARPS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [WARPS], [0])
    offs = gl.arange(0, 256, layout=layout)
    gl.store(dst + offs, gl.load(src + offs))


@gluon.jit
def on_tiles(tiles, dst):
    gl.store(dst, tiles.shape[0])


# How many warps this is launched with is not known, so that no layout is wrong; but the block is.
@gluon.jit
def tuned(src, dst, LAYOUT: gl.constexpr, BLOCK: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=LAYOUT)
    gl.store(dst + offs, gl.load(src + offs))


@gluon.jit
def tuned_oddly(src, dst, LAYOUT: gl.constexpr, BLOCK: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=LAYOUT)  # error: [not-power-of-two]
    gl.store(dst + offs, gl.load(src + offs))


@gluon.jit
def given_an_address(src, n):
    gl.store(src, n)  # error: [not-a-pointer] "this is int64"


# An address may well be meant.
@gluon.jit
def converts_an_address(src, n):
    gl.store(src.to(gl.pointer_type(gl.float16)), n)


# Library functions that nothing here calls: what they launch kernels with is known in part.
def scaled(src):
    dst = torch.empty_like(src)
    scale[(1,)](src, dst, src.numel(), BLOCK=100)
    return dst


def narrowed(src, dst, warps=8):
    narrow[(1,)](src, dst, WARPS=warps, num_warps=warps)


x = torch.empty((256, 256), dtype=torch.float16, device="cuda")
copy[(1,)](x, x, 256, BLOCK=256)
copy[(1,)](x, x, BLOCK=256)  # error: [launch-argument] "fails: it is missing the required argument 'n'"
copy[(1,)](x, x, 256, BLOCK_SIZE=256)  # error: [launch-argument]
copy[(1,)](x, x, 256, 256, num_warp=4)  # error: [launch-argument]
copy(x, x, 256, 256)  # error: [launch-argument]
copy[(1,)](x, x, 256, 256, 4)  # error: [launch-argument] "fails: it passes 5 arguments, but the kernel has 4 parameters"
copy[(1,)](x, x, 256, 256, n=4)  # error: [launch-argument] "fails: it passes the argument 'n' twice"
copy[4](x, x, 256, 256)  # error: [launch-argument] "fails: its grid is of type 'int', but must be a tuple"
copy[()](x, x, 256, 256)  # error: [launch-argument] "fails: its grid is empty, but a grid has one to three numbers"
copy[(1, 1, 1, 4)](x, x, 256, 256)  # warning: [unusual-grid] "after the third"
copy[(-1, )](x, x, 256, 256)  # warning: [unusual-grid] "number 1 of its grid is negative"
copy[(1 << 40, )](x, x, 256, 256)  # error: [launch-argument] "fails: its grid is too large: a number of programs is at most 2147483647"
copy[(1, 70000)](x, x, 256, 256)  # error: [launch-argument] "fails: its grid is too large: only the first number of a grid may exceed 65535, but number 2 is 70000"
copy[(1, )](x, x, 256, 256) + 1  # warning: [module-exception] "'CompiledKernel' and 'int'"
copy[(1, )](x, x, 256, 256).shape  # warning: [module-exception] "a launch returns the compiled kernel"
copy[(1, )](x, x, 256, 256).asm["ptx"]
copy["1"](x, x, 256, 256)  # error: [launch-argument] "fails: its grid has a value of type 'str', but its numbers"
copy[(1,)](x, x, 2**70, 256)  # error: [launch-argument] "too large"
copy[(1,)](x, x, torch.float16, 256)  # error: [launch-argument] "torch.dtype"
given_an_address[(1,)](x.data_ptr(), 256)
converts_an_address[(1,)](x.data_ptr(), 256)

for layout in (gl.BlockedLayout([2], [32], [8], [0]), gl.BlockedLayout([2], [32], [2], [0])):
    tuned[(1,)](x, x, layout, 512, num_warps=warps_of(layout))
    tuned_oddly[(1,)](x, x, layout, 100, num_warps=warps_of(layout))

TensorDescriptor.from_tensor(x, [64, 64], TILE)
TensorDescriptor.from_tensor(x, [64, 64], [64, 16])  # error: [invalid-descriptor]
TensorDescriptor.from_tensor(x, [64, 64], FLAT)  # error: [invalid-descriptor] "Layout must be NVMMASharedLayout"
TensorDescriptor.from_tensor(x, [64], TILE)  # error: [invalid-descriptor]
TensorDescriptor.from_tensor(x, [64, 48], TILE)  # error: [invalid-descriptor]
TensorDescriptor.from_tensor(x, [64, 32], TILE)  # error: [invalid-descriptor]
TensorDescriptor.from_tensor(x[:, 1:], [64, 64], TILE)  # error: [invalid-descriptor]
TensorDescriptor.from_tensor(x.T, [64, 64], TILE)  # error: [invalid-descriptor]
TensorDescriptor.from_tensor(x.to(torch.float32), [64, 64], TILE)  # error: [invalid-descriptor]
try:
    copy[(1,)](x, x, BLOCK=256)
except TypeError:
    pass
copy[(1,)](x, x, 100, 256, grid=(1,))  # error: [launch-argument] "multiple values for keyword argument 'grid'"
copy.run(x, x, 100, 256)  # error: [launch-argument] "missing 2 required keyword-only arguments"
copy.run(x, x, 100, 256, grid=(1,))  # error: [launch-argument] "argument: 'warmup'"
copy.run(x, x, 100, 256, grid=(1,), warmup=False)
copy.warmup(x, x, 100, 256)  # error: [launch-argument] "argument: 'grid'"
copy.warmup(x, x, 100, 256, grid=(1,))
copy[(1,)].run(x, x, 100, 256)  # error: [launch-argument] "no attribute 'run'"
copy[{1}](x, x, 100, 256)  # error: [launch-argument] "fails: its grid is of type 'set', but must be a tuple"


def grid_that_forgets(meta):
    (meta["n"] // 64, )


copy[grid_that_forgets](x, x, 100, 256)  # error: [launch-argument] "its grid is None, but must be a tuple of one to three integers"
copy[lambda: (1, )](x, x, 100, 256)  # error: [launch-argument] "its grid is a function, which is called with one argument"
copy[lambda meta: (100 // (meta["n"] - 100), )](x, x, 100, 256)  # error: [launch-argument] "its grid raises ZeroDivisionError"
copy.warmup(torch.empty(256), x, 100, 256, grid=(0.5,))
autotuned = triton.autotune([triton.Config({"BLOCK": 256})], key=["n"])(copy)
autotuned(x, x, 100)  # error: [launch-argument] "it is called without a grid"
with_rules = triton.heuristics({"BLOCK": lambda args: args["N"] * 2})(copy)  # error: [launch-argument] "its heuristic 'BLOCK' raises KeyError: 'N'"
with_rules[(1, )](x, x, 100)
on_host = TensorDescriptor.from_tensor(torch.empty((256, 256), dtype=torch.float16), [64, 64], TILE)
on_tiles[(1, )](on_host, x)  # warning: [cpu-tensor]


def test_copy():
    y = torch.empty(256, device="cuda")
    copy[(1,)](y, y, 100)  # error: [launch-argument]


if __name__ == "__main__":
    copy[(1,)](x, dst=x, n=100)  # error: [launch-argument]
