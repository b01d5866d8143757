"""Atomic buffer accesses of CDNA 3 and 4, conversions with scales of CDNA 3 and 5, layouts of partitioned products."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3, cdna4, cdna5


@gluon.jit
def third(u):
    i = gl.arange(0, 256, gl.BlockedLayout([1], [64], [4], [0]))
    cdna3.buffer_atomic_min(u, i, i)
    cdna3.buffer_atomic_and(u, i, i)
    cdna3.buffer_atomic_or(u, i, i, mask=i < 9)
    cdna3.buffer_atomic_xor(u, i, i)


@gluon.jit
def fourth(p, u):
    i = gl.arange(0, 256, gl.BlockedLayout([1], [64], [4], [0]))
    cdna4.buffer_atomic_add(p, i, i.to(gl.float32))
    cdna4.buffer_atomic_max(u, i, i)
    cdna4.buffer_atomic_min(u, i, i)
    cdna4.buffer_atomic_and(u, i, i)
    cdna4.buffer_atomic_or(u, i, i, mask=i < 9)
    cdna4.buffer_atomic_xor(u, i, i)
    cdna4.buffer_atomic_xchg(u, i, i)


@gluon.jit
def upcast(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    f = gl.full([32, 64], 1.0, gl.float8e5, layout)
    z = cdna3.scaled_upcast(f, gl.full([32, 64], 127, gl.uint8, layout), gl.bfloat16)
    gl.store(p, gl.max(gl.max(z, 0), 0).to(gl.float32))


@gluon.jit
def wide_upcast(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    f = gl.full([32, 64], 1.0, gl.float8e5, layout)
    z = cdna5.scaled_upcast(f, gl.full([32, 64], 127, gl.uint8, layout), gl.bfloat16)
    gl.store(p, gl.max(gl.max(z, 0), 0).to(gl.float32))


@gluon.jit
def partitioned(p):
    a: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [128, 64], [1, 0])
    b: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[128, 8]], [64, 128], [1, 0])
    layouts: gl.constexpr = cdna5.make_partitioned_dot_layouts(128, 128, a, b, 4, [16, 16, 32])
    gl.store(p, len(layouts))
