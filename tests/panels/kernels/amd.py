"""AMD's matrix units with LDS, buffer accesses, asynchronous copies, transposing loads."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3, cdna4, cdna5, rdna3, rdna4


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16", K="i32:16", s="i32:16", BM=64, BN=64, BK=32, num_warps=4, target="hip:gfx942")
# gluond: launch(a="*bf16:16", b="*bf16:16", c="*fp32:16", K="i32:16", s="i32:16", BM=128, BN=128, BK=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def mfma_lds(a, b, c, K, s, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    acc_layout: gl.constexpr = gl.amd.AMDMFMALayout(version=3, instr_shape=[32, 32, 8], transposed=True, warps_per_cta=[2, 2])
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, 4)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, 4)
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [16, 4], [4, 1], [1, 0])
    wide: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    sha: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    shb: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 16, [0, 1])
    rm = gl.arange(0, BM, gl.SliceLayout(1, rows))
    rk = gl.arange(0, BK, gl.SliceLayout(0, rows))
    kk = gl.arange(0, BK, gl.SliceLayout(1, wide))
    rn = gl.arange(0, BN, gl.SliceLayout(0, wide))
    ta = gl.allocate_shared_memory(a.dtype.element_ty, [BM, BK], sha)
    tb = gl.allocate_shared_memory(b.dtype.element_ty, [BK, BN], shb)
    acc = gl.zeros([BM, BN], gl.float32, acc_layout)
    for k in range(0, K, BK):
        x = gl.load(a + rm[:, None] * s + (k + rk[None, :]))
        y = gl.load(b + (k + kk[:, None]) * s + rn[None, :])
        ta.store(x)
        tb.store(y)
        p = ta.load(la)
        q = tb.load(lb)
        acc = cdna3.mfma(p, q, acc)
    cm = gl.arange(0, BM, gl.SliceLayout(1, acc_layout))
    cn = gl.arange(0, BN, gl.SliceLayout(0, acc_layout))
    gl.store(c + cm[:, None] * s + cn[None, :], acc)


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp16:16", K="i32:16", s="i32:16", n="i32:16", BM=128, BN=128, BK=64, num_warps=4, target="hip:gfx950")
@gluon.jit
def mfma_buffer_ring(a, b, c, K, s, n, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    acc_layout: gl.constexpr = gl.amd.AMDMFMALayout(version=4, instr_shape=[16, 16, 32], transposed=True, warps_per_cta=[2, 2])
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, 8)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, 8)
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    wide: gl.constexpr = gl.BlockedLayout([1, 8], [4, 16], [4, 1], [1, 0])
    sha: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    shb: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    rm = gl.arange(0, BM, gl.SliceLayout(1, rows))
    rk = gl.arange(0, BK, gl.SliceLayout(0, rows))
    kk = gl.arange(0, BK, gl.SliceLayout(1, wide))
    rn = gl.arange(0, BN, gl.SliceLayout(0, wide))
    ta = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], sha)
    tb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BK, BN], shb)
    acc = gl.zeros([BM, BN], gl.float32, acc_layout)
    for k in range(0, K, BK):
        i = (k // BK) % 2
        x = cdna4.buffer_load(a, rm[:, None] * s + (k + rk[None, :]), mask=k + rk[None, :] < K)
        y = cdna4.buffer_load(b, (k + kk[:, None]) * s + rn[None, :])
        ta.index(i).store(x)
        tb.index(i).store(y)
        p = ta.index(i).load(la)
        q = tb.index(i).load(lb)
        acc = cdna4.mfma(p, q, acc)
    cm = gl.arange(0, BM, gl.SliceLayout(1, acc_layout))
    cn = gl.arange(0, BN, gl.SliceLayout(0, acc_layout))
    cdna4.buffer_store(acc.to(c.dtype.element_ty), c, cm[:, None] * n + cn[None, :], mask=cn[None, :] < n)


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16", s="i32:16", num_warps=4, target="hip:gfx950")
# gluond: launch(a="*fp8e4nv:16", b="*fp8e4nv:16", c="*fp32:16", s="i32:16", num_warps=4, target="hip:gfx950")
@gluon.jit
def mfma_padded_async(a, b, c, s):
    acc_layout: gl.constexpr = gl.amd.AMDMFMALayout(version=4, instr_shape=[32, 32, 16], transposed=True, warps_per_cta=[2, 2])
    kw: gl.constexpr = 8
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, kw)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, kw)
    W: gl.constexpr = 128 // a.dtype.element_ty.primitive_bitwidth
    rows: gl.constexpr = gl.BlockedLayout([1, W], [64 * W // 64, 64 // W], [4, 1], [1, 0])
    sh: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    rm = gl.arange(0, 128, gl.SliceLayout(1, rows))
    rk = gl.arange(0, 64, gl.SliceLayout(0, rows))
    ta = gl.allocate_shared_memory(a.dtype.element_ty, [128, 64], sh)
    tb = gl.allocate_shared_memory(b.dtype.element_ty, [128, 64], sh)
    cdna4.async_copy.global_load_to_shared(ta, a + rm[:, None] * s + rk[None, :])
    cdna4.async_copy.buffer_load_to_shared(tb, b, rm[:, None] * s + rk[None, :])
    cdna4.async_copy.wait_group(0)
    p = ta.load(la)
    q = tb.permute((1, 0)).load(lb)
    acc = cdna4.mfma(p, q, gl.zeros([128, 128], gl.float32, acc_layout))
    cm = gl.arange(0, 128, gl.SliceLayout(1, acc_layout))
    cn = gl.arange(0, 128, gl.SliceLayout(0, acc_layout))
    cdna4.buffer_store(acc, c, cm[:, None] * s + cn[None, :])


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp16:16", s="i32:16", num_warps=4, target="hip:gfx1100")
@gluon.jit
def wmma_rdna3(a, b, c, s):
    acc_layout: gl.constexpr = gl.amd.AMDWMMALayout(1, True, [[0, 1], [1, 0]])
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, 16)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, 16)
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    sha: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 4, [1, 0])
    rm = gl.arange(0, 64, gl.SliceLayout(1, rows))
    rk = gl.arange(0, 32, gl.SliceLayout(0, rows))
    ta = gl.allocate_shared_memory(gl.float16, [64, 32], sha)
    tb = gl.allocate_shared_memory(gl.float16, [64, 32], sha)
    ta.store(gl.load(a + rm[:, None] * s + rk[None, :]))
    tb.store(gl.load(b + rm[:, None] * s + rk[None, :]))
    p = ta.load(la)
    q = tb.permute((1, 0)).load(lb)
    acc = rdna3.wmma(p, q, gl.zeros([64, 64], gl.float32, acc_layout))
    cm = gl.arange(0, 64, gl.SliceLayout(1, acc_layout))
    cn = gl.arange(0, 64, gl.SliceLayout(0, acc_layout))
    gl.store(c + cm[:, None] * s + cn[None, :], acc.to(gl.float16))


# gluond: launch(a="*bf16:16", b="*bf16:16", c="*fp32:16", s="i32:16", num_warps=4, target="hip:gfx1201")
@gluon.jit
def wmma_rdna4(a, b, c, s):
    acc_layout: gl.constexpr = gl.amd.AMDWMMALayout(2, True, [[0, 1], [1, 0]])
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, 8)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, 8)
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    cols: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    sha: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[32, 8]], [64, 32], [1, 0])
    shb: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    rm = gl.arange(0, 64, gl.SliceLayout(1, rows))
    rk = gl.arange(0, 32, gl.SliceLayout(0, rows))
    kk = gl.arange(0, 32, gl.SliceLayout(1, cols))
    rn = gl.arange(0, 64, gl.SliceLayout(0, cols))
    ta = gl.allocate_shared_memory(gl.bfloat16, [64, 32], sha)
    tb = gl.allocate_shared_memory(gl.bfloat16, [32, 64], shb)
    ta.store(gl.load(a + rm[:, None] * s + rk[None, :]))
    tb.store(gl.load(b + kk[:, None] * s + rn[None, :]))
    p = ta.load(la)
    q = tb.load(lb)
    acc = rdna4.wmma(p, q, gl.zeros([64, 64], gl.float32, acc_layout))
    cm = gl.arange(0, 64, gl.SliceLayout(1, acc_layout))
    cn = gl.arange(0, 64, gl.SliceLayout(0, acc_layout))
    gl.store(c + cm[:, None] * s + cn[None, :], acc)


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16", M="i32:16", N="i32:16", K="i32:16", num_warps=4, target="hip:gfx1250")
@gluon.jit
def wmma_tdm(a, b, c, M, N, K):
    acc_layout: gl.constexpr = gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], instr_shape=[16, 16, 32])
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, 8)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, 8)
    sha: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
    shb: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [64, 64], sha)
    db = cdna5.tdm.make_tensor_descriptor(b, [K, N], [N, 1], [64, 64], shb)
    ta = gl.allocate_shared_memory(gl.float16, [2, 64, 64], sha)
    tb = gl.allocate_shared_memory(gl.float16, [2, 64, 64], shb)
    acc = gl.zeros([64, 64], gl.float32, acc_layout)
    for k in range(0, K, 64):
        i = (k // 64) % 2
        cdna5.tdm.async_load(da, [gl.program_id(0) * 64, k], ta.index(i))
        cdna5.tdm.async_load(db, [k, gl.program_id(1) * 64], tb.index(i))
        cdna5.tdm.async_wait(0)
        p = ta.index(i).load(la)
        q = tb.index(i).load(lb)
        acc = cdna5.wmma(p, q, acc)
    cm = gl.program_id(0) * 64 + gl.arange(0, 64, gl.SliceLayout(1, acc_layout))
    cn = gl.program_id(1) * 64 + gl.arange(0, 64, gl.SliceLayout(0, acc_layout))
    gl.store(c + cm[:, None] * N + cn[None, :], acc)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32", num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", num_warps=4, target="hip:gfx950")
@gluon.jit
def buffer_copy(x, out, n):
    layout: gl.constexpr = gl.BlockedLayout([8], [64], [4], [0])
    i = gl.program_id(0) * 2048 + gl.arange(0, 2048, layout)
    v = cdna3.buffer_load(x, i, mask=i < n, other=0.0)
    cdna3.buffer_store(v, out, i, mask=i < n)
    w = cdna3.buffer_load(x, i * 2)
    cdna3.buffer_store(w, out + 1, i)


# gluond: launch(x="*fp32:16", y="*fp32:16", k="*i32:16", num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", y="*fp16:16", k="*i32:16", num_warps=4, target="hip:gfx942")
@gluon.jit
def buffer_atomics(x, y, k):
    layout: gl.constexpr = gl.BlockedLayout([4], [64], [4], [0])
    i = gl.arange(0, 1024, layout)
    v = cdna3.buffer_load(x, i)
    cdna3.buffer_atomic_add(y, i, v)
    old = cdna3.buffer_atomic_max(k, i, i)
    gl.store(k + 1024 + i, old)


# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp8e5:16", out="*fp8e5:16", n="i32:16", num_warps=4, target="hip:gfx950")
@gluon.jit
def transposed_read(x, out, n):
    """An operand whose elements follow each other along the wrong dimension."""
    acc: gl.constexpr = gl.amd.AMDMFMALayout(version=4, instr_shape=[16, 16, 32], transposed=True, warps_per_cta=[2, 2])
    operand: gl.constexpr = gl.DotOperandLayout(1, acc, 8)
    wide: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    r = gl.arange(0, 64, gl.SliceLayout(1, wide))
    c = gl.arange(0, 64, gl.SliceLayout(0, wide))
    tile = gl.allocate_shared_memory(x.dtype.element_ty, [64, 64], shared)
    v = gl.load(x + r[:, None] * n + c[None, :])
    tile.store(v)
    y = tile.load(operand)
    r2 = gl.arange(0, 64, gl.SliceLayout(1, operand))
    c2 = gl.arange(0, 64, gl.SliceLayout(0, operand))
    gl.store(out + r2[:, None] * n + c2[None, :], y)


# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp16", y="*fp16:16", n="i32:16", num_warps=4, target="hip:gfx950")
@gluon.jit
def moved_base(x, y, n):
    """The base pointer of a buffer access is less aligned than its offsets."""
    layout: gl.constexpr = gl.BlockedLayout([8], [64], [4], [0])
    i = gl.arange(0, 2048, layout)
    v = cdna3.buffer_load(x + 1, i)
    w = cdna3.buffer_load(x + 8, i)
    cdna3.buffer_store(v + w, y + n, i)


# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32", T=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32", out="*fp32", n="i32", T=64, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*bf16:16", out="*bf16:16", n="i32", T=32, num_warps=4, target="hip:gfx1201")
# gluond: launch(x="*i8", out="*i8", n="i32", T=32, num_warps=4, target="hip:gfx1250")
@gluon.jit
def unaligned_rows(x, out, n, T: gl.constexpr):
    """Neighbors that nobody knows to be aligned: LLVM joins them."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [T // 8, 8], [4, 1], [1, 0])
    r = gl.arange(0, 32, gl.SliceLayout(1, layout))
    c = gl.arange(0, 64, gl.SliceLayout(0, layout))
    v = gl.load(x + r[:, None] * n + c[None, :])
    gl.store(out + r[:, None] * n + c[None, :], v)
    gl.store(out + r[:, None] * n + c[None, :] + 3, v, mask=r[:, None] < n)


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32", B=2048, V=8, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32", B=2048, V=2, num_warps=4, target="hip:gfx950")
@gluon.jit
def volatile_rows(x, y, n, B: gl.constexpr, V: gl.constexpr):
    # Rows that begin anywhere: what is not volatile is joined.
    layout: gl.constexpr = gl.BlockedLayout([V], [64], [4], [0])
    i = gl.program_id(0) * n + gl.arange(0, B, layout)
    v = gl.load(x + i, volatile=True)
    gl.store(y + i, v)
