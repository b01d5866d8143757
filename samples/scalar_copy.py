"""The smallest kernel: one program copies one number, then one program copies a range of them in a loop."""
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy_one(src, dst):
    gl.store(dst, gl.load(src))


@gluon.jit
def copy_range(src, dst, count, CHUNK: gl.constexpr):
    first = gl.program_id(0) * CHUNK
    last = min(first + CHUNK, count)
    for i in range(first, last):
        gl.store(dst + i, gl.load(src + i))


def scalar_copy(src, dst):
    copy_one[(1, )](src, dst, num_warps=1)


def range_copy(src, dst, chunk=128):
    count = src.numel()
    copy_range[(triton.cdiv(count, chunk), )](src, dst, count, chunk, num_warps=1)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_scalar_copy(dtype):
    src = torch.ones(1, device="cuda", dtype=dtype)
    dst = torch.empty_like(src)
    scalar_copy(src, dst)
    torch.testing.assert_close(src, dst)


@pytest.mark.parametrize("count", [1000, 4096])
def test_range_copy(count):
    src = torch.randn(count, device="cuda")
    dst = torch.empty_like(src)
    range_copy(src, dst)
    torch.testing.assert_close(src, dst)
