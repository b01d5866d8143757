# How programs of several files and with helpers of their own are written: imports by path and from inside Triton,
# attributes that a decorator adds, @builtin functions, layouts as free variables; and rules that such programs use.
import importlib.util
from pathlib import Path

import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.language import core
from triton.language.core import PropagateNan
from triton.language.core import _aggregate as aggregate
from triton.language.core import _unwrap_if_constexpr

from scale.factors import name_of, scaled


def load_beside(name):
    path = Path(__file__).parent / "scale" / (name + ".py")
    spec = importlib.util.spec_from_file_location("beside_" + name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = load_beside("names")
NAN = gl.constexpr(PropagateNan.ALL)
LAYOUT = gl.BlockedLayout([1], [32], [4], [0])


def composed(cls):
    # Attributes that the class does not have are looked for in its fields.
    def __getattr__(self, name):
        for member in self.__dict__.values():
            if getattr(member, "__triton_aggregate__", False) and hasattr(member, name):
                return getattr(member, name)
        raise AttributeError(name)

    cls.__getattr__ = __getattr__
    return cls


@gluon.aggregate
class Reader:

    @gluon.constexpr_function
    def __init__(self):
        pass

    @gluon.jit
    def read(self, offsets):
        return gl.load(self.pointer + offsets)


@composed
@aggregate
class Source:
    base: Reader
    pointer: gl.tensor
    basis: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, pointer, basis):
        self.base = Reader()
        self.pointer = pointer
        self.basis = gl.constexpr(basis)


@core.extern
def sine(x, _semantic=None):
    return core.extern_elementwise("", "", [x], {
        (core.dtype("fp32"), ): ("__nv_sinf", core.dtype("fp32")),
    }, is_pure=True, _semantic=_semantic)


@core.builtin
def twice(x, times, _semantic=None):
    for _ in range(_unwrap_if_constexpr(times)):
        x = gl.add(x, x, _semantic=_semantic)
    return x


@gluon.jit
def larger(a, b):
    return gl.maximum(a, b, propagate_nan=NAN)


@gluon.jit
def named(a, b, what: gl.constexpr):
    return a if what == PropagateNan_ALL else b


PropagateNan_ALL = gl.constexpr(tl.PropagateNan.ALL)


@gluon.jit(repr=name_of)
def imported(x_ptr, FLAG: gl.constexpr):
    gl.store(x_ptr, scaled(gl.load(x_ptr)))


@gluon.jit
def composition(x_ptr, BASIS: gl.constexpr):
    source = Source(x_ptr, BASIS)
    gl.store(x_ptr + gl.arange(0, 128, LAYOUT), source.read(gl.arange(0, 128, LAYOUT)))


@gluon.jit
def own_builtins(x_ptr):
    x = gl.load(x_ptr + gl.arange(0, 128, LAYOUT))
    gl.store(x_ptr, named(1, 2, PropagateNan_ALL))
    gl.store(x_ptr + gl.arange(0, 128, LAYOUT), larger(sine(x), twice(x, 2)))


@gluon.jit
def unit_dimensions(LAYOUT: gl.constexpr):
    column = gl.full([128, 1], 1, gl.int32, LAYOUT)
    flat = column.reshape([128])
    flat.reshape([128, 1])
    flat.reshape([1, 128])
    gl.full([1, 128], 1, gl.int32, LAYOUT).reshape([128])
    gl.static_assert(flat.type.layout == gl.SliceLayout(1, LAYOUT))
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [0, 1])
    gl.static_assert(padded.shape == gl.constexpr([64, 64]))


@gluon.jit
def masks_and_loops(x_ptr, n):
    pointers = x_ptr + gl.arange(0, 128, LAYOUT)
    gl.atomic_add(pointers, 1, mask=True)
    gl.atomic_store(pointers, 2, mask=gl.arange(0, 128, LAYOUT) < n)
    for i in tl.range(0, n, num_stages=3, loop_unroll_factor=2, disable_licm=True):
        gl.store(x_ptr, i)


# Triton calls what is marked as a builtin with the values of the kernel.
def spread(count):
    return gl.BlockedLayout([count], [32], [4], [0])


spread.__triton_builtin__ = True


def pair_of(a, b):
    return a, b


pair_of.__triton_builtin__ = True


class Doubled:
    __triton_builtin__ = True

    def __new__(cls, value):
        return value * 2


@gluon.jit
def marked(x_ptr, COUNT: gl.constexpr):
    layout: gl.constexpr = spread(COUNT)
    a, b = pair_of(gl.load(x_ptr), COUNT)
    gl.store(x_ptr + gl.arange(0, Doubled(64), layout), a + b)
