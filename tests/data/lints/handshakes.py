"""Partitions that hand over work in different ways, all of them right: nothing is told of them."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier, fence_async_shared, warpgroup_mma, warpgroup_mma_wait

T = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
ACC = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))


@gluon.jit
def put(dst, x, at):
    rows = gl.arange(0, 64, gl.SliceLayout(1, T))
    cols = gl.arange(0, 64, gl.SliceLayout(0, T))
    gl.store(dst + at * 4096 + rows[:, None] * 64 + cols[None, :], x)


@gluon.jit
def produce(desc, smem, ready, empty, S: gl.constexpr):
    for i in range(gl.cdiv(desc.shape[1], 64)):
        mbarrier.wait(empty.index(i % S), ((i // S) & 1) ^ 1)
        mbarrier.expect(ready.index(i % S), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], ready.index(i % S), smem.index(i % S))


@gluon.jit
def consume(desc, dst, smem, ready, empty, S: gl.constexpr, W: gl.constexpr):
    acc = gl.zeros([64, 64], gl.float16, T)
    for i in range(gl.cdiv(desc.shape[1], 64)):
        mbarrier.wait(ready.index(i % S), (i // S) & 1)
        acc += smem.index(i % S).load(T)
        mbarrier.arrive(empty.index(i % S), count=1)
    put(dst, acc, W)


@gluon.jit
def two_consumers(desc, dst, S: gl.constexpr):
    smem = gl.allocate_shared_memory(gl.float16, [S, 64, 64], desc.layout)
    ready = mbarrier.allocate_mbarrier(batch=S)
    empty = mbarrier.allocate_mbarrier(batch=S)
    for i in gl.static_range(S):
        mbarrier.init(ready.index(i), count=1)
        mbarrier.init(empty.index(i), count=2)
    gl.warp_specialize([(consume, (desc, dst, smem, ready, empty, S, 0)), (consume, (desc, dst, smem, ready, empty, S, 1)), (produce, (desc, smem, ready, empty, S))], [4, 1], [64, 24])


@gluon.jit
def consume_late(desc, dst, smem, ready, empty, S: gl.constexpr):
    acc = gl.zeros([64, 64], gl.float32, ACC)
    n = gl.cdiv(desc.shape[1], 64)
    for i in range(n):
        mbarrier.wait(ready.index(i % S), (i // S) & 1)
        acc = warpgroup_mma(smem.index(i % S), smem.index(i % S).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc,))
        if i > 0:
            mbarrier.arrive(empty.index((i - 1) % S), count=1)
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
    put(dst, gl.convert_layout(acc, T).to(gl.float16), 0)


@gluon.jit
def late_release(desc, dst, S: gl.constexpr):
    smem = gl.allocate_shared_memory(gl.float16, [S, 64, 64], desc.layout)
    ready = mbarrier.allocate_mbarrier(batch=S)
    empty = mbarrier.allocate_mbarrier(batch=S)
    for i in gl.static_range(S):
        mbarrier.init(ready.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    gl.warp_specialize([(consume_late, (desc, dst, smem, ready, empty, S)), (produce, (desc, smem, ready, empty, S))], [1], [24])


@gluon.jit
def ping(a, b, dst, n):
    for i in range(n):
        mbarrier.wait(a, (i & 1) ^ 1)
        put(dst, gl.full([64, 64], 1.0, gl.float16, T), 0)
        mbarrier.arrive(b, count=1)


@gluon.jit
def pong(a, b, dst, n):
    for i in range(n):
        mbarrier.wait(b, i & 1)
        put(dst, gl.full([64, 64], 2.0, gl.float16, T), 0)
        mbarrier.arrive(a, count=1)


@gluon.jit
def ping_pong(dst, n):
    a = mbarrier.allocate_mbarrier()
    b = mbarrier.allocate_mbarrier()
    mbarrier.init(a, count=1)
    mbarrier.init(b, count=1)
    gl.warp_specialize([(ping, (a, b, dst, n)), (pong, (a, b, dst, n))], [4], [64])


@gluon.jit
def stage(desc, smem, full, free, n):
    for i in range(n):
        mbarrier.wait(free, (i & 1) ^ 1)
        smem.store(gl.full([64, 64], 1.0, gl.float16, T))
        fence_async_shared()
        mbarrier.arrive(full, count=1)


@gluon.jit
def write_out(desc, smem, full, free, n):
    for i in range(n):
        mbarrier.wait(full, i & 1)
        tma.async_store(desc, [0, i * 64], smem)
        tma.store_wait(0)
        mbarrier.arrive(free, count=1)


@gluon.jit
def staged_stores(desc, n):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    full = mbarrier.allocate_mbarrier()
    free = mbarrier.allocate_mbarrier()
    mbarrier.init(full, count=1)
    mbarrier.init(free, count=1)
    gl.warp_specialize([(stage, (desc, smem, full, free, n)), (write_out, (desc, smem, full, free, n))], [1], [24])


@gluon.jit
def start_signal(dst, smem, go):
    mbarrier.wait(go, 0)
    put(dst, smem.load(T), 1)


@gluon.jit
def fill(desc, smem, go):
    mbarrier.expect(go, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], go, smem)


@gluon.jit
def one_shot(desc, dst):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    go = mbarrier.allocate_mbarrier()
    mbarrier.init(go, count=1)
    gl.warp_specialize([(start_signal, (dst, smem, go)), (start_signal, (dst, smem, go)), (fill, (desc, smem, go))], [4, 1], [64, 24])
    mbarrier.wait(go, 0)
    mbarrier.invalidate(go)


def run():
    a = torch.empty((64, 1024), dtype=torch.float16, device="cuda")
    d = TensorDescriptor.from_tensor(a, [64, 64], gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16))
    o = torch.empty((4, 64, 64), dtype=torch.float16, device="cuda")
    for S in (2, 3):
        two_consumers[(1,)](d, o, S)
        late_release[(1,)](d, o, S)
    ping_pong[(1,)](o, 10)
    staged_stores[(1,)](d, 10)
    one_shot[(1,)](d, o)


run()
