"""Conversions and packed arithmetic of float formats that few chips have."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import rubin

L: gl.constexpr = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
WIDE: gl.constexpr = gl.constexpr(gl.BlockedLayout([8], [32], [4], [0]))
BYTES: gl.constexpr = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))


@gluon.jit
def bias_of_15(p, q, out):
    i = gl.arange(0, 512, L)
    x = gl.load(p + i, i < 500, other=1.5)
    gl.store(out + i, x.to(gl.float32))
    gl.store(out + i, x.to(gl.bfloat16))
    gl.store(p + i, gl.load(q + i).to(gl.float8e4b15))
    gl.store(p, gl.load(p + 1).to(gl.float16).to(gl.float8e4b15))


@gluon.jit
def sum_of_bias_15(p):
    i = gl.arange(0, 512, L)
    x = gl.load(p + i)
    gl.store(p + i, x + x)


@gluon.jit
def mixed(halves, bfloats, p):
    i = gl.arange(0, 512, L)
    h = gl.load(halves + i)
    b = gl.load(bfloats + i)
    f = gl.load(p + i)
    gl.store(p + i, rubin.fma2(h, f, rubin.sub2(b, f)))
    gl.store(p + i, rubin.mul2(h, b, dtype=gl.float16))


@gluon.jit
def of_four_bits(fours, eights, p):
    i = gl.arange(0, 1024, WIDE)
    x = gl.load(fours + gl.arange(0, 512, BYTES))
    y = gl.load(eights + i)
    y = rubin.add4(x, y)
    y = rubin.fma4(y, x, y)
    gl.store(p + i, rubin.mul4(x, x, dtype=gl.float8e5).to(gl.float32))
    gl.store(p + i, y.to(gl.float32))
