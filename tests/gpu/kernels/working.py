"""Kernels that need something of the launch: tensor maps, tensor maps of their own, clusters, partitions, output."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


@gluon.jit
def add_tiles(a, b, c, M: gl.constexpr, N: gl.constexpr):
    """c = a + b through tensor maps."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    row, col = gl.program_id(0) * M, gl.program_id(1) * N
    a_tile = gl.allocate_shared_memory(a.dtype, [M, N], a.layout)
    b_tile = gl.allocate_shared_memory(b.dtype, [M, N], b.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a.block_type.nbytes + b.block_type.nbytes)
    tma.async_load(a, [row, col], bar, a_tile)
    tma.async_load(b, [row, col], bar, b_tile)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    a_tile.store(a_tile.load(layout) + b_tile.load(layout))
    fence_async_shared()
    tma.async_store(c, [row, col], a_tile)
    tma.store_wait(0)


@gluon.jit
def matmul(a, b, c, K, M: gl.constexpr, N: gl.constexpr, STEP: gl.constexpr):
    """c = a @ b by wgmma, a tile a program."""
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, N, 16])
    row, col = gl.program_id(0) * M, gl.program_id(1) * N
    a_tile = gl.allocate_shared_memory(a.dtype, [M, STEP], a.layout)
    b_tile = gl.allocate_shared_memory(b.dtype, [STEP, N], b.layout)
    c_tile = gl.allocate_shared_memory(c.dtype, [M, N], c.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    acc = gl.zeros([M, N], gl.float32, acc_layout)
    phase = 0
    for k in range(0, K, STEP):
        mbarrier.expect(bar, a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [row, k], bar, a_tile)
        tma.async_load(b, [k, col], bar, b_tile)
        mbarrier.wait(bar, phase)
        acc = warpgroup_mma(a_tile, b_tile, acc, is_async=True)
        acc = warpgroup_mma_wait(0, deps=(acc, ))
        phase ^= 1
    mbarrier.invalidate(bar)
    c_tile.store(acc.to(c.dtype))
    fence_async_shared()
    tma.async_store(c, [row, col], c_tile)
    tma.store_wait(0)


@gluon.jit
def produce(src, buffer, full, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [8], [0])
    index = gl.arange(0, BLOCK, layout)
    buffer.store(gl.load(src + index, mask=index < count, other=0.0))
    mbarrier.arrive(full, count=1)


@gluon.jit
def consume(dst, buffer, full, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    index = gl.arange(0, BLOCK, layout)
    mbarrier.wait(full, 0)
    gl.store(dst + index, buffer.load(layout), mask=index < count)


@gluon.jit
def partitioned_copy(src, dst, count, BLOCK: gl.constexpr):
    """One partition reads, the other writes: more warps than num_warps says."""
    buffer = gl.allocate_shared_memory(gl.float32, [BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    full = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(full, count=1)
    gl.warp_specialize([
        (produce, (src, buffer, full, count, BLOCK)),
        (consume, (dst, buffer, full, count, BLOCK)),
    ], [4], [64])


@gluon.jit
def own_map_copy(src, dst, rows, cols, M: gl.constexpr, N: gl.constexpr):
    """Makes its tensor maps on the GPU, in scratch memory."""
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([M, N], gl.float32)
    source = tma.make_tensor_descriptor(src, [rows, cols], [cols, 1], [M, N], shared)
    target = tma.make_tensor_descriptor(dst, [rows, cols], [cols, 1], [M, N], shared)
    tile = gl.allocate_shared_memory(gl.float32, [M, N], shared)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    where = gl.program_id(0) * M
    mbarrier.expect(bar, source.block_type.nbytes)
    tma.async_load(source, [where, 0], bar, tile)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    tma.async_store(target, [where, 0], tile)
    tma.store_wait(0)


@gluon.jit
def cluster_copy(src, dst, count, BLOCK: gl.constexpr):
    """Two CTAs share each program's block."""
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0], cga_layout=[[1]])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    gl.store(dst + index, gl.load(src + index, mask=index < count), mask=index < count)


@gluon.jit
def take_numbers(counters, taken, BLOCK: gl.constexpr):
    """Every program counts up all counters and keeps what it found in each: neighbours go in one instruction."""
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [1], [0])
    i = gl.arange(0, BLOCK, layout)
    one = gl.full([BLOCK], 1.0, counters.dtype.element_ty, layout)
    found = gl.atomic_add(counters + i, one)
    gl.atomic_add(counters + BLOCK + i, one, sem="relaxed")
    gl.store(taken + gl.program_id(0) * BLOCK + i, found)


@gluon.jit
def says(number):
    gl.device_print("number", number)


def tiled(tensor, block):
    dtype = gl.float32 if tensor.dtype == torch.float32 else gl.float16
    return TensorDescriptor.from_tensor(tensor, block, gl.NVMMASharedLayout.get_default_for(block, dtype))


def main():
    a, b = (torch.randn((512, 1024), device="cuda") for _ in range(2))
    c = torch.empty_like(a)
    add_tiles[(512 // 64, 1024 // 64)](tiled(a, [64, 64]), tiled(b, [64, 64]), tiled(c, [64, 64]), 64, 64)

    p = torch.randn((256, 512), device="cuda").to(torch.float16)
    q = torch.randn((512, 256), device="cuda").to(torch.float16)
    r = torch.empty((256, 256), device="cuda", dtype=torch.float16)
    matmul[(4, 2)](tiled(p, [64, 64]), tiled(q, [64, 128]), tiled(r, [64, 128]), 512, 64, 128, 64)

    src, dst = torch.randn(4096, device="cuda"), torch.empty(4096, device="cuda")
    partitioned_copy[(1, )](src, dst, 4096, 4096, num_warps=8)
    cluster_copy[(triton.cdiv(4096, 1024), )](src, dst, 4096, 1024, num_ctas=2)
    own_map_copy[(512 // 64, )](a[:, :64].contiguous(), c[:, :64].contiguous(), 512, 64, 64, 64)
    says[(1, )](42, num_warps=1)
    for dtype in (torch.float32, torch.float16):
        counters, taken = torch.zeros(1024, device="cuda", dtype=dtype), torch.empty(64 * 512, device="cuda", dtype=dtype)
        take_numbers[(64, )](counters, taken, 512, num_warps=1)


if __name__ == "__main__":
    main()
