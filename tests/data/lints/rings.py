"""Rings of buffers in aggregates, helpers and partitions: the mistakes that compile, each beside the kernel that is right.

A comment `warning:` with a slug in brackets marks the line that a lint must name; every other line must be silent."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import (tma, mbarrier, fence_async_shared, warpgroup_mma,
                                                              warpgroup_mma_init, warpgroup_mma_wait)

HALVES = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
ACC = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))
SHARED = gl.NVMMASharedLayout(128, 16, 2)
NVMMA = gl.constexpr(SHARED)
DESC = TensorDescriptor.from_tensor(torch.empty((1024, 1024), dtype=torch.float16, device="cuda"), [64, 64], SHARED)


@gluon.jit
def put(dst, x, layout: gl.constexpr):
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], x)


@gluon.aggregate
class Counter:
    index: gl.tensor
    phase: gl.tensor
    depth: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, index, phase, depth):
        self.index = index
        self.phase = phase
        self.depth = gl.constexpr(depth)

    @gluon.jit
    def next(self):
        wraps = self.index + 1 == self.depth
        index = gl.where(wraps, 0, self.index + 1)
        phase = gl.where(wraps, self.phase ^ 1, self.phase)
        return Counter(index, phase, self.depth)

    @gluon.jit
    def next_in_phase(self):
        return Counter((self.index + 1) % self.depth, self.phase, self.depth)


@gluon.jit
def counter(phase, depth: gl.constexpr):
    return Counter(gl.to_tensor(0), gl.to_tensor(phase), depth)


@gluon.aggregate
class Ring:
    data: gl.shared_memory_descriptor
    full: gl.shared_memory_descriptor
    empty: gl.shared_memory_descriptor

    @gluon.constexpr_function
    def __init__(self, data, full, empty):
        self.data = data
        self.full = full
        self.empty = empty

    @gluon.jit
    def fill(self, desc, at, row, nbytes: gl.constexpr):
        mbarrier.expect(self.full.index(at), nbytes)
        tma.async_load(desc, [row, 0], self.full.index(at), self.data.index(at))


@gluon.jit
def make_ring(desc, depth: gl.constexpr, arrivals: gl.constexpr):
    data = gl.allocate_shared_memory(gl.float16, [depth] + desc.block_type.shape, desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [depth, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [depth, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(depth):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=arrivals)
    return Ring(data, full, empty)


# ---------------------------------------------------------------- one partition


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def phases_from_a_counter(desc, out, n):
    ring = make_ring(desc, 3, 1)
    at = counter(0, 3)
    for k in range(n):
        ring.fill(desc, at.index, k * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(at.index), at.phase)
        put(out, ring.data.index(at.index).load(HALVES), HALVES)
        at = at.next()


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def counter_that_keeps_its_phase(desc, out, n):
    ring = make_ring(desc, 1, 1)
    at = counter(0, 1)
    for k in range(n):
        ring.fill(desc, at.index, k * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(at.index), at.phase)  # warning: [wrong-phase]
        put(out, ring.data.index(at.index).load(HALVES), HALVES)
        at = at.next_in_phase()


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def phase_of_another_depth(desc, out, n):
    ring = make_ring(desc, 2, 1)
    for k in range(n):
        ring.fill(desc, k % 2, k * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(k % 2), (k // 4) & 1)  # warning: [wrong-phase]
        put(out, ring.data.index(k % 2).load(HALVES), HALVES)


# gluond: launch(desc=DESC, out="*fp16:16")
@gluon.jit
def half_of_the_bytes(desc, out):
    ring = make_ring(desc, 1, 1)
    mbarrier.expect(ring.full.index(0), 64 * 64)  # warning: [wrong-expected-bytes]
    tma.async_load(desc, [0, 0], ring.full.index(0), ring.data.index(0))
    mbarrier.wait(ring.full.index(0), 0)
    put(out, ring.data.index(0).load(HALVES), HALVES)


# gluond: launch(desc=DESC, out="*fp16:16")
@gluon.jit
def bytes_of_one_of_two(desc, out):
    ring = make_ring(desc, 2, 1)
    bar = ring.full.index(0)
    mbarrier.expect(bar, desc.block_type.nbytes)  # warning: [wrong-expected-bytes]
    tma.async_load(desc, [0, 0], bar, ring.data.index(0))
    tma.async_load(desc, [64, 0], bar, ring.data.index(1))
    mbarrier.wait(bar, 0)
    put(out, ring.data.index(0).load(HALVES) + ring.data.index(1).load(HALVES), HALVES)


# gluond: launch(desc=DESC, out="*fp16:16")
@gluon.jit
def nothing_expected(desc, out):
    ring = make_ring(desc, 1, 1)
    tma.async_load(desc, [0, 0], ring.full.index(0), ring.data.index(0))  # warning: [missing-expect]
    mbarrier.wait(ring.full.index(0), 0)
    put(out, ring.data.index(0).load(HALVES), HALVES)


# gluond: launch(desc=DESC, out="*fp16:16")
@gluon.jit
def barriers_from_nowhere(desc, out):
    data = gl.allocate_shared_memory(gl.float16, [1, 64, 64], desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [1, 1], mbarrier.MBarrierLayout())
    ring = Ring(data, full, full)
    mbarrier.expect(ring.full.index(0), 8192)  # warning: [barrier-not-initialized]
    tma.async_load(desc, [0, 0], ring.full.index(0), ring.data.index(0))
    mbarrier.wait(ring.full.index(0), 0)
    put(out, ring.data.index(0).load(HALVES), HALVES)


# gluond: launch(desc=DESC, out="*fp16:16")
@gluon.jit
def only_one_of_two_initialised(desc, out):
    data = gl.allocate_shared_memory(gl.float16, [2, 64, 64], desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(full.index(0), count=1)
    for i in gl.static_range(2):
        mbarrier.expect(full.index(i), desc.block_type.nbytes)  # warning: [barrier-not-initialized]
        tma.async_load(desc, [i * 64, 0], full.index(i), data.index(i))
    for i in gl.static_range(2):
        mbarrier.wait(full.index(i), 0)
        put(out, data.index(i).load(HALVES), HALVES)


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def waits_for_the_other_slot(desc, out, n):
    ring = make_ring(desc, 2, 1)
    ring.fill(desc, 0, 0, desc.block_type.nbytes)
    for k in range(n):
        ring.fill(desc, (k + 1) % 2, (k + 1) * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(k % 2), (k // 2) & 1)
        put(out, ring.data.index((k + 1) % 2).load(HALVES), HALVES)  # warning: [copy-not-awaited]


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def waits_for_its_slot(desc, out, n):
    ring = make_ring(desc, 2, 1)
    ring.fill(desc, 0, 0, desc.block_type.nbytes)
    for k in range(n):
        ring.fill(desc, (k + 1) % 2, (k + 1) * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(k % 2), (k // 2) & 1)
        put(out, ring.data.index(k % 2).load(HALVES), HALVES)
    mbarrier.wait(ring.full.index(n % 2), (n // 2) & 1)


# gluond: launch(desc=DESC)
@gluon.jit
def load_that_nobody_waits_for(desc):
    ring = make_ring(desc, 1, 1)
    mbarrier.expect(ring.full.index(0), desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], ring.full.index(0), ring.data.index(0))  # warning: [never-awaited]


@gluon.jit
def send(desc, stage, row, x):
    stage.store(x)  # warning: [overwritten-in-flight]
    fence_async_shared()
    tma.async_store(desc, [row, 0], stage)


@gluon.jit
def send_in_turn(desc, stage, row, x):
    tma.store_wait(0)
    stage.store(x)
    fence_async_shared()
    tma.async_store(desc, [row, 0], stage)


# gluond: launch(desc=DESC, n="i32")
@gluon.jit
def stage_rewritten_at_once(desc, n):
    stage = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    for k in range(n):
        send(desc, stage, k * 64, gl.full([64, 64], 1.0, gl.float16, HALVES))
    tma.store_wait(0)


# gluond: launch(desc=DESC, n="i32")
@gluon.jit
def stage_rewritten_in_turn(desc, n):
    stage = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    for k in range(n):
        send_in_turn(desc, stage, k * 64, gl.full([64, 64], 1.0, gl.float16, HALVES))
    tma.store_wait(0)


# gluond: launch(desc=DESC, n="i32")
@gluon.jit
def two_stages_three_under_way(desc, n):
    stage = gl.allocate_shared_memory(gl.float16, [2, 64, 64], desc.layout)
    for k in range(n):
        tma.store_wait(2)
        stage.index(k % 2).store(gl.full([64, 64], 1.0, gl.float16, HALVES))  # warning: [overwritten-in-flight]
        fence_async_shared()
        tma.async_store(desc, [k * 64, 0], stage.index(k % 2))
    tma.store_wait(0)


# gluond: launch(desc=DESC, n="i32")
@gluon.jit
def two_stages_in_turn(desc, n):
    stage = gl.allocate_shared_memory(gl.float16, [2, 64, 64], desc.layout)
    for k in range(n):
        tma.store_wait(1)
        stage.index(k % 2).store(gl.full([64, 64], 1.0, gl.float16, HALVES))
        fence_async_shared()
        tma.async_store(desc, [k * 64, 0], stage.index(k % 2))
    tma.store_wait(0)


# gluond: launch(desc=DESC)
@gluon.jit
def store_left_alone(desc):
    stage = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    stage.store(gl.full([64, 64], 1.0, gl.float16, HALVES))
    fence_async_shared()
    tma.async_store(desc, [0, 0], stage)  # warning: [never-awaited]


# ---------------------------------------------------------------- cp.async


@gluon.aggregate
class Copies:
    data: gl.shared_memory_descriptor
    depth: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, data, depth):
        self.data = data
        self.depth = gl.constexpr(depth)

    @gluon.jit
    def issue(self, src, k):
        async_copy.async_load(self.data.index(k % self.depth), src + k * 512 + gl.arange(0, 512, LINE))

    @gluon.jit
    def take(self, dst, k):
        x = self.data.index(k % self.depth).load(LINE)  # warning: [copy-not-awaited]
        gl.store(dst + k * 512 + gl.arange(0, 512, LINE), x)

    @gluon.jit
    def take_awaited(self, dst, k):
        x = self.data.index(k % self.depth).load(LINE)
        gl.store(dst + k * 512 + gl.arange(0, 512, LINE), x)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def one_group_too_many_left(src, dst, n):
    copies = Copies(gl.allocate_shared_memory(gl.float32, [2, 512], FLAT), 2)
    copies.issue(src, 0)
    async_copy.commit_group()
    k = 0
    while k < n:
        copies.issue(src, k + 1)
        async_copy.commit_group()
        async_copy.wait_group(2)
        copies.take(dst, k)
        k += 1
    async_copy.wait_group(0)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def as_many_left_as_fit(src, dst, n):
    copies = Copies(gl.allocate_shared_memory(gl.float32, [2, 512], FLAT), 2)
    copies.issue(src, 0)
    async_copy.commit_group()
    k = 0
    while k < n:
        copies.issue(src, k + 1)
        async_copy.commit_group()
        async_copy.wait_group(1)
        copies.take_awaited(dst, k)
        k += 1
    async_copy.wait_group(0)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def nothing_committed(src, dst, n):
    copies = Copies(gl.allocate_shared_memory(gl.float32, [2, 512], FLAT), 2)
    for k in range(n):
        copies.issue(src, k)
        async_copy.wait_group(0)  # warning: [copy-not-committed]
        copies.take_awaited(dst, k)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def committed_behind_the_wait(src, dst, n):
    copies = Copies(gl.allocate_shared_memory(gl.float32, [1, 512], FLAT), 1)
    copies.issue(src, 0)
    async_copy.wait_group(0)  # warning: [copy-not-committed]
    async_copy.commit_group()
    copies.take_awaited(dst, 0)


# ---------------------------------------------------------------- wgmma


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def operand_refilled_while_read(desc, out, n):
    ring = make_ring(desc, 1, 1)
    acc = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, ACC))
    for k in range(n):
        mbarrier.expect(ring.full.index(0), desc.block_type.nbytes)
        tma.async_load(desc, [0, k * 64], ring.full.index(0), ring.data.index(0))  # warning: [overwritten-in-flight]
        mbarrier.wait(ring.full.index(0), k & 1)
        acc = warpgroup_mma(ring.data.index(0), ring.data.index(0).permute((1, 0)), acc, is_async=True)
    put(out, warpgroup_mma_wait(num_outstanding=0, deps=(acc, )), ACC)


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def ring_one_slot_short_of_the_products(desc, out, n):
    ring = make_ring(desc, 2, 1)
    acc = gl.zeros([64, 64], gl.float32, ACC)
    for k in range(n):
        at = k % 2
        mbarrier.expect(ring.full.index(at), desc.block_type.nbytes)
        tma.async_load(desc, [0, k * 64], ring.full.index(at), ring.data.index(at))  # warning: [overwritten-in-flight]
        mbarrier.wait(ring.full.index(at), (k // 2) & 1)
        acc = warpgroup_mma(ring.data.index(at), ring.data.index(at).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=2, deps=(acc, ))
    put(out, warpgroup_mma_wait(num_outstanding=0, deps=(acc, )), ACC)


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def ring_as_long_as_the_products(desc, out, n):
    ring = make_ring(desc, 3, 1)
    acc = gl.zeros([64, 64], gl.float32, ACC)
    for k in range(n):
        at = k % 3
        mbarrier.expect(ring.full.index(at), desc.block_type.nbytes)
        tma.async_load(desc, [0, k * 64], ring.full.index(at), ring.data.index(at))
        mbarrier.wait(ring.full.index(at), (k // 3) & 1)
        acc = warpgroup_mma(ring.data.index(at), ring.data.index(at).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc, ))
    put(out, warpgroup_mma_wait(num_outstanding=0, deps=(acc, )), ACC)


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def sum_read_one_product_early(desc, out, n):
    ring = make_ring(desc, 2, 1)
    acc = gl.zeros([64, 64], gl.float32, ACC)
    for k in range(n):
        at = k % 2
        ring.fill(desc, at, k * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(at), (k // 2) & 1)
        acc = warpgroup_mma(ring.data.index(at), ring.data.index(at).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc, ))
    put(out, warpgroup_mma_wait(num_outstanding=1, deps=(acc, )), ACC)  # warning: [mma-not-awaited]


# gluond: launch(desc=DESC, flag="*i32:16", out="*fp16:16")
@gluon.jit
def load_after_another_program(desc, flag, out):
    ready = 0
    while ready != 1:
        ready = gl.atomic_add(flag, 0, sem="acquire", scope="gpu")
    ring = make_ring(desc, 1, 1)
    ring.fill(desc, 0, 0, desc.block_type.nbytes)
    put(out, ring.data.index(0).load(HALVES), HALVES)  # warning: [copy-not-awaited]


# ---------------------------------------------------------------- partitions


@gluon.jit
def produce(ring, desc, n, depth: gl.constexpr):
    at = counter(1, depth)
    for k in range(n):
        mbarrier.wait(ring.empty.index(at.index), at.phase)
        ring.fill(desc, at.index, k * 64, desc.block_type.nbytes)
        at = at.next()


@gluon.jit
def consume(ring, out, n, depth: gl.constexpr):
    at = counter(0, depth)
    for k in range(n):
        mbarrier.wait(ring.full.index(at.index), at.phase)
        x = ring.data.index(at.index).load(HALVES)
        mbarrier.arrive(ring.empty.index(at.index), count=1)
        put(out + k * 4096, x, HALVES)
        at = at.next()


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def ring_in_an_aggregate(desc, out, n):
    ring = make_ring(desc, 3, 1)
    gl.warp_specialize([(consume, (ring, out, n, 3)), (produce, (ring, desc, n, 3))], [1], [24])


@gluon.jit
def make_ring_for_two(desc, depth: gl.constexpr):
    data = gl.allocate_shared_memory(gl.float16, [depth] + desc.block_type.shape, desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [depth, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [depth, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(depth):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=2)  # warning: [arrival-count]
    return Ring(data, full, empty)


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def ring_for_two_with_one_reader(desc, out, n):
    ring = make_ring_for_two(desc, 2)
    gl.warp_specialize([(consume, (ring, out, n, 2)), (produce, (ring, desc, n, 2))], [1], [24])


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def ring_for_two_with_two_readers(desc, out, n):
    ring = make_ring(desc, 2, 2)
    gl.warp_specialize([(consume, (ring, out, n, 2)), (produce, (ring, desc, n, 2)), (consume, (ring, out, n, 2))],
                       [1, 4], [24, 64])


@gluon.jit
def consume_and_keep(ring, out, n, depth: gl.constexpr):
    at = counter(0, depth)
    for k in range(n):
        mbarrier.wait(ring.full.index(at.index), at.phase)
        put(out + k * 4096, ring.data.index(at.index).load(HALVES), HALVES)
        at = at.next()


@gluon.jit
def produce_for_keeper(ring, desc, n, depth: gl.constexpr):
    at = counter(1, depth)
    for k in range(n):
        mbarrier.wait(ring.empty.index(at.index), at.phase)  # warning: [wait-never-ends]
        ring.fill(desc, at.index, k * 64, desc.block_type.nbytes)
        at = at.next()


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def slots_never_given_back(desc, out, n):
    ring = make_ring(desc, 2, 1)
    gl.warp_specialize([(consume_and_keep, (ring, out, n, 2)), (produce_for_keeper, (ring, desc, n, 2))], [1], [24])


@gluon.jit
def consume_early(ring, out, n, depth: gl.constexpr):
    at = counter(1, depth)
    for k in range(n):
        mbarrier.wait(ring.full.index(at.index), at.phase)  # warning: [wrong-phase]
        x = ring.data.index(at.index).load(HALVES)
        mbarrier.arrive(ring.empty.index(at.index), count=1)
        put(out + k * 4096, x, HALVES)
        at = at.next()


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def reader_a_phase_ahead(desc, out, n):
    ring = make_ring(desc, 2, 1)
    gl.warp_specialize([(consume_early, (ring, out, n, 2)), (produce, (ring, desc, n, 2))], [1], [24])


@gluon.jit
def give_back_before_reading(ring, out, n, depth: gl.constexpr):
    at = counter(0, depth)
    for k in range(n):
        mbarrier.wait(ring.full.index(at.index), at.phase)
        mbarrier.arrive(ring.empty.index(at.index), count=1)
        x = ring.data.index(at.index).load(HALVES)  # warning: [partition-race]
        put(out + k * 4096, x, HALVES)
        at = at.next()


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def slots_given_back_too_early(desc, out, n):
    ring = make_ring(desc, 1, 1)
    gl.warp_specialize([(give_back_before_reading, (ring, out, n, 1)), (produce, (ring, desc, n, 1))], [1], [24])


@gluon.jit
def multiply(stage, ready, out):
    mbarrier.wait(ready, 0)
    acc = warpgroup_mma(stage, stage.permute((1, 0)), gl.zeros([64, 64], gl.float32, ACC), use_acc=False)
    put(out, acc, ACC)


@gluon.jit
def write_operand(stage, ready, out):
    stage.store(gl.full([64, 64], 1.0, gl.float16, HALVES))  # warning: [missing-fence]
    mbarrier.arrive(ready, count=1)


@gluon.jit
def write_operand_and_fence(stage, ready, out):
    stage.store(gl.full([64, 64], 1.0, gl.float16, HALVES))
    fence_async_shared()
    mbarrier.arrive(ready, count=1)


# gluond: launch(out="*fp32:16")
@gluon.jit
def operand_of_another_partition(out):
    stage = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    ready = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, count=1)
    gl.warp_specialize([(multiply, (stage, ready, out)), (write_operand, (stage, ready, out))], [4], [64])


# gluond: launch(out="*fp32:16")
@gluon.jit
def fenced_operand_of_another_partition(out):
    stage = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    ready = mbarrier.allocate_mbarrier()
    mbarrier.init(ready, count=1)
    gl.warp_specialize([(multiply, (stage, ready, out)), (write_operand_and_fence, (stage, ready, out))], [4], [64])


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def sum_read_after_a_loop_that_leaves_one_product(desc, out, n):
    ring = make_ring(desc, 2, 1)
    acc = gl.zeros([64, 64], gl.float32, ACC)
    for k in range(n):
        at = k % 2
        ring.fill(desc, at, k * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(at), (k // 2) & 1)
        acc = warpgroup_mma(ring.data.index(at), ring.data.index(at).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc, ))
    put(out, acc * 2, ACC)  # warning: [mma-not-awaited]


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def sum_scaled_before_the_wait_of_the_next_iteration(desc, out, n):
    ring = make_ring(desc, 2, 1)
    acc = gl.zeros([64, 64], gl.float32, ACC)
    for k in range(n):
        at = k % 2
        acc = acc * 0.5  # warning: [mma-not-awaited]
        ring.fill(desc, at, k * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(at), (k // 2) & 1)
        acc = warpgroup_mma(ring.data.index(at), ring.data.index(at).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc, ))
    put(out, warpgroup_mma_wait(num_outstanding=0, deps=(acc, )), ACC)


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def sum_in_a_branch_read_after_the_wait(desc, out, n):
    ring = make_ring(desc, 2, 1)
    acc = gl.zeros([64, 64], gl.float32, ACC)
    for k in range(n):
        at = k % 2
        ring.fill(desc, at, k * 64, desc.block_type.nbytes)
        mbarrier.wait(ring.full.index(at), (k // 2) & 1)
        if k > 0:
            acc = warpgroup_mma(ring.data.index(at), ring.data.index(at).permute((1, 0)), acc, is_async=True)
            acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc, ))
    acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    put(out, acc * 2, ACC)


# gluond: launch(desc=DESC, out="*fp32:16", n="i32")
@gluon.jit
def sum_with_a_copy_that_nothing_announces(desc, out, n):
    data = gl.allocate_shared_memory(desc.dtype, [2, 64, 64], NVMMA)
    full = mbarrier.allocate_mbarrier(batch=2)
    for i in gl.static_range(2):
        mbarrier.init(full.index(i), count=1)
    acc = gl.zeros([64, 64], gl.float32, ACC)
    mbarrier.expect(full.index(0), desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], full.index(0), data.index(0))
    for k in range(n):
        mbarrier.wait(full.index(k % 2), (k // 2) & 1)
        later = (k + 1) % 2
        mbarrier.expect(full.index(later), desc.block_type.nbytes, pred=k + 1 < n)
        tma.async_load(desc, [0, (k + 1) * 64], full.index(later), data.index(later))  # warning: [missing-expect]
        acc = warpgroup_mma(data.index(k % 2), data.index(k % 2).permute((1, 0)), acc)
    for i in gl.static_range(2):
        mbarrier.invalidate(full.index(i))
    put(out, acc, ACC)
