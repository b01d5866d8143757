"""Reads a matrix by rows, keeps it in shared memory, writes it by columns."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def tiles(src, dst, stride, M: gl.constexpr, N: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    columns: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    i = gl.arange(0, M, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, N, layout=gl.SliceLayout(0, rows))
    where = i[:, None] * stride + j[None, :]
    tile = gl.load(src + where)
    smem = gl.allocate_shared_memory(gl.float32, [M, N], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    smem.store(gl.convert_layout(tile, columns))
    tile = smem.load(rows)
    factor = i * 2
    gl.store(dst + where, tile * factor[:, None])


def launch(src, dst, n):
    tiles[(1, )](src, dst, src.stride(0), 32, n, num_warps=4)


def test_tiles():
    for n in (32, 64):
        src = torch.randn((32, n), device="cuda")
        launch(src, torch.empty_like(src), n)
