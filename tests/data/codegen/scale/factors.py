# A module that programs.py loads by its path; a sibling is imported relative to the package.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from .names import kernel_repr

FACTOR = gl.constexpr(3)
name_of = kernel_repr("scaled", ["FLAG"])


@gluon.jit
def scaled(x):
    return x * FACTOR
