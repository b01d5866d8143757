from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import rdna3, rdna4


@gluon.jit
def third(p):
    wmma: gl.constexpr = gl.amd.AMDWMMALayout(1, True, [[0, 1], [1, 0]])
    a = gl.full([64, 32], 1.0, gl.float16, gl.DotOperandLayout(0, wmma, 16))
    b = gl.full([32, 64], 1.0, gl.float16, gl.DotOperandLayout(1, wmma, 16))
    acc = rdna3.wmma(a, b, gl.zeros([64, 64], gl.float32, wmma))
    gl.store(p, gl.sum(gl.sum(acc, 0), 0))


@gluon.jit
def fourth(p):
    wmma: gl.constexpr = gl.amd.AMDWMMALayout(2, True, [[0, 1], [1, 0]])
    a = gl.full([64, 32], 1.0, gl.bfloat16, gl.DotOperandLayout(0, wmma, 8))
    b = gl.full([32, 64], 1.0, gl.bfloat16, gl.DotOperandLayout(1, wmma, 8))
    acc = rdna4.wmma(a, b, gl.zeros([64, 64], gl.float32, wmma))
    gl.store(p, gl.sum(gl.sum(acc, 0), 0))
