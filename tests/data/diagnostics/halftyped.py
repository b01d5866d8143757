# Kernels that are still being typed: what is missing is told once, and nothing that follows from it.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def scaled(value, scale):
    return value * scale


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def open_calls(out, n):
    offs = gl.arange(0, 128, layout=FLAT)
    gl.store(out + offs,  # error: [unclosed-bracket]
    gl.store(out + offs, scaled(offs  # error: [unclosed-bracket], [unclosed-bracket]
    tma.async_load(  # error: [unclosed-bracket]
    gl.store(out + offs)  # error: [missing-argument]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def open_member(out, n):
    gl.  # error: [expected-expression]
    n.  # error: [expected-expression]


@gluon.  # error: [expected-expression]
def open_decorator(out):
    pass


# What follows from a broken statement is not told, in no function that it reaches.
# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def reached(out, n):
    offs = gl.arange(0, 128, layout=  # error: [unclosed-bracket], error: [expected-expression]
    twice = offs * 2
    for i in range(n):
        twice = twice + shifted(offs)
    gl.store(out + twice[None, :], twice, mask=twice.shape < n)
    gl.store(out + missing)  # error: [undefined-name], error: [missing-argument]


@gluon.jit
def shifted(x):
    for step in  # error: [expected-expression], error: [expected-token]
        x = x + step
    return x + other


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def parameters_missing(out,  # error: [unclosed-bracket]
    gl.store(out + n + size, WIDTH)
