# Calls of jit functions: names, arguments, returns; constexpr functions; what Triton's library brings.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

OFFSET = gl.constexpr(3)


@gluon.jit
def plain(x, y):
    return x + y


@gluon.jit
def with_default(x, scale: gl.constexpr = 2, shift=1):
    return x * scale + shift


@gluon.jit
def two_returns(x):
    if x > 0:
        return x
    return -x


@gluon.jit
def returns_constant(FLAG: gl.constexpr):
    if FLAG:
        return 4
    else:
        return 5


@gluon.jit
def mixed_returns(x):
    if x > 3:
        return 1
    return x


@gluon.jit
def returns_pair(x):
    return x, x + 1


@gluon.jit
def returns_nothing(ptr, x):
    gl.store(ptr, x)


@gluon.jit
def spread(*values):
    total = values[0]
    for i in gl.static_range(1, len(values)):
        total += values[i]
    return total


@gluon.jit
def recursive(x, N: gl.constexpr):
    if N > 0:
        return recursive(x + N, N - 1)
    else:
        return x


@gluon.jit(noinline=True)
def kept(x):
    return x * 3


@gluon.jit
def takes_function(f: gl.constexpr, x):
    return f(x, 2)


@gluon.constexpr_function
def power(base, exponent):
    result = 1
    for _ in range(exponent):
        result *= base
    return result


@gluon.constexpr_function
def layout_for(width, warps=4):
    return gl.BlockedLayout([width], [32], [warps], [0])


@gluon.constexpr_function
def describe(n):
    return f"n={n:>4}" if n > 3 else "small"


@gluon.jit
def calls(x_ptr, n):
    a = plain(n, 1)
    b = plain(n, 1)
    c = plain(1.0, n)
    d = with_default(n)
    e = with_default(n, shift=7, scale=3)
    f = with_default(n, 2, 1)
    gl.store(x_ptr, a + b + c + d + e + f)


@gluon.jit
def returns(x_ptr, n):
    a = two_returns(n)
    b = returns_constant(True) + returns_constant(FLAG=False)
    c, d = returns_pair(a)
    e = mixed_returns(n)
    returns_nothing(x_ptr, a + b + c + d + e)


@gluon.jit
def variadic(x_ptr, n):
    gl.store(x_ptr, spread(n, 2, n + 1))
    values = (n, n)
    gl.store(x_ptr, spread(*values, 4))


@gluon.jit
def recursion(x_ptr, n):
    gl.store(x_ptr, recursive(n, 3))


@gluon.jit
def not_inlined(x_ptr, n):
    gl.store(x_ptr, kept(n) + kept(n + 1))


@gluon.jit
def function_argument(x_ptr, n):
    gl.store(x_ptr, takes_function(plain, n))


@gluon.jit
def constexpr_calls(x_ptr, N: gl.constexpr):
    size: gl.constexpr = power(2, N)
    layout: gl.constexpr = layout_for(power(2, 1), warps=4)
    x = gl.load(x_ptr + gl.arange(0, size, layout=layout))
    gl.static_assert(describe(N) == "n=   7", "formatting")
    gl.store(x_ptr + gl.arange(0, size, layout=layout_for(2)), x + power(3, 2) + OFFSET)


@gluon.jit
def in_loops(x_ptr, n):
    acc = 0
    for i in range(n):
        acc = plain(acc, two_returns(i))
    gl.store(x_ptr, acc)


@gluon.jit
def library(x_ptr, n, BLOCK: gl.constexpr, L: gl.constexpr):
    blocks = gl.cdiv(n, BLOCK)
    x = gl.load(x_ptr + gl.arange(0, BLOCK, layout=L))
    z = gl.zeros([BLOCK], gl.float32, layout=L)
    gl.store(x_ptr, gl.sum(x + z, axis=0) + gl.max(x, axis=0) + blocks)
