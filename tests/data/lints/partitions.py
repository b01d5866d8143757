"""Warp specialization, wgmma and tcgen05: mistakes that compile, each beside the kernel that is right."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier, fence_async_shared

TILE = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
NVMMA = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)


@gluon.jit
def load_worker(desc, smem, ready, empty):
    count = gl.cdiv(desc.shape[1], 64)
    for i in range(count):
        mbarrier.wait(empty.index(i % 2), ((i // 2) & 1) ^ 1)
        mbarrier.expect(ready.index(i % 2), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], ready.index(i % 2), smem.index(i % 2))


@gluon.jit
def read_default(desc, dst, smem, ready, empty):
    count = gl.cdiv(desc.shape[1], 64)
    acc = gl.zeros([64, 64], gl.float16, TILE)
    for i in range(count):
        mbarrier.wait(ready.index(i % 2), (i // 2) & 1)
        acc += smem.index(i % 2).load(TILE)
        mbarrier.arrive(empty.index(i % 2), count=1)
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], acc)


@gluon.jit
def allocate_ring(desc):
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 64], desc.layout)
    ready = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(ready.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    return smem, ready, empty


@gluon.jit
def ring_between_partitions(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(read_default, (desc, dst, smem, ready, empty)), (load_worker, (desc, smem, ready, empty))],
                       [1], [24])


@gluon.jit
def load_worker_of_neighbors(desc, smem, ready, empty):
    for i in range(gl.cdiv(desc.shape[1], 64)):
        mbarrier.wait(empty.index(i % 2), ((i // 2) & 1) ^ 1)  # warning: [partition-race] "is waited on here while another partition may still complete phase 0 of it"
        mbarrier.expect(ready.index(i % 2), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], ready.index(i % 2), smem.index(i % 2))


@gluon.jit
def release_the_neighbor(desc, dst, smem, ready, empty):
    acc = gl.zeros([64, 64], gl.float16, TILE)
    for i in range(gl.cdiv(desc.shape[1], 64)):
        mbarrier.wait(ready.index(i % 2), (i // 2) & 1)
        acc += smem.index(i % 2).load(TILE)
        mbarrier.arrive(empty.index((i + 1) % 2), count=1)
    add_one(dst, acc)


@gluon.jit
def barrier_of_the_neighbor(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(release_the_neighbor, (desc, dst, smem, ready, empty)),
                        (load_worker_of_neighbors, (desc, smem, ready, empty))], [1], [24])


@gluon.jit
def add_one(dst, x):
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], x + 1)


@gluon.jit
def nothing(dst, x):
    pass


@gluon.jit
def tensors_for_a_worker(dst):
    x = gl.full([64, 64], 1.0, gl.float16, TILE)
    gl.warp_specialize([(nothing, (dst, x)), (add_one, (dst, x))], [4], [64])


@gluon.jit
def silent_worker(desc, smem, ready, empty):
    pass


@gluon.jit
def waits_for_silence(desc, dst, smem, ready, empty):
    mbarrier.wait(ready.index(0), 0)  # warning: [wait-never-ends]
    mbarrier.arrive(empty.index(0), count=1)


@gluon.jit
def worker_never_arrives(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(waits_for_silence, (desc, dst, smem, ready, empty)), (silent_worker, (desc, smem, ready, empty))],
                       [1], [24])


@gluon.jit
def load_worker_ignoring_empty(desc, smem, ready, empty):
    count = gl.cdiv(desc.shape[1], 64)
    for i in range(count):
        mbarrier.expect(ready.index(i % 2), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], ready.index(i % 2), smem.index(i % 2))  # warning: [copy-not-awaited]


@gluon.jit
def load_worker_with_one_phase(desc, smem, ready, empty):
    phase = 1
    for i in range(gl.cdiv(desc.shape[1], 64)):
        mbarrier.wait(empty.index(i % 2), phase)  # warning: [wrong-phase]
        mbarrier.expect(ready.index(i % 2), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], ready.index(i % 2), smem.index(i % 2))


@gluon.jit
def producer_whose_phase_stays(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(read_default, (desc, dst, smem, ready, empty)), (load_worker_with_one_phase, (desc, smem, ready, empty))],
                       [1], [24])


@gluon.jit
def load_worker_that_starts_late(desc, smem, ready, empty):
    phase = 0
    for i in range(gl.cdiv(desc.shape[1], 64)):
        mbarrier.wait(empty.index(i % 2), phase)  # warning: [wait-never-ends]
        mbarrier.expect(ready.index(i % 2), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], ready.index(i % 2), smem.index(i % 2))
        phase ^= i % 2


@gluon.jit
def producer_that_starts_late(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(read_default, (desc, dst, smem, ready, empty)), (load_worker_that_starts_late, (desc, smem, ready, empty))],
                       [1], [24])


@gluon.jit
def read_early(desc, dst, smem, ready, empty):
    acc = gl.zeros([64, 64], gl.float16, TILE)
    phase = 1
    for i in range(gl.cdiv(desc.shape[1], 64)):
        mbarrier.wait(ready.index(i % 2), phase)  # warning: [wrong-phase]
        acc += smem.index(i % 2).load(TILE)
        mbarrier.arrive(empty.index(i % 2), count=1)
        phase ^= i % 2
    add_one(dst, acc)


@gluon.jit
def consumer_that_starts_early(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(read_early, (desc, dst, smem, ready, empty)), (load_worker, (desc, smem, ready, empty))], [1], [24])


@gluon.jit
def producer_overruns_consumer(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(read_default, (desc, dst, smem, ready, empty)), (load_worker_ignoring_empty, (desc, smem, ready, empty))],
                       [1], [24])


@gluon.jit
def worker_with_odd_registers(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize(
        [(read_default, (desc, dst, smem, ready, empty)), (load_worker, (desc, smem, ready, empty))], [1], [500])  # warning: [worker-registers]


@gluon.jit
def store_worker(out, smem, ready):
    mbarrier.wait(ready, 0)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def fill_fenced(out, smem, ready):
    smem.store(gl.full([64, 64], 1.0, gl.float16, TILE))
    fence_async_shared()
    mbarrier.arrive(ready, count=1)


@gluon.jit
def fill_unfenced(out, smem, ready):
    smem.store(gl.full([64, 64], 1.0, gl.float16, TILE))  # warning: [missing-fence]
    mbarrier.arrive(ready, count=1)


@gluon.jit
def fill_without_arrive(out, smem, ready):
    smem.store(gl.full([64, 64], 1.0, gl.float16, TILE))
    fence_async_shared()


@gluon.jit
def store_worker_alone(out, smem, ready):
    mbarrier.wait(ready, 0)  # warning: [wait-never-ends]
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def store_fenced(out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    gl.warp_specialize([(fill_fenced, (out, smem, ready)), (store_worker, (out, smem, ready))], [1], [24])


@gluon.jit
def store_unfenced(out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    gl.warp_specialize([(fill_unfenced, (out, smem, ready)), (store_worker, (out, smem, ready))], [1], [24])


@gluon.jit
def store_unsignalled(out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    gl.warp_specialize([(fill_without_arrive, (out, smem, ready)), (store_worker_alone, (out, smem, ready))], [1], [24])


@gluon.jit
def load_worker_waiting_for_the_wrong_phase(desc, smem, ready, empty):
    count = gl.cdiv(desc.shape[1], 64)
    for i in range(count):
        mbarrier.wait(empty.index(i % 2), (i // 2) & 1)  # warning: [wait-never-ends]
        mbarrier.expect(ready.index(i % 2), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], ready.index(i % 2), smem.index(i % 2))


@gluon.jit
def ring_that_never_starts(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(read_default, (desc, dst, smem, ready, empty)),
                        (load_worker_waiting_for_the_wrong_phase, (desc, smem, ready, empty))], [1], [24])


@gluon.jit
def read_a_phase_too_early(desc, dst, smem, ready, empty):
    count = gl.cdiv(desc.shape[1], 64)
    acc = gl.zeros([64, 64], gl.float16, TILE)
    for i in range(count):
        mbarrier.wait(ready.index(i % 2), ((i // 2) & 1) ^ 1)  # warning: [wrong-phase]
        acc += smem.index(i % 2).load(TILE)
        mbarrier.arrive(empty.index(i % 2), count=1)
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], acc)


@gluon.jit
def ring_read_too_early(desc, dst):
    smem, ready, empty = allocate_ring(desc)
    gl.warp_specialize([(read_a_phase_too_early, (desc, dst, smem, ready, empty)), (load_worker, (desc, smem, ready, empty))],
                       [1], [24])


@gluon.jit
def reads_without_wait(dst, smem, ready):
    x = smem.load(TILE)  # warning: [partition-race]
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], x)


@gluon.jit
def fills(dst, smem, ready):
    smem.store(gl.full([64, 64], 1.0, gl.float16, TILE))
    mbarrier.arrive(ready, count=1)


@gluon.jit
def read_without_wait(dst):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16))
    smem.store(gl.full([64, 64], 0.0, gl.float16, TILE))
    ready = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(ready, count=1)
    gl.warp_specialize([(fills, (dst, smem, ready)), (reads_without_wait, (dst, smem, ready))], [4], [24])


@gluon.jit
def stores_ahead(dst, smem, ready):
    for i in range(4):
        smem.index(i % 2).store(gl.full([64, 64], 1.0, gl.float16, TILE))
        mbarrier.arrive(ready.index(i % 2), count=1)


@gluon.jit
def reads_behind(dst, smem, ready):
    rows = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    cols = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    for i in range(4):
        mbarrier.wait(ready.index(i % 2), (i // 2) & 1)  # warning: [wait-never-ends] "phases 0 to 1 completed before the partition waited for the first of them"
        gl.store(dst + rows[:, None] * 64 + cols[None, :], smem.index(i % 2).load(TILE))


@gluon.jit
def producer_that_never_waits(dst):
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 64], gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16))
    ready = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(ready.index(i), count=1)
    gl.warp_specialize([(reads_behind, (dst, smem, ready)), (stores_ahead, (dst, smem, ready))], [4], [64])


def main():
    a = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
    b = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
    desc = TensorDescriptor.from_tensor(a, [64, 64], NVMMA)
    out = TensorDescriptor.from_tensor(b, [64, 64], NVMMA)
    for kernel in (ring_between_partitions, barrier_of_the_neighbor, worker_never_arrives, producer_overruns_consumer, worker_with_odd_registers,
                   ring_that_never_starts, producer_whose_phase_stays, producer_that_starts_late, consumer_that_starts_early, ring_read_too_early):
        kernel[(1, )](desc, b)
    for kernel in (store_fenced, store_unfenced, store_unsignalled):
        kernel[(1, )](out)
    read_without_wait[(1, )](b)
    producer_that_never_waits[(1, )](b)
    tensors_for_a_worker[(1, )](b)


if __name__ == "__main__":
    main()
