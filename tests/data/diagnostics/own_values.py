"""Classes of a program whose instances are values of kernels, without gl.aggregate."""
import dataclasses

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.language.core import base_value


class Value(base_value):
    __triton_builtin__ = True
    __triton_aggregate__ = True

    def _flatten_ir(self, handles):
        for field in dataclasses.fields(self):
            getattr(self, field.name)._flatten_ir(handles)


def aggregate(cls):
    @dataclasses.dataclass
    class Made(Value, dataclasses.dataclass(cls)):
        pass

    Made.__name__ = cls.__name__
    return Made


@aggregate
class Pair:
    a: gl.tensor
    b: gl.tensor


class Single(Value):
    def __init__(self, a):
        self.a = a


class Marked:
    __triton_aggregate__ = True

    def __init__(self, a):
        self.a = a


class Plain:
    def __init__(self, a):
        self.a = a


ONE = Marked(1)


# gluond: launch(out="*fp32")
@gluon.jit
def pairs(out):  # information: [not-analyzed]
    pair = Pair(gl.load(out), gl.load(out + 1))
    gl.store(out, pair.a + pair.b)


# gluond: launch(out="*fp32")
@gluon.jit
def inherited(out):  # information: [not-analyzed]
    one = Single(gl.load(out))
    gl.store(out, one.a)


# gluond: launch(out="*fp32")
@gluon.jit
def marked(out):  # information: [not-analyzed]
    one = Marked(gl.load(out))
    gl.store(out, one.a + ONE.a)


# gluond: launch(out="*fp32")
@gluon.jit
def plain(out):
    one = Plain(gl.load(out))  # error: [host-class]
    gl.store(out, one.a)
