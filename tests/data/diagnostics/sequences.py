"""Lists and tuples in layouts: Triton compares the fields as Python does, so that they differ, but its own tuples, which a kernel writes, equal both."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

SHAPE = gl.constexpr((16, 8))
LISTS = gl.constexpr(gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8]))


@gluon.constexpr_function
def of_tuple():
    return gl.NVMMADistributedLayout([2, 0], [2, 2], SHAPE)


@gluon.constexpr_function
def of_list():
    return gl.NVMMADistributedLayout([2, 0], [2, 2], list(SHAPE))


@gluon.jit
def same(X: gl.constexpr, Y: gl.constexpr):
    gl.static_assert(X == Y)  # error: [static-assert]


@gluon.jit
def sum_of_two(X: gl.constexpr, Y: gl.constexpr):
    a = gl.zeros([64, 64], gl.float32, X) + gl.zeros([64, 64], gl.float32, Y)  # error: [layout-mismatch]
    gl.device_print("a", a)


@gluon.jit
def sum_of_made():
    X: gl.constexpr = of_tuple()
    a = gl.zeros([64, 64], gl.float32, X) + gl.zeros([64, 64], gl.float32, LISTS)  # error: [layout-mismatch]
    gl.device_print("a", a)


@gluon.jit
def sums_of_written():
    X: gl.constexpr = of_list()
    W: gl.constexpr = gl.NVMMADistributedLayout([2, 0], (2, 2), (16, 8))
    T: gl.constexpr = of_tuple()
    a = gl.zeros([64, 64], gl.float32, X) + gl.zeros([64, 64], gl.float32, LISTS)
    b = gl.zeros([64, 64], gl.float32, W) + gl.zeros([64, 64], gl.float32, LISTS)
    c = gl.zeros([64, 64], gl.float32, T) + gl.zeros([64, 64], gl.float32, W)
    gl.device_print("a", a, b, c)


same[(1, )](gl.BlockedLayout([4], [32], [4], [0]), gl.BlockedLayout((4, ), (32, ), (4, ), (0, )))
sum_of_two[(1, )](LISTS, gl.NVMMADistributedLayout([2, 0], [2, 2], (16, 8)))
sum_of_made[(1, )]()
sums_of_written[(1, )]()
