"""Slow accesses to global memory as people write them, each beside the fast way."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy

BY_ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0]))
BY_COLUMNS = gl.constexpr(gl.BlockedLayout([4, 1], [16, 2], [1, 4], [0, 1]))
LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def tile(rows: gl.constexpr, cols: gl.constexpr, step_row, step_col, layout: gl.constexpr):
    r = gl.arange(0, rows, layout=gl.SliceLayout(1, layout))
    c = gl.arange(0, cols, layout=gl.SliceLayout(0, layout))
    return gl.expand_dims(r, 1) * step_row + gl.expand_dims(c, 0) * step_col


# ---------------------------------------------------------------- coalescing


# gluond: launch(src="*fp32:16", dst="*fp32:16", ld="i32:16")
@gluon.jit
def helper_with_the_wrong_order(src, dst, ld):
    offs = tile(64, 64, ld, 1, BY_COLUMNS)
    x = gl.load(src + offs)  # warning: [uncoalesced]
    gl.store(dst + offs, gl.exp(x))  # warning: [uncoalesced]


# gluond: launch(src="*fp32:16", dst="*fp32:16", ld="i32:16")
@gluon.jit
def helper_with_the_right_order(src, dst, ld):
    offs = tile(64, 64, ld, 1, BY_ROWS)
    gl.store(dst + offs, gl.exp(gl.load(src + offs)))


# gluond: launch(src="*fp32:16", dst="*fp32:16", ld="i32:16")
@gluon.jit
def column_major_read_by_rows(src, dst, ld):
    x = gl.load(src + tile(64, 64, 1, ld, BY_ROWS))  # warning: [uncoalesced]
    gl.store(dst + tile(64, 64, ld, 1, BY_ROWS), x)


# gluond: launch(src="*fp32:16", dst="*fp32:16", ld="i32:16")
@gluon.jit
def column_major_read_by_columns(src, dst, ld):
    x = gl.load(src + tile(64, 64, 1, ld, BY_COLUMNS))
    gl.store(dst + tile(64, 64, ld, 1, BY_ROWS), gl.convert_layout(x, BY_ROWS))


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32:16")
@gluon.jit
def thirty_two_elements_each(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([32], [32], [4], [0])
    for start in range(0, n, 4096):
        offs = start + gl.arange(0, 4096, layout)
        x = gl.load(src + offs, mask=offs < n)  # warning: [uncoalesced]
        gl.store(dst + offs, x, mask=offs < n)  # warning: [uncoalesced]


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32:16")
@gluon.jit
def eight_elements_each(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    for start in range(0, n, 4096):
        offs = start + gl.arange(0, 4096, layout)
        gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


@gluon.jit
def strip(src, dst, ld_src, ld_dst, rows: gl.constexpr, cols: gl.constexpr, layout: gl.constexpr):
    x = gl.load(src + tile(rows, cols, 1, ld_src, layout))  # hint: [uncoalesced]
    gl.store(dst + tile(rows, cols, ld_dst, 1, layout), x)


# gluond: launch(src="*fp32:16", dst="*fp32:16", ld="i32:16")
@gluon.jit
def rows_of_a_column_major_matrix(src, dst, ld):
    strip(src, dst, ld, ld, 1, 2048, gl.BlockedLayout([1, 1], [1, 32], [1, 4], [1, 0]))


# gluond: launch(src="*fp32:16", dst="*fp32:16", ld="i32:16")
@gluon.jit
def columns_of_a_column_major_matrix(src, dst, ld):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1])
    offs = tile(2048, 1, 1, ld, layout)
    gl.store(dst + offs, gl.load(src + offs))


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def one_column_of_a_matrix(src, dst):
    offs = gl.arange(0, 512, LINE)
    gl.store(dst + offs, gl.load(src + offs * 1024))  # hint: [uncoalesced]


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def one_row_of_a_matrix(src, dst):
    offs = gl.arange(0, 512, LINE)
    gl.store(dst + offs, gl.load(src + 3 * 1024 + offs))


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def lanes_a_line_apart(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [1, 4], [1, 0])
    offs = tile(32, 128, 128, 1, layout)
    gl.store(dst + tile(32, 128, 128, 1, BY_ROWS), gl.convert_layout(gl.load(src + offs), BY_ROWS))  # warning: [uncoalesced]


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx942")
@gluon.jit
def rows_over_the_lanes_of_a_wave(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [64, 1], [1, 4], [1, 0])
    offs = tile(64, 64, 64, 1, layout)
    x = gl.load(src + offs)  # warning: [uncoalesced]
    gl.store(dst + offs, x)  # warning: [uncoalesced]


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx942")
@gluon.jit
def columns_over_the_lanes_of_a_wave(src, dst):
    offs = tile(64, 64, 64, 1, gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0]))
    gl.store(dst + offs, gl.load(src + offs))


# ---------------------------------------------------------------- vectors


# gluond: launch(src="*bf16:16", dst="*bf16:16", ld="i32:16")
@gluon.jit
def half_words_of_a_tile(src, dst, ld):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    offs = tile(32, 128, ld, 1, layout)
    x = gl.load(src + offs)  # warning: [unvectorized]
    gl.store(dst + offs, x)  # warning: [unvectorized]


# gluond: launch(src="*bf16:16", dst="*bf16:16", ld="i32:16")
@gluon.jit
def whole_vectors_of_a_tile(src, dst, ld):
    offs = tile(32, 128, ld, 1, gl.BlockedLayout([1, 8], [2, 16], [4, 1], [1, 0]))
    gl.store(dst + offs, gl.load(src + offs))


# gluond: launch(src="*bf16:16", dst="*bf16:16", ld="i32")
@gluon.jit
def rows_that_may_begin_anywhere(src, dst, ld):
    offs = tile(32, 128, ld, 1, gl.BlockedLayout([1, 8], [2, 16], [4, 1], [1, 0]))
    x = gl.load(src + offs)  # hint: [unvectorized]
    gl.store(dst + tile(32, 128, 128, 1, gl.BlockedLayout([1, 8], [2, 16], [4, 1], [1, 0])), x)


# gluond: launch(src="*bf16:16", dst="*bf16:16", ld="i32")
@gluon.jit
def rows_that_are_said_to_be_aligned(src, dst, ld):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [4, 1], [1, 0])
    row = gl.arange(0, 32, layout=gl.SliceLayout(1, layout))
    col = gl.arange(0, 128, layout=gl.SliceLayout(0, layout))
    starts = gl.multiple_of(row * ld, 16)
    x = gl.load(src + starts[:, None] + col[None, :])
    gl.store(dst + tile(32, 128, 128, 1, layout), x)


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32")
@gluon.jit
def bound_that_may_be_odd(src, dst, n):
    offs = gl.program_id(0) * 1024 + gl.arange(0, 1024, gl.BlockedLayout([8], [32], [4], [0]))
    x = gl.load(src + offs, mask=offs < n)  # hint: [unvectorized]
    gl.store(dst + offs, x, mask=offs < n)  # hint: [unvectorized]


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32:16")
@gluon.jit
def bound_that_is_even(src, dst, n):
    offs = gl.program_id(0) * 1024 + gl.arange(0, 1024, gl.BlockedLayout([8], [32], [4], [0]))
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


# gluond: launch(src="*i8:16", dst="*i8:16", n="i32:16")
@gluon.jit
def bytes_one_by_one(src, dst, n):
    offs = gl.program_id(0) * 2048 + gl.arange(0, 2048, gl.BlockedLayout([2], [32], [4], [0]))
    x = gl.load(src + offs, mask=offs < n)  # warning: [unvectorized]
    gl.store(dst + offs, x, mask=offs < n)  # warning: [unvectorized]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def copies_of_a_word(src, dst, n):
    offs = gl.arange(0, 1024, gl.BlockedLayout([1], [32], [4], [0]))
    smem = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    for start in range(0, n, 1024):
        async_copy.async_load(smem, src + start + offs)  # hint: [unvectorized]
        async_copy.commit_group()
        async_copy.wait_group(0)
        at = start + gl.arange(0, 1024, LINE)
        gl.store(dst + at, smem.load(LINE))


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def copies_of_four_words(src, dst, n):
    offs = gl.arange(0, 1024, LINE)
    smem = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    for start in range(0, n, 1024):
        async_copy.async_load(smem, src + start + offs)
        async_copy.commit_group()
        async_copy.wait_group(0)
        gl.store(dst + start + offs, smem.load(LINE))


# ---------------------------------------------------------------- work done more than once


# gluond: launch(src="*fp32:16", dst="*fp32:16", num_warps=8)
@gluon.jit
def eight_warps_for_sixty_four_elements(src, dst):
    offs = gl.arange(0, 64, layout=gl.BlockedLayout([1], [32], [8], [0]))  # hint: [replicated-layout]
    gl.store(dst + offs, gl.load(src + offs) + 1)


# gluond: launch(src="*fp32:16", dst="*fp32:16", num_warps=8)
@gluon.jit
def eight_warps_for_a_kilobyte(src, dst):
    offs = gl.arange(0, 256, layout=gl.BlockedLayout([1], [32], [8], [0]))
    gl.store(dst + offs, gl.load(src + offs) + 1)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def warps_that_repeat_each_other(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    offs = tile(2, 1024, 1024, 1, layout)
    x = gl.load(src + offs)  # hint: [replicated-layout]
    gl.store(dst + offs, x)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def warps_side_by_side(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [2, 2], [1, 0])
    offs = tile(2, 1024, 1024, 1, layout)
    gl.store(dst + offs, gl.load(src + offs))


# gluond: launch(src="*fp32:16", weight="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def weights_in_every_iteration(src, weight, dst, n):
    offs = gl.arange(0, 512, LINE)
    for i in range(n):
        w = gl.load(weight + offs)  # hint: [invariant-load]
        gl.store(dst + i * 512 + offs, gl.load(src + i * 512 + offs) * w)


# gluond: launch(src="*fp32:16", weight="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def weights_before_the_loop(src, weight, dst, n):
    offs = gl.arange(0, 512, LINE)
    w = gl.load(weight + offs)
    for i in range(n):
        gl.store(dst + i * 512 + offs, gl.load(src + i * 512 + offs) * w)


# gluond: launch(state="*fp32:16", n="i32:16")
@gluon.jit
def state_that_changes(state, n):
    offs = gl.arange(0, 512, LINE)
    for i in range(n):
        gl.store(state + offs, gl.load(state + offs) * 0.5)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def converted_for_every_sum(src, dst, n):
    offs = tile(64, 64, 64, 1, BY_ROWS)
    acc = gl.zeros([64, 64], gl.float32, BY_COLUMNS)
    for i in range(n):
        x = gl.load(src + i * 4096 + offs)
        acc += gl.convert_layout(x, BY_COLUMNS)  # hint: [conversion-in-loop]
    gl.store(dst + tile(64, 64, 1, 64, BY_COLUMNS), acc)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def converted_once(src, dst, n):
    offs = tile(64, 64, 64, 1, BY_ROWS)
    acc = gl.zeros([64, 64], gl.float32, BY_ROWS)
    for i in range(n):
        acc += gl.load(src + i * 4096 + offs)
    gl.store(dst + tile(64, 64, 1, 64, BY_COLUMNS), gl.convert_layout(acc, BY_COLUMNS))


# ---------------------------------------------------------------- blocks whose rows are shorter than a line

NARROW = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))


# gluond: launch(src="*u8:16", dst="*u8:16", ld="i32:16")
@gluon.jit
def rows_of_one_sector(src, dst, ld):
    offs = tile(32, 32, ld, 1, NARROW)
    gl.store(dst + offs, gl.load(src + offs))


# gluond: launch(src="*fp32:16", dst="*fp32:16", ld="i32:16")
@gluon.jit
def rows_of_eight_floats(src, dst, ld):
    offs = tile(128, 8, ld, 1, gl.BlockedLayout([1, 4], [16, 2], [4, 1], [1, 0]))
    gl.store(dst + offs, gl.load(src + offs))
