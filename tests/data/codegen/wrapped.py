# Kernels below decorators of the program: a record names the kernel, and the module's name holds what they gave back.
import functools

import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

KERNELS = {}


def launcher(kernel):

    @functools.wraps(kernel)
    def launch(*arguments):
        return kernel[(1, )](*arguments)

    return launch


class Runner:

    def __init__(self, kernel):
        self.fn = kernel

    def __call__(self, *arguments):
        return self.fn[(1, )](*arguments)


@launcher
@gluon.jit
def in_function(x_ptr, n):
    gl.store(x_ptr, n)


@Runner
@triton.autotune([triton.Config({"BLOCK": 4})], key=["n"])
@gluon.jit
def in_object(x_ptr, n, BLOCK: gl.constexpr):
    gl.store(x_ptr, n + BLOCK)


class Holder:

    @staticmethod
    @launcher
    @gluon.jit
    def in_class(x_ptr, n):
        gl.store(x_ptr, n + 1)
