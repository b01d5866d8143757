# Launches in functions that nothing here calls: what fails whatever the arguments are is an error, what may depend on callers is none.
import torch
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

OPTIONS = {}


@gluon.jit
def fill(x, n, BLOCK: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(x + offs, 1.0, mask=offs < n)


def missing(x, n=None):
    assert x.is_cuda
    fill[(1,)](x, 128)  # error: [launch-argument]


def misspelt(x):
    if x.dtype != torch.float32:
        raise ValueError("float32 only")
    fill[(1,)](x, 5, 128, num_warp=4)  # error: [launch-argument]


def without_grid(x):
    fill[(1,)](x, 5, 128)
    fill(x, 5, 128)  # error: [launch-argument]


def through_a_helper(x):
    helper(x)


def helper(x):
    fill[(1,)](x, 5, SIZE=128)  # error: [launch-argument]


class Module(torch.nn.Module):
    def forward(self, x):
        fill[(1,)](x, 5, 128, 256)  # error: [launch-argument]


def rounded_up(x):
    n = x.numel()
    fill[(gl.cdiv(n, 128),)](x, n, 128)  # error: [not-callable]


def at_least_one(x):
    fill[(gl.maximum(x.numel(), 1),)](x, 5, 128)  # error: [not-callable]


def by_triton(x):
    fill[(tl.cdiv(x.numel(), 128),)](x, 5, 128)  # warning: [not-callable]


# Another file may make kernels of these: gluon.jit(of_a_kernel)
def of_a_kernel(x):
    fill(x, 5, 128)
    return gl.maximum(x, 1)


def rounded_up_by_triton(x):
    fill[(triton.cdiv(x.numel(), 128),)](x, x.numel(), 128)


# Somebody may have changed what is not written at the launch.
def with_options(x):
    fill[(1,)](x, 5, **OPTIONS)


def with_others(x, *args):
    fill[(1,)](x, *args)


# These may be caught, or be for another release of Triton.
def tried(x):
    try:
        fill[(1,)](x, 5)
    except TypeError:
        fill[(1,)](x, 5, 128)


def old(x):
    fill[(1,)](x, 5)


def new_or_old(x):
    try:
        fill[(1,)](x, 5, 128)
    except TypeError:
        old(x)


def either(x, is_new):
    if is_new:
        return fill[(1,)](x, 5, 128)
    fill[(1,)](x, 5, 128, num_threads=128)


def conditional(x, is_old):
    if is_old:
        fill[(1,)](x, 5)


@torch.compiler.disable
def decorated(x):
    fill[(1,)](x, 5)
