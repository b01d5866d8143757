"""Configurations that an autotuner leaves out, because they fail an assertion or need more than the chip has, are no mistakes; if none is left, the launch fails."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

BLOCKS = [triton.Config({"BLOCK": block}, num_warps=warps) for block in (64, 1024, 65536) for warps in (4, 8)]
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@triton.autotune(BLOCKS, key=["n"])
@gluon.jit
def asserted(p, n, BLOCK: gl.constexpr):
    gl.static_assert(BLOCK <= 4096, "the block is too large")
    gl.static_assert(BLOCK >= 32 * gl.num_warps())
    layout: gl.constexpr = gl.BlockedLayout([BLOCK // (32 * gl.num_warps())], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    gl.store(p + i, gl.load(p + i, mask=i < n), mask=i < n)


@triton.autotune(BLOCKS, key=["n"])
@gluon.jit
def shared(p, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    buffer = gl.allocate_shared_memory(gl.float32, [BLOCK * 2], SHARED)
    buffer.slice(0, BLOCK).store(gl.load(p + i, mask=i < n))
    gl.store(p + i, buffer.slice(0, BLOCK).load(layout), mask=i < n)


@triton.autotune(BLOCKS, key=["n"])
@gluon.jit
def none_fits(p, n, BLOCK: gl.constexpr):
    gl.static_assert(BLOCK < 64)  # error: [static-assert]
    layout: gl.constexpr = gl.BlockedLayout([BLOCK // 128], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    gl.store(p + i, i, mask=i < n)


# An autotuner of one configuration tries nothing.
@triton.autotune([triton.Config({"BLOCK": 64})], key=["n"])
@gluon.jit
def no_choice(p, n, BLOCK: gl.constexpr):
    gl.static_assert(BLOCK > 64)  # error: [static-assert]
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p + i, i, mask=i < n)


# Other mistakes are those of every configuration.
@triton.autotune(BLOCKS, key=["n"])
@gluon.jit
def misspelt(p, n, BLOCK: gl.constexpr):
    gl.static_assert(BLOCK <= 4096)
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [gl.num_warps()], [0]))
    gl.store(p + i, i, maks=i < n)  # error: [unexpected-keyword]


x = torch.empty(1 << 20, dtype=torch.float32, device="cuda")
asserted[(16, )](x, 1 << 20)
shared[(16, )](x, 1 << 20)
none_fits[(16, )](x, 1 << 20)
no_choice[(16, )](x, 1 << 20)
misspelt[(16, )](x, 1 << 20)
