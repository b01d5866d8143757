"""Partitions that hand buffers on, with the phase in a variable and in an expression, and a launch whose sizes are known."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma

TILE = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))


@gluon.jit
def loader(source, buffers, full, free, count):
    slot = 0
    turn = 1
    for k in range(count):
        mbarrier.wait(free.index(slot), turn)
        mbarrier.expect(full.index(slot), source.block_type.nbytes)
        tma.async_load(source, [0, k * 64], full.index(slot), buffers.index(slot))
        slot += 1
        if slot == 2:
            slot = 0
            turn ^= 1


@gluon.jit
def adder(source, target, buffers, full, free, count):
    total = gl.zeros([64, 64], gl.float16, TILE)
    slot = 0
    phase = 0
    for k in range(count):
        mbarrier.wait(full.index(slot), phase)
        total += buffers.index(slot).load(TILE)
        mbarrier.arrive(free.index(slot), count=1)
        slot += 1
        if slot == 2:
            slot = 0
            phase ^= 1
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    columns = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    gl.store(target + rows[:, None] * 64 + columns[None, :], total)


@gluon.jit
def add_blocks(source, target, count):
    buffers = gl.allocate_shared_memory(gl.float16, [2, 64, 64], source.layout)
    full = mbarrier.allocate_mbarrier(batch=2)
    free = mbarrier.allocate_mbarrier(batch=2)
    for slot in gl.static_range(2):
        mbarrier.init(full.index(slot), count=1)
        mbarrier.init(free.index(slot), count=1)
    gl.warp_specialize([(adder, (source, target, buffers, full, free, count)), (loader, (source, buffers, full, free, count))], [1], [24])


@gluon.jit
def load_blocks(source, buffers, full, free, count):
    for k in range(count):
        mbarrier.wait(free.index(k % 2), (k // 2) & 1 ^ 1)
        mbarrier.expect(full.index(k % 2), source.block_type.nbytes)
        tma.async_load(source, [0, k * 64], full.index(k % 2), buffers.index(k % 2))


@gluon.jit
def store_blocks(source, target, buffers, full, free, count):
    for k in range(count):
        mbarrier.wait(full.index(k % 2), (k // 2) & 1)
        tma.async_store(target, [0, k * 64], buffers.index(k % 2))
        tma.store_wait(0)
        mbarrier.arrive(free.index(k % 2), count=1)


@gluon.jit
def copy_blocks(source, target, count):
    buffers = gl.allocate_shared_memory(gl.float16, [2, 64, 64], source.layout)
    full = mbarrier.allocate_mbarrier(batch=2)
    free = mbarrier.allocate_mbarrier(batch=2)
    for slot in gl.static_range(2):
        mbarrier.init(full.index(slot), count=1)
        mbarrier.init(free.index(slot), count=1)
    gl.warp_specialize([(store_blocks, (source, target, buffers, full, free, count)), (load_blocks, (source, buffers, full, free, count))], [1], [24])


@gluon.jit
def scale(x, y, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    inside = i < n
    gl.store(y + i, gl.load(x + i, mask=inside) * 2.0, mask=inside)


layout = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
a, b = (torch.empty((64, 1024), dtype=torch.float16, device="cuda") for _ in range(2))
blocks = [TensorDescriptor.from_tensor(each, [64, 64], layout) for each in (a, b)]
add_blocks[(1, )](blocks[0], b, 16)
copy_blocks[(1, )](blocks[0], blocks[1], 16)
line = torch.empty(4000, device="cuda")
scale[(triton.cdiv(4000, 512), )](line, torch.empty_like(line), 4000, 512)
