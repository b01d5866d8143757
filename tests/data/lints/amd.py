"""AMD: buffer accesses and asynchronous copies; each mistake beside the kernel that is right."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd.cdna4 import async_copy

LINE = gl.constexpr(gl.BlockedLayout([4], [64], [4], [0]))
BYTES_16 = gl.constexpr(gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0]))
COLUMNS = gl.constexpr(gl.BlockedLayout([1, 1], [64, 1], [1, 4], [0, 1]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def tile_offsets(layout: gl.constexpr):
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    return rows[:, None] * 64 + cols[None, :]


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="hip:gfx942")
@gluon.jit
def buffers_by_rows(src, dst):
    offs = tile_offsets(BYTES_16)
    gl.amd.cdna3.buffer_store(gl.amd.cdna3.buffer_load(src, offs), dst, offs)


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="hip:gfx942")
@gluon.jit
def buffers_by_columns(src, dst):
    offs = tile_offsets(COLUMNS)
    x = gl.amd.cdna3.buffer_load(src, offs)  # warning: [uncoalesced]
    gl.amd.cdna3.buffer_store(x, dst, offs)  # warning: [uncoalesced]


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def copy_awaited(src, dst):
    offs = gl.arange(0, 1024, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, offs)
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(dst + offs, buffer.load(LINE))


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def copy_not_awaited(src, dst):
    offs = gl.arange(0, 1024, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, offs)
    async_copy.commit_group()
    gl.store(dst + offs, buffer.load(LINE))  # warning: [copy-not-awaited]
    async_copy.wait_group(0)


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def copy_not_committed(src, dst):
    offs = gl.arange(0, 1024, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, offs)
    async_copy.wait_group(0)  # warning: [copy-not-committed]
    gl.store(dst + offs, buffer.load(LINE))
