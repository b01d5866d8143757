# Modules, types, functions and memory where numbers and tensors belong.
import numpy as np

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def helper(a, b):
    return a + b


@gluon.constexpr_function
def twice(n):
    return n * 2


@gluon.constexpr_function
def sizes():
    return 64, 32


@gluon.jit
def takes_layouts(layouts, n):
    return gl.arange(0, 128, layout=layouts[0]) + n


# gluond: launch(out="*fp32", n="i32", N=128)
@gluon.jit
def modules(out, n, N: gl.constexpr):
    a = gl + N  # error: [python-exception]
    b = N // np  # error: [python-exception]
    c = -gl  # error: [python-exception]
    d = len(gl)  # error: [python-exception]
    e = int(np)  # error: [python-exception]
    f = len(FLAT)  # error: [python-exception]
    g = twice(gl)  # error: [python-exception]
    h = gl.cdiv(gl, 4)  # error: [python-exception]


# gluond: launch(out="*fp32", n="i32", N=128)
@gluon.jit
def types(out, n, N: gl.constexpr):
    x = gl.zeros([N], gl.float32, FLAT)
    a = gl.int1[0]  # error: [not-subscriptable]
    b = x.type[-1]  # error: [not-subscriptable]
    c = gl.constexpr[0]  # error: [not-subscriptable]
    d = (gl.float32, 1)  # error: [unannotated-constant]
    layouts = (FLAT, FLAT)  # error: [unannotated-constant]
    nested = ((FLAT, 1), 2)  # error: [unannotated-constant]
    words = ("fast", 1)  # error: [unannotated-constant]
    listed = [FLAT]  # error: [unannotated-constant]
    pair = sizes()  # error: [unannotated-constant]
    mixed = (FLAT, n)  # error: [bad-argument] "a tuple with run-time values cannot hold"
    numbers = (n, 1, (2.0, None))
    first: gl.constexpr = sizes()
    gl.store(out + takes_layouts((FLAT, 1), n), 0.0)
    e: gl.constexpr = (gl.float32, 1)
    f, g = (gl.float32, 1)  # error: [bad-argument]
    h: x = 3  # error: [bad-argument]
    i = gl.zeros(*([N], gl.float32, FLAT))


# gluond: launch(out="*fp32", n="i32", N=128)
@gluon.jit
def functions(out, n, N: gl.constexpr):
    a = helper.dtype  # error: [unknown-attribute]
    b = twice.to(gl.float16)  # error: [unknown-attribute]
    c: gl.constexpr = helper.arg_names


# gluond: launch(out="*fp32", n="i32", N=128)
@gluon.jit
def pointers(out, n, N: gl.constexpr):
    offsets = gl.arange(0, N, layout=FLAT)
    x = gl.load(out + offsets)
    a = out.numel()  # error: [bad-argument]
    b = out.stride(0)  # error: [no-such-operation]
    c = out.load(offsets)  # error: [no-such-operation]
    d = x.T  # error: [bad-argument]
    e = gl.load(out, offsets)  # error: [block-for-scalar-pointer]
    f = x.to(np.float16)  # error: [not-a-dtype]


# Triton accepts all of this.
# gluond: launch(out="*fp32", n="i32", N=128)
@gluon.jit
def accepted(out, n, N: gl.constexpr):
    offsets = gl.arange(0, N, layout=FLAT)
    memory = gl.allocate_shared_memory(gl.float32, [N], SHARED)
    a = memory != 3
    b = 3 == memory
    c = memory == memory
    gl.static_assert((memory != 3) and not (memory == 3))
    d = gl.maximum(offsets, 0, 1)  # warning: [bad-argument]
    x = gl.load(out + offsets)
    e = x.sort()  # warning: [no-such-operation]
    gl.convert_layout(x, FLAT, x)  # warning: [not-constexpr]


@gluon.aggregate
class Slot:
    index: gl.tesor  # warning: [module-exception] "has no attribute 'tesor'"
    phase: gl.tensor
