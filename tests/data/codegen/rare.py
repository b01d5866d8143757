"""Builtins that few kernels call: each appears once."""
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def rows_and_columns(src, out):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 32, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    x = gl.load(src + rows[:, None] * 64 + columns[None, :])
    least = gl.min(x, 1).to(gl.int32)
    bits = gl.reduce_or(x.to(gl.int32), 1)
    tl.debug_barrier()
    both = (least > 3).logical_and(bits > 4)
    either = (least > 5).logical_or(both)
    gl.store(out + rows, least + bits, mask=either)


@gluon.jit
def numbers(out, n, m):
    i, j = tl.swizzle2d(gl.program_id(0), gl.program_id(1), n, m, 4)
    gl.store(out, i * 1000 + j)


@gluon.jit
def scattered(src, where, out):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    offsets = gl.arange(0, 128, layout=layout)
    memory = gl.allocate_shared_memory(gl.float32, [128], shared)
    memory.scatter(gl.load(src + offsets), gl.load(where + offsets), axis=0)
    gl.store(out + offsets, memory.load(layout))


@gluon.jit
def narrower(src, out):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1])
    rows = gl.arange(0, 128, layout=gl.SliceLayout(1, layout))
    x = gl.load(src + rows)
    x = gl.expect_zero(x, x < 0)
    gl.store(out + rows, x)


@gluon.jit
def scaled_product(a, b, out):
    product: gl.constexpr = gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], instr_shape=[16, 16, 128])
    left: gl.constexpr = gl.DotOperandLayout(0, product, 16)
    right: gl.constexpr = gl.DotOperandLayout(1, product, 16)
    scales: gl.constexpr = gl.amd.gfx1250.get_wmma_scale_layout(left, [64, 4])
    more: gl.constexpr = gl.amd.gfx1250.get_wmma_scale_layout(right, [64, 4])
    x = gl.full([64, 128], 1, gl.float8e4nv, left)
    y = gl.full([128, 64], 1, gl.float8e4nv, right)
    x_scale = gl.full([64, 4], 127, gl.uint8, scales)
    y_scale = gl.full([64, 4], 127, gl.uint8, more)
    acc = gl.zeros([64, 64], gl.float32, product)
    acc = gl.amd.gfx1250.wmma_scaled(x, x_scale, "e4m3", y, y_scale, "e4m3", acc)
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, product))
    columns = gl.arange(0, 64, layout=gl.SliceLayout(0, product))
    gl.store(out + rows[:, None] * 64 + columns[None, :], acc)
