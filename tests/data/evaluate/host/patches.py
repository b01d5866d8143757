# What a program changes in modules that gluond models, and what it tells a generator, are not seen.
import builtins
import math

from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(x_ptr):
    gl.store(x_ptr, 0.0)


assert kernel.arg_names == ["x_ptr"] and kernel.params[0].name == "x_ptr"
builtins.LIMIT = 5
assert LIMIT == 5  # noqa: F821
math.twice = lambda value: 2 * value
assert math.twice(2) == 4


def told():
    try:
        (number for number in ()).throw(KeyError("a"))
    except KeyError:
        return 1


assert told() == 1
