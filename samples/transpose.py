"""Input and output in different layouts. Reading wants rows, writing wants columns: `convert_layout` moves the tile from
the one to the other through shared memory, once, instead of making one of the two accesses ten times slower."""
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def offsets_2d(row_start, col_start, row_stride, col_stride, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    rows = row_start + gl.arange(0, M, layout=gl.SliceLayout(1, layout))
    cols = col_start + gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    return rows[:, None] * row_stride + cols[None, :] * col_stride, rows, cols


@gluon.jit
def transpose_kernel(src, dst, rows, cols, src_stride, dst_stride, M: gl.constexpr, N: gl.constexpr):
    gl.static_assert(M * N >= 32 * gl.num_warps(), "a tile holds at least one element a thread")
    read: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    write: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    top = gl.program_id(0) * M
    left = gl.program_id(1) * N

    where, i, j = offsets_2d(top, left, src_stride, 1, M, N, read)
    tile = gl.load(src + where, mask=(i[:, None] < rows) & (j[None, :] < cols), other=0)

    tile = gl.convert_layout(tile, write)
    where, i, j = offsets_2d(top, left, 1, dst_stride, M, N, write)
    gl.store(dst + where, tile, mask=(i[:, None] < rows) & (j[None, :] < cols))


def transpose(src, dst, tile=(32, 64), num_warps=4):
    rows, cols = src.shape
    grid = (triton.cdiv(rows, tile[0]), triton.cdiv(cols, tile[1]))
    transpose_kernel[grid](src, dst, rows, cols, src.stride(0), dst.stride(0), *tile, num_warps=num_warps)


@pytest.mark.parametrize("rows, cols", [(64, 64), (100, 333)])
@pytest.mark.parametrize("dtype", [torch.float16, torch.int32])
def test_transpose(rows, cols, dtype):
    src = torch.ones((rows, cols), device="cuda").to(dtype)
    dst = torch.empty((cols, rows), device="cuda", dtype=dtype)
    transpose(src, dst)
    torch.testing.assert_close(src.T, dst)
