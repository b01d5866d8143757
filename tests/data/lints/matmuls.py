"""wgmma on Hopper: operands that are still read, results that are not awaited; each beside the kernel that is right."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.ampere import mma_v2
from triton.experimental.gluon.language.nvidia.hopper import (tma, mbarrier, warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait,
                                                              fence_async_shared)

NVMMA = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
MMA = gl.constexpr(gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]))
TILE = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))


@gluon.jit
def accumulate(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    phase = 0
    acc = gl.zeros([64, 64], gl.float32, MMA)
    for k in range(0, a_desc.shape[1], 64):
        mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [0, k], bar, a)
        tma.async_load(b_desc, [k, 0], bar, b)
        mbarrier.wait(bar, phase)
        phase ^= 1
        acc = warpgroup_mma(a, b, acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    mbarrier.invalidate(bar)
    c = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    c.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_store(out, [0, 0], c)
    tma.store_wait(0)


@gluon.jit
def operand_stored_here(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_desc.layout)
    a.store(gl.full([64, 64], 1.0, gl.float16, TILE))  # within one partition Triton inserts the fence
    b.store(gl.full([64, 64], 1.0, gl.float16, TILE))
    acc = warpgroup_mma(a, b, gl.zeros([64, 64], gl.float32, MMA), is_async=True)
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    c = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    c.store(acc.to(gl.float16))
    tma.async_store(out, [0, 0], c)
    tma.store_wait(0)


@gluon.jit
def operand_overwritten(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
    tma.async_load(a_desc, [0, 0], bar, a)
    tma.async_load(b_desc, [0, 0], bar, b)
    mbarrier.wait(bar, 0)
    acc = gl.zeros([64, 64], gl.float32, MMA)
    acc = warpgroup_mma(a, b, acc, is_async=True)
    a.store(gl.full([64, 64], 0.0, gl.float16, TILE))  # warning: [overwritten-in-flight]
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    c = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    c.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_store(out, [0, 0], c)
    tma.store_wait(0)


@gluon.jit
def copy_over_operand(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    phase = 0
    acc = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, MMA))
    for k in range(0, a_desc.shape[1], 64):
        acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc, ))
        mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [0, k], bar, a)  # warning: [overwritten-in-flight]
        tma.async_load(b_desc, [k, 0], bar, b)  # warning: [overwritten-in-flight]
        mbarrier.wait(bar, phase)
        phase ^= 1
        acc = warpgroup_mma(a, b, acc, is_async=True)
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    mbarrier.invalidate(bar)
    c = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    c.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_store(out, [0, 0], c)
    tma.store_wait(0)


OPERAND = gl.constexpr(gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8]))


@gluon.jit
def operands_of_mma(src, dst, shared: gl.constexpr):
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], shared)
    tile.store(gl.load(src + rows[:, None] * 64 + cols[None, :]))
    a = tile.load(gl.DotOperandLayout(0, OPERAND, 2))  # warning: [bank-conflict]
    b = tile.permute((1, 0)).load(gl.DotOperandLayout(1, OPERAND, 2))  # warning: [bank-conflict]
    d = mma_v2(a, b, gl.zeros([64, 64], gl.float32, OPERAND))
    rows = gl.arange(0, 64, gl.SliceLayout(1, OPERAND))
    cols = gl.arange(0, 64, gl.SliceLayout(0, OPERAND))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], d)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="cuda:80")
@gluon.jit
def operands_in_rows(src, dst):
    operands_of_mma(src, dst, gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))


@gluon.jit
def right_operands_of_mma(src, dst):
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    tile.store(gl.load(src + rows[:, None] * 64 + cols[None, :]))
    a = tile.load(gl.DotOperandLayout(0, OPERAND, 2))
    b = tile.permute((1, 0)).load(gl.DotOperandLayout(1, OPERAND, 2))
    d = mma_v2(a, b, gl.zeros([64, 64], gl.float32, OPERAND))
    rows = gl.arange(0, 64, gl.SliceLayout(1, OPERAND))
    cols = gl.arange(0, 64, gl.SliceLayout(0, OPERAND))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], d)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="cuda:80")
@gluon.jit
def operands_swizzled(src, dst):
    right_operands_of_mma(src, dst)


def main():
    a = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
    desc = TensorDescriptor.from_tensor(a, [64, 64], NVMMA)
    for kernel in (accumulate, operand_stored_here, operand_overwritten, copy_over_operand):
        kernel[(1, )](desc, desc, desc)


if __name__ == "__main__":
    main()


# ---------------------------------------------------------------- warps of a group


@gluon.jit
def multiply_once(a_ptr, b_ptr, c_ptr, layout: gl.constexpr):
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    places = rows[:, None] * 64 + cols[None, :]
    a = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(a_ptr + places))
    b = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(b_ptr + places))
    fence_async_shared()
    sums = warpgroup_mma(a, b, gl.zeros([64, 64], gl.float32, layout), is_async=True)
    sums = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
    gl.store(c_ptr + places, gl.convert_layout(sums, TILE))


# gluond: launch(a_ptr="*fp16:16", b_ptr="*fp16:16", c_ptr="*fp32:16")
@gluon.jit
def warps_with_the_same_rows(a_ptr, b_ptr, c_ptr):
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [2, 2], [16, 32, 16])
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    places = rows[:, None] * 64 + cols[None, :]
    a = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(a_ptr + places))
    b = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(b_ptr + places))
    fence_async_shared()
    sums = warpgroup_mma(a, b, gl.zeros([64, 64], gl.float32, layout), is_async=True)  # warning: [slow-mma]
    sums = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
    gl.store(c_ptr + places, gl.convert_layout(sums, TILE))


# gluond: launch(a_ptr="*fp16:16", b_ptr="*fp16:16", c_ptr="*fp32:16")
@gluon.jit
def warps_below_each_other(a_ptr, b_ptr, c_ptr):
    multiply_once(a_ptr, b_ptr, c_ptr, gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))


# gluond: launch(a_ptr="*fp16:16", b_ptr="*fp16:16", c_ptr="*fp32:16", num_warps=8)
@gluon.jit
def every_element_twice(a_ptr, b_ptr, c_ptr):
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [8, 1], [16, 64, 16])
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [8, 1], [1, 0])
    rows = gl.arange(0, 64, gl.SliceLayout(1, tile))
    cols = gl.arange(0, 64, gl.SliceLayout(0, tile))
    places = rows[:, None] * 64 + cols[None, :]
    a = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(a_ptr + places))
    b = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(b_ptr + places))
    fence_async_shared()
    sums = warpgroup_mma(a, b, gl.zeros([64, 64], gl.float32, layout), is_async=True)  # hint: [slow-mma] "computes every element 2 times"
    sums = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
    gl.store(c_ptr + places, gl.convert_layout(sums, tile))


# gluond: launch(a_ptr="*fp16:16", b_ptr="*fp16:16", c_ptr="*fp32:16", num_warps=8)
@gluon.jit
def every_element_once(a_ptr, b_ptr, c_ptr):
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 2], [16, 32, 16])
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [8, 1], [1, 0])
    rows = gl.arange(0, 64, gl.SliceLayout(1, tile))
    cols = gl.arange(0, 64, gl.SliceLayout(0, tile))
    places = rows[:, None] * 64 + cols[None, :]
    a = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(a_ptr + places))
    b = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.load(b_ptr + places))
    fence_async_shared()
    sums = warpgroup_mma(a, b, gl.zeros([64, 64], gl.float32, layout), is_async=True)
    sums = warpgroup_mma_wait(num_outstanding=0, deps=(sums, ))
    gl.store(c_ptr + places, gl.convert_layout(sums, tile))
