"""Every n-th element. With a stride of 1 the compiler sees contiguous addresses and loads 16 bytes a thread; with any
other it loads one element at a time. The stride is a launch argument: two launches, two specializations."""
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def strided_copy_kernel(src, dst, count, stride, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([BLOCK // (32 * gl.num_warps())], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = index < count
    value = gl.load(src + index * stride, mask=inside)
    gl.store(dst + index, value, mask=inside)


def strided_copy(src, dst, block=1024, num_warps=4):
    grid = (triton.cdiv(dst.numel(), block), )
    strided_copy_kernel[grid](src, dst, dst.numel(), src.stride(0), block, num_warps=num_warps)


@pytest.mark.parametrize("stride", [1, 2, 16])
def test_strided_copy(stride):
    src = torch.randn(4096 * stride, device="cuda")[::stride]
    dst = torch.empty(4096, device="cuda")
    strided_copy(src, dst)
    torch.testing.assert_close(src, dst)
