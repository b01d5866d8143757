# module: triton.experimental.gluon.language._standard
from triton.experimental.gluon import jit
from triton.experimental.gluon.language import _core as ttgl


@jit
def zeros(shape, dtype, layout=None):
    return ttgl.full(shape, 0, dtype, layout)


@jit
def full_like(input, value, shape=None, dtype=None, layout=None):
    return ttgl.full(
        input.shape if shape is None else shape,
        value,
        input.dtype if dtype is None else dtype,
        input.type.layout if layout is None else layout,
    )


@jit
def zeros_like(input, shape=None, dtype=None, layout=None):
    return full_like(input, 0, shape=shape, dtype=dtype, layout=layout)
