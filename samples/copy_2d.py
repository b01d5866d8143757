"""A two-dimensional copy. The order of the layout against the strides of the tensor decides the speed: neighbouring
lanes should touch neighbouring addresses, so the fast-moving dimension of the layout must be the one of stride 1."""
import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.constexpr_function
def row_major_layout(num_warps, per_thread=4):
    return gl.BlockedLayout([1, per_thread], [1, 32], [num_warps, 1], [1, 0])


@gluon.constexpr_function
def column_major_layout(num_warps, per_thread=4):
    return gl.BlockedLayout([per_thread, 1], [32, 1], [1, num_warps], [0, 1])


@gluon.jit
def tile_indices(length, BLOCK: gl.constexpr, axis: gl.constexpr, other: gl.constexpr, layout: gl.constexpr):
    index = gl.program_id(axis) * BLOCK + gl.arange(0, BLOCK, layout=gl.SliceLayout(other, layout))
    return index, index < length


@gluon.jit
def copy_2d(src, dst, rows, cols, src_row, src_col, dst_row, dst_col,  #
            BLOCK_M: gl.constexpr, BLOCK_N: gl.constexpr, BY_ROWS: gl.constexpr):
    if BY_ROWS:
        layout: gl.constexpr = row_major_layout(gl.num_warps())
    else:
        layout: gl.constexpr = column_major_layout(gl.num_warps())
    i, i_inside = tile_indices(rows, BLOCK_M, 0, 1, layout)
    j, j_inside = tile_indices(cols, BLOCK_N, 1, 0, layout)
    inside = i_inside[:, None] & j_inside[None, :]
    tile = gl.load(src + i[:, None] * src_row + j[None, :] * src_col, mask=inside)
    gl.store(dst + i[:, None] * dst_row + j[None, :] * dst_col, tile, mask=inside)


def copy(src, dst, by_rows, block=(64, 128), num_warps=4):
    rows, cols = src.shape
    grid = (triton.cdiv(rows, block[0]), triton.cdiv(cols, block[1]))
    copy_2d[grid](src, dst, rows, cols, *src.stride(), *dst.stride(), *block, by_rows, num_warps=num_warps)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("shape", [(100, 200), (512, 1024)])
def test_copy(shape, transposed):
    src = torch.randn(shape, device="cuda")
    if transposed:
        src = src.T
    dst = torch.empty_like(src)
    copy(src, dst, by_rows=not transposed)
    torch.testing.assert_close(src, dst)
