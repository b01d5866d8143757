"""Beyond a buffer, a tensor, a type or a chip, and before anything was written; each beside what stays within."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy

LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
HALF = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


# ---------------------------------------------------------------- slots


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def third_of_two(src, dst):
    ring = gl.allocate_shared_memory(gl.float32, [2, 512], FLAT)
    offs = gl.arange(0, 512, LINE)
    ring.index(2).store(gl.load(src + offs))  # warning: [shared-out-of-range]
    ring.index(0).store(gl.load(src + offs))
    gl.store(dst + offs, ring.index(0).load(HALF).sum(0))


@gluon.jit
def slot_of(ring, k, depth: gl.constexpr):
    return ring.index(k % depth)


@gluon.jit
def slot_past_the_end(ring, k, depth: gl.constexpr):
    return ring.index(k % (depth + 1))  # warning: [shared-out-of-range]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def remainder_of_another_size(src, dst, n):
    ring = gl.allocate_shared_memory(gl.float32, [4, 512], FLAT)
    offs = gl.arange(0, 512, LINE)
    for k in range(n):
        slot = slot_past_the_end(ring, k, 4)
        slot.store(gl.load(src + k * 512 + offs))
        gl.store(dst + k * 512 + offs, gl.convert_layout(slot.load(HALF), LINE))  # hint: [conversion-in-loop]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def remainder_of_its_size(src, dst, n):
    ring = gl.allocate_shared_memory(gl.float32, [4, 512], FLAT)
    offs = gl.arange(0, 512, LINE)
    for k in range(n):
        slot_of(ring, k, 4).store(gl.load(src + k * 512 + offs))
        gl.store(dst + k * 512 + gl.arange(0, 512, HALF), slot_of(ring, k, 4).load(HALF))


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def last_slot_and_one_more(src, dst):
    ring = gl.allocate_shared_memory(gl.float32, [3, 512], FLAT)
    offs = gl.arange(0, 512, LINE)
    for k in gl.static_range(3):
        ring.index(k + 1).store(gl.load(src + k * 512 + offs))  # warning: [shared-out-of-range]
    gl.store(dst + gl.arange(0, 512, HALF), ring.index(1).load(HALF))


# ---------------------------------------------------------------- contents


# gluond: launch(dst="*fp32:16")
@gluon.jit
def fresh_buffer(dst):
    smem = gl.allocate_shared_memory(gl.float32, [512], FLAT)
    gl.store(dst + gl.arange(0, 512, LINE), smem.load(LINE))  # warning: [read-before-write]


# gluond: launch(dst="*fp32:16")
@gluon.jit
def buffer_with_contents(dst):
    smem = gl.allocate_shared_memory(gl.float32, [512], FLAT, gl.full([512], 1.0, gl.float32, LINE))
    gl.store(dst + gl.arange(0, 512, HALF), smem.load(HALF))


# gluond: launch(dst="*fp32:16")
@gluon.jit
def other_half(dst):
    smem = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    smem.slice(0, 512).store(gl.full([512], 1.0, gl.float32, LINE))
    gl.store(dst + gl.arange(0, 512, LINE), smem.slice(512, 512).load(LINE))  # warning: [read-before-write]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def read_one_ahead(src, dst, n):
    ring = gl.allocate_shared_memory(gl.float32, [4, 512], FLAT)
    offs = gl.arange(0, 512, LINE)
    for k in range(n):
        ring.index(k % 4).store(gl.load(src + k * 512 + offs))
        x = ring.index((k + 1) % 4).load(HALF)  # warning: [read-before-write]
        gl.store(dst + k * 512 + gl.arange(0, 512, HALF), x)


# ---------------------------------------------------------------- tails


# gluond: launch(src="*fp32:16", dst="*fp32:16", rows="i32:16", cols="i32:16")
@gluon.jit
def tile_stored_without_its_mask(src, dst, rows, cols):
    r = gl.program_id(0) * 32 + gl.arange(0, 32, gl.SliceLayout(1, TILE))
    c = gl.program_id(1) * 64 + gl.arange(0, 64, gl.SliceLayout(0, TILE))
    inside = (r[:, None] < rows) & (c[None, :] < cols)
    x = gl.load(src + r[:, None] * cols + c[None, :], mask=inside, other=0.0)
    gl.store(dst + c[None, :] + r[:, None] * cols, x)  # warning: [missing-mask]


# gluond: launch(src="*fp32:16", dst="*fp32:16", rows="i32:16", cols="i32:16")
@gluon.jit
def tile_stored_with_its_mask(src, dst, rows, cols):
    r = gl.program_id(0) * 32 + gl.arange(0, 32, gl.SliceLayout(1, TILE))
    c = gl.program_id(1) * 64 + gl.arange(0, 64, gl.SliceLayout(0, TILE))
    inside = (r[:, None] < rows) & (c[None, :] < cols)
    x = gl.load(src + r[:, None] * cols + c[None, :], mask=inside, other=0.0)
    gl.store(dst + c[None, :] + r[:, None] * cols, x, mask=inside)


# gluond: launch(a="*fp32:16", b="*fp32:16", dst="*fp32:16", n="i32:16", step_a="i32:16", step_b="i32:16")
@gluon.jit
def one_operand_without_a_mask(a, b, dst, n, step_a, step_b):
    at = gl.program_id(0) * 512 + gl.arange(0, 512, LINE)
    inside = at < n
    x = gl.load(a + step_a + at, mask=inside)
    y = gl.load(b + step_b + at)  # warning: [missing-mask]
    gl.store(dst + at, x + y, mask=inside)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def copied_without_a_mask(src, dst, n):
    smem = gl.allocate_shared_memory(gl.float32, [512], FLAT)
    at = gl.program_id(0) * 512 + gl.arange(0, 512, LINE)
    async_copy.async_load(smem, src + at)  # warning: [missing-mask]
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(dst + at, smem.load(LINE), mask=at < n)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def table_without_a_tail(src, dst, n):
    at = gl.program_id(0) * 512 + gl.arange(0, 512, LINE)
    weights = gl.load(src + gl.arange(0, 512, LINE))
    x = gl.load(dst + at, mask=at < n)
    gl.store(dst + at, x * weights, mask=at < n)


@gluon.jit
def copy_block(src, dst, at):
    x = gl.load(src + at)  # warning: [missing-mask]
    gl.store(dst + at, x)  # warning: [missing-mask]


# gluond: launch(src="*fp32:16", dst="*fp32:16", numel="i32:16")
@gluon.jit
def size_that_nobody_looks_at(src, dst, numel):
    copy_block(src, dst, gl.program_id(0) * 512 + gl.arange(0, 512, LINE))


# ---------------------------------------------------------------- numbers


# gluond: launch(dst="*fp32:16")
@gluon.jit
def rows_beyond_32_bits(dst):
    row = gl.program_id(0) * 100000
    offs = row * 100000 + gl.arange(0, 512, LINE)  # warning: [offset-overflow]
    gl.store(dst + offs, gl.full([512], 0.0, gl.float32, LINE))


# A range that goes through a longer tensor in blocks: its bound is not one of a tensor of one block.
# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def blocks_into_one(src, dst, n):
    offs = gl.arange(0, 512, LINE)
    total = gl.zeros([512], gl.float32, LINE)
    for i in gl.static_range(3):
        at = i * 512 + offs
        total += gl.load(src + at, mask=at < n, other=0.0)
    gl.store(dst + offs, total)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def blocks_without_bound(src, dst, n):
    offs = gl.arange(0, 512, LINE)
    for i in gl.static_range(3):
        at = i * 512 + offs
        gl.store(dst + at, gl.load(src + at, mask=at < n, other=0.0))  # warning: [missing-mask]


# gluond: launch(dst="*fp32:16")
@gluon.jit
def elements_beyond_32_bits(dst):
    row = gl.program_id(0) * 512 + gl.arange(0, 512, LINE)
    gl.store(dst + row * 4194304, gl.full([512], 0.0, gl.float32, LINE))  # warning: [offset-overflow]  # hint: [uncoalesced]


# gluond: launch(dst="*fp32:16")
@gluon.jit
def rows_of_64_bits(dst):
    row = gl.program_id(0).to(gl.int64) * 100000
    gl.store(dst + row * 100000 + gl.arange(0, 512, LINE), gl.full([512], 0.0, gl.float32, LINE))


# ---------------------------------------------------------------- several at once


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32:16")
@gluon.jit
def four_mistakes(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.program_id(0) * 1024 + gl.arange(0, 1024, layout)
    ring = gl.allocate_shared_memory(gl.float16, [2, 1024], FLAT)
    x = gl.load(src + at, mask=at < n)  # warning: [unvectorized]
    y = ring.index(0).load(layout)  # warning: [read-before-write]
    ring.index(2).store(x)  # warning: [shared-out-of-range]
    gl.store(dst + at, x + y)  # warning: [missing-mask]  # warning: [unvectorized]
