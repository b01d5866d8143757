"""Products of matrices on AMD's GPUs: WMMA of another version than the chip's, and products without the matrix unit."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def operands(a, b, layout: gl.constexpr):
    first: gl.constexpr = gl.DotOperandLayout(0, layout, 8)
    second: gl.constexpr = gl.DotOperandLayout(1, layout, 8)
    rows = gl.arange(0, 32, gl.SliceLayout(1, first))[:, None]
    inner = gl.arange(0, 64, gl.SliceLayout(0, first))[None, :]
    inner_of_b = gl.arange(0, 64, gl.SliceLayout(1, second))[:, None]
    columns = gl.arange(0, 32, gl.SliceLayout(0, second))[None, :]
    return gl.load(a + rows * 64 + inner), gl.load(b + inner_of_b * 32 + columns)  # warning: [unvectorized]


@gluon.jit
def keep(dst, c, layout: gl.constexpr):
    rows = gl.arange(0, 32, gl.SliceLayout(1, layout))[:, None]
    columns = gl.arange(0, 32, gl.SliceLayout(0, layout))[None, :]
    gl.store(dst + rows * 32 + columns, c)


OF_RDNA4 = gl.constexpr(gl.amd.AMDWMMALayout(2, True, [[0, 1], [1, 0]], [], [16, 16, 16]))
OF_CDNA5 = gl.constexpr(gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 32]))


# gluond: launch(a="*fp16:16", b="*fp16:16", dst="*fp32:16", target="hip:gfx1250")
@gluon.jit
def of_an_earlier_chip(a, b, dst):
    x, y = operands(a, b, OF_RDNA4)
    c = gl.amd.rdna4.wmma(x, y, gl.zeros([32, 32], gl.float32, OF_RDNA4))  # warning: [slow-mma]
    keep(dst, c, OF_RDNA4)


# gluond: launch(a="*fp16:16", b="*fp16:16", dst="*fp32:16", target="hip:gfx1201")
@gluon.jit
def of_a_later_chip(a, b, dst):
    x, y = operands(a, b, OF_CDNA5)
    c = gl.amd.cdna5.wmma(x, y, gl.zeros([32, 32], gl.float32, OF_CDNA5))  # warning: [slow-mma]
    keep(dst, c, OF_CDNA5)


# gluond: launch(a="*fp8e4nv:16", b="*fp8e4nv:16", dst="*fp32:16", target="hip:gfx1100")
@gluon.jit
def float8_of_a_later_chip(a, b, dst):
    x, y = operands(a, b, OF_RDNA4)
    c = gl.amd.rdna4.wmma(x, y, gl.zeros([32, 32], gl.float32, OF_RDNA4))  # warning: [slow-mma]
    keep(dst, c, OF_RDNA4)


# gluond: launch(a="*fp16:16", b="*fp16:16", dst="*fp32:16", target="hip:gfx1250")
@gluon.jit
def of_the_chip(a, b, dst):
    x, y = operands(a, b, OF_CDNA5)
    c = gl.amd.cdna5.wmma(x, y, gl.zeros([32, 32], gl.float32, OF_CDNA5))
    keep(dst, c, OF_CDNA5)


BY_THREADS = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))


# gluond: launch(a="*fp16:16", b="*fp16:16", dst="*fp32:16", target="hip:gfx1201")
@gluon.jit
def by_threads(a, b, dst):
    first: gl.constexpr = gl.DotOperandLayout(0, BY_THREADS, 0)
    second: gl.constexpr = gl.DotOperandLayout(1, BY_THREADS, 0)
    rows = gl.arange(0, 32, gl.SliceLayout(1, first))[:, None]
    inner = gl.arange(0, 32, gl.SliceLayout(0, first))[None, :]
    inner_of_b = gl.arange(0, 32, gl.SliceLayout(1, second))[:, None]
    columns = gl.arange(0, 32, gl.SliceLayout(0, second))[None, :]
    x = gl.load(a + rows * 32 + inner)
    y = gl.load(b + inner_of_b * 32 + columns)
    c = gl.dot_fma(x, y, gl.zeros([32, 32], gl.float32, BY_THREADS))  # hint: [slow-mma]
    keep(dst, c, BY_THREADS)


OF_GFX942 = gl.constexpr(gl.amd.AMDMFMALayout(3, [16, 16, 16], True, [2, 2]))
ON_GFX942 = gl.constexpr(gl.amd.AMDMFMALayout(3, [16, 16, 16], True, [2, 2]))
OF_GFX950 = gl.constexpr(gl.amd.AMDMFMALayout(4, [16, 16, 32], True, [2, 2]))


# gluond: launch(a="*fp16:16", b="*fp16:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def instruction_of_gfx942(a, b, dst):
    x, y = operands(a, b, OF_GFX942)
    c = gl.amd.cdna4.mfma(x, y, gl.zeros([32, 32], gl.float32, OF_GFX942))  # hint: [slow-mma]
    keep(dst, c, OF_GFX942)


# gluond: launch(a="*fp16:16", b="*fp16:16", dst="*fp32:16", target="hip:gfx942")
@gluon.jit
def instruction_of_its_own(a, b, dst):
    x, y = operands(a, b, ON_GFX942)
    c = gl.amd.cdna3.mfma(x, y, gl.zeros([32, 32], gl.float32, ON_GFX942))
    keep(dst, c, ON_GFX942)


# gluond: launch(a="*fp16:16", b="*fp16:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def longest_instruction(a, b, dst):
    x, y = operands(a, b, OF_GFX950)
    c = gl.amd.cdna4.mfma(x, y, gl.zeros([32, 32], gl.float32, OF_GFX950))
    keep(dst, c, OF_GFX950)
