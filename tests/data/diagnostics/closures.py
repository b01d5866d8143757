# Kernels that one function makes differ in the values around them.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

SMALL = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


def unary(op):

    @gluon.jit
    def apply(x, N: gl.constexpr):
        i = gl.arange(0, N, SMALL)
        gl.store(x + i, op(gl.load(x + i)))

    return apply


@gluon.jit
def square(x):
    return x * x


@gluon.jit
def misspelt(x):
    return x.foo()  # error: [unknown-attribute]


unary(square)[(1, )](torch.empty(128, device="cuda"), 128)
unary(misspelt)[(1, )](torch.empty(128, device="cuda"), 128)


# Through a function that is made, too, and through tuples, classes and enumerators.
def scaled(by):

    @gluon.jit
    def scale(x):
        return by(x)

    return unary(scale)


@gluon.jit
def also_misspelt(x):
    return x.bar()  # error: [unknown-attribute]


scaled(square)[(1, )](torch.empty(128, device="cuda"), 128)
scaled(also_misspelt)[(1, )](torch.empty(128, device="cuda"), 128)


def several(ops):
    first = ops[0]

    @gluon.jit
    def both(x):
        i = gl.arange(0, 128, SMALL)
        gl.store(x + i, first(gl.load(x + i)))

    return both


@gluon.jit
def misspelt_in_a_tuple(x):
    return x.baz()  # error: [unknown-attribute]


for ops in ((square, square), (misspelt_in_a_tuple, square)):
    several(ops)[(1, )](torch.empty(128, device="cuda"))
