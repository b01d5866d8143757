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


@gluon.constexpr_function
def lanes(size, warps):
    if size > 16 * warps:
        return FLAT
    return gl.BlockedLayout([2], [32], [4], [0])


@gluon.constexpr_function
def through_another(size, warps):
    return lanes(max(size, 8), warps)


# gluond: launch(x="*fp32:16", n="i32", num_warps=4)
@gluon.jit
def run_time_sizes(x, n, num_warps: gl.constexpr):
    first: gl.constexpr = lanes(n, num_warps)  # error: [not-constexpr] "'size' of lanes must be known at compile time"
    second: gl.constexpr = through_another(gl.program_id(0), num_warps)  # error: [not-constexpr] "'size' of through_another"
    gl.store(x + gl.arange(0, 64, layout=lanes(64, num_warps)), 1.0)
    gl.store(x + gl.arange(0, 64, layout=first), 1.0)
    gl.store(x + gl.arange(0, 64, layout=second), 1.0)


@gluon.constexpr_function
def misspelt(size, num_warps):
    return gl.BlockedLayout([1], [32], [num_warp], [0])  # error: [undefined-name] "'num_warp' is not defined"


@gluon.constexpr_function
def misspelt_class(num_warps):
    return gl.BlockedLayot([1], [32], [num_warps], [0])  # error: [python-exception] "has no attribute 'BlockedLayot'"


# gluond: launch(x="*fp32:16", num_warps=4)
@gluon.jit
def calls_misspelt(x, num_warps: gl.constexpr):
    gl.store(x + gl.arange(0, 64, layout=misspelt(64, num_warps)), 1.0)


# gluond: launch(x="*fp32:16", num_warps=4)
@gluon.jit
def calls_misspelt_too(x, num_warps: gl.constexpr):
    gl.store(x + gl.arange(0, 64, layout=misspelt(64, num_warps)), 1.0)
    gl.store(x + gl.arange(0, 64, layout=misspelt_class(num_warps)), 1.0)
