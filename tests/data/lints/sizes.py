"""Accesses without a mask, of launches whose sizes are known: those that stay inside need none."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))


@gluon.jit
def whole_blocks(src, dst, rows, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at) * 2.0)


@gluon.jit
def beyond_the_end(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    x = gl.load(src + at)  # warning: [missing-mask]
    gl.store(dst + at, x * 2.0)  # warning: [missing-mask]


@gluon.jit
def padded_output(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n, other=0.0))


@gluon.jit
def output_that_is_not_padded(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n, other=0.0))  # warning: [missing-mask]


@gluon.jit
def half_of_each_row(src, dst, stride, length, HALF: gl.constexpr):
    at = gl.program_id(0) * stride + gl.arange(0, HALF, LINE)
    gl.store(dst + at, gl.load(src + at + HALF))


@gluon.jit
def row_too_many(src, dst, stride, BLOCK: gl.constexpr):
    at = gl.program_id(1) * stride + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at + stride))  # warning: [missing-mask]


@gluon.jit
def perhaps_beyond(src, dst, last, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    if gl.program_id(0) < last:
        gl.store(dst + at, gl.load(src + at))


@gluon.jit
def blocks_of_a_row(src, dst, n, columns, BLOCK: gl.constexpr):
    row = gl.program_id(0)
    total = gl.full([BLOCK], 0.0, gl.float32, LINE)
    for start in range(0, columns, BLOCK):
        total += gl.load(src + row * columns + start + gl.arange(0, BLOCK, LINE))
    gl.store(dst + row * BLOCK + gl.arange(0, BLOCK, LINE), total, mask=gl.arange(0, BLOCK, LINE) < n)


@gluon.jit
def rounded_down(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)  # warning: [uncovered-end] "index 3071, but the bound of the mask is 4000: this store never reaches the last 928"


@gluon.jit
def block_under_the_row(src, dst, columns, BLOCK: gl.constexpr):
    at = gl.arange(0, BLOCK, LINE)
    inside = columns > at
    x = gl.load(src + gl.program_id(0) * columns + at, mask=inside)
    gl.store(dst + gl.program_id(0) * columns + at, x, mask=inside)  # warning: [uncovered-end]


@gluon.jit
def sums_of_half_rows(src, dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))
    c = gl.arange(0, WIDE, gl.SliceLayout(0, TILE))
    x = gl.load(src + r[:, None] * columns + c[None, :], mask=(r < rows)[:, None] & (c < columns)[None, :], other=0.0)  # warning: [uncovered-end] "this load never reaches the last 136"
    gl.store(dst + r, gl.sum(x, 1), mask=r < rows)


@gluon.jit
def sums_of_first_columns(src, dst, rows, columns, stride, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))
    c = gl.arange(0, WIDE, gl.SliceLayout(0, TILE))
    x = gl.load(src + r[:, None] * stride + c[None, :], mask=(r < rows)[:, None] & (c < columns)[None, :], other=0.0)
    gl.store(dst + r, gl.sum(x, 1), mask=r < rows)


@gluon.jit
def sums_of_rows(src, dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))
    total = gl.zeros([TALL], gl.float32, gl.SliceLayout(1, TILE))
    for start in range(0, columns, WIDE):
        c = start + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))
        total += gl.sum(gl.load(src + r[:, None] * columns + c[None, :], mask=(r < rows)[:, None] & (c < columns)[None, :], other=0.0), 1)
    gl.store(dst + r, total, mask=r < rows)


@gluon.jit
def row_in_two_parts(src, dst, columns, BLOCK: gl.constexpr):
    base = gl.program_id(0) * columns
    at = gl.arange(0, BLOCK, LINE)
    gl.store(dst + base + at, gl.load(src + base + at, mask=at < columns), mask=at < columns)
    gl.store(dst + base + BLOCK + at, gl.load(src + base + BLOCK + at, mask=BLOCK + at < columns), mask=BLOCK + at < columns)


@gluon.jit
def parts_of_a_row(src, dst, columns, BLOCK: gl.constexpr):
    at = gl.arange(0, BLOCK, LINE)
    total = gl.full([BLOCK], 0.0, gl.float32, LINE)
    for start in range(0, columns, BLOCK):
        total += gl.load(src + start + at, mask=start + at < columns, other=0.0)
    gl.store(dst + at, total, mask=at < columns)


@gluon.jit
def blocks_in_turn(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    for i in range(2):
        gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)
        at += gl.num_programs(0) * BLOCK
    gl.store(dst + at, 0.0, mask=at < n)


@gluon.jit
def first_blocks(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)


@gluon.jit
def tiles(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))[:, None]
    c = gl.program_id(1) * WIDE + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))[None, :]
    gl.store(dst + r * columns + c, 1.0, mask=(r < rows) & (c < columns))


@gluon.jit
def tiles_of_swapped_axes(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(1) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))[:, None]
    c = gl.program_id(0) * WIDE + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))[None, :]
    gl.store(dst + r * columns + c, 1.0, mask=~(r >= rows) & (c < columns))  # warning: [uncovered-end] "index 31, but the bound of the mask is 100: this store never reaches the last 68"


@gluon.jit
def rounded_down_and_negated(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    x = gl.load(src + at - 1, mask=(at >= 1) & (at - 1 < n), other=0.0)
    gl.store(dst + at, x, mask=~((at >= n) | (at < 1)))  # warning: [uncovered-end] "the last 928"


@gluon.jit
def tiles_of_some_rows(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))[:, None]
    c = gl.program_id(1) * WIDE + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))[None, :]
    gl.store(dst + r * columns + c, 1.0, mask=(r < rows) & (c < columns))


@gluon.jit
def blocks_of_half_the_size(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)  # warning: [uncovered-end] "never reaches the last 2048; the grid is computed for blocks of 1024, but this one has 512"


@gluon.jit
def blocks_of_a_quarter(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)  # warning: [uncovered-end] "computed for blocks of 1024, but this one has 256"


@gluon.jit
def two_blocks_each(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * (2 * BLOCK) + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)
    gl.store(dst + at + BLOCK, gl.load(src + at + BLOCK, mask=at + BLOCK < n), mask=at + BLOCK < n)


@gluon.jit
def first_half(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)


@gluon.jit
def tiles_without_columns(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))[:, None]
    c = gl.program_id(1) * WIDE + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))[None, :]
    gl.store(dst + r * columns + c, 1.0, mask=(r < rows) & (c < columns))  # warning: [uncovered-end] "its index needs program_id(1), but the grid has only one number"


@gluon.jit
def columns_of_the_first_block(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))[:, None]
    c = gl.arange(0, WIDE, gl.SliceLayout(0, TILE))[None, :]
    gl.store(dst + r * columns + c, 1.0, mask=(r < rows) & (c < columns))  # warning: [uncovered-end] "the index is the same in all programs"


@gluon.jit
def diagonal_tiles(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))[:, None]
    c = gl.program_id(0) * WIDE + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))[None, :]
    gl.store(dst + r * columns + c, 1.0, mask=(r < rows) & (c < columns))  # warning: [unusual-grid] "4 programs along axis 1, which all do the same"


@gluon.jit
def first_of(BLOCK: gl.constexpr):
    return gl.program_id(0) * BLOCK


@gluon.jit
def ids_in_a_function(dst, n, BLOCK: gl.constexpr):
    gl.store(dst + first_of(BLOCK) + gl.arange(0, BLOCK, LINE), 1.0)  # warning: [unusual-grid] "4 programs along axis 1, which all do the same"


@gluon.jit
def numbers_that_are_drawn(dst, counter, n, BLOCK: gl.constexpr):
    at = gl.atomic_add(counter + gl.program_id(0), 1) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, 1.0, mask=at < n)


@gluon.jit
def one_too_many(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    x = gl.load(src + at, mask=at <= n)  # warning: [wide-mask] "lets index 4000 through, but the tensor of this launch has 4000 elements"
    gl.store(dst + at, x, mask=at < n)


@gluon.jit
def one_too_many_to_store(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=n >= at)  # warning: [wide-mask]


@gluon.jit
def tiles_one_too_many(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))
    c = gl.program_id(1) * WIDE + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))
    inside = (r <= rows)[:, None] & (c <= columns)[None, :]
    gl.store(dst + r[:, None] * columns + c[None, :], 1.0, mask=inside)  # warning: [wide-mask]


@gluon.jit
def tiles_with_a_mask_of_rows(dst, rows, columns, TALL: gl.constexpr, WIDE: gl.constexpr):
    r = gl.program_id(0) * TALL + gl.arange(0, TALL, gl.SliceLayout(1, TILE))
    c = gl.program_id(1) * WIDE + gl.arange(0, WIDE, gl.SliceLayout(0, TILE))
    gl.store(dst + r[:, None] * columns + c[None, :], 1.0, mask=(r < rows)[:, None])  # warning: [wide-mask]


@gluon.jit
def up_to_the_last(src, dst, last, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at <= last), mask=at <= last)


@gluon.jit
def shifted(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at + 1, mask=at + 1 < n, other=0.0), mask=at < n)


@gluon.jit
def of_other_values(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    x = gl.load(src + at, mask=at < n, other=0.0)
    gl.store(dst + at, x, mask=(at <= n) & (x > 0.0))


@gluon.jit
def two_jobs(src, dst, n, jobs, BLOCK: gl.constexpr):  # the first programs copy, the others do something else
    pid = gl.program_id(0)
    if pid >= jobs:
        at = (pid - jobs) * BLOCK + gl.arange(0, BLOCK, LINE)
        gl.store(dst + at, 0.0, mask=at < n)
        return
    at = pid * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < 8192), mask=at < 8192)


def run():
    full, odd = torch.empty(4096, device="cuda"), torch.empty(4000, device="cuda")
    matrix = torch.empty(64, 1024, device="cuda")
    whole_blocks[(4, )](full, torch.empty_like(full), 64, 1024)
    beyond_the_end[(4, )](odd, torch.empty_like(odd), 4000, 1024)
    padded_output[(4, )](odd, full, 4000, 1024)
    output_that_is_not_padded[(4, )](odd, torch.empty_like(odd), 4000, 1024)
    half_of_each_row[(64, )](matrix, torch.empty_like(matrix), matrix.stride(0), 5, 512)
    row_too_many[(1, 64)](matrix, torch.empty_like(matrix), matrix.stride(0), 1024)
    perhaps_beyond[(4, )](odd, torch.empty_like(odd), 3, 1024)
    blocks_of_a_row[(64, )](matrix, torch.empty(64, 512, device="cuda"), 300, 1024, 512)
    rounded_down[(4000 // 1024, )](odd, torch.empty_like(odd), 4000, 1024)
    block_under_the_row[(64, )](matrix, torch.empty_like(matrix), 1000, 512)
    image = torch.empty(100, 200, device="cuda")
    sums = torch.empty(100, device="cuda")
    sums_of_half_rows[(triton.cdiv(100, 16), )](image, sums, 100, 200, 16, 64)
    sums_of_first_columns[(triton.cdiv(100, 16), )](image, sums, 100, 80, image.stride(0), 16, 64)
    sums_of_rows[(triton.cdiv(100, 16), )](image, sums, 100, 200, 16, 64)
    row_in_two_parts[(64, )](matrix, torch.empty_like(matrix), 1000, 512)
    parts_of_a_row[(1, )](matrix, full, 1000, 512)
    blocks_in_turn[(1, )](full, torch.empty_like(full), 4000, 1024)
    first_blocks[(2, )](full, torch.empty_like(full), 4096, 1024)  # the others are meant to be left
    image = torch.empty(100, 200, device="cuda")
    grid = (triton.cdiv(100, 16), triton.cdiv(200, 64))
    tiles[grid](image, 100, 200, 16, 64)
    tiles_of_swapped_axes[(triton.cdiv(200, 16), triton.cdiv(100, 64))](image, 100, 200, 16, 64)
    rounded_down_and_negated[(4000 // 1024, )](odd, torch.empty_like(odd), 4000, 1024)
    tiles_of_some_rows[(2, triton.cdiv(200, 64))](image, 100, 200, 16, 64)  # the other rows are meant to be left
    n = full.numel()
    blocks_of_half_the_size[(triton.cdiv(n, 1024), )](full, torch.empty_like(full), n, 512)
    blocks = lambda meta: (-(-n // 1024), )
    blocks_of_a_quarter[blocks](full, torch.empty_like(full), n, BLOCK=256)
    two_blocks_each[(triton.cdiv(n, 1024), )](full, torch.empty_like(full), n, 512)
    half = n // 2
    first_half[(triton.cdiv(half, 1024), )](full, torch.empty_like(full), n, 1024)  # another launch does the rest
    tiles_without_columns[(triton.cdiv(100, 16), )](image, 100, 200, 16, 64)
    columns_of_the_first_block[(triton.cdiv(100, 16), )](image, 100, 200, 16, 64)
    diagonal_tiles[(7, 4)](image, 100, 200, 16, 64)
    ids_in_a_function[(2, 4)](torch.empty(512, device="cuda"), 512, 256)
    numbers_that_are_drawn[(1, 8)](full, torch.empty(8, dtype=torch.int32, device="cuda"), 4096, 512)
    one_too_many[(4, )](odd, torch.empty_like(odd), 4000, 1024)
    one_too_many_to_store[(4, )](odd, torch.empty_like(odd), 4000, 1024)
    tiles_one_too_many[grid](image, 100, 200, 16, 64)
    tiles_with_a_mask_of_rows[grid](image, 100, 200, 16, 64)
    up_to_the_last[(4, )](odd, torch.empty_like(odd), 3999, 1024)
    shifted[(4, )](odd, torch.empty_like(odd), 4000, 1024)
    of_other_values[(4, )](odd, torch.empty_like(odd), 4000, 1024)
    two_jobs[(8, )](odd, torch.empty_like(odd), 4000, 2, 1024)


run()
