# What loops carry, where that is hard to tell before their bodies are seen: shared values, swaps, names assigned only in
# code that is not compiled, hints, aggregates, names that end as they began.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
import triton.language as tl

L: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])


@gluon.aggregate
class Pair:
    a: gl.tensor
    b: gl.tensor
    n: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, a, b, n):
        self.a = a
        self.b = b
        self.n = gl.constexpr(n)

    @gluon.jit
    def step(self, k):
        return Pair(self.b, self.a + k, self.n)


@gluon.jit
def shared_value(p, n):
    x = gl.program_id(0)
    y = x
    for i in range(n):
        x = y
        gl.store(p + i, x)
    gl.store(p, x)


@gluon.jit
def shared_value_nested(p, n):
    x = gl.program_id(0)
    y = x
    for i in range(n):
        for j in range(i):
            x = y
        x = x + 0 if n > 3 else y
        gl.store(p + i, x)
    gl.store(p, x)


@gluon.jit
def swaps(p, n):
    x = gl.program_id(0)
    y = gl.program_id(1)
    for i in range(n):
        x, y = y, x
    gl.store(p, x - y)


@gluon.jit
def not_compiled(p, n, F: gl.constexpr):
    x = gl.program_id(0)
    y = gl.program_id(1)
    c = 3
    for i in range(n):
        if F:
            x += i
        else:
            y += i
        c2 = c
        z = x
        for j in range(0, n, 2):
            if not F:
                x += j
            z += 1
        gl.store(p + i, z)
    gl.store(p, x + y + c)


@gluon.jit
def hints(p, n):
    x = n * 16
    for i in range(n):
        x = tl.multiple_of(x, 16)
        gl.store(p + x, i)
        x += 16
    gl.store(p, x)


@gluon.jit
def hints_nested(p, n):
    x = n * 16
    for k in range(n):
        for i in range(n):
            x = tl.multiple_of(x, 16)
            gl.store(p + x, i)
            x += 16
        x += 32
    gl.store(p, x)


@gluon.jit
def carries_aggregates(p, n):
    s = Pair(gl.program_id(0), gl.program_id(1), 4)
    t = (s.a, s.b, 5)
    for i in range(n):
        s = s.step(i)
        t = (t[1], t[0] + s.a, 5)
    gl.store(p, s.a + s.b + t[0] + s.n)


@gluon.jit
def assigns_constant(p, n):
    phase = 0
    for i in range(n):
        phase = 1
    gl.store(p, phase)


@gluon.jit
def changes_type(p, n):
    x = gl.program_id(0)
    for i in range(n):
        x = x.to(gl.int64)
    gl.store(p, x)


@gluon.jit
def changes_kind(p, n):
    x = gl.zeros([128], gl.float32, L)
    for i in range(n):
        x = x + i
        y = undefined_name
        x = 3
    gl.store(p, n)


@gluon.jit
def ends_as_it_began(p, n):
    x = gl.program_id(0)
    y = gl.program_id(1)
    for i in range(n):
        x = x
        y += x
        if i > 3:
            y = y
            x = x
    gl.store(p, y)


@gluon.jit
def branches_and_while(p, n):
    x = gl.program_id(0)
    y = gl.program_id(1)
    w = y
    for i in range(n):
        if i > 3:
            x = y
            if i > 5:
                w = x
        else:
            y = y + 1
        while y < 10:
            y = y + x
            for q in range(3):
                w += y
    gl.store(p, y + x + w)


@gluon.jit
def reuses_target(p, n):
    i = gl.program_id(0)
    acc = i
    for i in range(n):
        acc += i
    for j in range(n):
        for j in range(2):
            acc += j
    gl.store(p, acc + i)


@gluon.jit
def inner(x, n):
    for i in range(n):
        x += i
        for j in range(x):
            x -= j
    return x


@gluon.jit
def calls_loops(p, n):
    x = gl.program_id(0)
    y = gl.full([128], 1, gl.int32, L)
    for i in range(n):
        x = inner(x, i)
        y = inner(y.to(gl.int32), 3) if x > 3 else y
        y = gl.maximum(y, x)
    gl.store(p + y, inner(y, n))


@gluon.jit
def assigns_in_expression(p, n):
    x = gl.program_id(0)
    for i in range(n):
        gl.store(p + (x := x + 1), i)
    gl.store(p, x)


@gluon.jit
def carries_none(p, n):
    x = None
    y = 0.0
    z = gl.program_id(0)
    for i in range(n, 0, -1):
        z = z - 1
        x = z
    gl.store(p, z)


@gluon.jit
def returns_inside(p, n):
    z = gl.program_id(0)
    for i in range(n):
        z += 1
        if z > 3:
            return
    gl.store(p, z)
