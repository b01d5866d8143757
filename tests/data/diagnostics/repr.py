# A kernel whose name is not known is analyzed like any other.
import nowhere
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit(repr=nowhere.name)
def named_elsewhere(out):
    gl.store(out + gl.arange(0, 128, FLAT), 1.0)
    gl.stor(out, 1.0)  # error: [unknown-attribute]


@gluon.jit(repr=lambda specialization: nowhere.name(specialization))
def named_by_a_call(out):
    gl.store(out + gl.arange(0, 128, FLAT), 1.0)


named_elsewhere[(1, )](torch.empty(128, device="cuda"))
named_by_a_call[(1, )](torch.empty(128, device="cuda"))
