# Shared memory, barriers and descriptors: what passes do around them.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma, fence_async_shared


@gluon.jit
def through_shared(x_ptr, y_ptr, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr, other: gl.constexpr,
                   shared: gl.constexpr):
    rows = gl.arange(0, M, gl.SliceLayout(1, layout))[:, None]
    columns = gl.arange(0, N, gl.SliceLayout(0, layout))[None, :]
    offsets = rows * N + columns
    buffer = gl.allocate_shared_memory(gl.float32, [2, M, N], shared)
    for i in range(2):
        buffer.index(i).store(gl.load(x_ptr + offsets + i * M * N))
    value = buffer.index(0).load(other) + buffer.index(1).load(other)
    gl.store(y_ptr + offsets, gl.convert_layout(value, layout))


@gluon.jit
def pipelined(x_desc, y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr, STAGES: gl.constexpr):
    buffers = gl.allocate_shared_memory(x_desc.dtype, [STAGES] + x_desc.block_type.shape, x_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(bars.index(i), count=1)
    total = gl.zeros([BLOCK, BLOCK], gl.float16, layout)
    phase = 0
    index = 0
    for k in range(n):
        mbarrier.expect(bars.index(index), x_desc.block_type.nbytes)
        tma.async_load(x_desc, [k * BLOCK, 0], bars.index(index), buffers.index(index), pred=k < n)
        mbarrier.wait(bars.index(index), phase)
        total += buffers.index(index).load(layout)
        index += 1
        if index == STAGES:
            index = 0
            phase ^= 1
    rows = gl.arange(0, BLOCK, gl.SliceLayout(1, layout))[:, None]
    columns = gl.arange(0, BLOCK, gl.SliceLayout(0, layout))[None, :]
    gl.store(y_ptr + rows * BLOCK + columns, total)


@gluon.jit
def device_descriptor(x_ptr, rows, stride, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr, shared: gl.constexpr):
    desc = tma.make_tensor_descriptor(x_ptr, [rows, stride], [stride, 1], [M, N], shared)
    buffer = gl.allocate_shared_memory(gl.float16, [M, N], shared)
    buffer.store(gl.zeros([M, N], gl.float16, layout))
    fence_async_shared()
    tma.async_store(desc, [0, 0], buffer)
    tma.store_wait(0)
