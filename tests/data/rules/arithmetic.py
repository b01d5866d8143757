from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language import fpsan
import triton.profiler.language as pl
from triton import language as tl


@gluon.jit
def scalars(p, a, b, c, d, e, f, h, k):
    # i8, i16, i32, i64, u32, f32, f16, bf16: every operator of numbers and tensors
    x = a + b
    y = b * c
    z = c - d
    w = c + e
    v = e * 2
    u = f + 1
    t = h * 2.5
    s = k + h
    r = f / c
    q = c / 3
    o = d // 7
    n = c % 5
    m = e // 3
    l = f % 2.0
    i = -c
    j = ~d
    g = not (c == 3)
    gl.store(p, x + y + z + w + v)
    gl.store(p + 1, (u + t + s + r + q + l).to(gl.int32))
    gl.store(p + 2, o + n + m + i + j)
    gl.store(p + 3, g)
    gl.store(p + 4, c & d)
    gl.store(p + 5, c | 3)
    gl.store(p + 6, c ^ e)
    gl.store(p + 7, c << 2)
    gl.store(p + 8, d >> 3)
    gl.store(p + 9, e >> 3)
    gl.store(p + 10, 5 - c)
    gl.store(p + 11, 7 // c)
    gl.store(p + 12, 1 / f)
    gl.store(p + 13, a // b)
    gl.store(p + 14, 100 * a)
    gl.store(p + 15, 2**31 + d)


@gluon.jit
def comparisons(p, a, b, c, d):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    i = gl.arange(0, 256, layout)
    gl.store(p + i, (i < a) & (i >= b) | (i == 3))
    gl.store(p + i, i != c)
    gl.store(p + i, 5 > i)
    gl.store(p + i, c <= d)
    gl.store(p + i, (i.to(gl.float32) < d) ^ True)
    gl.store(p + i, i.to(gl.uint32) < 7)
    if a < b and c > 3:
        gl.store(p, 1)
    if a < b or not (c > 3):
        gl.store(p, 2)
    gl.store(p, 1 if c else 0)


@gluon.jit
def casts(p, q, r):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    x = gl.load(p + i)
    y = gl.load(q + i)
    gl.store(r + i, x.to(gl.float16).to(gl.float32))
    gl.store(r + i, x.to(gl.bfloat16).to(gl.float32))
    gl.store(r + i, x.to(gl.float64).to(gl.float32))
    gl.store(r + i, x.to(gl.float8e5).to(gl.float32))
    gl.store(r + i, x.to(gl.float8e4nv).to(gl.float16))
    gl.store(r + i, x.to(gl.int8).to(gl.float32))
    gl.store(r + i, x.to(gl.uint16))
    gl.store(r + i, y.to(gl.int64) + 1)
    gl.store(r + i, y.to(gl.int1))
    gl.store(r + i, x.to(gl.int1))
    gl.store(r + i, y.to(gl.float32, bitcast=True))
    gl.store(r + i, x.to(gl.float16, fp_downcast_rounding="rtz"))
    gl.store(r + i, gl.cast(y, gl.uint8))
    z = y.to(gl.uint32)
    gl.store(r + i, z.to(gl.float32))
    gl.store(r + i, z.to(gl.int64))
    gl.store(r + i, (y > 0).to(gl.int32))
    gl.store(r + i, (y > 0).to(gl.float32))
    gl.store(r + i, p.to(gl.int64))
    n = p.to(gl.int64)
    gl.store(n.to(gl.pointer_type(gl.float32)), 1.0)
    gl.store(p.to(gl.pointer_type(gl.int8)), 1)


@gluon.jit
def selection(p, q, n):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    x = gl.load(p + i)
    y = gl.load(q + i)
    gl.store(p + i, gl.where(i < n, x, y))
    gl.store(p + i, gl.where(i < n, x, 0.0))
    gl.store(p + i, gl.where(x > y, 1, i))
    gl.store(p + i, gl.maximum(x, y))
    gl.store(p + i, gl.minimum(x, 1.0))
    gl.store(p + i, gl.maximum(i, n))
    gl.store(p + i, gl.minimum(i.to(gl.uint32), 7))
    gl.store(p + i, gl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL))
    gl.store(p + i, gl.clamp(x, -1.0, 1.0))
    gl.store(p + i, gl.clamp(x, y, 2.0, propagate_nan=tl.PropagateNan.ALL))
    gl.store(p + i, max(n, 3))
    gl.store(p + i, min(n, 3))
    gl.store(p + i, gl.abs(i))
    gl.store(p + i, gl.fma(x, y, 1.0))
    gl.store(p + i, gl.fdiv(x, y))
    gl.store(p + i, gl.fdiv(x, y, ieee_rounding=True))
    gl.store(p + i, gl.div_rn(x, y))
    gl.store(p + i, gl.umulhi(i.to(gl.uint32), 7))
    gl.store(p + i, gl.cdiv(n, 3))


@gluon.jit
def functions(p):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    x = gl.load(p + i)
    gl.store(p + i, gl.exp(x))
    gl.store(p + i, gl.exp2(x))
    gl.store(p + i, gl.log(x))
    gl.store(p + i, gl.log2(x))
    gl.store(p + i, gl.cos(x))
    gl.store(p + i, gl.sin(x))
    gl.store(p + i, gl.sqrt(x))
    gl.store(p + i, gl.rsqrt(x))
    gl.store(p + i, gl.sqrt_rn(x))
    gl.store(p + i, gl.erf(x))
    gl.store(p + i, gl.floor(x))
    gl.store(p + i, gl.ceil(x))
    gl.store(p + i, x.exp())
    gl.store(p + i, x.abs())


@gluon.jit
def methods(p, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 128, layout)
    x = i.__add__(n).__mul__(3).__sub__(i)
    y = i.__radd__(1).__rmul__(n).__rsub__(200)
    small = x.__lt__(100).__and__(y.__rge__(3)).__or__(x.__eq__(n))
    bits = x.__xor__(y).__lshift__(1).__rrshift__(n).__invert__()
    gl.store(p + i, bits.__floordiv__(7).__mod__(5).__neg__(), mask=small)
    gl.store(p + i, x.__truediv__(2), mask=small.__not__())
    gl.store(p, n.__rsub__(n.__add__(1)))


@gluon.jit
def payloads(p):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 128, layout)
    x = gl.load(p + i)
    e = fpsan.embed(x)
    gl.store(p + i, fpsan.unembed(e * e + 1, gl.float32))
    half = fpsan.unembed(fpsan.embed(x.to(gl.float16)), gl.float16)
    gl.store(p + i, fpsan.unembed(fpsan.embed(half), gl.bfloat16))
    gl.store(p, fpsan.unembed(fpsan.embed(1.5), dtype=gl.float32))


@gluon.jit
def marks(p, n):
    pl.enter_scope("all")
    with pl.scope("store"):
        gl.store(p, n)
        with pl.scope("inner"):
            gl.store(p + 1, n)
    pl.exit_scope("all")
    event = pl.allocate_event("copy")
    pl.start_event(event)
    pl.end_event(event)
