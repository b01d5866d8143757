"""Products of matrices: from registers, through rings of buffers, with epilogues, by FMA, by wgmma; of floats, integers and packed weights."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma, warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait, fence_async_shared


@gluon.jit
def _ptrs(base, r0, c0, ld, M: gl.constexpr, N: gl.constexpr, L: gl.constexpr):
    r = r0 + gl.arange(0, M, gl.SliceLayout(1, L))
    c = c0 + gl.arange(0, N, gl.SliceLayout(0, L))
    return base + r[:, None] * ld + c[None, :]


@gluon.jit
def mma_plain(A, B, C, M, N, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, KW: gl.constexpr, IK: gl.constexpr, ACC: gl.constexpr):
    # registers -> dot operand directly
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps() // 2, 2], [16, 8])
    da: gl.constexpr = gl.DotOperandLayout(0, mma, KW)
    db: gl.constexpr = gl.DotOperandLayout(1, mma, KW)
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], ACC, mma)
    rm = pm + gl.arange(0, BM, gl.SliceLayout(1, L))
    cn = pn + gl.arange(0, BN, gl.SliceLayout(0, L))
    for k in range(0, K, BK):
        a = gl.load(_ptrs(A, pm, k, lda, BM, BK, L), mask=(rm < M)[:, None] & (k + gl.arange(0, BK, gl.SliceLayout(0, L)) < K)[None, :], other=0.0)
        b = gl.load(_ptrs(B, k, pn, ldb, BK, BN, L), mask=(k + gl.arange(0, BK, gl.SliceLayout(1, L)) < K)[:, None] & (cn < N)[None, :], other=0.0)
        acc = mma_v2(gl.convert_layout(a, da), gl.convert_layout(b, db), acc)
    out = gl.convert_layout(acc.to(C.dtype.element_ty), L)
    gl.store(_ptrs(C, pm, pn, ldc, BM, BN, L), out, mask=(rm < M)[:, None] & (cn < N)[None, :])


@gluon.jit
def mma_transposed_b(A, B, C, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, KW: gl.constexpr, ST: gl.constexpr, VEC: gl.constexpr):
    # B is [N, K], permuted in shared memory, cp.async pipeline
    E: gl.constexpr = 16 // (A.dtype.element_ty.primitive_bitwidth // 8)
    L: gl.constexpr = gl.BlockedLayout([1, E], [32 // (BK // E), BK // E], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    S: gl.constexpr = gl.SwizzledSharedLayout(VEC, 1, 8, [1, 0])
    sa = gl.allocate_shared_memory(A.dtype.element_ty, [ST, BM, BK], S)
    sb = gl.allocate_shared_memory(B.dtype.element_ty, [ST, BN, BK], S)
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    n = gl.cdiv(K, BK)
    for s in gl.static_range(ST - 1):
        async_copy.async_load(sa.index(s), _ptrs(A, pm, s * BK, lda, BM, BK, L))
        async_copy.async_load(sb.index(s), _ptrs(B, pn, s * BK, ldb, BN, BK, L))
        async_copy.commit_group()
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for i in range(n):
        async_copy.wait_group(ST - 2)
        gl.barrier()
        j = i + ST - 1
        if j < n:
            async_copy.async_load(sa.index(j % ST), _ptrs(A, pm, j * BK, lda, BM, BK, L))
            async_copy.async_load(sb.index(j % ST), _ptrs(B, pn, j * BK, ldb, BN, BK, L))
        async_copy.commit_group()
        a = sa.index(i % ST).load(gl.DotOperandLayout(0, mma, KW))
        b = sb.index(i % ST).permute((1, 0)).load(gl.DotOperandLayout(1, mma, KW))
        acc = mma_v2(a, b, acc)
    gl.store(_ptrs(C, pm, pn, ldc, BM, BN, mma), acc.to(C.dtype.element_ty))


@gluon.jit
def gemm_epilogue(A, B, C, bias, res, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, ACT: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    sa = gl.allocate_shared_memory(A.dtype.element_ty, [BM, BK], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    sb = gl.allocate_shared_memory(A.dtype.element_ty, [BK, BN], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    acc = gl.zeros([BM, BN], gl.float32, mma)
    pa = _ptrs(A, pm, 0, lda, BM, BK, L)
    pb = _ptrs(B, 0, pn, ldb, BK, BN, L)
    a = gl.load(pa)
    b = gl.load(pb)
    for k in range(0, K, BK):
        sa.store(a)
        sb.store(b)
        pa += BK
        pb += BK * ldb
        if k + BK < K:
            a = gl.load(pa)
            b = gl.load(pb)
        acc = mma_v2(sa.load(gl.DotOperandLayout(0, mma, 2)), sb.load(gl.DotOperandLayout(1, mma, 2)), acc)
    bv = gl.load(bias + pn + gl.arange(0, BN, gl.SliceLayout(0, mma))).to(gl.float32)
    x = acc + bv[None, :]
    if ACT == "silu":
        x = x / (1 + gl.exp(-x))
    elif ACT == "gelu":
        x = 0.5 * x * (1 + gl.erf(x * 0.70710678))
    elif ACT == "relu2":
        x = gl.maximum(x, 0.0)
        x = x * x
    y = gl.convert_layout(x.to(C.dtype.element_ty), L)
    y = y + gl.load(_ptrs(res, pm, pn, ldc, BM, BN, L))
    gl.store(_ptrs(C, pm, pn, ldc, BM, BN, L), y)


@gluon.jit
def splitk_lock(A, B, C, locks, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    pm = gl.program_id(0)
    pn = gl.program_id(1)
    pk = gl.program_id(2)
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(pk * BK, K, BK * SK):
        a = gl.load(_ptrs(A, pm * BM, k, lda, BM, BK, L))
        b = gl.load(_ptrs(B, k, pn * BN, ldb, BK, BN, L))
        acc = mma_v2(gl.convert_layout(a, gl.DotOperandLayout(0, mma, 1)), gl.convert_layout(b, gl.DotOperandLayout(1, mma, 1)), acc, input_precision="tf32")
    lock = locks + pm * gl.num_programs(1) + pn
    while gl.atomic_cas(lock, pk, pk) != pk:
        pass
    p = _ptrs(C, pm * BM, pn * BN, ldc, BM, BN, mma)
    if pk == 0:
        gl.store(p, acc)
    else:
        gl.store(p, acc + gl.load(p))
    gl.barrier()
    gl.atomic_xchg(lock, (pk + 1) % SK)


@gluon.jit
def splitk_half_atomics(A, B, C, M, N, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SK: gl.constexpr, FROM: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(gl.program_id(2) * BK, K, BK * SK):
        a = gl.load(_ptrs(A, pm, k, lda, BM, BK, L))
        b = gl.load(_ptrs(B, k, pn, ldb, BK, BN, L))
        acc = mma_v2(gl.convert_layout(a, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(b, gl.DotOperandLayout(1, mma, 2)), acc)
    if FROM == "mma":
        O: gl.constexpr = mma
    else:
        O: gl.constexpr = L
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, O))
    c = pn + gl.arange(0, BN, gl.SliceLayout(0, O))
    gl.atomic_add(C + r[:, None] * ldc + c[None, :], gl.convert_layout(acc, O).to(C.dtype.element_ty), mask=(r < M)[:, None] & (c < N)[None, :], sem="relaxed")


@gluon.jit
def int4_gemm(A, Q, S, C, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, G: gl.constexpr):
    # weights packed two along K in int8, group scales
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    LQ: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, K, BK):
        a = gl.load(_ptrs(A, pm, k, K, BM, BK, L))
        q = gl.load(_ptrs(Q, k // 2, pn, N, BK // 2, BN, LQ))
        lo = (q << 4).to(gl.int8) >> 4
        hi = q >> 4
        w = gl.join(lo, hi)
        w = gl.reshape(gl.permute(w, (0, 2, 1)), (BK, BN))
        s = gl.load(S + (k // G) * N + pn + gl.arange(0, BN, gl.SliceLayout(0, w.type.layout)))
        wf = w.to(gl.float16) * s[None, :]
        acc = mma_v2(gl.convert_layout(a, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(wf, gl.DotOperandLayout(1, mma, 2)), acc)
    gl.store(_ptrs(C, pm, pn, N, BM, BN, mma), acc.to(gl.float16))


@gluon.jit
def batched_small(A, B, C, BB: gl.constexpr, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    # 3d FMA product by broadcasting
    L: gl.constexpr = gl.BlockedLayout([1, 1, 1], [1, 4, 8], [gl.num_warps(), 1, 1], [2, 1, 0])
    b = gl.program_id(0) * BB + gl.arange(0, BB, gl.SliceLayout(1, gl.SliceLayout(2, L)))[:, None, None]
    m = gl.arange(0, M, gl.SliceLayout(0, gl.SliceLayout(2, L)))[None, :, None]
    n = gl.arange(0, N, gl.SliceLayout(0, gl.SliceLayout(1, L)))[None, None, :]
    acc = gl.zeros([BB, M, N], gl.float32, L)
    for k in gl.static_range(K):
        acc = gl.fma(gl.load(A + (b * M + m) * K + k).to(gl.float32), gl.load(B + (b * K + k) * N + n).to(gl.float32), acc)
    gl.store(C + (b * M + m) * N + n, acc)


@gluon.jit
def fma_dot(A, B, C, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SHARED: gl.constexpr):
    P: gl.constexpr = gl.BlockedLayout([4, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    L: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [gl.num_warps(), 1], [1, 0])
    oa: gl.constexpr = gl.DotOperandLayout(0, P, 0)
    ob: gl.constexpr = gl.DotOperandLayout(1, P, 0)
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], C.dtype.element_ty, P)
    for k in range(0, K, BK):
        a = gl.load(_ptrs(A, pm, k, lda, BM, BK, L))
        b = gl.load(_ptrs(B, k, pn, ldb, BK, BN, L))
        if SHARED:
            sa = gl.allocate_shared_memory(a.dtype, [BM, BK], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]), a)
            sb = gl.allocate_shared_memory(b.dtype, [BK, BN], gl.SwizzledSharedLayout(4, 1, 4, [1, 0]), b)
            acc = gl.dot_fma(sa.load(oa), sb.load(ob), acc)
        else:
            acc = gl.dot_fma(gl.convert_layout(a, oa), gl.convert_layout(b, ob), acc)
    gl.store(_ptrs(C, pm, pn, ldc, BM, BN, P), acc)


@gluon.jit
def im2col_conv(X, W, Y, N, H, Wd, CI, CO, OH, OW, R: gl.constexpr, S: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    pm = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    n = pm // (OH * OW)
    rest = pm % (OH * OW)
    oh = rest // OW
    ow = rest % OW
    co = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, L))
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for rs in range(R * S):
        r = rs // S
        s = rs % S
        ih = oh + r - 1
        iw = ow + s - 1
        okay = (ih >= 0) & (ih < H) & (iw >= 0) & (iw < Wd) & (n < N)
        base = ((n * H + ih) * Wd + iw) * CI
        for c in range(0, CI, BK):
            ck = c + gl.arange(0, BK, gl.SliceLayout(0, L))
            x = gl.load(X + base[:, None] + ck[None, :], mask=okay[:, None] & (ck < CI)[None, :], other=0.0)
            kr = c + gl.arange(0, BK, gl.SliceLayout(1, L))
            w = gl.load(W + (rs * CI + kr)[:, None] * CO + co[None, :], mask=(kr < CI)[:, None] & (co < CO)[None, :], other=0.0)
            acc = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(w, gl.DotOperandLayout(1, mma, 2)), acc)
    gl.store(Y + pm[:, None] * CO + co[None, :], gl.convert_layout(acc, L).to(Y.dtype.element_ty), mask=(n < N)[:, None] & (co < CO)[None, :])


@gluon.jit
def gemm_fp8_blockscale(A, B, sA, sB, C, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, mma)
    rm = pm + gl.arange(0, BM, gl.SliceLayout(1, mma))
    for k in range(0, K, BK):
        a = gl.load(_ptrs(A, pm, k, K, BM, BK, L))
        b = gl.load(_ptrs(B, pn, k, K, BN, BK, L))
        sb = gl.allocate_shared_memory(B.dtype.element_ty, [BN, BK], gl.SwizzledSharedLayout(16, 1, 8, [1, 0]), b)
        part = mma_v2(gl.convert_layout(a, gl.DotOperandLayout(0, mma, 4)), sb.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 4)), gl.zeros([BM, BN], gl.float32, mma))
        sa = gl.load(sA + rm * (K // BK) + k // BK)
        sc = gl.load(sB + (pn // BN) * (K // BK) + k // BK)
        acc += part * sa[:, None] * sc
    gl.store(_ptrs(C, pm, pn, N, BM, BN, mma), acc.to(C.dtype.element_ty))


@gluon.jit
def wgmma_gemm(A, B, C, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, RS: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 256 // A.dtype.element_ty.primitive_bitwidth])
    SL: gl.constexpr = gl.NVMMASharedLayout(128, A.dtype.element_ty.primitive_bitwidth, 2)
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    sa = gl.allocate_shared_memory(A.dtype.element_ty, [BM, BK], SL)
    sb = gl.allocate_shared_memory(B.dtype.element_ty, [BN, BK], SL)
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, K, BK):
        a = gl.load(_ptrs(A, pm, k, lda, BM, BK, L))
        b = gl.load(_ptrs(B, pn, k, ldb, BN, BK, L))
        sb.store(b)
        if RS:
            fence_async_shared()
            acc = warpgroup_mma(gl.convert_layout(a, gl.DotOperandLayout(0, mma, 32 // A.dtype.element_ty.primitive_bitwidth)), sb.permute((1, 0)), acc)
        else:
            sa.store(a)
            fence_async_shared()
            acc = warpgroup_mma(sa, sb.permute((1, 0)), acc)
    gl.store(_ptrs(C, pm, pn, ldc, BM, BN, mma), acc.to(C.dtype.element_ty))


@gluon.jit
def wgmma_tma_pingpong(a_desc, b_desc, C, K, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, ST: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    sa = gl.allocate_shared_memory(a_desc.dtype, [ST, BM, BK], a_desc.layout)
    sb = gl.allocate_shared_memory(b_desc.dtype, [ST, BK, BN], b_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [ST, 1], mbarrier.MBarrierLayout())
    for s in gl.static_range(ST):
        mbarrier.init(bars.index(s), count=1)
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    for s in gl.static_range(ST - 1):
        mbarrier.expect(bars.index(s), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [pm, s * BK], bars.index(s), sa.index(s))
        tma.async_load(b_desc, [s * BK, pn], bars.index(s), sb.index(s))
    acc = warpgroup_mma_init(gl.zeros([BM, BN], gl.float32, mma))
    for i in range(0, K // BK):
        j = i + ST - 1
        mbarrier.wait(bars.index(i % ST), (i // ST) & 1)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=[acc])
        acc = warpgroup_mma(sa.index(i % ST), sb.index(i % ST), acc, is_async=True)
        p = j < K // BK
        mbarrier.expect(bars.index(j % ST), a_desc.block_type.nbytes + b_desc.block_type.nbytes, pred=p)
        tma.async_load(a_desc, [pm, j * BK], bars.index(j % ST), sa.index(j % ST), pred=p)
        tma.async_load(b_desc, [j * BK, pn], bars.index(j % ST), sb.index(j % ST), pred=p)
    acc = warpgroup_mma_wait(num_outstanding=0, deps=[acc])
    for s in gl.static_range(ST):
        mbarrier.invalidate(bars.index(s))
    L: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    gl.store(_ptrs(C, pm, pn, ldc, BM, BN, L), gl.convert_layout(acc.to(C.dtype.element_ty), L))
