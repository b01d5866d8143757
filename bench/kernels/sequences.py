"""Products, attention over packed sequences, decoding, chunks and recurrences. `oracle.py record --main` makes records."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2


@gluon.jit
def kv_gather(dst, cache, table, seqs, page_stride, D: gl.constexpr, PAGE: gl.constexpr, P: gl.constexpr):
    """Pages of a cache are put side by side."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    b = gl.program_id(0)
    n = gl.arange(0, PAGE * P, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    length = gl.load(seqs + b)
    for k in range(0, length, PAGE * P):
        at = k + n
        ok = at < length
        page = gl.load(table + b * 512 + at // PAGE, mask=ok, other=0).to(gl.int64)
        x = gl.load(cache + (page * page_stride + (at % PAGE) * D)[:, None] + d[None, :], mask=ok[:, None], other=0.0)
        gl.store(dst + (b * 8192 + at)[:, None] * D + d[None, :], x, mask=ok[:, None])


@gluon.jit
def _plus(a, b):
    return a + b


@gluon.jit
def cumsum_logdecay(out, g, T, H, BT: gl.constexpr, BH: gl.constexpr):
    """Running sums of gates within chunks, as in gated linear attention."""
    layout: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    t = gl.program_id(0) * BT + gl.arange(0, BT, gl.SliceLayout(1, layout))
    h = gl.program_id(1) * BH + gl.arange(0, BH, gl.SliceLayout(0, layout))
    ok = (t < T)[:, None] & (h < H)[None, :]
    x = gl.load(g + t[:, None] * H + h[None, :], mask=ok, other=0.0).to(gl.float32)
    s = gl.associative_scan(x, 0, _plus)
    gl.store(out + t[:, None] * H + h[None, :], s, mask=ok)


@gluon.jit
def _lin(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@gluon.jit
def rglru_scan(y, x, a, state, T, C, BT: gl.constexpr, BC: gl.constexpr):
    """A gated linear recurrence over time, blocks of BT steps with a carried state."""
    layout: gl.constexpr = gl.BlockedLayout([8, 1], [4, 8], [1, gl.num_warps()], [0, 1])
    t = gl.arange(0, BT, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * BC + gl.arange(0, BC, gl.SliceLayout(0, layout))
    b = gl.program_id(1)
    h = gl.load(state + b * C + c)
    for k in range(0, T, BT):
        at = (b * T + k + t)[:, None] * C + c[None, :]
        av = gl.load(a + at).to(gl.float32)
        xv = gl.load(x + at).to(gl.float32) * gl.sqrt(1 - av * av)
        pa, pb = gl.associative_scan((av, xv), 0, _lin)
        hh = pb + pa * h[None, :]
        gl.store(y + at, hh.to(y.dtype.element_ty))
        h = gl.sum(gl.where((t == BT - 1)[:, None], hh, 0.0), 0)
    gl.store(state + b * C + c, h)


@gluon.jit
def _place(base, row, col, ld, layout: gl.constexpr, R: gl.constexpr, C: gl.constexpr):
    return base + (row + gl.arange(0, R, gl.SliceLayout(1, layout)))[:, None] * ld + (col + gl.arange(0, C, gl.SliceLayout(0, layout)))[None, :]


@gluon.jit
def attention_varlen(O, Q, K, V, starts, sm, H, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, WARPS: gl.constexpr, CAUSAL: gl.constexpr):
    """Packed sequences: tokens x heads x D, with the first token of each sequence."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [WARPS, 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [WARPS, 1], [1, 0])
    RM: gl.constexpr = gl.SliceLayout(1, mma)
    RN: gl.constexpr = gl.SliceLayout(0, mma)
    h = gl.program_id(1)
    seq = gl.program_id(2)
    first = gl.load(starts + seq)
    length = gl.load(starts + seq + 1) - first
    m0 = gl.program_id(0) * BM
    if m0 < length:
        rows = m0 + gl.arange(0, BM, gl.SliceLayout(1, copy))
        d = gl.arange(0, D, gl.SliceLayout(0, copy))
        q = gl.load(Q + ((first + rows) * H + h)[:, None] * D + d[None, :], mask=(rows < length)[:, None], other=0.0)
        qd = gl.convert_layout(q, gl.DotOperandLayout(0, mma, 2))
        ks = gl.allocate_shared_memory(K.dtype.element_ty, [BN, D], gl.NVMMASharedLayout.get_default_for([BN, D], gl.float16))
        vs = gl.allocate_shared_memory(V.dtype.element_ty, [BN, D], gl.NVMMASharedLayout.get_default_for([BN, D], gl.float16))
        m = gl.full([BM], -float("inf"), gl.float32, RM)
        s = gl.full([BM], 0.0, gl.float32, RM)
        acc = gl.zeros([BM, D], gl.float32, mma)
        n = gl.arange(0, BN, gl.SliceLayout(1, copy))
        r = m0 + gl.arange(0, BM, RM)
        c = gl.arange(0, BN, RN)
        end = gl.minimum(length, m0 + BM) if CAUSAL else length
        for k in range(0, end, BN):
            at = ((first + k + n) * H + h)[:, None] * D + d[None, :]
            ok = (k + n < length)[:, None]
            ks.store(gl.load(K + at, mask=ok, other=0.0))
            vs.store(gl.load(V + at, mask=ok, other=0.0))
            x = mma_v2(qd, ks.permute([1, 0]).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BM, BN], gl.float32, mma)) * sm
            keep = (k + c < length)[None, :]
            if CAUSAL:
                keep = keep & (r[:, None] >= (k + c)[None, :])
            x = gl.where(keep, x, -1e30)
            mm = gl.maximum(m, gl.max(x, 1))
            p = gl.exp2(x - mm[:, None])
            a = gl.exp2(m - mm)
            s = s * a + gl.sum(p, 1)
            acc = acc * a[:, None]
            acc = mma_v2(gl.convert_layout(p.to(V.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), vs.load(gl.DotOperandLayout(1, mma, 2)), acc)
            m = mm
        rr = m0 + gl.arange(0, BM, gl.SliceLayout(1, copy))
        o = gl.convert_layout((acc / s[:, None]).to(O.dtype.element_ty), copy)
        gl.store(O + ((first + rr) * H + h)[:, None] * D + d[None, :], o, mask=(rr < length)[:, None])


@gluon.jit
def attention_bwd_dq(DQ, Q, K, V, DO, lse, delta, sm, S, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, WARPS: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [WARPS, 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [WARPS, 1], [1, 0])
    RM: gl.constexpr = gl.SliceLayout(1, mma)
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    m0 = gl.program_id(0) * BM
    base = gl.program_id(1) * S * D
    q = gl.convert_layout(gl.load(_place(Q + base, m0, 0, D, copy, BM, D)), A)
    do = gl.convert_layout(gl.load(_place(DO + base, m0, 0, D, copy, BM, D)), A)
    l = gl.load(lse + gl.program_id(1) * S + m0 + gl.arange(0, BM, RM))
    dl = gl.load(delta + gl.program_id(1) * S + m0 + gl.arange(0, BM, RM))
    kv: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BN, D], gl.float16)
    ks = gl.allocate_shared_memory(K.dtype.element_ty, [2, BN, D], kv)
    vs = gl.allocate_shared_memory(V.dtype.element_ty, [2, BN, D], kv)
    acc = gl.zeros([BM, D], gl.float32, mma)
    pk = _place(K + base, 0, 0, D, copy, BN, D)
    pv = _place(V + base, 0, 0, D, copy, BN, D)
    async_copy.async_load(ks.index(0), pk)
    async_copy.async_load(vs.index(0), pv)
    async_copy.commit_group()
    i = 0
    for n0 in range(0, m0 + BM, BN):
        pk += BN * D
        pv += BN * D
        more = n0 + BN < m0 + BM
        async_copy.async_load(ks.index((i + 1) % 2), pk, mask=more)
        async_copy.async_load(vs.index((i + 1) % 2), pv, mask=more)
        async_copy.commit_group()
        async_copy.wait_group(1)
        k = ks.index(i % 2)
        v = vs.index(i % 2)
        x = mma_v2(q, k.permute([1, 0]).load(B), gl.zeros([BM, BN], gl.float32, mma))
        p = gl.exp2(x * sm - l[:, None])
        ok = (m0 + gl.arange(0, BM, RM))[:, None] >= (n0 + gl.arange(0, BN, gl.SliceLayout(0, mma)))[None, :]
        p = gl.where(ok, p, 0.0)
        dp = mma_v2(do, v.permute([1, 0]).load(B), gl.zeros([BM, BN], gl.float32, mma))
        ds = (p * (dp - dl[:, None])).to(K.dtype.element_ty)
        acc = mma_v2(gl.convert_layout(ds, A), k.load(B), acc)
        i += 1
    gl.store(_place(DQ + base, m0, 0, D, copy, BM, D), gl.convert_layout((acc * sm).to(DQ.dtype.element_ty), copy))


@gluon.jit
def decode_mqa_split(OP, LP, Q, K, V, lens, sm, S, SPLIT: gl.constexpr, G: gl.constexpr, D: gl.constexpr, BN: gl.constexpr, WARPS: gl.constexpr):
    """G query heads against the keys of one, a part of the keys in each program."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [1, WARPS], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [WARPS, 1], [1, 0])
    RM: gl.constexpr = gl.SliceLayout(1, mma)
    b = gl.program_id(0)
    z = gl.program_id(1)
    q = gl.convert_layout(gl.load(_place(Q + b * G * D, 0, 0, D, copy, G, D)), gl.DotOperandLayout(0, mma, 2))
    length = gl.load(lens + b)
    part = gl.cdiv(length, SPLIT)
    lo = z * part
    hi = gl.minimum(length, lo + part)
    m = gl.full([G], -float("inf"), gl.float32, RM)
    s = gl.full([G], 0.0, gl.float32, RM)
    acc = gl.zeros([G, D], gl.float32, mma)
    n = gl.arange(0, BN, gl.SliceLayout(1, copy))
    d = gl.arange(0, D, gl.SliceLayout(0, copy))
    for k in range(lo, hi, BN):
        ok = (k + n < hi)[:, None]
        at = (b * S + k + n)[:, None] * D + d[None, :]
        kk = gl.load(K + at, mask=ok, other=0.0)
        vv = gl.load(V + at, mask=ok, other=0.0)
        x = mma_v2(q, gl.convert_layout(gl.permute(kk, (1, 0)), gl.DotOperandLayout(1, mma, 2)), gl.zeros([G, BN], gl.float32, mma)) * sm
        x = gl.where((k + gl.arange(0, BN, gl.SliceLayout(0, mma)) < hi)[None, :], x, -1e30)
        mm = gl.maximum(m, gl.max(x, 1))
        p = gl.exp2(x - mm[:, None])
        a = gl.exp2(m - mm)
        s = s * a + gl.sum(p, 1)
        acc = mma_v2(gl.convert_layout(p.to(V.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(vv, gl.DotOperandLayout(1, mma, 2)), acc * a[:, None])
        m = mm
    g = gl.arange(0, G, RM)
    c = gl.arange(0, D, gl.SliceLayout(0, mma))
    gl.store(OP + ((b * SPLIT + z) * G + g)[:, None] * D + c[None, :], acc / s[:, None])
    gl.store(LP + (b * SPLIT + z) * G + g, m + gl.log2(s))


@gluon.jit
def gemm_stages(A, B, C, bias, M, N, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, ST: gl.constexpr, WM: gl.constexpr, WN: gl.constexpr):
    """cp.async in ST stages with masks at the edges, and a bias."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [WM, WN], [16, 8])
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [WM * WN, 1], [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BN, BN // 8], [WM * WN, 1], [1, 0])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    rm = pm + gl.arange(0, BM, gl.SliceLayout(1, ca))
    rk = gl.arange(0, BK, gl.SliceLayout(0, ca))
    kk = gl.arange(0, BK, gl.SliceLayout(1, cb))
    rn = pn + gl.arange(0, BN, gl.SliceLayout(0, cb))
    a = A + rm[:, None] * lda + rk[None, :]
    b = B + kk[:, None] * ldb + rn[None, :]
    sa = gl.allocate_shared_memory(A.dtype.element_ty, [ST, BM, BK], gl.NVMMASharedLayout.get_default_for([BM, BK], gl.float16))
    sb = gl.allocate_shared_memory(B.dtype.element_ty, [ST, BK, BN], gl.NVMMASharedLayout.get_default_for([BK, BN], gl.float16))
    ma = (rm < M)[:, None]
    mb = (rn < N)[None, :]
    turns = gl.cdiv(K, BK)
    for s in gl.static_range(ST - 1):
        async_copy.async_load(sa.index(s), a, mask=ma & (rk < K - s * BK)[None, :])
        async_copy.async_load(sb.index(s), b, mask=mb & (kk < K - s * BK)[:, None])
        async_copy.commit_group()
        a += BK
        b += BK * ldb
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(turns):
        async_copy.wait_group(ST - 2)
        x = sa.index(k % ST).load(gl.DotOperandLayout(0, mma, 2))
        y = sb.index(k % ST).load(gl.DotOperandLayout(1, mma, 2))
        acc = mma_v2(x, y, acc)
        j = k + ST - 1
        async_copy.async_load(sa.index(j % ST), a, mask=ma & (rk < K - j * BK)[None, :])
        async_copy.async_load(sb.index(j % ST), b, mask=mb & (kk < K - j * BK)[:, None])
        async_copy.commit_group()
        a += BK
        b += BK * ldb
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, mma))
    c = pn + gl.arange(0, BN, gl.SliceLayout(0, mma))
    acc += gl.load(bias + c, mask=c < N, other=0.0).to(gl.float32)[None, :]
    gl.store(C + r[:, None] * ldc + c[None, :], acc.to(C.dtype.element_ty), mask=(r < M)[:, None] & (c < N)[None, :])


@gluon.jit
def fp8_splitk_scaled(A, B, C, sa, sb, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SPLIT: gl.constexpr, WM: gl.constexpr, WN: gl.constexpr):
    """fp8 operands widened to fp16, rows and columns scaled, parts added by atomics."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [WM, WN], [16, 8])
    ca: gl.constexpr = gl.BlockedLayout([1, 16], [512 // BK, BK // 16], [WM * WN, 1], [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([16, 1], [BK // 16, 512 // BK], [1, WM * WN], [0, 1])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    z = gl.program_id(2) * (K // SPLIT)
    rm = pm + gl.arange(0, BM, gl.SliceLayout(1, ca))
    rk = z + gl.arange(0, BK, gl.SliceLayout(0, ca))
    kk = z + gl.arange(0, BK, gl.SliceLayout(1, cb))
    rn = pn + gl.arange(0, BN, gl.SliceLayout(0, cb))
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, K // SPLIT, BK):
        x = gl.load(A + rm[:, None] * K + (k + rk)[None, :], mask=(rm < M)[:, None], other=0.0).to(gl.float16)
        y = gl.load(B + rn[None, :] * K + (k + kk)[:, None], mask=(rn < N)[None, :], other=0.0).to(gl.float16)
        acc = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(y, gl.DotOperandLayout(1, mma, 2)), acc)
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, mma))
    c = pn + gl.arange(0, BN, gl.SliceLayout(0, mma))
    acc = acc * gl.load(sa + r, mask=r < M, other=0.0)[:, None] * gl.load(sb + c, mask=c < N, other=0.0)[None, :]
    gl.atomic_add(C + r[:, None] * N + c[None, :], acc, mask=(r < M)[:, None] & (c < N)[None, :], sem="relaxed")


@gluon.jit
def int4_group_gemm(A, Q, scales, C, M, N, K, GROUP: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, WARPS: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [1, WARPS], [16, 8])
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [256 // BK, BK // 8], [WARPS, 1], [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([1, 4], [128 // BN, BN // 4] if BN <= 128 else [1, 32], [WARPS, 1], [1, 0])
    rm = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, ca))
    rk = gl.arange(0, BK, gl.SliceLayout(0, ca))
    kk = gl.arange(0, BK, gl.SliceLayout(1, cb))
    rn = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, cb))
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, K, BK):
        x = gl.load(A + rm[:, None] * K + (k + rk)[None, :], mask=(rm < M)[:, None], other=0.0)
        w = gl.load(Q + ((k + kk) // 8)[:, None] * N + rn[None, :]) >> (((k + kk) % 8) * 4)[:, None]
        s = gl.load(scales + (k // GROUP) * N + rn)
        y = ((w & 15) - 8).to(gl.float16) * s[None, :]
        acc = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(y, gl.DotOperandLayout(1, mma, 2)), acc)
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, mma))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, mma))
    gl.store(C + r[:, None] * N + c[None, :], acc.to(C.dtype.element_ty), mask=(r < M)[:, None])


@gluon.jit
def retention_chunk(O, Q, K, V, decay, S, D: gl.constexpr, BT: gl.constexpr, WARPS: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [WARPS, 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [WARPS, 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    base = gl.program_id(0) * S * D
    g = gl.load(decay + gl.program_id(0))
    r = gl.arange(0, BT, gl.SliceLayout(1, mma))
    c = gl.arange(0, BT, gl.SliceLayout(0, mma))
    w = gl.where(r[:, None] >= c[None, :], gl.exp2((r[:, None] - c[None, :]).to(gl.float32) * g), 0.0)
    rise = gl.exp2((r + 1).to(gl.float32) * g)
    state = gl.zeros([D, D], gl.float32, mma)
    tail = gl.exp2((BT - 1 - gl.arange(0, BT, gl.SliceLayout(1, copy))).to(gl.float32) * g)
    whole = gl.exp2(BT * g)
    for t in range(0, S, BT):
        q = gl.convert_layout(gl.load(_place(Q + base, t, 0, D, copy, BT, D)), A)
        k = gl.load(_place(K + base, t, 0, D, copy, BT, D))
        v = gl.load(_place(V + base, t, 0, D, copy, BT, D))
        x = mma_v2(q, gl.convert_layout(gl.permute(k, (1, 0)), B), gl.zeros([BT, BT], gl.float32, mma)) * w
        vb = gl.convert_layout(v, B)
        o = mma_v2(q, gl.convert_layout(state.to(Q.dtype.element_ty), B), gl.zeros([BT, D], gl.float32, mma)) * rise[:, None]
        o = mma_v2(gl.convert_layout(x.to(V.dtype.element_ty), A), vb, o)
        kd = (k.to(gl.float32) * tail[:, None]).to(K.dtype.element_ty)
        state = mma_v2(gl.convert_layout(gl.permute(kd, (1, 0)), A), vb, state * whole)
        gl.store(_place(O + base, t, 0, D, mma, BT, D), o.to(O.dtype.element_ty))


@gluon.jit
def segment_mean(out, x, offsets, cols, BLOCK: gl.constexpr, U: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    s = gl.program_id(0)
    c = gl.program_id(1) * BLOCK + gl.arange(0, BLOCK, layout)
    lo = gl.load(offsets + s)
    hi = gl.load(offsets + s + 1)
    acc = gl.zeros([BLOCK], gl.float32, layout)
    for k in range(lo, hi, U):
        for u in gl.static_range(U):
            acc += gl.load(x + (k + u) * cols + c, mask=(c < cols) & (k + u < hi), other=0.0).to(gl.float32)
    gl.store(out + s * cols + c, acc / gl.maximum(hi - lo, 1).to(gl.float32), mask=c < cols)


def cases(scale=1):
    """As `cases` of bench/ordinary.py; `scale` is ignored."""
    def R(*shape, d=torch.float32):
        return torch.randn(shape, device="cuda").to(d)

    def E(*shape, d=torch.float32):
        return torch.empty(shape, device="cuda", dtype=d)

    def I(bound, *shape, d=torch.int32):
        return torch.randint(0, bound, shape, device="cuda").to(d)

    f16, bf16, i32 = torch.float16, torch.bfloat16, torch.int32
    f8 = torch.float8_e4m3fn
    n = 1 << 26
    h, h2, ho = R(n, d=f16), R(n, d=f16), E(n, d=f16)
    b, b2, bo = R(n, d=bf16), R(n, d=bf16), E(n, d=bf16)
    f, f2, fo = R(n), R(n), E(n)
    w16, wb, wf = R(8192, d=f16), R(8192, d=bf16), R(8192)
    wp, wn, fp, hp, one, state = wf.abs(), -wf.abs(), f.abs(), h.abs() * 0.1, E(1), E(8 * 2048)
    pk = I(1 << 30, 1 << 23)
    table = I(4096, 64, 512)
    lens = torch.full((64, ), 8000, device="cuda", dtype=i32)
    yield "pages side by side", kv_gather, lambda: kv_gather[(64, )](ho, h, table, lens, 16 * 128, 128, 16, 4), [ho]
    ids, wt = E(1 << 20, d=i32), E(1 << 20)
    yield "sums of gates", cumsum_logdecay, lambda: cumsum_logdecay[(65536 // 64, 16)](fo, f, 65536, 1024, 64, 64), [fo]
    # Each launch goes on from the state that the one before it left: there is nothing to compare.
    yield "linear recurrence", rglru_scan, lambda: rglru_scan[(2048 // 32, 8)](bo, b, hp, state, 4096, 2048, 64, 32), []
    starts = torch.arange(0, 9, device="cuda", dtype=i32) * 1000
    yield "attention, packed, 128", attention_varlen, lambda: attention_varlen[(8, 16, 8)](ho, h, h2, h, starts, 0.1, 16, 128, 128, 64, 4, True), [ho]
    yield "attention, packed, 128, 8 warps", attention_varlen, lambda: attention_varlen[(8, 16, 8)](bo, b, b2, b, starts, 0.1, 16, 128, 128, 64, 8, False, num_warps=8), [bo]
    yield "attention, packed, 64", attention_varlen, lambda: attention_varlen[(16, 16, 8)](ho, h, h2, h, starts, 0.1, 16, 64, 64, 64, 4, True), [ho]
    yield "attention, packed, 128, narrow", attention_varlen, lambda: attention_varlen[(16, 16, 8)](bo, b, b2, b, starts, 0.1, 16, 128, 64, 32, 4, False), [bo]
    l2, dl = R(1 << 18).abs() + 20, R(1 << 18)
    yield "attention backward, queries", attention_bwd_dq, lambda: attention_bwd_dq[(32, 64)](ho, h, h2, h, h2, l2, dl, 0.1, 2048, 64, 64, 64, 4), [ho]
    yield "attention backward, queries, 128", attention_bwd_dq, lambda: attention_bwd_dq[(32, 32)](bo, b, b2, b, b2, l2, dl, 0.1, 2048, 128, 64, 32, 4), [bo]
    yield "decode, one key head", decode_mqa_split, lambda: decode_mqa_split[(64, 8)](fo, wt, h, h2, h, lens, 0.1, 8192, 8, 16, 128, 64, 4), [fo]
    yield "product, 3 stages, edges", gemm_stages, lambda: gemm_stages[(32, 32)](h, h2, ho, w16, 4000, 4000, 4000, 4096, 4096, 4096, 128, 128, 32, 3, 2, 2), [ho]
    yield "product, 4 stages, 8 warps", gemm_stages, lambda: gemm_stages[(32, 32)](b, b2, bo, wb, 4096, 4096, 4096, 4096, 4096, 4096, 128, 128, 64, 4, 4, 2, num_warps=8), [bo]
    yield "product, 3 stages, small", gemm_stages, lambda: gemm_stages[(64, 64)](h, h2, ho, w16, 4096, 4096, 2048, 4096, 4096, 4096, 64, 64, 64, 3, 2, 2), [ho]
    a8 = R(4096, 4096).to(f8)
    yield "fp8 split, scaled", fp8_splitk_scaled, lambda: fp8_splitk_scaled[(16, 32, 4)](a8, a8, fo, wf, wf, 1024, 2048, 4096, 64, 64, 64, 4, 2, 2), []
    yield "fp8 split, 8 warps", fp8_splitk_scaled, lambda: fp8_splitk_scaled[(8, 16, 4)](a8, a8, fo, wf, wf, 1024, 2048, 4096, 128, 128, 64, 4, 4, 2, num_warps=8), []
    yield "int4 by groups", int4_group_gemm, lambda: int4_group_gemm[(4, 64)](h, pk, h2, ho, 64, 4096, 4096, 128, 16, 64, 64, 4), [ho]
    yield "retention", retention_chunk, lambda: retention_chunk[(64, )](ho, h, h2, h, wn, 4096, 64, 64, 4), [ho]
    off = torch.arange(0, 4097, device="cuda", dtype=i32) * 13
    yield "means of segments", segment_mean, lambda: segment_mean[(4096, 1)](fo, b, off, 1000, 1024, 4), [fo]


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
