"""Pointers that a loop moves: what a launch's tensors have, they may be read from."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

TILE = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))


@gluon.jit
def sum_of_blocks(a, c, M, K, BM: gl.constexpr, BK: gl.constexpr):
    m = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, TILE))
    k = gl.arange(0, BK, gl.SliceLayout(0, TILE))
    offsets = m[:, None] * K + k[None, :]
    total = gl.load(a + offsets)
    for i in range(BK, K, BK):
        a += BK
        total += gl.load(a + offsets)
    gl.store(c + m[:, None] * BK + k[None, :], total, mask=m[:, None] < M)


@gluon.jit
def sum_of_rows_that_end(a, c, M, K, BM: gl.constexpr, BK: gl.constexpr):
    m = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, TILE))
    k = gl.arange(0, BK, gl.SliceLayout(0, TILE))
    offsets = m[:, None] * K + k[None, :]
    total = gl.zeros([BM, BK], gl.float32, TILE)
    for i in range(0, K, BK):
        total += gl.load(a + offsets)  # warning: [missing-mask]
        a += BK
    gl.store(c + m[:, None] * BK + k[None, :], total, mask=m[:, None] < M)


sum_of_blocks[(4, )](torch.empty((512, 512), device="cuda"), torch.empty((512, 32), device="cuda"), 512, 512, 128, 32)
sum_of_rows_that_end[(4, )](torch.empty((500, 512), device="cuda"), torch.empty((500, 32), device="cuda"), 500, 512, 128, 32)
