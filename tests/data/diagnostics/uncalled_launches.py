# What the text of a launch alone decides is told in functions that nothing calls, too: libraries
# are made of these.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def kernel(p, n):
    gl.store(p, n)


def number(x):
    kernel[1](x, 1)  # error: [launch-argument] "its grid is of type 'int', but must be a tuple"


def fractions(x):
    kernel[(1.5, )](x, 1)  # error: [launch-argument] "a value of type 'float', but its numbers of programs must be integers"


def too_many(x):
    kernel[(1, 65536)](x, 1)  # error: [launch-argument] "only the first number of a grid may exceed 65535"


def four(x):
    kernel[(1, 1, 1, 1)](x, 1)  # warning: [unusual-grid]


def returned(x):
    kernel[lambda meta: 1](x, 1)  # error: [launch-argument] "its grid is of type 'int', but must be a tuple"


def unnamed(x):
    kernel[lambda: (1, )](x, 1)  # error: [launch-argument]


def on_the_cpu(n):
    result = torch.empty(n, device="cuda")
    kernel[(1, )](result, 1)
    kernel[(1, )](torch.randn(3), 1)  # warning: [cpu-tensor]


def perhaps(x, grid, n):
    kernel[grid](x, 1)
    kernel[(n, )](x, 1)
    if n > 3:
        kernel[1](x, 1)
    kernel[(x.numel(), )](x, 1)
    kernel[lambda meta: (n, )](x, 1)


def caught(x):
    try:
        kernel[1](x, 1)
    except TypeError:
        pass


def without_a_grid(x):
    result = torch.empty_like(x)
    kernel(result, 1)  # error: [launch-argument] "it is called without a grid: write kernel[grid](...)"


def without_a_grid_either(x):
    kernel(x, x.numel())  # error: [launch-argument] "it is called without a grid"


def not_in_the_arguments(x):
    kernel[lambda meta: (meta["BLOCK"], )](x, 1)  # error: [launch-argument] "its grid raises KeyError: 'BLOCK'"


def part_of_a_kernel(x):
    kernel(x, 1)  # another file may decorate the function
