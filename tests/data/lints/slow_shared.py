"""Slow ways through shared memory and the matrix units, each beside the fast way."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import (tma, mbarrier, fence_async_shared, warpgroup_mma, warpgroup_mma_wait)

BY_ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0]))
BY_COLUMNS = gl.constexpr(gl.BlockedLayout([4, 1], [16, 2], [1, 4], [0, 1]))
STRIPES = gl.constexpr(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))
HALVES = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
PLAIN = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
AMPERE = gl.constexpr(gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8]))
HOPPER = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))
WIDE = gl.NVMMASharedLayout(128, 16, 2)
NARROW = gl.NVMMASharedLayout(32, 16, 2)
TENSOR = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
SQUARE = TensorDescriptor.from_tensor(TENSOR, [64, 64], WIDE)
SQUARE_NARROW = TensorDescriptor.from_tensor(TENSOR, [64, 64], NARROW)
STRIPS = TensorDescriptor.from_tensor(TENSOR, [128, 16], gl.NVMMASharedLayout(32, 16, 2))


@gluon.jit
def tile(rows: gl.constexpr, cols: gl.constexpr, step_row, step_col, layout: gl.constexpr):
    r = gl.arange(0, rows, layout=gl.SliceLayout(1, layout))
    c = gl.arange(0, cols, layout=gl.SliceLayout(0, layout))
    return gl.expand_dims(r, 1) * step_row + gl.expand_dims(c, 0) * step_col


# ---------------------------------------------------------------- banks


@gluon.jit
def turn(src, dst, shared: gl.constexpr):
    smem = gl.allocate_shared_memory(gl.float32, [64, 64], shared)
    smem.store(gl.load(src + tile(64, 64, 64, 1, BY_ROWS)))
    x = smem.permute((1, 0)).load(BY_ROWS)  # warning: [bank-conflict]
    gl.store(dst + tile(64, 64, 64, 1, BY_ROWS), x)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def turned_without_swizzle(src, dst):
    turn(src, dst, PLAIN)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def turned_with_padding(src, dst):
    smem = gl.allocate_shared_memory(gl.float32, [64, 64],
                                     gl.PaddedSharedLayout.with_identity_for([[64, 1]], [64, 64], [1, 0]))
    smem.store(gl.load(src + tile(64, 64, 64, 1, BY_ROWS)))
    x = smem.load(gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1]))
    gl.store(dst + tile(64, 64, 1, 64, gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1])), x)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def stored_down_the_columns(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1])
    smem = gl.allocate_shared_memory(gl.float32, [32, 32], PLAIN)
    smem.store(gl.load(src + tile(32, 32, 1, 32, layout)))  # warning: [bank-conflict]
    x = smem.load(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))
    gl.store(dst + tile(32, 32, 32, 1, gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])), x)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def stored_down_swizzled_columns(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [1, 4], [0, 1])
    smem = gl.allocate_shared_memory(gl.float32, [32, 32], gl.SwizzledSharedLayout(1, 1, 32, [1, 0]))
    smem.store(gl.load(src + tile(32, 32, 1, 32, layout)))
    x = smem.load(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))
    gl.store(dst + tile(32, 32, 32, 1, gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])), x)


@gluon.jit
def results_through(src, dst, shared: gl.constexpr):
    a = gl.load(src + tile(64, 64, 64, 1, gl.DotOperandLayout(0, AMPERE, 2)))
    b = gl.load(src + tile(64, 64, 1, 64, gl.DotOperandLayout(1, AMPERE, 2)))
    d = mma_v2(a, b, gl.zeros([64, 64], gl.float32, AMPERE))
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], shared)
    smem.store(d.to(gl.float16))  # warning: [bank-conflict]
    gl.store(dst + tile(64, 64, 64, 1, HALVES), smem.load(HALVES))


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="cuda:80")
@gluon.jit
def results_in_plain_rows(src, dst):
    results_through(src, dst, PLAIN)


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="cuda:80")
@gluon.jit
def results_in_swizzled_rows(src, dst):
    a = gl.load(src + tile(64, 64, 64, 1, gl.DotOperandLayout(0, AMPERE, 2)))
    b = gl.load(src + tile(64, 64, 1, 64, gl.DotOperandLayout(1, AMPERE, 2)))
    d = mma_v2(a, b, gl.zeros([64, 64], gl.float32, AMPERE))
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    smem.store(d.to(gl.float16))
    gl.store(dst + tile(64, 64, 64, 1, HALVES), smem.load(HALVES))


# ---------------------------------------------------------------- pipelines


@gluon.jit
def fetch(smem, src, offs, k, slots: gl.constexpr):
    async_copy.async_load(smem.index(k % slots), src + k * 4096 + offs)
    async_copy.commit_group()


@gluon.jit
def multiply(smem, slot, acc):
    a = smem.index(slot).load(gl.DotOperandLayout(0, AMPERE, 2))
    b = smem.index(slot).permute((1, 0)).load(gl.DotOperandLayout(1, AMPERE, 2))
    return mma_v2(a, b, acc)


# gluond: launch(src="*fp16:16", dst="*fp32:16", n="i32:16", target="cuda:80")
@gluon.jit
def ring_used_one_at_a_time(src, dst, n):
    offs = tile(64, 64, 64, 1, HALVES)
    smem = gl.allocate_shared_memory(gl.float16, [3, 64, 64], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    acc = gl.zeros([64, 64], gl.float32, AMPERE)
    for k in range(n):
        fetch(smem, src, offs, k, 3)
        async_copy.wait_group(0)  # hint: [serialized-pipeline]
        acc = multiply(smem, k % 3, acc)
    gl.store(dst + tile(64, 64, 64, 1, AMPERE), acc)


# gluond: launch(src="*fp16:16", dst="*fp32:16", n="i32:16", target="cuda:80")
@gluon.jit
def ring_filled_ahead(src, dst, n):
    offs = tile(64, 64, 64, 1, HALVES)
    smem = gl.allocate_shared_memory(gl.float16, [3, 64, 64], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    acc = gl.zeros([64, 64], gl.float32, AMPERE)
    fetch(smem, src, offs, 0, 3)
    fetch(smem, src, offs, 1, 3)
    for k in range(n):
        async_copy.wait_group(1)
        acc = multiply(smem, k % 3, acc)
        fetch(smem, src, offs, k + 2, 3)
    async_copy.wait_group(0)
    gl.store(dst + tile(64, 64, 64, 1, AMPERE), acc)


# gluond: launch(src=SQUARE, dst="*fp32:16", n="i32:16")
@gluon.jit
def tma_ring_used_one_at_a_time(src, dst, n):
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 64], src.layout)
    bar = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(bar.index(i), count=1)
    acc = gl.zeros([64, 64], gl.float32, HOPPER)
    for k in range(n):
        mbarrier.expect(bar.index(k % 2), src.block_type.nbytes)
        tma.async_load(src, [k * 64, 0], bar.index(k % 2), smem.index(k % 2))
        mbarrier.wait(bar.index(k % 2), (k // 2) & 1)  # hint: [serialized-pipeline]
        acc = warpgroup_mma(smem.index(k % 2), smem.index(k % 2).permute((1, 0)), acc)
    gl.store(dst + tile(64, 64, 64, 1, HOPPER), acc)


# ---------------------------------------------------------------- matrix units


@gluon.jit
def product(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
    tma.async_load(a_desc, [0, 0], bar, a)
    tma.async_load(b_desc, [0, 0], bar, b)
    mbarrier.wait(bar, 0)
    acc = warpgroup_mma(a, b, gl.zeros([64, 64], gl.float32, HOPPER), use_acc=False)
    gl.store(out + tile(64, 64, 64, 1, HOPPER), acc)


# gluond: launch(desc=SQUARE, out="*fp32:16")
@gluon.jit
def operands_swizzled_over_whole_rows(desc, out):
    product(desc, desc, out)


# gluond: launch(desc=SQUARE_NARROW, out="*fp32:16")
@gluon.jit
def operands_swizzled_over_quarters(desc, out):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)  # hint: [narrow-swizzle]
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, a)
    mbarrier.wait(bar, 0)
    acc = warpgroup_mma(a, a.permute((1, 0)), gl.zeros([64, 64], gl.float32, HOPPER), use_acc=False)
    gl.store(out + tile(64, 64, 64, 1, HOPPER), acc)


# gluond: launch(desc=STRIPS, out="*fp16:16")
@gluon.jit
def strips_of_thirty_two_bytes(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [128, 16], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)  # hint: [narrow-block]
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [16, 2], [4, 1], [1, 0])
    gl.store(out + tile(128, 16, 16, 1, layout), smem.load(layout))


@gluon.jit
def product_of_ampere(src, dst):
    a = gl.load(src + tile(64, 64, 64, 1, gl.DotOperandLayout(0, AMPERE, 2)))
    b = gl.load(src + tile(64, 64, 1, 64, gl.DotOperandLayout(1, AMPERE, 2)))
    d = mma_v2(a, b, gl.zeros([64, 64], gl.float32, AMPERE))  # hint: [slow-mma]
    gl.store(dst + tile(64, 64, 64, 1, AMPERE), d)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="cuda:90")
@gluon.jit
def product_of_ampere_on_hopper(src, dst):
    product_of_ampere(src, dst)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="cuda:120")
@gluon.jit
def product_of_ampere_where_there_is_no_other(src, dst):
    a = gl.load(src + tile(64, 64, 64, 1, gl.DotOperandLayout(0, AMPERE, 2)))
    b = gl.load(src + tile(64, 64, 1, 64, gl.DotOperandLayout(1, AMPERE, 2)))
    d = mma_v2(a, b, gl.zeros([64, 64], gl.float32, AMPERE))
    gl.store(dst + tile(64, 64, 64, 1, AMPERE), d)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="cuda:80")
@gluon.jit
def product_of_fused_multiply_adds(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([4, 4], [4, 8], [2, 2], [1, 0])
    a = gl.load(src + tile(64, 64, 64, 1, BY_ROWS))
    b = gl.load(src + 4096 + tile(64, 64, 64, 1, BY_ROWS))
    a = gl.convert_layout(a, gl.DotOperandLayout(0, layout, 0))
    b = gl.convert_layout(b, gl.DotOperandLayout(1, layout, 0))
    d = gl.dot_fma(a, b, gl.zeros([64, 64], gl.float16, layout))  # hint: [slow-mma]
    gl.store(dst + tile(64, 64, 64, 1, BY_ROWS), gl.convert_layout(d.to(gl.float32), BY_ROWS))


# ---------------------------------------------------------------- room


@gluon.jit
def accumulate(a_desc, b_desc, out, n, layout: gl.constexpr, columns: gl.constexpr):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, columns], b_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    acc = gl.zeros([128, columns], gl.float32, layout)
    for k in range(n):
        mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [0, k * 64], bar, a)
        tma.async_load(b_desc, [k * 64, 0], bar, b)
        mbarrier.wait(bar, k & 1)
        acc = warpgroup_mma(a, b, acc, is_async=True)  # warning: [register-pressure]
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    gl.store(out + tile(128, columns, columns, 1, layout), acc)


A_DESC = TensorDescriptor.from_tensor(TENSOR, [128, 64], WIDE)
B_DESC = TensorDescriptor.from_tensor(TENSOR, [64, 256], WIDE)


# gluond: launch(a_desc=A_DESC, b_desc=B_DESC, out="*fp32:16", n="i32", num_warps=4)
@gluon.jit
def accumulator_of_four_warps(a_desc, b_desc, out, n):
    accumulate(a_desc, b_desc, out, n, gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 256, 16]), 256)


# gluond: launch(a_desc=A_DESC, b_desc=B_DESC, out="*fp32:16", n="i32", num_warps=8)
@gluon.jit
def accumulator_of_eight_warps(a_desc, b_desc, out, n):
    accumulate(a_desc, b_desc, out, n, gl.NVMMADistributedLayout([3, 0], [8, 1], [16, 256, 16]), 256)


# gluond: launch(dst="*fp32:16")
@gluon.jit
def a_little_more_than_half(dst):
    smem = gl.allocate_shared_memory(gl.float32, [29, 32, 32], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))  # hint: [low-occupancy]
    for i in gl.static_range(29):
        smem.index(i).store(gl.zeros([32, 32], gl.float32, BY_ROWS))
    x = smem.index(3).load(STRIPES)
    gl.store(dst + tile(32, 32, 32, 1, STRIPES), x)


# gluond: launch(dst="*fp32:16")
@gluon.jit
def a_little_less_than_half(dst):
    smem = gl.allocate_shared_memory(gl.float32, [28, 32, 32], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    for i in gl.static_range(28):
        smem.index(i).store(gl.zeros([32, 32], gl.float32, BY_ROWS))
    x = smem.index(3).load(STRIPES)
    gl.store(dst + tile(32, 32, 32, 1, STRIPES), x)


# ---------------------------------------------------------------- swizzles that part elements


# gluond: launch(src="*fp16:16", dst="*fp16:16")
@gluon.jit
def halves_one_by_one(src, dst):
    own: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    other: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [1, 4], [1, 0])
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(1, 1, 8, [1, 0]))
    smem.store(gl.load(src + tile(64, 64, 64, 1, own)))  # warning: [unvectorized]
    x = smem.load(other)  # warning: [unvectorized]
    gl.store(dst + gl.arange(0, 64, gl.SliceLayout(0, other)), gl.max(x, axis=0))


# gluond: launch(src="*fp16:16", dst="*fp16:16")
@gluon.jit
def halves_eight_at_a_time(src, dst):
    own: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    other: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [1, 4], [1, 0])
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    smem.store(gl.load(src + tile(64, 64, 64, 1, own)))
    x = smem.load(other)
    gl.store(dst + gl.arange(0, 64, gl.SliceLayout(0, other)), gl.max(x, axis=0))


# ---------------------------------------------------------------- instructions that are too narrow


# gluond: launch(src=SQUARE, dst="*fp32:16")
@gluon.jit
def eight_columns_at_a_time(src, dst):
    acc: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 8, 16])
    a = gl.allocate_shared_memory(gl.float16, [64, 64], src.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, src.block_type.nbytes)
    tma.async_load(src, [0, 0], bar, a)
    mbarrier.wait(bar, 0)
    d = warpgroup_mma(a, a.permute((1, 0)), gl.zeros([64, 64], gl.float32, acc))  # hint: [slow-mma]
    gl.store(dst + tile(64, 64, 64, 1, acc), d)


# gluond: launch(src=SQUARE, dst="*fp32:16")
@gluon.jit
def all_columns_at_once(src, dst):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], src.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, src.block_type.nbytes)
    tma.async_load(src, [0, 0], bar, a)
    mbarrier.wait(bar, 0)
    d = warpgroup_mma(a, a.permute((1, 0)), gl.zeros([64, 64], gl.float32, HOPPER))
    gl.store(dst + tile(64, 64, 64, 1, HOPPER), d)
