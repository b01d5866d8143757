"""Products, attention, decoding, TMA pipelines and partitions as people write them. `cases` as in bench/ordinary.py; oracle.py record --main makes records."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


@gluon.jit
def _tile(base, row, col, ld, layout: gl.constexpr, R: gl.constexpr, C: gl.constexpr):
    r = row + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = col + gl.arange(0, C, gl.SliceLayout(0, layout))
    return base + r[:, None] * ld + c[None, :]


@gluon.jit
def swiglu_tma_persistent(g_desc, u_desc, o_desc, tiles_m, tiles_n, ST: gl.constexpr):
    """Gate and up projection to the product of silu(gate) and up: copies by TMA, a ring of buffers, persistent programs."""
    BM: gl.constexpr = g_desc.block_type.shape[0]
    BN: gl.constexpr = g_desc.block_type.shape[1]
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [32 * 8 // BN, BN // 8], [gl.num_warps(), 1], [1, 0])
    g = gl.allocate_shared_memory(g_desc.dtype, [ST, BM, BN], g_desc.layout)
    u = gl.allocate_shared_memory(u_desc.dtype, [ST, BM, BN], u_desc.layout)
    o = gl.allocate_shared_memory(o_desc.dtype, [BM, BN], o_desc.layout)
    bars = mbarrier.allocate_mbarrier(batch=ST)
    for s in gl.static_range(ST):
        mbarrier.init(bars.index(s), count=1)
    pid = gl.program_id(0)
    total = tiles_m * tiles_n
    step = gl.num_programs(0)
    for s in gl.static_range(ST - 1):
        t = pid + s * step
        p = t < total
        mbarrier.expect(bars.index(s), g_desc.block_type.nbytes + u_desc.block_type.nbytes, pred=p)
        tma.async_load(g_desc, [t // tiles_n * BM, t % tiles_n * BN], bars.index(s), g.index(s), pred=p)
        tma.async_load(u_desc, [t // tiles_n * BM, t % tiles_n * BN], bars.index(s), u.index(s), pred=p)
    i = 0
    for t in range(pid, total, step):
        nt = t + (ST - 1) * step
        ns = (i + ST - 1) % ST
        p = nt < total
        mbarrier.expect(bars.index(ns), g_desc.block_type.nbytes + u_desc.block_type.nbytes, pred=p)
        tma.async_load(g_desc, [nt // tiles_n * BM, nt % tiles_n * BN], bars.index(ns), g.index(ns), pred=p)
        tma.async_load(u_desc, [nt // tiles_n * BM, nt % tiles_n * BN], bars.index(ns), u.index(ns), pred=p)
        mbarrier.wait(bars.index(i % ST), i // ST & 1)
        a = g.index(i % ST).load(layout).to(gl.float32)
        b = u.index(i % ST).load(layout).to(gl.float32)
        c = a / (1 + gl.exp(-a)) * b
        tma.store_wait(0)
        o.store(c.to(o_desc.dtype))
        fence_async_shared()
        tma.async_store(o_desc, [t // tiles_n * BM, t % tiles_n * BN], o)
        i += 1
    tma.store_wait(0)


@gluon.jit
def gqa_decode_rows(O, Q, K, V, lens, sm, S, G: gl.constexpr, D: gl.constexpr, BN: gl.constexpr):
    """One token: the G query heads of a key head one after another over blocks of keys."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    b = gl.program_id(0)
    h = gl.program_id(1)
    n = gl.arange(0, BN, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    length = gl.load(lens + b)
    kv = (b * gl.num_programs(1) + h) * S
    for g in gl.static_range(G):
        at = ((b * gl.num_programs(1) + h) * G + g) * D
        q = gl.load(Q + at + d).to(gl.float32) * sm
        m = -float("inf")
        s = 0.0
        acc = gl.zeros([D], gl.float32, gl.SliceLayout(0, layout))
        for k in range(0, length, BN):
            ok = k + n < length
            keys = gl.load(K + (kv + k + n)[:, None] * D + d[None, :], mask=ok[:, None], other=0.0).to(gl.float32)
            x = gl.where(ok, gl.sum(keys * q[None, :], 1), -float("inf"))
            mm = gl.maximum(m, gl.max(x, 0))
            p = gl.exp2(x - mm)
            a = gl.exp2(m - mm)
            values = gl.load(V + (kv + k + n)[:, None] * D + d[None, :], mask=ok[:, None], other=0.0).to(gl.float32)
            acc = acc * a + gl.sum(p[:, None] * values, 0)
            s = s * a + gl.sum(p, 0)
            m = mm
        gl.store(O + at + d, (acc / s).to(O.dtype.element_ty))


@gluon.jit
def paged_decode_one(O, Q, KC, VC, table, lens, sm, pages, D: gl.constexpr, PAGE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [128 // D if D < 128 else 1, 32 if D >= 128 else D // 4], [gl.num_warps(), 1], [1, 0])
    b = gl.program_id(0)
    h = gl.program_id(1)
    heads = gl.num_programs(1)
    n = gl.arange(0, PAGE, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    q = gl.load(Q + (b * heads + h) * D + d).to(gl.float32)
    length = gl.load(lens + b)
    m = gl.full([PAGE], -float("inf"), gl.float32, gl.SliceLayout(1, layout))
    s = gl.zeros([PAGE], gl.float32, gl.SliceLayout(1, layout))
    acc = gl.zeros([PAGE, D], gl.float32, layout)
    for i in range(gl.cdiv(length, PAGE)):
        page = gl.load(table + b * pages + i).to(gl.int64)
        at = ((page * PAGE + n) * heads + h)[:, None] * D + d[None, :]
        k = gl.load(KC + at).to(gl.float32)
        x = gl.sum(k * q[None, :], 1) * sm
        x = gl.where(i * PAGE + n < length, x, -1e30)
        mm = gl.maximum(m, x)
        p = gl.exp(x - mm)
        a = gl.exp(m - mm)
        s = s * a + p
        acc = acc * a[:, None] + p[:, None] * gl.load(VC + at).to(gl.float32)
        m = mm
    top = gl.max(m, 0)
    w = gl.exp(m - top)
    gl.store(O + (b * heads + h) * D + d, (gl.sum(acc * w[:, None], 0) / gl.sum(s * w, 0)).to(O.dtype.element_ty))


@gluon.jit
def matmul_splitk(A, B, C, M, N, K, sam, sak, sbk, sbn, scm, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SPLIT: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [gl.num_warps(), 1], [1, 0])
    copyb: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BN, BN // 8], [gl.num_warps(), 1], [1, 0])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    z = gl.program_id(2)
    rm = pm + gl.arange(0, BM, gl.SliceLayout(1, copy))
    rk = z * BK + gl.arange(0, BK, gl.SliceLayout(0, copy))
    kk = z * BK + gl.arange(0, BK, gl.SliceLayout(1, copyb))
    rn = pn + gl.arange(0, BN, gl.SliceLayout(0, copyb))
    a = A + rm[:, None] * sam + rk[None, :] * sak
    b = B + kk[:, None] * sbk + rn[None, :] * sbn
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(gl.cdiv(K, BK * SPLIT)):
        left = K - k * BK * SPLIT
        x = gl.load(a, mask=(rm < M)[:, None] & (rk < left)[None, :], other=0.0)
        y = gl.load(b, mask=(kk < left)[:, None] & (rn < N)[None, :], other=0.0)
        acc = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(y, gl.DotOperandLayout(1, mma, 2)), acc)
        a += BK * SPLIT * sak
        b += BK * SPLIT * sbk
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, mma))
    c = pn + gl.arange(0, BN, gl.SliceLayout(0, mma))
    gl.atomic_add(C + r[:, None] * scm + c[None, :], acc, mask=(r < M)[:, None] & (c < N)[None, :], sem="relaxed")


@gluon.jit
def lora(X, A, B, Y, K, N, scale, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, R: gl.constexpr):
    """Y += scale * (X A) B with a small inner rank."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    row = gl.program_id(0) * BM
    px = _tile(X, row, 0, K, copy, BM, BK)
    pa = _tile(A, 0, 0, R, copy, BK, R)
    h = gl.zeros([BM, R], gl.float32, mma)
    for _ in range(0, K, BK):
        h = mma_v2(gl.convert_layout(gl.load(px), gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(gl.load(pa), gl.DotOperandLayout(1, mma, 2)), h)
        px += BK
        pa += BK * R
    hd = gl.convert_layout((h * scale).to(X.dtype.element_ty), gl.DotOperandLayout(0, mma, 2))
    for n in range(0, N, BN):
        b = gl.convert_layout(gl.load(_tile(B, 0, n, N, copy, R, BN)), gl.DotOperandLayout(1, mma, 2))
        o = gl.convert_layout(mma_v2(hd, b, gl.zeros([BM, BN], gl.float32, mma)), copy)
        at = _tile(Y, row, n, N, copy, BM, BN)
        gl.store(at, (gl.load(at).to(gl.float32) + o).to(Y.dtype.element_ty))


@gluon.jit
def gram(X, G, M, K, BM: gl.constexpr, BK: gl.constexpr):
    """X X^T, the lower triangle; both halves are stored."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [gl.num_warps(), 1], [1, 0])
    sw: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    i = gl.program_id(0)
    j = gl.program_id(1)
    if j <= i:
        si = gl.allocate_shared_memory(X.dtype.element_ty, [2, BM, BK], sw)
        sj = gl.allocate_shared_memory(X.dtype.element_ty, [2, BM, BK], sw)
        pi = _tile(X, i * BM, 0, K, copy, BM, BK)
        pj = _tile(X, j * BM, 0, K, copy, BM, BK)
        async_copy.async_load(si.index(0), pi)
        async_copy.async_load(sj.index(0), pj)
        async_copy.commit_group()
        acc = gl.zeros([BM, BM], gl.float32, mma)
        n = K // BK
        for k in range(n):
            pi += BK
            pj += BK
            if k + 1 < n:
                async_copy.async_load(si.index((k + 1) % 2), pi)
                async_copy.async_load(sj.index((k + 1) % 2), pj)
            async_copy.commit_group()
            async_copy.wait_group(1)
            gl.barrier()
            a = si.index(k % 2).load(gl.DotOperandLayout(0, mma, 2))
            b = sj.index(k % 2).permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2))
            acc = mma_v2(a, b, acc)
            gl.barrier()
        out = acc.to(G.dtype.element_ty)
        gl.store(_tile(G, i * BM, j * BM, M, mma, BM, BM), out)
        if i != j:
            r = i * BM + gl.arange(0, BM, gl.SliceLayout(1, mma))
            c = j * BM + gl.arange(0, BM, gl.SliceLayout(0, mma))
            gl.store(G + c[None, :] * M + r[:, None], out)


@gluon.jit
def dual_gemm_glu(X, W1, W2, Y, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [gl.num_warps(), 1], [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BN, BN // 8], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    px = _tile(X, row, 0, K, ca, BM, BK)
    p1 = _tile(W1, 0, col, N, cb, BK, BN)
    p2 = _tile(W2, 0, col, N, cb, BK, BN)
    a1 = gl.zeros([BM, BN], gl.float32, mma)
    a2 = gl.zeros([BM, BN], gl.float32, mma)
    for _ in range(0, K, BK):
        x = gl.convert_layout(gl.load(px), gl.DotOperandLayout(0, mma, 2))
        a1 = mma_v2(x, gl.convert_layout(gl.load(p1), gl.DotOperandLayout(1, mma, 2)), a1)
        a2 = mma_v2(x, gl.convert_layout(gl.load(p2), gl.DotOperandLayout(1, mma, 2)), a2)
        px += BK
        p1 += BK * N
        p2 += BK * N
    y = a1 * a2 / (1 + gl.exp(-a1))
    gl.store(_tile(Y, row, col, N, cb, BM, BN), gl.convert_layout(y.to(Y.dtype.element_ty), cb))


@gluon.jit
def moe_gemm(X, W, Y, sorted_ids, expert_of, count, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, TOPK: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [gl.num_warps(), 1], [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BN, BN // 8], [gl.num_warps(), 1], [1, 0])
    block = gl.program_id(0)
    col = gl.program_id(1) * BN
    expert = gl.load(expert_of + block)
    if expert >= 0:
        ids = gl.load(sorted_ids + block * BM + gl.arange(0, BM, gl.SliceLayout(1, ca)))
        ok = ids < count
        px = X + (ids // TOPK)[:, None] * K + gl.arange(0, BK, gl.SliceLayout(0, ca))[None, :]
        pw = _tile(W + expert.to(gl.int64) * K * N, 0, col, N, cb, BK, BN)
        acc = gl.zeros([BM, BN], gl.float32, mma)
        for _ in range(0, K, BK):
            x = gl.load(px, mask=ok[:, None], other=0.0)
            acc = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(gl.load(pw), gl.DotOperandLayout(1, mma, 2)), acc)
            px += BK
            pw += BK * N
        out = gl.load(sorted_ids + block * BM + gl.arange(0, BM, gl.SliceLayout(1, cb)))
        at = Y + out[:, None] * N + (col + gl.arange(0, BN, gl.SliceLayout(0, cb)))[None, :]
        gl.store(at, gl.convert_layout(acc.to(Y.dtype.element_ty), cb), mask=(out < count)[:, None])


@gluon.jit
def int8_weight_gemm(X, W, scales, Y, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [1, gl.num_warps()], [16, 8])
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [gl.num_warps(), 1], [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([1, 16], [512 // BK, BK // 16], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    px = _tile(X, row, 0, K, ca, BM, BK)
    pw = _tile(W, col, 0, K, cb, BN, BK)
    sw = gl.allocate_shared_memory(gl.int8, [BN, BK], gl.SwizzledSharedLayout(16, 1, 8, [1, 0]))
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for _ in range(0, K, BK):
        sw.store(gl.load(pw))
        b = sw.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)).to(X.dtype.element_ty)
        acc = mma_v2(gl.convert_layout(gl.load(px), gl.DotOperandLayout(0, mma, 2)), b, acc)
        px += BK
        pw += BK
    s = gl.load(scales + col + gl.arange(0, BN, gl.SliceLayout(0, mma)))
    gl.store(_tile(Y, row, col, N, mma, BM, BN), (acc * s[None, :]).to(Y.dtype.element_ty))


@gluon.jit
def attention_bias(Q, K, V, B, O, S, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    """A bias for each pair, loaded in the layout of the scores; masks at the end of the keys."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    sw: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    head = gl.program_id(1)
    row = gl.program_id(0) * BM
    q = gl.convert_layout(gl.load(_tile(Q + head * S * D, row, 0, D, copy, BM, D)), gl.DotOperandLayout(0, mma, 2))
    r = row + gl.arange(0, BM, gl.SliceLayout(1, mma))
    c = gl.arange(0, BN, gl.SliceLayout(0, mma))
    ck = gl.arange(0, BN, gl.SliceLayout(1, copy))
    acc = gl.zeros([BM, D], gl.float32, mma)
    m = gl.full([BM], -1e30, gl.float32, gl.SliceLayout(1, mma))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, mma))
    for n in range(0, S, BN):
        k = gl.load(_tile(K + head * S * D, n, 0, D, copy, BN, D), mask=(n + ck < S)[:, None], other=0.0)
        v = gl.load(_tile(V + head * S * D, n, 0, D, copy, BN, D), mask=(n + ck < S)[:, None], other=0.0)
        ks = gl.allocate_shared_memory(K.dtype.element_ty, [BN, D], sw, k)
        x = mma_v2(q, ks.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BM, BN], gl.float32, mma))
        ok = (r[:, None] < S) & (n + c[None, :] < S)
        b = gl.load(B + head * S * S + r[:, None] * S + (n + c)[None, :], mask=ok, other=-1e30).to(gl.float32)
        x = x * scale + b * 1.4426950408889634
        mm = gl.maximum(m, gl.max(x, 1))
        p = gl.exp2(x - mm[:, None])
        a = gl.exp2(m - mm)
        s = s * a + gl.sum(p, 1)
        acc = acc * a[:, None]
        acc = mma_v2(gl.convert_layout(p.to(Q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(v, gl.DotOperandLayout(1, mma, 2)), acc)
        m = mm
    gl.store(_tile(O + head * S * D, row, 0, D, mma, BM, D), (acc / s[:, None]).to(O.dtype.element_ty), mask=(r < S)[:, None])


@gluon.jit
def attention_dq(Q, K, V, DO, DQ, LSE, DELTA, S, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    sw: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    head = gl.program_id(1) * S
    row = gl.program_id(0) * BM
    q = gl.convert_layout(gl.load(_tile(Q + head * D, row, 0, D, copy, BM, D)), gl.DotOperandLayout(0, mma, 2))
    do = gl.convert_layout(gl.load(_tile(DO + head * D, row, 0, D, copy, BM, D)), gl.DotOperandLayout(0, mma, 2))
    r = row + gl.arange(0, BM, gl.SliceLayout(1, mma))
    c = gl.arange(0, BN, gl.SliceLayout(0, mma))
    lse = gl.load(LSE + head + r)
    delta = gl.load(DELTA + head + r)
    ks = gl.allocate_shared_memory(K.dtype.element_ty, [BN, D], sw)
    vs = gl.allocate_shared_memory(K.dtype.element_ty, [BN, D], sw)
    dq = gl.zeros([BM, D], gl.float32, mma)
    for n in range(0, row + BM, BN):
        ks.store(gl.load(_tile(K + head * D, n, 0, D, copy, BN, D)))
        vs.store(gl.load(_tile(V + head * D, n, 0, D, copy, BN, D)))
        x = mma_v2(q, ks.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BM, BN], gl.float32, mma))
        p = gl.where(r[:, None] >= n + c[None, :], gl.exp2(x * scale - lse[:, None]), 0.0)
        dp = mma_v2(do, vs.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BM, BN], gl.float32, mma))
        ds = p * (dp - delta[:, None])
        dq = mma_v2(gl.convert_layout(ds.to(Q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), ks.load(gl.DotOperandLayout(1, mma, 2)), dq)
    gl.store(_tile(DQ + head * D, row, 0, D, mma, BM, D), (dq * scale).to(DQ.dtype.element_ty))


@gluon.jit
def batched_outer(X, Y, Z, M, N, BM: gl.constexpr, BN: gl.constexpr):
    """Z += x y^T for each batch."""
    layout: gl.constexpr = gl.BlockedLayout([2, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    b = gl.program_id(2)
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, layout))
    x = gl.load(X + b * M + r, mask=r < M, other=0.0)
    y = gl.load(Y + b * N + c, mask=c < N, other=0.0)
    at = Z + b * M * N + r[:, None] * N + c[None, :]
    ok = (r < M)[:, None] & (c < N)[None, :]
    gl.store(at, gl.load(at, mask=ok) + x[:, None] * y[None, :], mask=ok)


@gluon.jit
def delta_rule(Q, K, V, BETA, O, S, D: gl.constexpr):
    """A recurrent state updated by the delta rule, token by token."""
    layout: gl.constexpr = gl.BlockedLayout([4, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    h = gl.program_id(0)
    r = gl.arange(0, D, gl.SliceLayout(1, layout))
    c = gl.arange(0, D, gl.SliceLayout(0, layout))
    state = gl.zeros([D, D], gl.float32, layout)
    for t in range(S):
        at = (h * S + t) * D
        k = gl.load(K + at + r).to(gl.float32)
        v = gl.load(V + at + c).to(gl.float32)
        q = gl.load(Q + at + r).to(gl.float32)
        b = gl.load(BETA + h * S + t).to(gl.float32)
        u = (v - gl.sum(state * k[:, None], 0)) * b
        state += k[:, None] * u[None, :]
        gl.store(O + at + c, gl.sum(state * q[:, None], 0).to(O.dtype.element_ty))


@gluon.jit
def wgmma_bias_relu(A, B, bias, C, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, ST: gl.constexpr):
    """cp.async in a ring, wgmma, an epilogue with a bias for each column."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [gl.num_warps(), 1], [1, 0])
    sl: gl.constexpr = gl.NVMMASharedLayout(128, 16, rank=2)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    sa = gl.allocate_shared_memory(A.dtype.element_ty, [ST, BM, BK], sl)
    sb = gl.allocate_shared_memory(B.dtype.element_ty, [ST, BN, BK], sl)
    pa = _tile(A, row, 0, K, ca, BM, BK)
    pb = _tile(B, col, 0, K, ca, BN, BK)
    for s in gl.static_range(ST - 1):
        async_copy.async_load(sa.index(s), pa + s * BK)
        async_copy.async_load(sb.index(s), pb + s * BK)
        async_copy.commit_group()
    acc = gl.zeros([BM, BN], gl.float32, mma)
    n = K // BK
    for k in range(n):
        async_copy.wait_group(ST - 2)
        fence_async_shared()
        gl.barrier()
        acc = warpgroup_mma(sa.index(k % ST), sb.index(k % ST).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
        j = k + ST - 1
        if j < n:
            async_copy.async_load(sa.index(j % ST), pa + j * BK)
            async_copy.async_load(sb.index(j % ST), pb + j * BK)
        async_copy.commit_group()
    b = gl.load(bias + col + gl.arange(0, BN, gl.SliceLayout(0, mma))).to(gl.float32)
    out = gl.maximum(acc + b[None, :], 0.0).to(C.dtype.element_ty)
    co: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BN, BN // 8], [gl.num_warps(), 1], [1, 0])
    gl.store(_tile(C, row, col, N, co, BM, BN), gl.convert_layout(out, co))


@gluon.jit
def _load_part(a_desc, b_desc, sa, sb, ready, empty, row, col, n, BK: gl.constexpr):
    ST: gl.constexpr = sa.type.shape[0]
    for k in range(n):
        i = k % ST
        mbarrier.wait(empty.index(i), k // ST & 1 ^ 1)
        mbarrier.expect(ready.index(i), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [row, k * BK], ready.index(i), sa.index(i))
        tma.async_load(b_desc, [col, k * BK], ready.index(i), sb.index(i))


@gluon.jit
def _product_part(C, sa, sb, ready, empty, row, col, n, N, BM: gl.constexpr, BN: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    ST: gl.constexpr = sa.type.shape[0]
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(n):
        i = k % ST
        mbarrier.wait(ready.index(i), k // ST & 1)
        acc = warpgroup_mma(sa.index(i), sb.index(i).permute((1, 0)), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
        mbarrier.arrive(empty.index(i), count=1)
    gl.store(_tile(C, row, col, N, mma, BM, BN), acc.to(C.dtype.element_ty))


@gluon.jit
def wgmma_partitions(a_desc, b_desc, C, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, ST: gl.constexpr):
    sa = gl.allocate_shared_memory(a_desc.dtype, [ST, BM, BK], a_desc.layout)
    sb = gl.allocate_shared_memory(b_desc.dtype, [ST, BN, BK], b_desc.layout)
    ready = mbarrier.allocate_mbarrier(batch=ST)
    empty = mbarrier.allocate_mbarrier(batch=ST)
    for s in gl.static_range(ST):
        mbarrier.init(ready.index(s), count=1)
        mbarrier.init(empty.index(s), count=1)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    n = K // BK
    gl.warp_specialize([(_product_part, (C, sa, sb, ready, empty, row, col, n, N, BM, BN)),
                        (_load_part, (a_desc, b_desc, sa, sb, ready, empty, row, col, n, BK))], [1], [24])


@gluon.jit
def _norm_load(x_desc, bufs, ready, empty, row, n, BM: gl.constexpr):
    ST: gl.constexpr = bufs.type.shape[0]
    for k in range(n):
        i = k % ST
        mbarrier.wait(empty.index(i), k // ST & 1 ^ 1)
        mbarrier.expect(ready.index(i), x_desc.block_type.nbytes)
        tma.async_load(x_desc, [row + k * BM, 0], ready.index(i), bufs.index(i))


@gluon.jit
def _norm_rows(Y, w, b, bufs, ready, empty, row, n, N, eps, BM: gl.constexpr):
    ST: gl.constexpr = bufs.type.shape[0]
    D: gl.constexpr = bufs.type.shape[2]
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps() // 2, 2], [1, 0])
    c = gl.arange(0, D, gl.SliceLayout(0, layout))
    weight = gl.load(w + c).to(gl.float32)
    bias = gl.load(b + c).to(gl.float32)
    for k in range(n):
        i = k % ST
        mbarrier.wait(ready.index(i), k // ST & 1)
        x = bufs.index(i).load(layout).to(gl.float32)
        fence_async_shared()
        mbarrier.arrive(empty.index(i), count=1)
        mean = gl.sum(x, 1) / D
        d = x - mean[:, None]
        rstd = gl.rsqrt(gl.sum(d * d, 1) / D + eps)
        y = d * rstd[:, None] * weight[None, :] + bias[None, :]
        gl.store(_tile(Y, row + k * BM, 0, N, layout, BM, D), y.to(Y.dtype.element_ty))


@gluon.jit
def layer_norm_partitions(x_desc, Y, w, b, tiles, N, eps, ST: gl.constexpr):
    BM: gl.constexpr = x_desc.block_type.shape[0]
    D: gl.constexpr = x_desc.block_type.shape[1]
    bufs = gl.allocate_shared_memory(x_desc.dtype, [ST, BM, D], x_desc.layout)
    ready = mbarrier.allocate_mbarrier(batch=ST)
    empty = mbarrier.allocate_mbarrier(batch=ST)
    for s in gl.static_range(ST):
        mbarrier.init(ready.index(s), count=1)
        mbarrier.init(empty.index(s), count=1)
    row = gl.program_id(0) * tiles * BM
    gl.warp_specialize([(_norm_rows, (Y, w, b, bufs, ready, empty, row, tiles, N, eps, BM)),
                        (_norm_load, (x_desc, bufs, ready, empty, row, tiles, BM))], [1], [24])


@gluon.jit
def tma_transpose(x_desc, y_desc):
    B: gl.constexpr = x_desc.block_type.shape[0]
    C: gl.constexpr = x_desc.block_type.shape[1]
    layout: gl.constexpr = gl.BlockedLayout([8, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    s = gl.allocate_shared_memory(x_desc.dtype, [B, C], x_desc.layout)
    t = gl.allocate_shared_memory(x_desc.dtype, [C, B], y_desc.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    r, c = gl.program_id(0) * B, gl.program_id(1) * C
    mbarrier.expect(bar, x_desc.block_type.nbytes)
    tma.async_load(x_desc, [r, c], bar, s)
    mbarrier.wait(bar, 0)
    t.permute((1, 0)).store(s.load(layout))
    fence_async_shared()
    tma.async_store(y_desc, [c, r], t)
    tma.store_wait(0)


@gluon.jit
def tma_reduce_columns(x_desc, out, tiles, N, ST: gl.constexpr):
    BM: gl.constexpr = x_desc.block_type.shape[0]
    BN: gl.constexpr = x_desc.block_type.shape[1]
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [32 * 8 // BN, BN // 8], [gl.num_warps(), 1], [1, 0])
    s = gl.allocate_shared_memory(x_desc.dtype, [ST, BM, BN], x_desc.layout)
    bars = mbarrier.allocate_mbarrier(batch=ST)
    for i in gl.static_range(ST):
        mbarrier.init(bars.index(i), count=1)
    col = gl.program_id(0) * BN
    row = gl.program_id(1) * tiles * BM
    for i in gl.static_range(ST - 1):
        mbarrier.expect(bars.index(i), x_desc.block_type.nbytes)
        tma.async_load(x_desc, [row + i * BM, col], bars.index(i), s.index(i))
    acc = gl.zeros([BM, BN], gl.float32, layout)
    for i in range(tiles):
        j = i + ST - 1
        mbarrier.expect(bars.index(j % ST), x_desc.block_type.nbytes, pred=j < tiles)
        tma.async_load(x_desc, [row + j * BM, col], bars.index(j % ST), s.index(j % ST), pred=j < tiles)
        mbarrier.wait(bars.index(i % ST), i // ST & 1)
        acc += s.index(i % ST).load(layout).to(gl.float32)
    c = col + gl.arange(0, BN, gl.SliceLayout(0, layout))
    gl.atomic_add(out + c, gl.sum(acc, 0), sem="relaxed")


def cases(scale=1):
    def R(*shape, d=torch.float32):
        return torch.randn(shape, device="cuda").to(d)

    def E(*shape, d=torch.float32):
        return torch.empty(shape, device="cuda", dtype=d)

    def I(bound, *shape, d=torch.int32):
        return torch.randint(0, bound, shape, device="cuda").to(d)

    def T(tensor, block, dtype=gl.float16):
        return TensorDescriptor.from_tensor(tensor, block, gl.NVMMASharedLayout.get_default_for(block, dtype))

    f16, bf16, i32 = torch.float16, torch.bfloat16, torch.int32
    capability = torch.cuda.get_device_capability()[0]
    n = 4096 // scale
    a, b, c = R(n, n, d=f16), R(n, n, d=f16), E(n, n, d=f16)
    ab, bb, cb = R(n, n, d=bf16), R(n, n, d=bf16), E(n, n, d=bf16)
    if capability >= 9:
        g, u, o = R(8192, 8192, d=f16), R(8192, 8192, d=f16), E(8192, 8192, d=f16)
        block = [64, 64]
        yield "swiglu by tma", swiglu_tma_persistent, lambda: swiglu_tma_persistent[(132 * 2, )](T(g, block), T(u, block), T(o, block), 128, 128, 3), [o]
        gb, ub, ob = g.to(bf16), u.to(bf16), E(8192, 8192, d=bf16)
        wide = [32, 128]
        yield "swiglu by tma, wide", swiglu_tma_persistent, lambda: swiglu_tma_persistent[(132 * 3, )](T(gb, wide, gl.bfloat16), T(ub, wide, gl.bfloat16), T(ob, wide, gl.bfloat16), 256, 64, 2), [ob]
    q, kk, vv, oo = R(64, 8, 4, 128, d=f16), R(64, 8, 1024, 128, d=f16), R(64, 8, 1024, 128, d=f16), E(64, 8, 4, 128, d=f16)
    lens = torch.full((64, ), 1000, device="cuda", dtype=i32)
    yield "decode, grouped heads", gqa_decode_rows, lambda: gqa_decode_rows[(64, 8)](oo, q, kk, vv, lens, 0.1275, 1024, 4, 128, 64), [oo]
    yield "decode, grouped heads, 64", gqa_decode_rows, lambda: gqa_decode_rows[(64, 16)](oo, q, kk, vv, lens, 0.18, 1024, 2, 64, 128, num_warps=8), [oo]
    kc, vc, table = R(4096, 16, 16, 128, d=bf16), R(4096, 16, 16, 128, d=bf16), torch.randperm(4096, device="cuda").to(i32)
    qp, op = R(64, 16, 128, d=bf16), E(64, 16, 128, d=bf16)
    yield "decode, paged", paged_decode_one, lambda: paged_decode_one[(64, 16)](op, qp, kc, vc, table, lens, 0.088, 64, 128, 16), [op]
    kf, vf = R(4096, 16, 16, 64), R(4096, 16, 16, 64)
    qf, of = R(64, 16, 64), E(64, 16, 64)
    yield "decode, paged, fp32", paged_decode_one, lambda: paged_decode_one[(64, 16)](of, qf, kf, vf, table, lens, 0.125, 64, 64, 16, num_warps=2), [of]
    cf = torch.zeros((n, n), device="cuda")
    yield "split K, strided", matmul_splitk, lambda: matmul_splitk[(n // 64, n // 128, 4)](a, b, cf, n, n, n, n, 1, n, 1, n, 64, 128, 32, 4), []
    yield "split K, large tiles", matmul_splitk, lambda: matmul_splitk[(n // 128, n // 128, 2)](ab, bb, cf, n, n, n, n, 1, n, 1, n, 128, 128, 32, 2), []
    yield "low-rank update", lora, lambda: lora[(n // 64, )](ab, bb, bb, cb, n, n, 0.5, 64, 64, 64, 16), []
    yield "gram matrix", gram, lambda: gram[(n // 128, n // 128)](a, c, n, n, 128, 32, num_warps=8), []
    yield "gated product", dual_gemm_glu, lambda: dual_gemm_glu[(n // 64, n // 64)](ab, bb, bb, cb, n, n, 64, 64, 32), [cb]
    w8 = R(8, 1024, 2048, d=bf16)
    xe = R(2048, 1024, d=bf16)
    sid = torch.randperm(4096, device="cuda").to(i32)
    eo = I(8, 64)
    ye = E(4096, 2048, d=bf16)
    yield "experts' products", moe_gemm, lambda: moe_gemm[(64, 2048 // 128)](xe, w8, ye, sid, eo, 4096, 1024, 2048, 64, 128, 32, 2), [ye]
    i8, sc = I(100, n, n, d=torch.int8), R(n)
    yield "product with int8 weights", int8_weight_gemm, lambda: int8_weight_gemm[(512 // 32, n // 128)](a, i8, sc, c, n, n, 32, 128, 64), [c]
    S, H = 1024, 32
    aq, ak, av, ao = (R(H, S, 64, d=f16) for _ in range(4))
    pb = R(H, S, S, d=f16)
    yield "attention with bias", attention_bias, lambda: attention_bias[(S // 64, H)](aq, ak, av, pb, ao, 1000, 0.18, 64, 64, 64), [ao]
    lse, delta = R(H, S).abs() + 10, R(H, S)
    yield "attention, gradient of queries", attention_dq, lambda: attention_dq[(S // 64, H)](aq, ak, av, aq, ao, lse, delta, S, 0.18, 64, 64, 64), [ao]
    x1, y1, z1 = R(256, 512), R(256, 512), R(256, 512, 512)
    yield "outer products", batched_outer, lambda: batched_outer[(8, 8, 256)](x1, y1, z1, 510, 508, 64, 64), []
    beta = R(H * 8, 256)
    dq_, dk_, dv_ = R(H * 8, 256, 64, d=bf16), R(H * 8, 256, 64, d=bf16) * 0.1, R(H * 8, 256, 64, d=bf16)
    do_ = E(H * 8, 256, 64, d=bf16)
    yield "delta rule", delta_rule, lambda: delta_rule[(H * 8, )](dq_, dk_, dv_, beta, do_, 256, 64), [do_]
    if capability == 9:
        bias = R(n, d=f16)
        yield "wgmma with bias, cp.async", wgmma_bias_relu, lambda: wgmma_bias_relu[(n // 128, n // 128)](a, b, bias, c, n, n, 128, 128, 64, 3), [c]
        yield "wgmma, partitions", wgmma_partitions, lambda: wgmma_partitions[(n // 128, n // 128)](T(a, [128, 64]), T(b, [128, 64]), c, n, n, 128, 128, 64, 4), [c]
    if capability >= 9:
        wl, bl = R(1024, d=f16), R(1024, d=f16)
        xl, yl = R(65536, 1024, d=f16), E(65536, 1024, d=f16)
        yield "layer norm, partitions", layer_norm_partitions, lambda: layer_norm_partitions[(256, )](T(xl.view(-1, 1024)[:, :256], [16, 256]), yl, wl, bl, 16, 1024, 1e-5, 3), []
        yield "transpose by tma", tma_transpose, lambda: tma_transpose[(64, 64)](T(a, [64, 64]), T(c, [64, 64])), [c]
        sums = torch.zeros(n, device="cuda")
        yield "sums of columns by tma", tma_reduce_columns, lambda: tma_reduce_columns[(n // 128, 4)](T(ab, [64, 128], gl.bfloat16), sums, 16, n, 4), []


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
