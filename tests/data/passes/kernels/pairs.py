# A product in PTX says nothing of CTAs in pairs: a program may give the module the attribute itself.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language._core import builtin


@builtin
def pair_ctas(_semantic=None, _generator=None):
    _generator.module.set_attr("ttng.two-ctas", _semantic.builder.get_bool_attr(True))


@gluon.jit
def paired_by_itself(x_ptr):
    pair_ctas()
    at = gl.arange(0, 256, gl.BlockedLayout([1], [32], [4], [0], cga_layout=[[1]]))
    gl.store(x_ptr + at, at)
