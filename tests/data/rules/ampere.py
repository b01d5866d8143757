from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import mma_v2


@gluon.jit
def products(p):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    a = gl.full([64, 32], 1.0, gl.float16, gl.DotOperandLayout(0, mma, 2))
    b = gl.full([32, 64], 1.0, gl.float16, gl.DotOperandLayout(1, mma, 2))
    acc = mma_v2(a, b, gl.zeros([64, 64], gl.float32, mma))
    x = gl.full([64, 32], 1.0, gl.float32, gl.DotOperandLayout(0, mma, 1))
    y = gl.full([32, 64], 1.0, gl.float32, gl.DotOperandLayout(1, mma, 1))
    acc = mma_v2(x, y, acc, input_precision="tf32")
    gl.store(p, gl.sum(gl.sum(acc, 0), 0))
