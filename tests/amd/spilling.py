"""A product of attention's backward pass with more values than a thread has registers on RDNA 3."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import AMDWMMALayout, rdna3

MMA: gl.constexpr = gl.constexpr(AMDWMMALayout(1, True, [[1, 0], [2, 0]], [], [16, 16, 16]))
ROWS: gl.constexpr = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
A: gl.constexpr = gl.constexpr(gl.DotOperandLayout(0, MMA, 16))
B: gl.constexpr = gl.constexpr(gl.DotOperandLayout(1, MMA, 16))


@gluon.jit
def block(row, layout: gl.constexpr):
    return (row + gl.arange(0, 64, gl.SliceLayout(1, layout)))[:, None] * 64 + gl.arange(0, 64, gl.SliceLayout(0, layout))[None, :]


# gluond: launch(dv="*fp16:16", q="*fp16:16", k="*fp16:16", do="*fp16:16", lse="*fp32:16", n="i32:16", scale="fp32", num_warps=4, target="hip:gfx1100")
@gluon.jit
def backward(dv, q, k, do, lse, n, scale):
    base = gl.program_id(1) * n * 64
    row = gl.program_id(0) * 64
    keys = gl.convert_layout(gl.load(k + base + block(row, ROWS)), A)
    acc = gl.zeros([64, 64], gl.float32, MMA)
    for m in range(0, n, 64):
        queries = gl.load(q + base + block(m, ROWS))
        s = rdna3.wmma(keys, gl.convert_layout(queries.permute((1, 0)), B), gl.zeros([64, 64], gl.float32, MMA))
        most = gl.load(lse + gl.program_id(1) * n + m + gl.arange(0, 64, gl.SliceLayout(0, MMA)))
        p = gl.exp2(s * scale - most[None, :]).to(gl.float16)
        acc = rdna3.wmma(gl.convert_layout(p, A), gl.convert_layout(gl.load(do + base + block(m, ROWS)), B), acc)
    gl.store(dv + base + block(row, MMA), acc.to(gl.float16))
