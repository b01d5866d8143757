"""Adds two matrices row tile by row tile. While one tile is added, the next is already on its way: two buffers in shared
memory, filled by cp.async, one commit group for each."""
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy

BUFFERS = gl.constexpr(2)


@gluon.jit
def start_copy(a, b, a_buffers, b_buffers, tile, rows, row_stride, offsets, inside, M: gl.constexpr):
    slot = tile % BUFFERS
    where = tile * M * row_stride + offsets
    async_copy.async_load(a_buffers.index(slot), a + where, mask=inside)
    async_copy.async_load(b_buffers.index(slot), b + where, mask=inside)
    async_copy.commit_group()


@gluon.jit
def add_kernel(a, b, out, rows, cols, row_stride, M: gl.constexpr, N: gl.constexpr, dtype: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [1, gl.num_warps()], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[1, 0])
    a_buffers = gl.allocate_shared_memory(dtype, [BUFFERS, M, N], shared)
    b_buffers = gl.allocate_shared_memory(dtype, [BUFFERS, M, N], shared)

    i = gl.arange(0, M, layout=gl.SliceLayout(1, layout))
    j = gl.program_id(0) * N + gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    offsets = i[:, None] * row_stride + j[None, :]
    inside = (i[:, None] < rows) & (j[None, :] < cols)

    tiles = gl.cdiv(rows, M)
    start_copy(a, b, a_buffers, b_buffers, 0, rows, row_stride, offsets, inside, M)
    for tile in range(tiles):
        if tile + 1 < tiles:
            start_copy(a, b, a_buffers, b_buffers, tile + 1, rows, row_stride, offsets, inside, M)
        else:
            async_copy.commit_group()  # an empty group keeps the count of those under way the same
        async_copy.wait_group(1)
        slot = tile % BUFFERS
        total = a_buffers.index(slot).load(layout) + b_buffers.index(slot).load(layout)
        gl.store(out + tile * M * row_stride + offsets, total, mask=inside)


def add(a, b, out, tile=(8, 512), num_warps=4):
    rows, cols = a.shape
    add_kernel[(triton.cdiv(cols, tile[1]), )](a, b, out, rows, cols, a.stride(0), *tile, gl.float32,
                                               num_warps=num_warps)


@pytest.mark.parametrize("rows, cols", [(64, 1024), (256, 2048)])
def test_add(rows, cols):
    a = torch.randn((rows, cols), device="cuda")
    b = torch.randn((rows, cols), device="cuda")
    out = torch.empty_like(a)
    add(a, b, out)
    torch.testing.assert_close(a + b, out)
