"""A function that launches a kernel, and what it passes."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def moved(src, dst, rows, cols, sr, sc, dr, dc, BLOCK: gl.constexpr):
    i = gl.program_id(0)
    j = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    value = gl.load(src + i * sr + j * sc, mask=(i < rows) & (j < cols))
    gl.store(dst + i * dr + j * dc, value, mask=(i < rows) & (j < cols))


def move(x, width=256):
    rows, cols = x.shape
    out = torch.empty((cols, rows), device="cuda").T
    moved[(rows,)](x, out, rows, cols, *x.stride(), *out.stride(), BLOCK=width)
    half = torch.empty((rows, width), device="cuda")
    moved[(rows,)](x, half, rows, cols, x.stride(0), x.stride(1), half.stride(0), half.stride(1), BLOCK=width)


move(torch.empty((33, 200), device="cuda"))
