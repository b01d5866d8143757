"""Copies: of a line, and of a matrix in both orders."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

EPSILON = gl.constexpr(1e-6)
LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", BLOCK=512)
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32", BLOCK=1024)
@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    start = gl.program_id(0) * BLOCK
    offsets = start + gl.arange(0, BLOCK, layout=layout)
    mask = offsets < n
    value = gl.load(x + offsets, mask=mask, other=0.0)
    gl.store(y + offsets, value, mask=mask)


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16")
@gluon.jit
def scale(x, y, n):
    offsets = gl.program_id(0) * 512 + gl.arange(0, 512, layout=LINE)
    inside = offsets < n
    value = gl.load(x + offsets, mask=inside)
    value = gl.where(value > 0, value, value * 0.5)
    value = gl.maximum(value, 0.0) + EPSILON
    gl.store(y + offsets, gl.sqrt(gl.abs(value)), mask=inside)


# gluond: launch(x="*fp32:16", y="*fp32:16", ld="i32:16", per_thread=1, num_warps=4)
# gluond: launch(x="*fp32:16", y="*fp32:16", ld="i32:16", per_thread=4, num_warps=8)
@gluon.jit
def tile(x, y, ld, per_thread: gl.constexpr):
    num_warps: gl.constexpr = gl.num_warps()
    tiled: gl.constexpr = gl.BlockedLayout([1, per_thread], [1, 32], [num_warps, 1], [1, 0])
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, tiled))
    columns = gl.arange(0, 128, layout=gl.SliceLayout(0, tiled))
    places = rows[:, None] * ld + columns[None, :]
    gl.store(y + places, gl.load(x + places))
