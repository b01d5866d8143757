"""Accesses that are slow or leave their tensor, work for nothing, and what does not fit a chip; each beside what is right."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0]))
LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
PLAIN = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))


# ---------------------------------------------------------------- global memory


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", stride="i32:16")
@gluon.jit
def row_major_by_rows(src, dst, n, stride):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [1, 4], [1, 0])
    rows = gl.program_id(0) * 32 + gl.arange(0, 32, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 128, gl.SliceLayout(0, layout))
    offs = rows[:, None] * stride + cols[None, :]
    mask = (rows[:, None] < n) & (cols[None, :] < stride)
    gl.store(dst + offs, gl.load(src + offs, mask=mask), mask=mask)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", stride="i32:16")
@gluon.jit
def row_major_by_columns(src, dst, n, stride):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1])
    rows = gl.program_id(0) * 32 + gl.arange(0, 32, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 128, gl.SliceLayout(0, layout))
    offs = rows[:, None] * stride + cols[None, :]
    mask = (rows[:, None] < n) & (cols[None, :] < stride)
    x = gl.load(src + offs, mask=mask)  # warning: [uncoalesced]
    gl.store(dst + offs, x, mask=mask)  # warning: [uncoalesced]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def sixteen_elements_in_a_row(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([16], [32], [4], [0])
    offs = gl.program_id(0) * 2048 + gl.arange(0, 2048, layout)
    x = gl.load(src + offs, mask=offs < n)  # warning: [uncoalesced]
    gl.store(dst + offs, x, mask=offs < n)  # warning: [uncoalesced]


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32:16")
@gluon.jit
def two_bytes_at_a_time(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offs = gl.program_id(0) * 1024 + gl.arange(0, 1024, layout)
    x = gl.load(src + offs, mask=offs < n)  # warning: [unvectorized]
    gl.store(dst + offs, x, mask=offs < n)  # warning: [unvectorized]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def four_bytes_at_a_time(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offs = gl.program_id(0) * 1024 + gl.arange(0, 1024, layout)
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


# gluond: launch(src="*fp32:16", dst="*fp32:16", index="*i32:16", n="i32:16")
@gluon.jit
def gathered(src, dst, index, n):
    offs = gl.program_id(0) * 512 + gl.arange(0, 512, LINE)
    at = gl.load(index + offs, mask=offs < n)
    gl.store(dst + offs, gl.load(src + at, mask=offs < n), mask=offs < n)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def few_elements(src, dst):
    offs = gl.arange(0, 32, gl.BlockedLayout([1], [32], [4], [0]))  # hint: [replicated-layout]
    gl.store(dst + offs, gl.load(src + offs))


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def tail_without_mask(src, dst, n):
    offs = gl.program_id(0) * 512 + gl.arange(0, 512, LINE)
    x = gl.load(src + offs)  # warning: [missing-mask]
    gl.store(dst + offs, x)  # warning: [missing-mask]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def load_masked_store_not(src, dst, n):
    offs = gl.program_id(0) * 512 + gl.arange(0, 512, LINE)
    x = gl.load(src + offs, mask=offs < n)
    gl.store(dst + offs, x)  # warning: [missing-mask]


@gluon.jit
def row_of(pid, width: gl.constexpr):
    return pid * width * 70000  # warning: [offset-overflow]


# gluond: launch(dst="*fp32:16", n="i64:16")
@gluon.jit
def offsets_overflow_in_a_callee(dst, n):
    offs = row_of(gl.program_id(0), 70000) + gl.arange(0, 512, LINE)
    gl.store(dst + offs, gl.full([512], 0.0, gl.float32, LINE), mask=offs < n)


# gluond: launch(dst="*fp32:16", n="i64:16")
@gluon.jit
def offsets_overflow(dst, n):
    offs = gl.program_id(0) * 65536 * 65536 + gl.arange(0, 512, LINE)  # warning: [offset-overflow]
    gl.store(dst + offs, gl.full([512], 0.0, gl.float32, LINE), mask=offs < n)


# gluond: launch(dst="*fp32:16", n="i64:16")
@gluon.jit
def offsets_widened(dst, n):
    offs = gl.program_id(0).to(gl.int64) * 65536 * 65536 + gl.arange(0, 512, LINE)
    gl.store(dst + offs, gl.full([512], 0.0, gl.float32, LINE), mask=offs < n)


# ---------------------------------------------------------------- shared memory


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def transposed_through_shared(src, dst):
    rows = gl.arange(0, 64, gl.SliceLayout(1, ROWS))
    cols = gl.arange(0, 128, gl.SliceLayout(0, ROWS))
    offs = rows[:, None] * 128 + cols[None, :]
    smem = gl.allocate_shared_memory(gl.float32, [64, 128], PLAIN)
    smem.store(gl.load(src + offs))
    by_column: gl.constexpr = gl.BlockedLayout([4, 1], [16, 2], [1, 4], [0, 1])
    x = smem.load(by_column)  # warning: [bank-conflict]
    gl.store(dst + offs, gl.convert_layout(x, ROWS))


# gluond: launch(src="*fp16:16", dst="*fp16:16")
@gluon.jit
def transposed_view(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    offs = rows[:, None] * 64 + cols[None, :]
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(1, 1, 1, [0, 1]))
    smem.permute((1, 0)).store(gl.load(src + offs))
    x = smem.load(layout)  # warning: [bank-conflict]
    gl.store(dst + offs, x)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def straight_through_shared(src, dst):
    rows = gl.arange(0, 64, gl.SliceLayout(1, ROWS))
    cols = gl.arange(0, 128, gl.SliceLayout(0, ROWS))
    offs = rows[:, None] * 128 + cols[None, :]
    smem = gl.allocate_shared_memory(gl.float32, [64, 128], PLAIN)
    smem.store(gl.load(src + offs))
    x = smem.load(ROWS)  # hint: [shared-round-trip]
    gl.store(dst + offs, x)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def conversion_every_time(src, dst, n):
    other: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [1, 4], [1, 0])
    rows = gl.arange(0, 64, gl.SliceLayout(1, ROWS))
    cols = gl.arange(0, 128, gl.SliceLayout(0, ROWS))
    offs = rows[:, None] * 128 + cols[None, :]
    acc = gl.zeros([64, 128], gl.float32, other)
    for i in range(n):
        acc += gl.convert_layout(gl.load(src + offs + i * 8192), other)  # hint: [conversion-in-loop]
    gl.store(dst + offs, gl.convert_layout(acc, ROWS))


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def conversion_unused(src, dst):
    other: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    offs = gl.arange(0, 512, LINE)
    x = gl.load(src + offs)
    gl.convert_layout(x, other)  # hint: [unused-result]
    gl.store(dst + offs, x)


# gluond: launch(src="*fp32:16", dst="*fp32:16", SQUARE=False)
@gluon.jit
def used_in_one_specialization(src, dst, SQUARE: gl.constexpr):
    offs = gl.arange(0, 512, LINE)
    x = gl.load(src + offs)
    y = gl.load(dst + offs)
    if SQUARE:
        x = x * y
    gl.store(dst + offs, x)


# ---------------------------------------------------------------- resources


# gluond: launch(dst="*fp32:16")
@gluon.jit
def too_much_shared(dst):
    smem = gl.allocate_shared_memory(gl.float32, [16, 64, 128], PLAIN)  # warning: [shared-memory-exceeded]
    smem.index(0).store(gl.zeros([64, 128], gl.float32, ROWS))
    rows = gl.arange(0, 64, gl.SliceLayout(1, ROWS))
    cols = gl.arange(0, 128, gl.SliceLayout(0, ROWS))
    offs = rows[:, None] * 128 + cols[None, :]
    other: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0])
    gl.store(dst + offs, gl.convert_layout(smem.index(0).load(other), ROWS))


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def too_big_a_tile(src, dst):
    rows = gl.arange(0, 256, gl.SliceLayout(1, ROWS))
    cols = gl.arange(0, 512, gl.SliceLayout(0, ROWS))
    offs = rows[:, None] * 512 + cols[None, :]
    x = gl.load(src + offs)  # warning: [register-pressure]
    gl.store(dst + offs, x * x)
