"""Branches and loops that depend on numbers in memory: lengths of sequences, experts of tiles, padded blocks."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy

LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


# gluond: launch(x="*fp32:16", y="*fp32:16", ids="*i32", n="i32")
@gluon.jit
def skipped_blocks(x, y, ids, n):
    smem = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    i = gl.arange(0, 512, LINE)
    e = gl.load(ids + gl.program_id(0))
    if e < 0:
        return
    for k in range(n):
        async_copy.async_load(smem, x + e * 4096 + k * 512 + i)
        async_copy.commit_group()
        gl.store(y + k * 512 + i, smem.load(LINE))  # warning: [copy-not-awaited]


# gluond: launch(x="*fp32:16", y="*fp32:16", length="*i32")
@gluon.jit
def loaded_length(x, y, length):
    smem = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    i = gl.arange(0, 512, LINE)
    for k in range(gl.load(length)):
        async_copy.async_load(smem, x + k * 512 + i)
        async_copy.commit_group()
        gl.store(y + k * 512 + i, smem.load(LINE))  # warning: [copy-not-awaited]


# gluond: launch(x="*fp32:16", y="*fp32:16", offsets="*i32")
@gluon.jit
def ragged(x, y, offsets):
    smem = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    i = gl.arange(0, 512, LINE)
    begin = gl.load(offsets + gl.program_id(0))
    end = gl.load(offsets + gl.program_id(0) + 1)
    for k in range(0, end - begin, 512):
        async_copy.async_load(smem, x + begin + k + i)  # hint: [unvectorized]
        async_copy.commit_group()
        gl.store(y + begin + k + i, smem.load(LINE))  # warning: [copy-not-awaited]


# gluond: launch(x="*fp32:16", y="*fp32:16", offsets="*i32")
@gluon.jit
def ragged_and_awaited(x, y, offsets):
    smem = gl.allocate_shared_memory(gl.float32, [512], SHARED)
    i = gl.arange(0, 512, LINE)
    begin = gl.load(offsets + gl.program_id(0))
    end = gl.load(offsets + gl.program_id(0) + 1)
    for k in range(begin, end, 512):
        async_copy.async_load(smem, x + k + i)  # hint: [unvectorized]
        async_copy.commit_group()
        async_copy.wait_group(0)
        gl.store(y + k + i, smem.load(LINE))
        gl.barrier()


# The number in memory is one of a few: what it may be is not known.
# gluond: launch(x="*fp32:16", y="*fp32:16", slots="*i32", counts="*i32")
@gluon.jit
def loaded_slots(x, y, slots, counts):
    ring = gl.allocate_shared_memory(gl.float32, [4, 512], SHARED)
    i = gl.arange(0, 512, LINE)
    for k in range(gl.load(counts)):
        async_copy.async_load(ring.index(k), x + k * 512 + i)
        async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(y + i, ring.index(gl.load(slots)).load(LINE))
