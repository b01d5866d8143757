# What tests/editors opens: one kernel with one mistake (an attribute that is not there).
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def double(x):
    return x + x


@gluon.jit
def kernel(src, dst, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, BLOCK, layout=layout)
    values = double(gl.load(src + offsets))
    gl.stor(dst + offsets, values)


data = torch.empty(128, device="cuda")
kernel[(1,)](data, data, 128)
