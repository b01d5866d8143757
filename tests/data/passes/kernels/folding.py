# What canonicalization, constants and common subexpressions leave of a kernel.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def zero_trip(y_ptr, n, BLOCK: gl.constexpr):
    total = n
    for i in range(5, 2):
        total += i
    for i in range(0, 1):
        total += 7
    gl.store(y_ptr, total)


@gluon.jit
def dead_loop(y_ptr, n):
    unused = 0
    for i in range(n):
        unused += i
    gl.store(y_ptr, n)


@gluon.jit
def twin_counters(x_ptr, y_ptr, n):
    a = 0
    b = 0
    total = 0
    for i in range(n):
        total += gl.load(x_ptr + a) + gl.load(x_ptr + b)
        a = a + 2
        b = b + 2
    gl.store(y_ptr, total)


@gluon.jit
def phases(x_ptr, n):
    phase = 0
    index = 0
    for i in range(n):
        gl.store(x_ptr + index, phase)
        index += 1
        rollover = index == 3
        index = gl.where(rollover, 0, index)
        phase = gl.where(rollover, phase ^ 1, phase)


@gluon.jit
def known_loop(x_ptr, y_ptr):
    last = 0
    for i in range(0, 4):
        gl.store(x_ptr + i, last)
        last = 9
    gl.store(y_ptr, last)


@gluon.jit
def masks_that_fold(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.arange(0, BLOCK, layout)
    always = gl.full([BLOCK], True, gl.int1, layout)
    never = gl.full([BLOCK], False, gl.int1, layout)
    value = gl.load(x_ptr + offsets, mask=always, other=3.0)
    value += gl.load(x_ptr + offsets, mask=never, other=4.0)
    gl.store(y_ptr + offsets, value, mask=always)
    gl.store(y_ptr + offsets, value, mask=never)


@gluon.jit
def minima(x_ptr, y_ptr, n, m):
    low = n if n < m else m
    high = gl.maximum(n, m)
    gl.store(x_ptr, gl.minimum(low, high))
    gl.store(y_ptr, gl.where(n > m, n, m))


@gluon.jit
def casts(x_ptr, y_ptr, n):
    byte = gl.load(x_ptr)
    wide = byte.to(gl.int64).to(gl.int32)
    real = byte.to(gl.int32).to(gl.float32)
    gl.store(y_ptr, wide + n)
    gl.store(y_ptr + 1, real.to(gl.int32))


@gluon.jit
def divisions(x_ptr, y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.arange(0, BLOCK, layout)
    value = gl.load(x_ptr + offsets)
    gl.store(y_ptr + offsets, value / 3.0 + value / 2.0)
    gl.store(y_ptr, n / 10.0)


@gluon.jit
def select_then_if(x_ptr, y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.arange(0, BLOCK, layout)
    value = gl.load(x_ptr + offsets)
    condition = n > 5
    chosen = gl.where(condition, value, -value)
    if condition:
        gl.store(x_ptr + offsets, chosen)
    gl.store(y_ptr + offsets, chosen)


@gluon.jit
def early_return(x_ptr, y_ptr, n):
    if n < 0:
        return
    value = gl.load(x_ptr)
    if value > n:
        gl.store(y_ptr, value)
        return
    gl.store(y_ptr, n)


@gluon.jit
def first_positive(a, b):
    if a > 0:
        return a
    return b


@gluon.jit
def leaves_early_in_call(x_ptr, y_ptr, n):
    gl.store(y_ptr, first_positive(gl.load(x_ptr), n))


@gluon.jit(noinline=True)
def stays(x_ptr, n):
    gl.store(x_ptr, n)


@gluon.jit
def call_that_stays(x_ptr, n, m):
    stays(x_ptr, n)
    stays(x_ptr + 4, m * 8)


@gluon.jit
def constant_condition(x_ptr, n, FLAG: gl.constexpr):
    limit = 4 if FLAG else 8
    step = 2
    if step * 2 == limit:
        gl.store(x_ptr, n)
    else:
        gl.store(x_ptr, -n)


@gluon.jit
def while_loop(x_ptr, n):
    i = n
    steps = 0
    while i > 1:
        if i % 2 == 0:
            i = i // 2
        else:
            i = 3 * i + 1
        steps += 1
    gl.store(x_ptr, steps)


@gluon.jit
def assumes(x_ptr, n):
    gl.assume(n > 3)
    gl.store(x_ptr, n)


@gluon.jit
def assumption_in_callee(x_ptr, n):
    assumes(x_ptr, n)


@gluon.jit
def masks_of_tensors(x_ptr, n):
    offs = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))
    x = gl.load(x_ptr + offs) & 31
    gl.store(x_ptr + offs, ((x & 15) | (x ^ 7 ^ 8)) + ((n & 31) & 15))
