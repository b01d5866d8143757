# Aggregates: fields, methods, nesting, inheritance, operators, loops that carry them.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.aggregate
class Counter:
    index: gl.tensor
    phase: gl.tensor
    limit: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, index, phase, limit):
        self.index = index
        self.phase = phase
        self.limit = gl.constexpr(limit)

    @gluon.jit
    def create(phase, limit: gl.constexpr):
        return Counter(gl.to_tensor(0), phase, limit)

    @gluon.must_use_result
    @gluon.jit
    def next(self):
        incremented = self.index + 1
        wraps = incremented == self.limit
        index = gl.where(wraps, 0, incremented)
        phase = gl.where(wraps, self.phase ^ 1, self.phase)
        return Counter(index, phase, self.limit)

    @gluon.constexpr_function
    def doubled(self):
        return self.limit * 2


@gluon.aggregate
class Pair:
    first: gl.tensor
    second: gl.tensor

    @gluon.jit
    def sum(self):
        return self.first + self.second

    @gluon.jit
    def __add__(self, other):
        return Pair(self.first + other.first, self.second + other.second)


@gluon.aggregate
class Nested:
    pair: Pair
    counter: Counter
    scale: gl.constexpr = 4

    @gluon.jit
    def total(self, extra):
        return self.pair.sum() * self.scale + self.counter.index + extra


@gluon.jit
def uses_counter(x_ptr, n):
    state = Counter.create(gl.to_tensor(1), 3)
    for i in range(n):
        gl.store(x_ptr + state.index, state.phase + i)
        state = state.next()
    gl.store(x_ptr, state.index + state.limit + state.doubled())


@gluon.jit
def uses_operators(x_ptr, n):
    a = Pair(n, n + 1)
    b = a + Pair(gl.to_tensor(2), n)
    if n > 3:
        b = b + a
    gl.store(x_ptr, b.sum())


@gluon.jit
def helper(nested, k):
    return nested.total(k), nested


@gluon.jit
def uses_nesting(x_ptr, n):
    nested = Nested(Pair(n, n), Counter(gl.to_tensor(0), gl.to_tensor(0), 2))
    total, again = helper(nested, 5)
    gl.store(x_ptr, total + again.pair.first)


@gluon.jit
def replaces_fields(x_ptr, n):
    a = Pair(n, n + 1)
    b = gl.aggregate_replace(a, second=n * 2)
    gl.store(x_ptr, b.sum())
