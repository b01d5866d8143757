from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier

L = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
S = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.aggregate
class Pair:
    first: gl.tensor
    second: gl.tensor

    @gluon.constexpr_function
    def __init__(self, first, second):
        self.first = first
        self.second = second

    @gluon.jit
    def swap(self):
        return Pair(self.second, self.first)

    @gluon.jit
    def __add__(self, other):
        return Pair(self.first + other.first, self.second + other.second)

    @gluon.jit
    def total(self, s):
        return (self.first + self.second) * s


@gluon.constexpr_function
def twice(x):
    return 2 * x


@gluon.constexpr_function
def fails(x):
    raise ValueError("no")


@gluon.jit
def add(a, b):
    return a + b


@gluon.jit
def inner(s, t):
    for i in range(s):
        t = t + i
    return t


@gluon.jit
def early(s, t):
    if s > 3:
        return t + 1
    return t * 2


@gluon.jit
def both(s, t):
    if s > 3:
        return t
    else:
        return -t


@gluon.jit
def number(s, t):
    return s + gl.max(t.to(gl.int32), axis=0)


@gluon.jit
def outer(s, t):
    return inner(s, t), early(s, t)


@gluon.jit
def swapped(g, s):
    if s > 0:
        g = g.swap()
    return g


@gluon.jit
def endless(s):
    return endless(s)


@gluon.jit
def h0(s, t):
    return s


@gluon.jit
def h1(q):
    return q


@gluon.jit
def h2(g):
    return g


@gluon.jit
def first(p, n):
    o = gl.arange(0, 128, layout=L)
    gl.store(p + o, gl.load(p + o) + n)


@gluon.jit
def second(p, n):
    for i in range(n):
        gl.store(p + i, 0.0)


@gluon.jit
def kernel(p, n):
    s = gl.program_id(0)
    k = n
    f = s * 0.5
    b = s > n
    C: gl.constexpr = 4
    o = gl.arange(0, 128, layout=L)
    m = o < n
    t = gl.load(p + o, mask=m, other=0.0)
    u = t * 2
    q = (s, t)
    g = Pair(t, u)
    reused = gl.allocate_shared_memory(gl.float32, [128], S, t)
    for i in range(n):
        q = (q[0] + i, inner(i, q[1]))
        if q[0] > 3:
            g = g.swap()
        else:
            g = g + g
        while s < i:
            s += 1
            for j in gl.static_range(C):
                t = t + j if b else t
    for i in range(0, k, 2):
        t += q[1] if i > 3 else g.first
    gl.store(p + o, t, mask=m)
    gl.store(p + s, k + q[0])
