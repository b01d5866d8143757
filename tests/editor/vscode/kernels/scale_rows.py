"""Scales the rows of a matrix, each by its own factor."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def scale_rows(src, factors, dst, stride, BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    tall: gl.constexpr = gl.BlockedLayout([4, 1], [32, 1], [1, 4], [0, 1])
    row = gl.arange(0, BLOCK_M, layout=gl.SliceLayout(1, layout))
    column = gl.arange(0, BLOCK_N, layout=gl.SliceLayout(0, layout))
    offsets = row[:, None] * stride + column[None, :]
    tile = gl.load(src + offsets)
    factor = gl.load(factors + row)
    gl.store(dst + offsets, tile * factor[:, None])


def scale(src, factors, dst, block_m, block_n):
    scale_rows[(1, )](src, factors, dst, src.stride(0), block_m, block_n, num_warps=4)


def test_scale():
    for block_n in (128, 256):
        src = torch.randn((64, block_n), device="cuda")
        scale(src, torch.randn(64, device="cuda"), torch.empty_like(src), 64, block_n)
