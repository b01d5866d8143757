"""Attention: forward, backward, decoding, paged, by wgmma, linear."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma, warpgroup_mma, warpgroup_mma_wait, fence_async_shared


@gluon.jit
def flash_fwd(Q, K, V, O, LSE, sm, sqh, skh, S, G, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, CAUSAL: gl.constexpr, WINDOW: gl.constexpr):
    # grouped query, optional sliding window
    L: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    sh: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    h = gl.program_id(1)
    pm = gl.program_id(0) * BM
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, L))
    q = gl.load(Q + h * sqh + r[:, None] * D + d[None, :], mask=(r < S)[:, None], other=0.0)
    qs = gl.allocate_shared_memory(Q.dtype.element_ty, [BM, D], sh, q)
    qd = qs.load(gl.DotOperandLayout(0, mma, 2))
    ks = gl.allocate_shared_memory(Q.dtype.element_ty, [BN, D], sh)
    vs = gl.allocate_shared_memory(Q.dtype.element_ty, [BN, D], sh)
    m = gl.full([BM], float("-inf"), gl.float32, gl.SliceLayout(1, mma))
    l = gl.zeros([BM], gl.float32, gl.SliceLayout(1, mma))
    acc = gl.zeros([BM, D], gl.float32, mma)
    rm = pm + gl.arange(0, BM, gl.SliceLayout(1, mma))
    cn = gl.arange(0, BN, gl.SliceLayout(0, mma))
    n = gl.arange(0, BN, gl.SliceLayout(1, L))
    lo = 0
    if WINDOW:
        lo = gl.maximum(pm - WINDOW, 0) // BN * BN
    hi = S
    if CAUSAL:
        hi = gl.minimum(S, pm + BM)
    for k in range(lo, hi, BN):
        at = (h // G) * skh + (k + n)[:, None] * D + d[None, :]
        kv = (k + n < S)[:, None]
        ks.store(gl.load(K + at, mask=kv, other=0.0))
        vs.store(gl.load(V + at, mask=kv, other=0.0))
        s = mma_v2(qd, ks.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BM, BN], gl.float32, mma))
        s = s * (sm * 1.44269504)
        ok = (k + cn < S)[None, :]
        if CAUSAL:
            ok = ok & (rm[:, None] >= (k + cn)[None, :])
        if WINDOW:
            ok = ok & (rm[:, None] - (k + cn)[None, :] <= WINDOW)
        s = gl.where(ok, s, float("-inf"))
        m2 = gl.maximum(m, gl.max(s, 1))
        p = gl.exp2(s - m2[:, None])
        a = gl.exp2(m - m2)
        l = l * a + gl.sum(p, 1)
        m = m2
        acc = acc * a[:, None]
        acc = mma_v2(gl.convert_layout(p.to(Q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), vs.load(gl.DotOperandLayout(1, mma, 2)), acc)
    acc = acc / l[:, None]
    gl.store(LSE + h * S + rm, m + gl.log2(l), mask=rm < S)
    gl.store(O + h * sqh + r[:, None] * D + d[None, :], gl.convert_layout(acc.to(O.dtype.element_ty), L), mask=(r < S)[:, None])


@gluon.jit
def flash_bwd_dkdv(Q, K, V, DO, DK, DV, LSE, DELTA, sm, sh_, S, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    sw: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    h = gl.program_id(1)
    pn = gl.program_id(0) * BN
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    n = pn + gl.arange(0, BN, gl.SliceLayout(1, L))
    kn = h * sh_ + n[:, None] * D + d[None, :]
    ks = gl.allocate_shared_memory(Q.dtype.element_ty, [BN, D], sw, gl.load(K + kn))
    vs = gl.allocate_shared_memory(Q.dtype.element_ty, [BN, D], sw, gl.load(V + kn))
    qs = gl.allocate_shared_memory(Q.dtype.element_ty, [BM, D], sw)
    os = gl.allocate_shared_memory(Q.dtype.element_ty, [BM, D], sw)
    kd = ks.load(gl.DotOperandLayout(0, mma, 2))
    vd = vs.load(gl.DotOperandLayout(0, mma, 2))
    dk = gl.zeros([BN, D], gl.float32, mma)
    dv = gl.zeros([BN, D], gl.float32, mma)
    rm = gl.arange(0, BM, gl.SliceLayout(1, L))
    cm = gl.arange(0, BM, gl.SliceLayout(0, mma))
    rn = pn + gl.arange(0, BN, gl.SliceLayout(1, mma))
    for k in range(pn, S, BM):
        qm = h * sh_ + (k + rm)[:, None] * D + d[None, :]
        qs.store(gl.load(Q + qm))
        os.store(gl.load(DO + qm))
        lse = gl.load(LSE + h * S + k + cm)
        delta = gl.load(DELTA + h * S + k + cm)
        st = mma_v2(kd, qs.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BN, BM], gl.float32, mma))
        pt = gl.exp2(st * sm - lse[None, :])
        pt = gl.where(rn[:, None] <= (k + cm)[None, :], pt, 0.0)
        dv = mma_v2(gl.convert_layout(pt.to(Q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), os.load(gl.DotOperandLayout(1, mma, 2)), dv)
        dpt = mma_v2(vd, os.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BN, BM], gl.float32, mma))
        ds = pt * (dpt - delta[None, :])
        dk = mma_v2(gl.convert_layout(ds.to(Q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), qs.load(gl.DotOperandLayout(1, mma, 2)), dk)
    gl.store(DK + kn, gl.convert_layout((dk * sm).to(DK.dtype.element_ty), L))
    gl.store(DV + kn, gl.convert_layout(dv.to(DV.dtype.element_ty), L))


@gluon.jit
def decode_split(Q, K, V, PO, PM, lens, sm, sk, HG: gl.constexpr, D: gl.constexpr, BN: gl.constexpr, SPLIT: gl.constexpr):
    # one token, HG query heads share a KV head, FMA only
    L: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    b = gl.program_id(0)
    sp = gl.program_id(1)
    n = gl.arange(0, BN, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    length = gl.load(lens + b)
    per = gl.cdiv(length, SPLIT)
    for g in gl.static_range(HG):
        q = gl.load(Q + (b * HG + g) * D + d).to(gl.float32) * sm
        m = float("-inf")
        l = 0.0
        acc = gl.zeros([D], gl.float32, gl.SliceLayout(0, L))
        for k in range(sp * per, gl.minimum(length, (sp + 1) * per), BN):
            ok = k + n < gl.minimum(length, (sp + 1) * per)
            kk = gl.load(K + b * sk + (k + n)[:, None] * D + d[None, :], mask=ok[:, None], other=0.0).to(gl.float32)
            s = gl.sum(kk * q[None, :], 1)
            s = gl.where(ok, s, float("-inf"))
            m2 = gl.maximum(m, gl.max(s, 0))
            p = gl.exp(s - m2)
            a = gl.exp(m - m2)
            vv = gl.load(V + b * sk + (k + n)[:, None] * D + d[None, :], mask=ok[:, None], other=0.0).to(gl.float32)
            acc = acc * a + gl.sum(vv * p[:, None], 0)
            l = l * a + gl.sum(p, 0)
            m = m2
        o = (b * HG + g) * SPLIT + sp
        gl.store(PO + o * D + d, acc / l)
        gl.store(PM + o, m + gl.log(l))


@gluon.jit
def paged_gqa(O, Q, KC, VC, table, lens, sm, maxp, skp, D: gl.constexpr, PAGE: gl.constexpr, BM: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [1, gl.num_warps()], [16, 8])
    L: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    sw: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    b = gl.program_id(0)
    r = gl.arange(0, BM, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    q = gl.convert_layout(gl.load(Q + (b * BM + r)[:, None] * D + d[None, :]), gl.DotOperandLayout(0, mma, 2))
    n = gl.load(lens + b)
    ks = gl.allocate_shared_memory(Q.dtype.element_ty, [2, PAGE, D], sw)
    vs = gl.allocate_shared_memory(Q.dtype.element_ty, [2, PAGE, D], sw)
    t = gl.arange(0, PAGE, gl.SliceLayout(1, L))
    cn = gl.arange(0, PAGE, gl.SliceLayout(0, mma))
    first = gl.load(table + b * maxp).to(gl.int64)
    async_copy.async_load(ks.index(0), KC + first * skp + t[:, None] * D + d[None, :])
    async_copy.async_load(vs.index(0), VC + first * skp + t[:, None] * D + d[None, :])
    async_copy.commit_group()
    m = gl.full([BM], float("-inf"), gl.float32, gl.SliceLayout(1, mma))
    l = gl.zeros([BM], gl.float32, gl.SliceLayout(1, mma))
    acc = gl.zeros([BM, D], gl.float32, mma)
    pages = gl.cdiv(n, PAGE)
    for i in range(pages):
        nxt = i + 1
        if nxt < pages:
            pg = gl.load(table + b * maxp + nxt).to(gl.int64)
            async_copy.async_load(ks.index(nxt % 2), KC + pg * skp + t[:, None] * D + d[None, :])
            async_copy.async_load(vs.index(nxt % 2), VC + pg * skp + t[:, None] * D + d[None, :])
        async_copy.commit_group()
        async_copy.wait_group(1)
        gl.barrier()
        s = mma_v2(q, ks.index(i % 2).permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BM, PAGE], gl.float32, mma)) * sm
        s = gl.where((i * PAGE + cn < n)[None, :], s, float("-inf"))
        m2 = gl.maximum(m, gl.max(s, 1))
        p = gl.exp(s - m2[:, None])
        a = gl.exp(m - m2)
        l = l * a + gl.sum(p, 1)
        m = m2
        acc = mma_v2(gl.convert_layout(p.to(Q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), vs.index(i % 2).load(gl.DotOperandLayout(1, mma, 2)), acc * a[:, None])
        gl.barrier()
    o = gl.convert_layout((acc / l[:, None]).to(O.dtype.element_ty), L)
    gl.store(O + (b * BM + r)[:, None] * D + d[None, :], o)


@gluon.jit
def combine_splits(O, PO, PM, SPLIT: gl.constexpr, D: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    s = gl.arange(0, SPLIT, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    b = gl.program_id(0)
    m = gl.load(PM + b * SPLIT + s)
    top = gl.max(m, 0)
    w = gl.exp(m - top)
    o = gl.load(PO + (b * SPLIT + s)[:, None] * D + d[None, :])
    r = gl.sum(o * w[:, None], 0) / gl.sum(w, 0)
    gl.store(O + b * D + d, r.to(O.dtype.element_ty))


@gluon.jit
def flash_wgmma_tma(q_desc, k_desc, v_desc, O, sm, S, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    dt: gl.constexpr = q_desc.dtype
    sl: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    ol: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, D, 16])
    qs = gl.allocate_shared_memory(dt, [BM, D], q_desc.layout)
    ks = gl.allocate_shared_memory(dt, [2, BN, D], k_desc.layout)
    vs = gl.allocate_shared_memory(dt, [2, BN, D], v_desc.layout)
    bq = mbarrier.allocate_mbarrier()
    bk = mbarrier.allocate_mbarrier(batch=2)
    mbarrier.init(bq, count=1)
    for i in gl.static_range(2):
        mbarrier.init(bk.index(i), count=1)
    h = gl.program_id(1) * S
    pm = gl.program_id(0) * BM
    mbarrier.expect(bq, q_desc.block_type.nbytes)
    tma.async_load(q_desc, [h + pm, 0], bq, qs)
    mbarrier.expect(bk.index(0), 2 * k_desc.block_type.nbytes)
    tma.async_load(k_desc, [h, 0], bk.index(0), ks.index(0))
    tma.async_load(v_desc, [h, 0], bk.index(0), vs.index(0))
    mbarrier.wait(bq, 0)
    m = gl.full([BM], float("-inf"), gl.float32, gl.SliceLayout(1, ol))
    l = gl.zeros([BM], gl.float32, gl.SliceLayout(1, ol))
    acc = gl.zeros([BM, D], gl.float32, ol)
    for i in range(0, S // BN):
        j = i + 1
        p1 = j < S // BN
        mbarrier.expect(bk.index(j % 2), 2 * k_desc.block_type.nbytes, pred=p1)
        tma.async_load(k_desc, [h + j * BN, 0], bk.index(j % 2), ks.index(j % 2), pred=p1)
        tma.async_load(v_desc, [h + j * BN, 0], bk.index(j % 2), vs.index(j % 2), pred=p1)
        mbarrier.wait(bk.index(i % 2), (i // 2) & 1)
        s = warpgroup_mma(qs, ks.index(i % 2).permute((1, 0)), gl.zeros([BM, BN], gl.float32, sl), use_acc=False, is_async=True)
        s = warpgroup_mma_wait(0, deps=[s])
        s = gl.convert_layout(s, sl) * sm
        mm = gl.convert_layout(gl.max(s, 1), gl.SliceLayout(1, ol))
        m2 = gl.maximum(m, mm)
        p = gl.exp2(s - gl.convert_layout(m2, gl.SliceLayout(1, sl))[:, None])
        a = gl.exp2(m - m2)
        l = l * a + gl.convert_layout(gl.sum(p, 1), gl.SliceLayout(1, ol))
        m = m2
        acc = acc * a[:, None]
        pd = gl.convert_layout(p.to(dt), gl.DotOperandLayout(0, ol, 2))
        acc = warpgroup_mma(pd, vs.index(i % 2), acc, is_async=True)
        acc = warpgroup_mma_wait(0, deps=[acc])
    r = h + pm + gl.arange(0, BM, gl.SliceLayout(1, ol))
    d = gl.arange(0, D, gl.SliceLayout(0, ol))
    gl.store(O + r[:, None] * D + d[None, :], (acc / l[:, None]).to(O.dtype.element_ty))


@gluon.jit
def linear_attn_chunk(Q, K, V, O, H, S, D: gl.constexpr, BT: gl.constexpr, DECAY: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    L: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    sw: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    h = gl.program_id(0)
    t = gl.arange(0, BT, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    tm = gl.arange(0, BT, gl.SliceLayout(1, mma))
    tn = gl.arange(0, BT, gl.SliceLayout(0, mma))
    g = gl.load(H + h)
    decay = gl.where(tm[:, None] >= tn[None, :], gl.exp2(-(tm[:, None] - tn[None, :]).to(gl.float32) * g), 0.0)
    state = gl.zeros([D, D], gl.float32, mma)
    for k in range(0, S, BT):
        at = (h * S + k + t)[:, None] * D + d[None, :]
        qv = gl.load(Q + at)
        kv = gl.load(K + at)
        vv = gl.load(V + at)
        ks = gl.allocate_shared_memory(Q.dtype.element_ty, [BT, D], sw, kv)
        vs = gl.allocate_shared_memory(Q.dtype.element_ty, [BT, D], sw, vv)
        qd = gl.convert_layout(qv, gl.DotOperandLayout(0, mma, 2))
        a = mma_v2(qd, ks.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BT, BT], gl.float32, mma)) * decay
        o = mma_v2(qd, gl.convert_layout(state.to(Q.dtype.element_ty), gl.DotOperandLayout(1, mma, 2)), gl.zeros([BT, D], gl.float32, mma))
        o = o * gl.exp2(-(tm + 1).to(gl.float32) * g)[:, None]
        o = mma_v2(gl.convert_layout(a.to(Q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), vs.load(gl.DotOperandLayout(1, mma, 2)), o)
        state = state * gl.exp2(-g * BT)
        state = mma_v2(ks.permute((1, 0)).load(gl.DotOperandLayout(0, mma, 2)), vs.load(gl.DotOperandLayout(1, mma, 2)), state)
        gl.store(O + at, gl.convert_layout(o.to(O.dtype.element_ty), L))
