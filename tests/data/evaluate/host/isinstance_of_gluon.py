# isinstance of Gluon's values and classes with Python's classes, with those of the program and with Gluon's own.
import abc
import types
import typing

from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def helper(x):
    return x


@gluon.constexpr_function
def doubled(x):
    return 2 * x


@typing.runtime_checkable
class Called(typing.Protocol):

    def __call__(self):
        ...


class Registered(abc.ABC):
    pass


class Mine:
    pass


Registered.register(gl.BlockedLayout)
layout = gl.BlockedLayout([1], [32], [4], [0])
for value in (gl.float32, gl.pointer_type(gl.int8), layout, gl.constexpr(3), gl.constexpr(gl.float32), gl.load, gl.BlockedLayout, helper, doubled):
    assert isinstance(value, object)
    assert not isinstance(value, (int, str, tuple, Mine))
assert isinstance(gl.load, types.FunctionType) and not isinstance(gl.load, type)
assert not isinstance(doubled, types.FunctionType) and not isinstance(helper, types.FunctionType)
assert isinstance(gl.BlockedLayout, type) and isinstance(gl.tensor, type) and isinstance(gl.dtype, type)
assert isinstance(gl.load, Called) and isinstance(gl.BlockedLayout, Called) and isinstance(gl.constexpr(3), Called)
assert isinstance(layout, Registered)
assert isinstance(layout, (int, gl.BlockedLayout)) and not isinstance(layout, gl.SwizzledSharedLayout)
assert isinstance(gl.float32, gl.dtype) and not isinstance(gl.float32, gl.pointer_type)
assert isinstance(gl.pointer_type(gl.int8), (gl.pointer_type, str))
assert isinstance(gl.constexpr(3), gl.constexpr) and not isinstance(3, gl.constexpr)
