"""AMD: widths, LDS, transposing loads, buffer accesses, asynchronous copies, atomics."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3, cdna4, cdna5, rdna4


# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=8, W=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=2, W=64, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=4, W=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp64:16", y="*fp64:16", n="i32:16", V=2, W=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=8, W=32, num_warps=4, target="hip:gfx1250")
# gluond: launch(x="*bf16:16", y="*bf16:16", n="i32:16", V=4, W=32, num_warps=4, target="hip:gfx1100")
@gluon.jit
def widths(x, y, n, V: gl.constexpr, W: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [W], [gl.num_warps()], [0])
    i = gl.program_id(0) * 2048 + gl.arange(0, 2048, T)
    a = gl.load(x + i)
    b = gl.load(x + i + 4096, mask=i < n)
    c = gl.load(x + i * 2)
    d = gl.load(x + i + 32769)
    gl.store(y + i, a)
    gl.store(y + i + 4096, b, mask=i < n)
    gl.store(y + i * 2, c)
    gl.store(y + i + 8193, d)


# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=8, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=4, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*bf16:16", y="*bf16:16", n="i32:16", V=2, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*i8:16", y="*i8:16", n="i32:16", V=16, num_warps=4, target="hip:gfx942")
@gluon.jit
def buffers(x, y, n, V: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [64], [gl.num_warps()], [0])
    i = gl.arange(0, 256 * V, T)
    a = cdna3.buffer_load(x, i)
    b = cdna3.buffer_load(x, i, mask=i < n, other=0)
    c = cdna3.buffer_load(x, i * 2, cache=".cg")
    cdna3.buffer_store(a, y, i)
    cdna3.buffer_store(b, y, i + 256 * V, mask=i < n)
    cdna3.buffer_store(c, y, i * 2 + 8192)


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=1, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=4, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=2, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*bf16:16", y="*bf16:16", n="i32:16", V=4, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*i32:16", y="*i32:16", n="i32:16", V=2, num_warps=4, target="hip:gfx942")
@gluon.jit
def atomics(x, y, n, V: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [64], [4], [0])
    i = gl.arange(0, 1024, T)
    v = gl.load(x + i)
    gl.atomic_add(y + i, v)
    gl.atomic_add(y + i, v, mask=i < n, sem="relaxed")
    gl.atomic_add(y + i * 2, v)
    old = gl.atomic_add(y + 4096 + i, v, sem="relaxed")
    gl.store(y + 8192 + i, old)
    if y.dtype.element_ty.primitive_bitwidth == 32:
        gl.atomic_max(y + i, v)
        gl.atomic_xchg(y + i, v)


# gluond: launch(x="*fp16:16", y="*fp16:16", VEC=8, PER=1, MAX=8, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", y="*fp16:16", VEC=4, PER=2, MAX=8, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp32:16", y="*fp32:16", VEC=1, PER=1, MAX=1, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32:16", y="*fp32:16", VEC=4, PER=1, MAX=8, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*i8:16", y="*i8:16", VEC=16, PER=1, MAX=4, num_warps=4, target="hip:gfx942")
@gluon.jit
def lds_swizzled(x, y, VEC: gl.constexpr, PER: gl.constexpr, MAX: gl.constexpr):
    R: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([4, 1], [16, 4], [1, 4], [0, 1])
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    s = gl.allocate_shared_memory(x.dtype.element_ty, [2, 64, 64], gl.SwizzledSharedLayout(VEC, PER, MAX, [1, 0]))
    s.index(0).store(gl.load(x + r[:, None] * 64 + c[None, :]))
    v = s.index(0).load(C)
    w = s.index(0).permute((1, 0)).load(R)
    u = s.index(0).slice(32, 32, 0).load(R)
    gl.store(y + r[:, None] * 64 + c[None, :], gl.convert_layout(v, R) + w)
    r2 = gl.arange(0, 32, gl.SliceLayout(1, R))
    gl.store(y + 4096 + r2[:, None] * 64 + c[None, :], u)


# gluond: launch(x="*fp16:16", y="*fp16:16", P=8, I=64, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp16:16", y="*fp16:16", P=16, I=512, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32:16", y="*fp32:16", P=4, I=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32:16", y="*fp32:16", P=1, I=64, num_warps=4, target="hip:gfx950")
@gluon.jit
def lds_padded(x, y, P: gl.constexpr, I: gl.constexpr):
    R: gl.constexpr = gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([4, 1], [16, 4], [1, 4], [0, 1])
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    L: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[I, P]], [64, 64], [1, 0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [64, 64], L)
    s.store(gl.load(x + r[:, None] * 64 + c[None, :]))
    v = s.load(C)
    r2 = gl.arange(0, 64, gl.SliceLayout(1, C))
    c2 = gl.arange(0, 64, gl.SliceLayout(0, C))
    gl.store(y + r2[:, None] + c2[None, :] * 64, v)


# gluond: launch(x="*fp16:16", y="*fp16:16", KW=8, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*bf16:16", y="*bf16:16", KW=4, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp8e4nv:16", y="*fp8e4nv:16", KW=16, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp16:16", y="*fp16:16", KW=4, num_warps=4, target="hip:gfx942")
@gluon.jit
def transposing_loads(x, y, KW: gl.constexpr):
    M: gl.constexpr = gl.amd.AMDMFMALayout(version=4 if KW > 4 else 3, instr_shape=[16, 16, 32 if KW > 4 else 16], transposed=True, warps_per_cta=[4, 1])
    A: gl.constexpr = gl.DotOperandLayout(0, M, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, M, KW)
    R: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    r = gl.arange(0, 128, gl.SliceLayout(1, R))
    c = gl.arange(0, 128, gl.SliceLayout(0, R))
    s = gl.allocate_shared_memory(x.dtype.element_ty, [128, 128], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    s.store(gl.load(x + r[:, None] * 128 + c[None, :]))
    a = s.load(A)
    a2 = s.permute((1, 0)).load(A)
    b = s.load(B)
    b2 = s.permute((1, 0)).load(B)
    r3 = gl.arange(0, 128, gl.SliceLayout(1, A))
    c3 = gl.arange(0, 128, gl.SliceLayout(0, A))
    gl.store(y + r3[:, None] * 128 + c3[None, :], a)
    gl.store(y + r3[:, None] * 128 + c3[None, :] + 65536, a2)
    r4 = gl.arange(0, 128, gl.SliceLayout(1, B))
    c4 = gl.arange(0, 128, gl.SliceLayout(0, B))
    gl.store(y + r4[:, None] * 128 + c4[None, :], b)
    gl.store(y + r4[:, None] * 128 + c4[None, :] + 65536, b2)


# gluond: launch(x="*fp16:16", y="*fp16:16", V=8, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp32:16", y="*fp32:16", V=1, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp32:16", y="*fp32:16", V=4, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp16:16", y="*fp16:16", V=2, num_warps=4, target="hip:gfx950")
@gluon.jit
def async_to_lds(x, y, V: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [64], [4], [0])
    ring = gl.allocate_shared_memory(x.dtype.element_ty, [2, 256 * V], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    i = gl.arange(0, 256 * V, T)
    cdna4.async_copy.global_load_to_shared(ring.index(0), x + i)
    cdna4.async_copy.buffer_load_to_shared(ring.index(1), x, i)
    cdna4.async_copy.commit_group()
    cdna4.async_copy.wait_group(0)
    for s in range(2):
        gl.store(y + s * 256 * V + i, ring.index(s).load(T))


# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=8, target="hip:gfx942")
@gluon.jit
def conversions(x, y):
    R: gl.constexpr = gl.BlockedLayout([1, 4], [4, 16], [gl.num_warps(), 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([4, 1], [16, 4], [1, gl.num_warps()], [0, 1])
    M: gl.constexpr = gl.amd.AMDMFMALayout(version=3, instr_shape=[16, 16, 16], transposed=True, warps_per_cta=[gl.num_warps(), 1])
    N: gl.constexpr = gl.BlockedLayout([1, 2], [4, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    v = gl.load(x + r[:, None] * 64 + c[None, :])
    a = gl.convert_layout(v, C)
    b = gl.convert_layout(a, M)
    e = gl.convert_layout(b, N)
    g = gl.convert_layout(e, R)
    gl.store(y + r[:, None] * 64 + c[None, :], g)
