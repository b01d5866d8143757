"""Kernels that nothing launches, and host functions that nothing calls: what their protocol shows whatever they get.

A comment with a severity and a slug in brackets marks the line that a lint must name; every other line must be silent."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def put(out, x, rows: gl.constexpr):
    r = gl.arange(0, rows, gl.SliceLayout(1, TILE))
    c = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    gl.store(out + r[:, None] * 64 + c[None, :], x)


# Pointers and sizes: roles follow from what is done with them, in helpers too.
@gluon.jit
def stage(buffer, source, offsets, bound):
    async_copy.async_load(buffer, source + offsets, mask=offsets < bound)
    async_copy.commit_group()


@gluon.jit
def reads_before_the_wait(source, out, count, BLOCK: gl.constexpr):  # hint: [typed-defaults]
    buffer = gl.allocate_shared_memory(gl.float32, [BLOCK], FLAT)
    offsets = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LINE)
    stage(buffer, source, offsets, count)
    x = buffer.load(LINE)  # warning: [copy-not-awaited]
    async_copy.wait_group(0)
    gl.store(out + offsets, x, mask=offsets < count)


@gluon.jit
def reads_behind_the_wait(source, out, count, BLOCK: gl.constexpr):  # hint: [typed-defaults]
    buffer = gl.allocate_shared_memory(gl.float32, [BLOCK], FLAT)
    offsets = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LINE)
    stage(buffer, source, offsets, count)
    async_copy.wait_group(0)
    x = buffer.load(LINE)
    gl.store(out + offsets, x, mask=offsets < count)


# Descriptors: their blocks from the buffers that are filled, here of literal sizes.
@gluon.jit
def fetch(tensor, row, bar, destination):
    mbarrier.expect(bar, tensor.block_type.nbytes)
    tma.async_load(tensor, [row, 0], bar, destination)


@gluon.jit
def waits_for_the_phase_before(tensor, out):  # hint: [typed-defaults]
    buffer = gl.allocate_shared_memory(gl.float16, [128, 64], tensor.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fetch(tensor, gl.program_id(0) * 128, bar, buffer)
    mbarrier.wait(bar, 1)  # warning: [wrong-phase]
    put(out + gl.program_id(0) * 8192, buffer.load(TILE), 128)


@gluon.jit
def waits_for_its_phase(tensor, out):  # hint: [typed-defaults]
    buffer = gl.allocate_shared_memory(gl.float16, [128, 64], tensor.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fetch(tensor, gl.program_id(0) * 128, bar, buffer)
    mbarrier.wait(bar, 0)
    put(out + gl.program_id(0) * 8192, buffer.load(TILE), 128)


# Partitions: what they are handed is what they use it as.
@gluon.jit
def compute(source, buffers, ready, free, count, BUFFERS: gl.constexpr, FENCE: gl.constexpr):
    r = gl.arange(0, 64, gl.SliceLayout(1, TILE))
    c = gl.arange(0, 64, gl.SliceLayout(0, TILE))
    for i in range(count):
        slot = i % BUFFERS
        x = gl.load(source + i * 4096 + r[:, None] * 64 + c[None, :])
        mbarrier.wait(free.index(slot), ((i // BUFFERS) & 1) ^ 1)
        buffers.index(slot).store(x)
        if FENCE:
            fence_async_shared()
        mbarrier.arrive(ready.index(slot), count=1)


@gluon.jit
def send(tensor, buffers, ready, free, count, BUFFERS: gl.constexpr):
    for i in range(count):
        slot = i % BUFFERS
        mbarrier.wait(ready.index(slot), (i // BUFFERS) & 1)
        tma.async_store(tensor, [i * 64, 0], buffers.index(slot))
        tma.store_wait(0)
        mbarrier.arrive(free.index(slot), count=1)


@gluon.jit
def arrives_once_for_two(source, tensor, count, BUFFERS: gl.constexpr):  # hint: [typed-defaults]
    buffers = gl.allocate_shared_memory(tensor.dtype, [BUFFERS] + tensor.block_type.shape, tensor.layout)
    ready = mbarrier.allocate_mbarrier(batch=BUFFERS)
    free = mbarrier.allocate_mbarrier(batch=BUFFERS)
    for i in gl.static_range(BUFFERS):
        mbarrier.init(ready.index(i), count=2)  # warning: [arrival-count]
        mbarrier.init(free.index(i), count=1)
    gl.warp_specialize([
        (compute, (source, buffers, ready, free, count, BUFFERS, True)),
        (send, (tensor, buffers, ready, free, count, BUFFERS)),
    ], [1], [24])


@gluon.jit
def arrives_as_often_as_it_should(source, tensor, count, BUFFERS: gl.constexpr):  # hint: [typed-defaults]
    buffers = gl.allocate_shared_memory(tensor.dtype, [BUFFERS] + tensor.block_type.shape, tensor.layout)
    ready = mbarrier.allocate_mbarrier(batch=BUFFERS)
    free = mbarrier.allocate_mbarrier(batch=BUFFERS)
    for i in gl.static_range(BUFFERS):
        mbarrier.init(ready.index(i), count=1)
        mbarrier.init(free.index(i), count=1)
    gl.warp_specialize([
        (compute, (source, buffers, ready, free, count, BUFFERS, True)),
        (send, (tensor, buffers, ready, free, count, BUFFERS)),
    ], [1], [24])


# Bytes that are right for some element type are no mistake of the kernel's.
@gluon.jit
def expects_bytes_of_a_type(tensor, out):  # hint: [typed-defaults]
    buffer = gl.allocate_shared_memory(tensor.dtype, tensor.block_type.shape, tensor.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, tensor.block_type.shape[0] * tensor.block_type.shape[1] * 2)
    tma.async_load(tensor, [0, 0], bar, buffer)
    mbarrier.wait(bar, 0)
    tma.async_store(tensor, [64, 0], buffer)
    tma.store_wait(0)


# Launched by a function that nothing calls: what it says is known, its arguments are not.
@gluon.jit
def forgets_the_wait(tensor, out, BLOCK: gl.constexpr):
    buffer = gl.allocate_shared_memory(tensor.dtype, [BLOCK, 64], tensor.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fetch(tensor, gl.program_id(0) * BLOCK, bar, buffer)
    put(out + gl.program_id(0) * BLOCK * 64, buffer.load(TILE), BLOCK)  # warning: [copy-not-awaited]


def copy(a):
    layout = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16)
    out = torch.empty_like(a)
    forgets_the_wait[(triton.cdiv(a.shape[0], 128), )](TensorDescriptor.from_tensor(a, [128, 64], layout), out, 128)
    return out
