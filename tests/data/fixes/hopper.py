"""Matrix products: wgmma on tiles that come by TMA, mma_v2, and copies by cp.async."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
TILE = gl.constexpr(gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2))
PRODUCT = gl.constexpr(gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]))
BLOCKS = TensorDescriptor.from_tensor(
    torch.empty(1024, 1024, dtype=torch.float16, device="cuda"), [64, 64],
    gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2))
SMALL = gl.constexpr(gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[4, 1], instr_shape=[16, 8]))


@gluon.jit
def places(layout: gl.constexpr):
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    return rows[:, None] * 64 + columns[None, :]


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16")
@gluon.jit
def one_product(a, b, c):
    left = gl.allocate_shared_memory(gl.float16, [64, 64], TILE)
    right = gl.allocate_shared_memory(gl.float16, [64, 64], TILE)
    left.store(gl.load(a + places(ROWS)))
    right.store(gl.load(b + places(ROWS)))
    fence_async_shared()
    start = gl.zeros([64, 64], gl.float32, layout=PRODUCT)
    product = warpgroup_mma(left, right, start, is_async=True)
    product = warpgroup_mma_wait(num_outstanding=0, deps=(product,))
    gl.store(c + places(PRODUCT), product)


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16", steps="i32")
@gluon.jit
def many_products(a, b, c, steps):
    left = gl.allocate_shared_memory(gl.float16, [64, 64], TILE, gl.load(a + places(ROWS)))
    right = gl.allocate_shared_memory(gl.float16, [64, 64], TILE, gl.load(b + places(ROWS)))
    fence_async_shared()
    sums = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, layout=PRODUCT))
    for _ in range(steps):
        sums = warpgroup_mma(left, right, sums, is_async=True)
    result = warpgroup_mma_wait(num_outstanding=0, deps=(sums,))
    gl.store(c + places(PRODUCT), result)


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16")
@gluon.jit
def small_product(a, b, c):
    left_layout: gl.constexpr = gl.DotOperandLayout(operand_index=0, parent=SMALL, k_width=2)
    right_layout: gl.constexpr = gl.DotOperandLayout(operand_index=1, parent=SMALL, k_width=2)
    left = gl.convert_layout(gl.load(a + places(ROWS)), left_layout)
    right = gl.convert_layout(gl.load(b + places(ROWS)), right_layout)
    sums = mma_v2(left, right, gl.zeros([64, 64], gl.float32, layout=SMALL))  # gluond: ignore[slow-mma]
    gl.store(c + places(ROWS), gl.convert_layout(sums, ROWS))


# gluond: launch(a="*fp16:16", c="*fp16:16")
@gluon.jit
def by_cp_async(a, c):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], TILE)
    async_copy.async_load(buffer, a + places(ROWS))
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(c + places(ROWS), buffer.load(ROWS))


# gluond: launch(source=BLOCKS, target=BLOCKS)
@gluon.jit
def by_tma(source, target):
    buffer = gl.allocate_shared_memory(source.dtype, source.block_type.shape, source.layout)
    arrived = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(arrived, count=1)
    mbarrier.expect(arrived, source.block_type.nbytes)
    tma.async_load(source, [0, 0], arrived, buffer)
    mbarrier.wait(arrived, 0)
    mbarrier.invalidate(arrived)
    tma.async_store(target, [0, 0], buffer)
    tma.store_wait(0)
