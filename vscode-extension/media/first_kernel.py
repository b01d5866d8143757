"""A one-dimensional copy, with the layout as a parameter.

The layout decides how many neighbouring elements one thread moves at once: hover `offsets` to see it, and open the
layout map to see which thread owns which element."""
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy_1d(src, dst, count, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    inside = offsets < count
    values = gl.load(src + offsets, mask=inside, other=0.0)
    gl.store(dst + offsets, values, mask=inside)


@triton.autotune(
    configs=[triton.Config({"BLOCK": 512 * warps, "PER_THREAD": 4}, num_warps=warps) for warps in (1, 4, 8)],
    key=["count"],
)
@gluon.jit
def copy_1d_tuned(src, dst, count, BLOCK: gl.constexpr, PER_THREAD: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([PER_THREAD], [32], [gl.num_warps()], [0])
    copy_1d(src, dst, count, BLOCK, layout)


def copy(src, dst, per_thread, block=2048, num_warps=4):
    layout = gl.BlockedLayout([per_thread], [32], [num_warps], [0])
    grid = (triton.cdiv(src.numel(), block), )
    copy_1d[grid](src, dst, src.numel(), block, layout, num_warps=num_warps)


def copy_tuned(src, dst):
    grid = lambda meta: (triton.cdiv(src.numel(), meta["BLOCK"]), )
    copy_1d_tuned[grid](src, dst, src.numel())


@pytest.mark.parametrize("per_thread", [1, 2, 4, 8])
@pytest.mark.parametrize("count", [1000, 1 << 20])
def test_copy(per_thread, count):
    src = torch.randn(count, device="cuda")
    dst = torch.empty_like(src)
    copy(src, dst, per_thread)
    torch.testing.assert_close(src, dst)


def test_copy_tuned():
    src = torch.randn(1 << 16, device="cuda", dtype=torch.bfloat16)
    dst = torch.empty_like(src)
    copy_tuned(src, dst)
    torch.testing.assert_close(src, dst)
