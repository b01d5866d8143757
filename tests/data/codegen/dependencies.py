# What a called function refers to. Triton hashes it together with all that it names, and refuses plain functions there.
import functools
import itertools
import math
import operator

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TABLE = {1: 2}


def on_the_host(x):
    return x + 1


class Sizes:
    width = 8

    @staticmethod
    def doubled(x):
        return 2 * x


@gluon.constexpr_function
def by_reduce(xs):
    return functools.reduce(lambda a, b: a * b, xs, 1)


@gluon.constexpr_function
def by_host(x):
    return on_the_host(x)


@gluon.constexpr_function
def by_another(x):
    return by_host(x)


@gluon.constexpr_function
def by_bound_method(x):
    return TABLE.get(x)


@gluon.constexpr_function
def by_static_method(x):
    return Sizes.doubled(x)


@gluon.constexpr_function
def by_default(x, f=on_the_host):
    return x


@gluon.constexpr_function
def by_operator(x):
    return operator.add(x, 1)


@gluon.constexpr_function
def allowed(x):
    on_the_host = TABLE[1]  # from here on a local

    pairs = list(itertools.product([1, 2], [x]))
    return on_the_host + len(pairs) + math.ceil(x / 2) + Sizes.width + sum(sorted([x, 1]))


@gluon.constexpr_function
def by_inner(x):
    on_the_host = TABLE[1]

    def inner(y):  # its parameters are now all the locals there are
        return y + on_the_host

    return inner(x)


@gluon.constexpr_function
def hidden(by_host):
    return by_host + 1


@gluon.aggregate
class Plain:
    a: gl.constexpr

    def __init__(self, a):
        self.a = gl.constexpr(a)


@gluon.jit
def makes_plain(x):
    return x + Plain(1).a


@gluon.jit
def reduce_refused(x_ptr):
    gl.store(x_ptr, by_reduce([1, 2]))


@gluon.jit
def host_refused(x_ptr):
    gl.store(x_ptr, by_host(1))


@gluon.jit
def another_refused(x_ptr):
    gl.store(x_ptr, by_another(1))


@gluon.jit
def bound_refused(x_ptr):
    gl.store(x_ptr, by_bound_method(1))


@gluon.jit
def static_refused(x_ptr):
    gl.store(x_ptr, by_static_method(1))


@gluon.jit
def default_refused(x_ptr):
    gl.store(x_ptr, by_default(1))


@gluon.jit
def operator_refused(x_ptr):
    gl.store(x_ptr, by_operator(1))


@gluon.jit
def inner_refused(x_ptr):
    gl.store(x_ptr, by_inner(1))


@gluon.jit
def constructor_refused(x_ptr):
    gl.store(x_ptr, makes_plain(1))


@gluon.jit
def constructor_allowed(x_ptr):
    gl.store(x_ptr, Plain(1).a)


@gluon.jit
def others_allowed(x_ptr):
    gl.store(x_ptr, allowed(4) + hidden(1))
