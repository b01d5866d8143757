"""Functions of the host that are called with values of a kernel."""
import math

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TABLE = torch.zeros(4)


# gluond: launch(x="*fp32:16", n="i32")
@gluon.jit
def functions_of_torch(x, n):
    value = gl.load(x + gl.arange(0, 64, layout=FLAT))
    gl.store(x, torch.rsqrt(value))  # error: [host-function]
    gl.store(x, torch.where(value > 0, value, 0.0))  # error: [host-function]


# gluond: launch(x="*fp32:16", n="i32")
@gluon.jit
def functions_of_python(x, n):
    gl.store(x, math.sqrt(n))  # error: [python-exception]


# gluond: launch(x="*fp32:16", n="i32", SIZE=48)
@gluon.jit
def sizes(x, n, SIZE: gl.constexpr):
    width: gl.constexpr = triton.next_power_of_2(SIZE)
    gl.store(x + gl.arange(0, width, layout=FLAT), 1.0)
    gl.store(x, triton.next_power_of_2(n))  # error: [host-function]


# gluond: launch(x="*fp32:16")
@gluon.jit
def tensors_of_torch(x):
    gl.store(x, TABLE)  # error: [global-not-constexpr]


# gluond: launch(x="*fp32:16", y="*fp16:16")
@gluon.jit
def element_types(x, y):
    value = gl.load(x + gl.arange(0, 64, layout=FLAT))
    gl.store(y + gl.arange(0, 64, layout=FLAT), value.to(y.element_ty))  # error: [unknown-attribute]
