"""What recorded.py takes from another file: a layout class of its own, a jit function, a constexpr."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

WIDTH = gl.constexpr(4)


@gluon.jit
def doubled(x):
    return x + x
