# Values: constants, tuples, comparisons, short circuits, strings, types as values.
import dataclasses

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

WIDTH = gl.constexpr(8)
NAME = gl.constexpr("tile")
SIZES: gl.constexpr = gl.constexpr((4, 8))
SWIZZLED = gl.SwizzledSharedLayout(8, 2, 4, [1, 0])
NARROWER = gl.constexpr(dataclasses.replace(SWIZZLED, vec=4))


@gluon.jit
def constants(x_ptr):
    gl.store(x_ptr, 1)
    gl.store(x_ptr, 1.5)
    gl.store(x_ptr, True)
    gl.store(x_ptr, 1 << 40)
    gl.store(x_ptr, -3)
    gl.store(x_ptr, 2147483648)
    gl.store(x_ptr, 1e300)
    gl.store(x_ptr, WIDTH * 2 + SIZES[1])


@gluon.jit
def constant_arithmetic(x_ptr, N: gl.constexpr):
    a: gl.constexpr = (N // 3) ** 2 - N % 5
    b: gl.constexpr = N / 4
    c: gl.constexpr = (N << 2) | 1 ^ (N & 6)
    d: gl.constexpr = not N
    e: gl.constexpr = -N + ~N
    gl.store(x_ptr, a + c + e)
    gl.store(x_ptr, b)
    gl.store(x_ptr, d)
    gl.store(x_ptr, min(a, c) + max(a, c, e))
    gl.store(x_ptr, int(b) + len(SIZES))


@gluon.jit
def pending_annotation(x_ptr, n):
    size: gl.constexpr
    size = 16
    count: gl.int32 = n + 1
    gl.store(x_ptr, gl.cdiv(n, size) + count)


@gluon.jit
def tuples(x_ptr, n):
    t = (n, 2, 3.0)
    u = t + (4, n)
    v = u[1:3] + (t[0],)
    (a, b), c = (n, 1), n + 1
    w = [n, a, b]
    squares = [e * e for e in w]
    some = [e for e in (1, 2, 3, 4) if e % 2 == 0]
    gl.store(x_ptr, v[0] + v[1] + v[2] + c + squares[2] + squares[-1] + some[1])
    gl.store(x_ptr, len(u) + len(some))


@gluon.jit
def comparisons(x_ptr, n, m, N: gl.constexpr):
    a = 0 < n < 10
    b = 3 > n
    c = N == 4 and n > 1
    d = N == 5 and n > 1
    e = N == 4 or n > 1
    f = n > 1 or m > 2 or n > 3
    g = not (n == m)
    h = N < 10 < n
    gl.store(x_ptr, a.to(gl.int32) + b + c + f + g + h)
    gl.store(x_ptr, d)
    gl.store(x_ptr, e)


@gluon.jit
def operators(x_ptr, n, m, f):
    gl.store(x_ptr, n + m - n * m)
    gl.store(x_ptr, n // m + n % m)
    gl.store(x_ptr, n / m)
    gl.store(x_ptr, (n << 2) >> m)
    gl.store(x_ptr, (n & m) | (n ^ 5))
    gl.store(x_ptr, ~n + -m)
    gl.store(x_ptr, f * 2 + n)
    gl.store(x_ptr, 2 - f)
    gl.store(x_ptr, 7 // n)
    gl.store(x_ptr, 100 >> n)
    gl.store(x_ptr, min(n, m, 3) + max(n, 1))


@gluon.jit
def augmented(x_ptr, n):
    a = n
    a += 1
    a -= n
    a *= 3
    a <<= 2
    a |= 1
    b = 1.0
    b /= n
    gl.store(x_ptr, a + b)


@gluon.jit
def strings(x_ptr, n, MODE: gl.constexpr):
    label: gl.constexpr = f"{NAME}_{WIDTH}_{MODE!r}"
    if label == "tile_8_'fast'":
        gl.store(x_ptr, n)
    gl.device_print("value", n)


@gluon.jit
def types_as_values(x_ptr, y_ptr, n, DTYPE: gl.constexpr):
    x = gl.load(x_ptr)
    if x.dtype == gl.float32:
        x = x.to(DTYPE)
    if DTYPE.primitive_bitwidth == 16:
        x = x * 2
    gl.store(y_ptr, x.to(y_ptr.dtype.element_ty))


@gluon.jit
def shapes(x_ptr, L: gl.constexpr):
    rows = gl.arange(0, 16, layout=gl.SliceLayout(1, L))
    cols = gl.arange(0, 32, layout=gl.SliceLayout(0, L))
    x = gl.load(x_ptr + rows[:, None] * 32 + cols[None, :])
    gl.static_assert(x.shape[0] == 16 and x.shape[1] == 32)
    gl.static_assert(len(x.shape) == 2)
    gl.static_assert(x.type.layout == L)
    y = gl.full(x.shape, 1.0, x.dtype, layout=x.type.layout)
    gl.store(x_ptr + rows[:, None] * 32 + cols[None, :], x + y)


@gluon.jit
def walrus(x_ptr, n):
    gl.store(x_ptr, (k := n + 1) + k)


@gluon.jit
def optional(x_ptr, n, bias=None):
    x = gl.load(x_ptr)
    if bias is not None:
        x += gl.load(bias)
    y = None
    if y is None:
        y = x
    gl.store(x_ptr, y + n)


@gluon.jit
def fp8_pointer(x_ptr, y_ptr):
    gl.static_assert(x_ptr.dtype.is_fp8() and x_ptr.dtype.element_ty.is_fp8())
    gl.static_assert(not y_ptr.dtype.is_fp8())
    gl.static_assert(not x_ptr.dtype.is_fp8e4nv())
    gl.store(y_ptr, 1.0)


@gluon.jit
def replaced_layout(x_ptr):
    buffer = gl.allocate_shared_memory(gl.float16, [32, 32], NARROWER)
    buffer._keep_alive()


@gluon.aggregate
class Held:
    value: gl.tensor

    @gluon.constexpr_function
    def __init__(self, value):
        self.value = value


@gluon.jit
def equal_tuples(x_ptr, n):
    pid = gl.program_id(0)
    both = (1, pid)
    held = Held(pid)
    gl.static_assert(both == both and not both != both)
    gl.static_assert(both != (1, pid, n) and (2, n) != (1, pid))
    gl.static_assert(((1, pid), None) == ((1, pid), None))
    gl.static_assert((1, 2) == [1, 2] and (1, 2) != (1, 3))
    gl.static_assert((4, 8) == SIZES and (4, 8, 1) != SIZES and (Held, 1)[1] == 1)
    gl.static_assert(held == held and not held != held)
    gl.store(x_ptr, min(3) + max(4, True))
