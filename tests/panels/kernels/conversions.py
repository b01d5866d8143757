"""Conversions: in loops, replicated, of rank 1 and 3, of slices, of booleans and doubles, between warps only, within warps only."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32", num_warps=8, target="cuda:80")
# gluond: launch(x="*fp64:16", y="*fp64:16", n="i32", num_warps=4, target="cuda:100")
@gluon.jit
def in_loop(x, y, n):
    R: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    r = gl.arange(0, 128, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    r2 = gl.arange(0, 128, gl.SliceLayout(1, C))
    c2 = gl.arange(0, 64, gl.SliceLayout(0, C))
    for k in range(n):
        v = gl.load(x + k * 8192 + r[:, None] * 64 + c[None, :])
        w = gl.convert_layout(v, C)
        gl.store(y + k * 8192 + r2[:, None] + c2[None, :] * 128, w)
    u = gl.load(x + r[:, None] * 64 + c[None, :])
    z = gl.convert_layout(u, C)
    gl.store(y + r2[:, None] + c2[None, :] * 128, z)


# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", y="*i8:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16:16", num_warps=4, target="cuda:120")
# gluond: launch(x="*fp64:16", y="*fp64:16", num_warps=4, target="cuda:90")
@gluon.jit
def ranks(x, y):
    A: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    B: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    S: gl.constexpr = gl.SliceLayout(1, gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
    D: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
    E: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    i = gl.arange(0, 1024, A)
    v = gl.load(x + i)
    a = gl.convert_layout(v, B)
    b = gl.convert_layout(a, E)
    c = gl.convert_layout(b, S)
    d = gl.convert_layout(c, D)
    e = gl.convert_layout(d, A)
    gl.store(y + i, e)


# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="cuda:90")
@gluon.jit
def rank3(x, y):
    P: gl.constexpr = gl.BlockedLayout([1, 1, 4], [2, 2, 8], [2, 2, 1], [2, 1, 0])
    Q: gl.constexpr = gl.BlockedLayout([4, 1, 1], [8, 2, 2], [1, 2, 2], [0, 1, 2])
    a = gl.arange(0, 16, gl.SliceLayout(1, gl.SliceLayout(2, P)))
    b = gl.arange(0, 16, gl.SliceLayout(0, gl.SliceLayout(2, P)))
    c = gl.arange(0, 32, gl.SliceLayout(0, gl.SliceLayout(1, P)))
    at = a[:, None, None] * 512 + b[None, :, None] * 32 + c[None, None, :]
    v = gl.load(x + at)
    w = gl.convert_layout(v, Q)
    u = gl.convert_layout(w * 2, P)
    gl.store(y + at, u)


# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="cuda:80")
# gluond: launch(x="*i8:16", y="*i8:16", num_warps=4, target="cuda:90")
@gluon.jit
def within_warps(x, y):
    A: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    B: gl.constexpr = gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    M: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    O: gl.constexpr = gl.DotOperandLayout(0, M, 4)
    r = gl.arange(0, 64, gl.SliceLayout(1, A))
    c = gl.arange(0, 32, gl.SliceLayout(0, A))
    v = gl.load(x + r[:, None] * 32 + c[None, :])
    a = gl.convert_layout(v, B)
    b = gl.convert_layout(a, C)
    d = gl.convert_layout(b, M)
    e = gl.convert_layout(d, O)
    f = gl.convert_layout(e, A)
    gl.store(y + r[:, None] * 32 + c[None, :], f)


# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="hip:gfx942")
# gluond: launch(x="*i8:16", y="*i8:16", num_warps=4, target="hip:gfx950")
@gluon.jit
def swaps(x, y):
    A: gl.constexpr = gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0])
    M: gl.constexpr = gl.amd.AMDMFMALayout(version=4, instr_shape=[32, 32, 16], transposed=True, warps_per_cta=[4, 1])
    O: gl.constexpr = gl.DotOperandLayout(0, M, 8)
    N: gl.constexpr = gl.amd.AMDMFMALayout(version=4, instr_shape=[16, 16, 32], transposed=True, warps_per_cta=[4, 1])
    r = gl.arange(0, 128, gl.SliceLayout(1, M))
    c = gl.arange(0, 128, gl.SliceLayout(0, M))
    v = gl.load(x + r[:, None] * 128 + c[None, :])
    a = gl.convert_layout(v, O)
    b = gl.convert_layout(a * a, N)
    d = gl.convert_layout(b * b, A)
    e = gl.convert_layout(d * d, M)
    gl.store(y + r[:, None] * 128 + c[None, :], e)


# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="hip:gfx1201")
# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="hip:gfx1250")
# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="hip:gfx1100")
@gluon.jit
def rdna(x, y):
    A: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    B: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [4, 1], [0, 1])
    C: gl.constexpr = gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0])
    r = gl.arange(0, 64, gl.SliceLayout(1, A))
    c = gl.arange(0, 64, gl.SliceLayout(0, A))
    v = gl.load(x + r[:, None] * 64 + c[None, :])
    a = gl.convert_layout(v, B)
    b = gl.convert_layout(a * a, C)
    d = gl.convert_layout(b * b, A)
    gl.store(y + r[:, None] * 64 + c[None, :], d)


# gluond: launch(x="*i8:16", y="*i8:16", num_warps=4, target="hip:gfx950")
# gluond: launch(x="*i8:16", y="*i8:16", num_warps=4, target="hip:gfx942")
@gluon.jit
def bytes_of_columns(x, y):
    A: gl.constexpr = gl.BlockedLayout([8], [64], [4], [0])
    B: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([8, 1], [2, 32], [4, 1], [1, 0]))
    v = gl.load(x + gl.arange(0, 256, A))
    z = gl.convert_layout(v, B)
    gl.store(y + gl.arange(0, 256, B), z * z)


# gluond: launch(x="*i16:16", y="*i16:16", num_warps=4, target="hip:gfx942")
@gluon.jit
def neighboring_lanes(x, y):
    A: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([8, 4], [16, 4], [4, 1], [1, 0]))
    B: gl.constexpr = gl.BlockedLayout([16], [64], [4], [0])
    v = gl.load(x + gl.arange(0, 1024, A))
    z = gl.convert_layout(v, B)
    gl.store(y + gl.arange(0, 1024, B), z * z)
