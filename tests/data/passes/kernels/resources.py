# Which memory an op touches: loads merge across writes to others. And what is left of functions and descriptors.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

wide = gl.BlockedLayout([1], [32], [4], [0])
flat: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
words: gl.constexpr = gl.NVMMASharedLayout(128, 32, 2)


@gluon.jit
def pick(x_ptr, offsets):
    return gl.load(x_ptr + offsets)


@gluon.jit
def total_of(a, b):
    return a + b


@gluon.jit
def loads_around_shared(x_ptr, y_ptr):
    offsets = gl.arange(0, 128, wide)
    buffer = gl.allocate_shared_memory(gl.float32, [128], flat)
    first = pick(x_ptr, offsets)
    buffer.store(first)
    second = pick(x_ptr, offsets)
    gl.store(y_ptr + offsets, first + second)
    third = pick(x_ptr, offsets)
    gl.store(y_ptr + offsets, buffer.load(wide) + buffer.load(wide) + third)


@gluon.jit
def loads_around_barrier(x_ptr, y_ptr):
    offsets = gl.arange(0, 128, wide)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    first = pick(x_ptr, offsets)
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 512)
    second = pick(x_ptr, offsets)
    gl.store(y_ptr + offsets, first * second)


@gluon.jit
def unused_function(y_ptr):
    gl.reduce(gl.arange(0, 128, wide), 0, total_of)


@gluon.jit
def signed_descriptor(x_ptr, rows):
    desc = tma.make_tensor_descriptor(x_ptr, [rows, 64], [64, 1], [64, 64], words)
    buffer = gl.allocate_shared_memory(x_ptr.dtype.element_ty, [64, 64], words)
    tma.async_atomic_min(desc, [0, 0], buffer)
    tma.store_wait(0)
