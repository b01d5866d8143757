"""Arrivals on barriers, loops that go round an odd number of times, flags, clusters, and the tails of loops.

A comment `warning:` with a slug in brackets marks the line that a lint must name; every other line must be silent."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
SHARED = gl.NVMMASharedLayout(128, 16, 2)
TENSOR = torch.empty((4096, 1024), dtype=torch.float16, device="cuda")
DESC = TensorDescriptor.from_tensor(TENSOR, [64, 64], SHARED)
OUT = torch.empty((4096, 64), dtype=torch.float16, device="cuda")
LONG = torch.empty(4096, dtype=torch.float32, device="cuda")


@gluon.jit
def put(out, x):
    r = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    c = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    gl.store(out + r[:, None] * 64 + c[None, :], x)


@gluon.jit
def expects_twice(a, out):
    buffers = gl.allocate_shared_memory(a.dtype, [2] + a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a.block_type.nbytes)
    tma.async_load(a, [0, 0], bar, buffers.index(0))
    mbarrier.expect(bar, a.block_type.nbytes)  # warning: [arrival-count]
    tma.async_load(a, [0, 64], bar, buffers.index(1))
    mbarrier.wait(bar, 0)
    put(out, buffers.index(0).load(TILE) + buffers.index(1).load(TILE))


@gluon.jit
def expects_for_both(a, out):
    buffers = gl.allocate_shared_memory(a.dtype, [2] + a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=2)
    mbarrier.expect(bar, a.block_type.nbytes)
    tma.async_load(a, [0, 0], bar, buffers.index(0))
    mbarrier.expect(bar, a.block_type.nbytes)
    tma.async_load(a, [0, 64], bar, buffers.index(1))
    mbarrier.wait(bar, 0)
    put(out, buffers.index(0).load(TILE) + buffers.index(1).load(TILE))


@gluon.jit
def invalidates_twice(a, out):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    bars = mbarrier.allocate_mbarrier(batch=2)
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
        mbarrier.expect(bars.index(i), a.block_type.nbytes)
        tma.async_load(a, [0, i * 64], bars.index(i), buffer)
        mbarrier.wait(bars.index(i), 0)
        put(out + i * 4096, buffer.load(TILE))
    mbarrier.invalidate(bars.index(0))
    mbarrier.invalidate(bars.index(0))  # warning: [barrier-not-initialized]


# Every thread of the program arrives when its copies are there.
@gluon.jit
def waits_for_one_phase_of_all(source, out, count):
    buffer = gl.allocate_shared_memory(gl.float32, [512], FLAT)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=128)
    offsets = gl.arange(0, 512, layout=LINE)
    for k in range(0, count, 512):
        async_copy.async_load(buffer, source + k + offsets, mask=k + offsets < count)
        async_copy.mbarrier_arrive(bar, increment_count=False)
        mbarrier.wait(bar, 0)  # warning: [wrong-phase]
        gl.store(out + k + offsets, buffer.load(LINE), mask=k + offsets < count)


@gluon.jit
def waits_for_each_phase(source, out, count):
    buffer = gl.allocate_shared_memory(gl.float32, [512], FLAT)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=128)
    offsets = gl.arange(0, 512, layout=LINE)
    phase = 0
    for k in range(0, count, 512):
        async_copy.async_load(buffer, source + k + offsets, mask=k + offsets < count)
        async_copy.mbarrier_arrive(bar, increment_count=False)
        mbarrier.wait(bar, phase)
        phase ^= 1
        gl.store(out + k + offsets, buffer.load(LINE), mask=k + offsets < count)


# A phase that begins anew for every tile is right as long as tiles take an even number of steps.
@gluon.jit
def begins_phases_anew(a, out, depth, tiles):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        phase = 0
        acc = gl.zeros([64, 64], gl.float16, TILE)
        for k in range(0, depth, 64):
            mbarrier.expect(bar, a.block_type.nbytes)
            tma.async_load(a, [tile * 64, k], bar, buffer)
            mbarrier.wait(bar, phase)  # warning: [wrong-phase]
            phase ^= 1
            acc += buffer.load(TILE)
        put(out + tile * 4096, acc)


@gluon.jit
def carries_phases_on(a, out, depth, tiles):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    phase = 0
    for tile in range(gl.program_id(0), tiles, gl.num_programs(0)):
        acc = gl.zeros([64, 64], gl.float16, TILE)
        for k in range(0, depth, 64):
            mbarrier.expect(bar, a.block_type.nbytes)
            tma.async_load(a, [tile * 64, k], bar, buffer)
            mbarrier.wait(bar, phase)
            phase ^= 1
            acc += buffer.load(TILE)
        put(out + tile * 4096, acc)


# An argument that is compared and nothing else may be anything.
@gluon.jit
def waits_if_told_to(a, out, mode):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a.block_type.nbytes)
    tma.async_load(a, [0, 0], bar, buffer)
    if mode > 2:
        mbarrier.wait(bar, 0)
    put(out, buffer.load(TILE))  # warning: [copy-not-awaited]


@gluon.jit
def loads_and_waits_if_told_to(a, out, mode):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout, gl.zeros([64, 64], gl.float16, TILE))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    if mode > 2:
        mbarrier.expect(bar, a.block_type.nbytes)
        tma.async_load(a, [0, 0], bar, buffer)
        mbarrier.wait(bar, 0)
    put(out, buffer.load(TILE))


# The last block of a loop, where the launch shows that the size is no multiple of it.
@gluon.jit
def sums_beyond_the_row(x, out, width):
    acc = gl.zeros([512], gl.float32, LINE)
    for k in range(0, width, 512):
        columns = k + gl.arange(0, 512, layout=LINE)
        acc += gl.load(x + gl.program_id(0) * width + columns)  # warning: [missing-mask]
    gl.store(out + gl.program_id(0), gl.sum(acc, 0))


@gluon.jit
def sums_the_row(x, out, width):
    acc = gl.zeros([512], gl.float32, LINE)
    for k in range(0, width, 512):
        columns = k + gl.arange(0, 512, layout=LINE)
        acc += gl.load(x + gl.program_id(0) * width + columns, mask=columns < width, other=0.0)
    gl.store(out + gl.program_id(0), gl.sum(acc, 0))


# Each program has a block of its own to store to: no bound of what it loads holds for that.
@gluon.jit
def stores_a_block_of_its_own(x, out, width):
    columns = gl.arange(0, 512, layout=LINE)
    y = gl.load(x + gl.program_id(0) * width + columns, mask=columns < width, other=0.0)
    gl.store(out + gl.program_id(0) * 512 + columns, y)


# Two CTAs, each of which expects and gets all of the tile.
@gluon.jit
def expects_half_of_it(a, b):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a.nbytes_per_cta // 2)  # warning: [wrong-expected-bytes]
    tma.async_load(a, [0, 0], bar, buffer, multicast=True)
    mbarrier.wait(bar, 0)
    tma.async_store(b, [0, 0], buffer)
    tma.store_wait(0)


@gluon.jit
def expects_all_of_it(a, b):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a.nbytes_per_cta)
    tma.async_load(a, [0, 0], bar, buffer, multicast=True)
    mbarrier.wait(bar, 0)
    tma.async_store(b, [0, 0], buffer)
    tma.store_wait(0)


# The wait ends when the first tile has arrived; the barrier is gone when the second one is read.
@gluon.jit
def expects_the_first_of_two(a, out):
    first = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    second = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, a.block_type.nbytes)  # warning: [wrong-expected-bytes]
    tma.async_load(a, [0, 0], bar, first)
    tma.async_load(a, [0, 64], bar, second)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    put(out, first.load(TILE) + second.load(TILE))


@gluon.jit
def waits_for_numbers_of_phases(a, out):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    for i in range(4):
        mbarrier.expect(bar, a.block_type.nbytes)
        tma.async_load(a, [0, i * 64], bar, buffer)
        mbarrier.wait(bar, i)  # hint: [phase-not-parity]
        put(out, buffer.load(TILE))


@gluon.jit
def waits_for_parities(a, out):
    buffer = gl.allocate_shared_memory(a.dtype, a.block_type.shape, a.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    for i in range(4):
        mbarrier.expect(bar, a.block_type.nbytes)
        tma.async_load(a, [0, i * 64], bar, buffer)
        mbarrier.wait(bar, i & 1)
        put(out, buffer.load(TILE))


waits_for_numbers_of_phases[(1, )](DESC, OUT)
expects_the_first_of_two[(1, )](DESC, OUT)
waits_for_parities[(1, )](DESC, OUT)
expects_twice[(1, )](DESC, OUT)
expects_for_both[(1, )](DESC, OUT)
invalidates_twice[(1, )](DESC, OUT)
waits_for_one_phase_of_all[(1, )](LONG, LONG, 4096)
waits_for_each_phase[(1, )](LONG, LONG, 4096)
begins_phases_anew[(8, )](DESC, OUT, 1024, 64)
carries_phases_on[(8, )](DESC, OUT, 1024, 64)
waits_if_told_to[(1, )](DESC, OUT, 3)
loads_and_waits_if_told_to[(1, )](DESC, OUT, 3)
sums_beyond_the_row[(4, )](LONG, LONG, 1000)
sums_the_row[(4, )](LONG, LONG, 1000)
stores_a_block_of_its_own[(4, )](LONG, LONG, 500)
BOTH = gl.NVMMASharedLayout(128, 16, 2, cga_layout=[[0, 0]])
expects_half_of_it[(1, )](TensorDescriptor.from_tensor(TENSOR, [64, 64], BOTH),
                          TensorDescriptor.from_tensor(OUT, [64, 64], BOTH), num_ctas=2)
expects_all_of_it[(1, )](TensorDescriptor.from_tensor(TENSOR, [64, 64], BOTH),
                         TensorDescriptor.from_tensor(OUT, [64, 64], BOTH), num_ctas=2)
