# What functions that nothing calls leave to their callers by a default of None is not known: it is no mistake of the kernel.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def copy(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


def run_copy(src, dst=None, n=None):
    copy[(4,)](src, dst, n, 256)


class Copier:
    def __init__(self, dst=None):
        self.dst = dst


def run_through(src, dst=None, n=None):
    copier = Copier(dst)
    launch(src, copier.dst, n)


def launch(src, dst, n):
    copy[(4,)](src, dst, n, BLOCK=512)


# A None that is written, or that the kernel itself has as a default, is one.
@gluon.jit
def scale(src, factor, dst, offset=None, BLOCK: gl.constexpr = 256):
    offs = gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    if offset is not None:
        gl.store(dst + offs, gl.load(offset + offs))
    gl.store(dst + offs, gl.load(src + offs))
    gl.store(dst + gl.program_id(0) * factor, 1.0)  # error: [unsupported-operands]


def run_scale(src, dst=None):
    scale[(1,)](src, None, dst)


# What raises with the default is tried without it: these programs have their launch.
@gluon.jit
def reduce(src, dst, BLOCK: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=gl.BlockedLayout([1], [32], [4], [0]))
    value = gl.load(src + offs)
    gl.store(dst, gl.sum(value, 1))  # error: [invalid-axis]


def run_reduce(src, rows=None):
    dst = torch.empty(rows // 4, device="cuda")
    reduce[(rows,)](src, dst, 1024)
