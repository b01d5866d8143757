"""Persistent kernels: what goes on from tile to tile, and fences that other partitions must know of."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))


@gluon.jit
def load_tiles(src, ring, ready, empty, tiles, K, STAGES: gl.constexpr):
    count = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        for k in range(0, K, 64):
            slot = count % STAGES
            mbarrier.wait(empty.index(slot), ((count // STAGES) & 1) ^ 1)  # warning: [wait-never-ends]
            mbarrier.expect(ready.index(slot), src.nbytes_per_cta)
            tma.async_load(src, [tile * 64, k], ready.index(slot), ring.index(slot))
            count += 1


@gluon.jit
def sum_tiles(ring, ready, empty, out, filled, drained, tiles, K, STAGES: gl.constexpr):
    count = 0
    turn = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        total = gl.zeros([64, 64], gl.float32, ROWS)
        for k in range(0, K, 64):
            slot = count % STAGES
            mbarrier.wait(ready.index(slot), (count // STAGES) & 1)
            total += ring.index(slot).load(ROWS).to(gl.float32)
            mbarrier.arrive(empty.index(slot), count=1)
            count += 1
        mbarrier.wait(drained, (turn & 1) ^ 1)
        out.store(total.to(gl.float16))
        fence_async_shared()
        mbarrier.arrive(filled, count=1)
        turn += 1


@gluon.jit
def sum_tiles_from_slot_0(ring, ready, empty, out, filled, drained, tiles, K, STAGES: gl.constexpr):
    count = 0
    turn = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        count = 0
        total = gl.zeros([64, 64], gl.float32, ROWS)
        for k in range(0, K, 64):
            slot = count % STAGES
            mbarrier.wait(ready.index(slot), (count // STAGES) & 1)
            total += ring.index(slot).load(ROWS).to(gl.float32)
            mbarrier.arrive(empty.index(slot), count=1)
            count += 1
        mbarrier.wait(drained, (turn & 1) ^ 1)
        out.store(total.to(gl.float16))
        fence_async_shared()
        mbarrier.arrive(filled, count=1)
        turn += 1


@gluon.jit
def sum_tiles_with_a_late_fence(ring, ready, empty, out, filled, drained, tiles, K, STAGES: gl.constexpr):
    count = 0
    turn = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        total = gl.zeros([64, 64], gl.float32, ROWS)
        for k in range(0, K, 64):
            slot = count % STAGES
            mbarrier.wait(ready.index(slot), (count // STAGES) & 1)
            total += ring.index(slot).load(ROWS).to(gl.float32)
            mbarrier.arrive(empty.index(slot), count=1)
            count += 1
        mbarrier.wait(drained, (turn & 1) ^ 1)
        out.store(total.to(gl.float16))  # warning: [missing-fence]
        mbarrier.arrive(filled, count=1)
        fence_async_shared()
        turn += 1


@gluon.jit
def store_tiles(dst, out, filled, drained, tiles):
    turn = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        mbarrier.wait(filled, turn & 1)
        tma.async_store(dst, [tile * 64, 0], out)
        tma.store_wait(0)
        mbarrier.arrive(drained, count=1)
        turn += 1


@gluon.jit
def carries_on(src, dst, tiles, K, STAGES: gl.constexpr):
    ring = gl.allocate_shared_memory(gl.float16, [STAGES, 64, 64], src.layout)
    out = gl.allocate_shared_memory(gl.float16, [64, 64], dst.layout)
    ready = mbarrier.allocate_mbarrier(batch=STAGES)
    empty = mbarrier.allocate_mbarrier(batch=STAGES)
    filled = mbarrier.allocate_mbarrier()
    drained = mbarrier.allocate_mbarrier()
    for i in gl.static_range(STAGES):
        mbarrier.init(ready.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    mbarrier.init(filled, count=1)
    mbarrier.init(drained, count=1)
    gl.warp_specialize([
        (sum_tiles, (ring, ready, empty, out, filled, drained, tiles, K, STAGES)),
        (load_tiles, (src, ring, ready, empty, tiles, K, STAGES)),
        (store_tiles, (dst, out, filled, drained, tiles)),
    ], [1, 1], [24, 24])


@gluon.jit
def starts_again(src, dst, tiles, K, STAGES: gl.constexpr):
    ring = gl.allocate_shared_memory(gl.float16, [STAGES, 64, 64], src.layout)
    out = gl.allocate_shared_memory(gl.float16, [64, 64], dst.layout)
    ready = mbarrier.allocate_mbarrier(batch=STAGES)
    empty = mbarrier.allocate_mbarrier(batch=STAGES)
    filled = mbarrier.allocate_mbarrier()
    drained = mbarrier.allocate_mbarrier()
    for i in gl.static_range(STAGES):
        mbarrier.init(ready.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    mbarrier.init(filled, count=1)
    mbarrier.init(drained, count=1)
    gl.warp_specialize([
        (sum_tiles_from_slot_0, (ring, ready, empty, out, filled, drained, tiles, K, STAGES)),
        (load_tiles, (src, ring, ready, empty, tiles, K, STAGES)),
        (store_tiles, (dst, out, filled, drained, tiles)),
    ], [1, 1], [24, 24])


@gluon.jit
def fences_late(src, dst, tiles, K, STAGES: gl.constexpr):
    ring = gl.allocate_shared_memory(gl.float16, [STAGES, 64, 64], src.layout)
    out = gl.allocate_shared_memory(gl.float16, [64, 64], dst.layout)
    ready = mbarrier.allocate_mbarrier(batch=STAGES)
    empty = mbarrier.allocate_mbarrier(batch=STAGES)
    filled = mbarrier.allocate_mbarrier()
    drained = mbarrier.allocate_mbarrier()
    for i in gl.static_range(STAGES):
        mbarrier.init(ready.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    mbarrier.init(filled, count=1)
    mbarrier.init(drained, count=1)
    gl.warp_specialize([
        (sum_tiles_with_a_late_fence, (ring, ready, empty, out, filled, drained, tiles, K, STAGES)),
        (load_tiles, (src, ring, ready, empty, tiles, K, STAGES)),
        (store_tiles, (dst, out, filled, drained, tiles)),
    ], [1, 1], [24, 24])


LAYOUT = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
SRC = TensorDescriptor.from_tensor(torch.empty((1024, 512), dtype=torch.float16, device="cuda"), [64, 64], LAYOUT)
DST = TensorDescriptor.from_tensor(torch.empty((1024, 64), dtype=torch.float16, device="cuda"), [64, 64], LAYOUT)
for stages in (2, 3, 4):
    carries_on[(6, )](SRC, DST, 16, 512, stages)
starts_again[(6, )](SRC, DST, 16, 512, 3)
fences_late[(6, )](SRC, DST, 16, 512, 3)
