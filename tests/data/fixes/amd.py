"""A product by MFMA on CDNA 3, and loads through buffer resources."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3

TILE = gl.constexpr(gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0]))
MFMA = gl.constexpr(gl.amd.AMDMFMALayout(version=3, instr_shape=[32, 32, 8], transposed=True, warps_per_cta=[2, 2]))


@gluon.jit
def places(layout: gl.constexpr):
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, 64, layout=gl.SliceLayout(0, layout))
    return rows[:, None] * 64 + columns[None, :]


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16", target="hip:gfx942")
@gluon.jit
def product(a, b, c):
    left: gl.constexpr = gl.DotOperandLayout(operand_index=0, parent=MFMA, k_width=4)
    right: gl.constexpr = gl.DotOperandLayout(operand_index=1, parent=MFMA, k_width=4)
    x = cdna3.buffer_load(ptr=a, offsets=places(TILE))
    y = cdna3.buffer_load(ptr=b, offsets=places(TILE))
    sums = gl.zeros([64, 64], gl.float32, layout=MFMA)
    sums = cdna3.mfma(gl.convert_layout(x, left), gl.convert_layout(y, right), sums)
    cdna3.buffer_store(sums, ptr=c, offsets=places(MFMA))


# gluond: launch(x="*fp32:16", y="*fp16:16", n="i32:16", target="hip:gfx942")
@gluon.jit
def halved(x, y, n):
    at = gl.program_id(0) * 1024 + gl.arange(0, 1024, gl.BlockedLayout([4], [64], [4], [0]))
    value = cdna3.buffer_load(x, at, mask=at < n)
    cdna3.buffer_store(value.to(gl.float16), y, at, mask=at < n)
    cdna3.buffer_atomic_add(x, at, value, mask=at < n)
