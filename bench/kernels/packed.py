"""Attention over packed sequences, latent and windowed attention, gated chunks, gradients, patches, ranks. `oracle.py record --main` makes records."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2


@gluon.jit
def varlen_async(O, Q, K, V, cu, sm, sq, sk, so, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, W: gl.constexpr, CAUSAL: gl.constexpr):
    """Packed sequences, keys and values by cp.async in two buffers."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [W, 1], [16, 8])
    cp: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [W, 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    seq = gl.program_id(2)
    h = gl.program_id(1)
    start = gl.load(cu + seq)
    n = gl.load(cu + seq + 1) - start
    m0 = gl.program_id(0) * BM
    if m0 >= n:
        return
    r = m0 + gl.arange(0, BM, gl.SliceLayout(1, cp))
    d = gl.arange(0, D, gl.SliceLayout(0, cp))
    c = gl.arange(0, BN, gl.SliceLayout(1, cp))
    q = gl.load(Q + (start + r)[:, None] * sq + h * D + d[None, :], mask=(r < n)[:, None], other=0.0)
    q = (q.to(gl.float32) * sm).to(Q.dtype.element_ty)
    qd = gl.convert_layout(q, A)
    kvl: gl.constexpr = gl.NVMMASharedLayout.get_default_for([BN, D], gl.float16)
    ks = gl.allocate_shared_memory(K.dtype.element_ty, [2, BN, D], kvl)
    vs = gl.allocate_shared_memory(V.dtype.element_ty, [2, BN, D], kvl)
    kp = K + (start + c)[:, None] * sk + h * D + d[None, :]
    vp = V + (start + c)[:, None] * sk + h * D + d[None, :]
    async_copy.async_load(ks.index(0), kp, mask=(c < n)[:, None])
    async_copy.async_load(vs.index(0), vp, mask=(c < n)[:, None])
    async_copy.commit_group()
    m = gl.full([BM], -float("inf"), gl.float32, gl.SliceLayout(1, mma))
    l = gl.full([BM], 0.0, gl.float32, gl.SliceLayout(1, mma))
    acc = gl.zeros([BM, D], gl.float32, mma)
    rows = m0 + gl.arange(0, BM, gl.SliceLayout(1, mma))
    cols = gl.arange(0, BN, gl.SliceLayout(0, mma))
    hi = n
    if CAUSAL:
        hi = gl.minimum(n, m0 + BM)
    i = 0
    for k0 in range(0, hi, BN):
        kp += BN * sk
        vp += BN * sk
        async_copy.async_load(ks.index(1 - i), kp, mask=(k0 + BN + c < n)[:, None])
        async_copy.async_load(vs.index(1 - i), vp, mask=(k0 + BN + c < n)[:, None])
        async_copy.commit_group()
        async_copy.wait_group(1)
        s = mma_v2(qd, ks.index(i).permute([1, 0]).load(B), gl.zeros([BM, BN], gl.float32, mma))
        ok = (k0 + cols < n)[None, :]
        if CAUSAL:
            ok = ok & (rows[:, None] >= (k0 + cols)[None, :])
        s = gl.where(ok, s, -1e30)
        mn = gl.maximum(m, gl.max(s, 1))
        p = gl.exp2(s - mn[:, None])
        al = gl.exp2(m - mn)
        l = l * al + gl.sum(p, 1)
        acc = acc * al[:, None]
        acc = mma_v2(gl.convert_layout(p.to(V.dtype.element_ty), A), vs.index(i).load(B), acc)
        m = mn
        i = 1 - i
    acc = acc / l[:, None]
    dd = gl.arange(0, D, gl.SliceLayout(0, mma))
    gl.store(O + (start + rows)[:, None] * so + h * D + dd[None, :], acc.to(O.dtype.element_ty), mask=(rows < n)[:, None])


@gluon.jit
def varlen_registers(O, L, Q, K, V, cu_q, cu_k, sm, HQ, HK, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, W: gl.constexpr):
    """Grouped heads; keys and values through registers, log-sum-exp stored."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [W, 1], [16, 8])
    cp: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [W, 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    seq = gl.program_id(2)
    h = gl.program_id(1)
    hk = h // (HQ // HK)
    q0 = gl.load(cu_q + seq)
    nq = gl.load(cu_q + seq + 1) - q0
    k0 = gl.load(cu_k + seq)
    nk = gl.load(cu_k + seq + 1) - k0
    m0 = gl.program_id(0) * BM
    r = m0 + gl.arange(0, BM, gl.SliceLayout(1, cp))
    d = gl.arange(0, D, gl.SliceLayout(0, cp))
    c = gl.arange(0, BN, gl.SliceLayout(1, cp))
    qd = gl.convert_layout(gl.load(Q + ((q0 + r) * HQ + h)[:, None] * D + d[None, :], mask=(r < nq)[:, None], other=0.0), A)
    m = gl.full([BM], -float("inf"), gl.float32, gl.SliceLayout(1, mma))
    l = gl.full([BM], 0.0, gl.float32, gl.SliceLayout(1, mma))
    acc = gl.zeros([BM, D], gl.float32, mma)
    rows = m0 + gl.arange(0, BM, gl.SliceLayout(1, mma))
    cols = gl.arange(0, BN, gl.SliceLayout(0, mma))
    for k in range(0, nk, BN):
        at = ((k0 + k + c) * HK + hk)[:, None] * D + d[None, :]
        ok = (k + c < nk)[:, None]
        kk = gl.load(K + at, mask=ok, other=0.0)
        vv = gl.load(V + at, mask=ok, other=0.0)
        s = mma_v2(qd, gl.convert_layout(gl.permute(kk, (1, 0)), B), gl.zeros([BM, BN], gl.float32, mma)) * sm
        s = gl.where((k + cols < nk)[None, :] & (rows[:, None] + nk - nq >= (k + cols)[None, :]), s, -1e30)
        mn = gl.maximum(m, gl.max(s, 1))
        p = gl.exp2(s - mn[:, None])
        al = gl.exp2(m - mn)
        l = l * al + gl.sum(p, 1)
        acc = mma_v2(gl.convert_layout(p.to(V.dtype.element_ty), A), gl.convert_layout(vv, B), acc * al[:, None])
        m = mn
    dd = gl.arange(0, D, gl.SliceLayout(0, mma))
    gl.store(O + ((q0 + rows) * HQ + h)[:, None] * D + dd[None, :], (acc / l[:, None]).to(O.dtype.element_ty), mask=(rows < nq)[:, None])
    gl.store(L + (q0 + rows) * HQ + h, m + gl.log2(l), mask=rows < nq)


@gluon.jit
def sink_window_attention(O, Q, K, V, sinks, S, window, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, W: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [W, 1], [16, 8])
    cp: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [W, 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    h = gl.program_id(1)
    base = h * S * D
    m0 = gl.program_id(0) * BM
    r = m0 + gl.arange(0, BM, gl.SliceLayout(1, cp))
    d = gl.arange(0, D, gl.SliceLayout(0, cp))
    c = gl.arange(0, BN, gl.SliceLayout(1, cp))
    qd = gl.convert_layout(gl.load(Q + base + r[:, None] * D + d[None, :]), A)
    ks = gl.allocate_shared_memory(K.dtype.element_ty, [BN, D], gl.NVMMASharedLayout.get_default_for([BN, D], gl.float16))
    vs = gl.allocate_shared_memory(V.dtype.element_ty, [BN, D], gl.NVMMASharedLayout.get_default_for([BN, D], gl.float16))
    rows = m0 + gl.arange(0, BM, gl.SliceLayout(1, mma))
    cols = gl.arange(0, BN, gl.SliceLayout(0, mma))
    m = gl.full([BM], 0.0, gl.float32, gl.SliceLayout(1, mma)) + gl.load(sinks + h)
    l = gl.full([BM], 1.0, gl.float32, gl.SliceLayout(1, mma))
    acc = gl.zeros([BM, D], gl.float32, mma)
    lo = gl.maximum(0, (m0 - window) // BN * BN)
    for k in range(lo, m0 + BM, BN):
        ks.store(gl.load(K + base + (k + c)[:, None] * D + d[None, :]))
        vs.store(gl.load(V + base + (k + c)[:, None] * D + d[None, :]))
        s = mma_v2(qd, ks.permute([1, 0]).load(B), gl.zeros([BM, BN], gl.float32, mma))
        far = rows[:, None] - (k + cols)[None, :]
        s = gl.where((far >= 0) & (far < window), s * 0.125, -1e30)
        mn = gl.maximum(m, gl.max(s, 1))
        p = gl.exp(s - mn[:, None])
        al = gl.exp(m - mn)
        l = l * al + gl.sum(p, 1)
        acc = mma_v2(gl.convert_layout(p.to(V.dtype.element_ty), A), vs.load(B), acc * al[:, None])
        m = mn
    gl.store(O + base + r[:, None] * D + d[None, :], gl.convert_layout((acc / l[:, None]).to(O.dtype.element_ty), cp))


@gluon.jit
def mla_decode(O, Q, KV, table, lens, sm, pages, H: gl.constexpr, D: gl.constexpr, DR: gl.constexpr, PAGE: gl.constexpr, W: gl.constexpr):
    """Latent attention: values are the first part of the keys."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [1, W], [16, 8])
    cp: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [W, 1], [1, 0])
    cr: gl.constexpr = gl.BlockedLayout([1, 8], [256 // DR, DR // 8], [W, 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    b = gl.program_id(0)
    length = gl.load(lens + b)
    hq = gl.arange(0, H, gl.SliceLayout(1, cp))
    d = gl.arange(0, D, gl.SliceLayout(0, cp))
    hr = gl.arange(0, H, gl.SliceLayout(1, cr))
    dr = gl.arange(0, DR, gl.SliceLayout(0, cr))
    q = gl.convert_layout(gl.load(Q + (b * H + hq)[:, None] * (D + DR) + d[None, :]), A)
    qr = gl.convert_layout(gl.load(Q + (b * H + hr)[:, None] * (D + DR) + D + dr[None, :]), A)
    n = gl.arange(0, PAGE, gl.SliceLayout(1, cp))
    nr = gl.arange(0, PAGE, gl.SliceLayout(1, cr))
    m = gl.full([H], -1e30, gl.float32, gl.SliceLayout(1, mma))
    l = gl.full([H], 0.0, gl.float32, gl.SliceLayout(1, mma))
    acc = gl.zeros([H, D], gl.float32, mma)
    cols = gl.arange(0, PAGE, gl.SliceLayout(0, mma))
    ks = gl.allocate_shared_memory(KV.dtype.element_ty, [PAGE, D], gl.NVMMASharedLayout.get_default_for([PAGE, D], gl.float16))
    for i in range(gl.cdiv(length, PAGE)):
        page = gl.load(table + b * pages + i) * PAGE
        ks.store(gl.load(KV + (page + n)[:, None] * (D + DR) + d[None, :]))
        kr = gl.load(KV + (page + nr)[:, None] * (D + DR) + D + dr[None, :])
        s = mma_v2(q, ks.permute([1, 0]).load(B), gl.zeros([H, PAGE], gl.float32, mma))
        s = mma_v2(qr, gl.convert_layout(gl.permute(kr, (1, 0)), B), s) * sm
        s = gl.where((i * PAGE + cols < length)[None, :], s, -1e30)
        mn = gl.maximum(m, gl.max(s, 1))
        p = gl.exp2(s - mn[:, None])
        al = gl.exp2(m - mn)
        l = l * al + gl.sum(p, 1)
        acc = mma_v2(gl.convert_layout(p.to(KV.dtype.element_ty), A), ks.load(B), acc * al[:, None])
        m = mn
    hh = gl.arange(0, H, gl.SliceLayout(1, mma))
    dd = gl.arange(0, D, gl.SliceLayout(0, mma))
    gl.store(O + (b * H + hh)[:, None] * D + dd[None, :], (acc / l[:, None]).to(O.dtype.element_ty))


@gluon.jit
def gdn_chunk(O, Q, K, V, G, BETA, S, D: gl.constexpr, BT: gl.constexpr, W: gl.constexpr):
    """Outputs of a chunk of a gated linear attention with a carried state, decays as running sums."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [W, 1], [16, 8])
    cp: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [W, 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    base = gl.program_id(0) * S
    r = gl.arange(0, BT, gl.SliceLayout(1, cp))
    d = gl.arange(0, D, gl.SliceLayout(0, cp))
    rm = gl.arange(0, BT, gl.SliceLayout(1, mma))
    cm = gl.arange(0, BT, gl.SliceLayout(0, mma))
    state = gl.zeros([D, D], gl.float32, mma)
    for t in range(0, S, BT):
        at = (base + t + r)[:, None] * D + d[None, :]
        q = gl.load(Q + at)
        k = gl.load(K + at)
        v = gl.load(V + at)
        g = gl.load(G + base + t + rm)
        gc = gl.load(G + base + t + cm)
        last = gl.load(G + base + t + BT - 1)
        bt = gl.load(BETA + base + t + r)
        qd = gl.convert_layout(q, A)
        vb = gl.convert_layout((v.to(gl.float32) * bt[:, None]).to(V.dtype.element_ty), B)
        s = mma_v2(qd, gl.convert_layout(gl.permute(k, (1, 0)), B), gl.zeros([BT, BT], gl.float32, mma))
        s = gl.where(rm[:, None] >= cm[None, :], s * gl.exp2(g[:, None] - gc[None, :]), 0.0)
        o = mma_v2(qd, gl.convert_layout(state.to(Q.dtype.element_ty), B), gl.zeros([BT, D], gl.float32, mma)) * gl.exp2(g)[:, None]
        o = mma_v2(gl.convert_layout(s.to(Q.dtype.element_ty), A), vb, o)
        kd = (k.to(gl.float32) * gl.exp2(last - gl.load(G + base + t + r))[:, None]).to(K.dtype.element_ty)
        state = mma_v2(gl.convert_layout(gl.permute(kd, (1, 0)), A), vb, state * gl.exp2(last))
        gl.store(O + (base + t + rm)[:, None] * D + gl.arange(0, D, gl.SliceLayout(0, mma))[None, :], o.to(O.dtype.element_ty))


@gluon.jit
def bwd_dkdv_gqa(DK, DV, Q, K, V, DO, lse, delta, sm, S, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, G: gl.constexpr, W: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [W, 1], [16, 8])
    cp: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [W, 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, mma, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, mma, 2)
    n0 = gl.program_id(0) * BN
    hk = gl.program_id(1)
    rn = n0 + gl.arange(0, BN, gl.SliceLayout(1, cp))
    rm = gl.arange(0, BM, gl.SliceLayout(1, cp))
    d = gl.arange(0, D, gl.SliceLayout(0, cp))
    kk = gl.load(K + (hk * S + rn)[:, None] * D + d[None, :])
    vv = gl.load(V + (hk * S + rn)[:, None] * D + d[None, :])
    ka = gl.convert_layout(kk, A)
    va = gl.convert_layout(vv, A)
    dk = gl.zeros([BN, D], gl.float32, mma)
    dv = gl.zeros([BN, D], gl.float32, mma)
    nn = n0 + gl.arange(0, BN, gl.SliceLayout(1, mma))
    mm = gl.arange(0, BM, gl.SliceLayout(0, mma))
    for g in range(G):
        h = hk * G + g
        for m0 in range(n0 // BM * BM, S, BM):
            q = gl.load(Q + (h * S + m0 + rm)[:, None] * D + d[None, :])
            do = gl.load(DO + (h * S + m0 + rm)[:, None] * D + d[None, :])
            ls = gl.load(lse + h * S + m0 + mm)
            de = gl.load(delta + h * S + m0 + mm)
            s = mma_v2(ka, gl.convert_layout(gl.permute(q, (1, 0)), B), gl.zeros([BN, BM], gl.float32, mma))
            p = gl.exp2(s * sm - ls[None, :])
            p = gl.where((m0 + mm)[None, :] >= nn[:, None], p, 0.0)
            dv = mma_v2(gl.convert_layout(p.to(Q.dtype.element_ty), A), gl.convert_layout(do, B), dv)
            dp = mma_v2(va, gl.convert_layout(gl.permute(do, (1, 0)), B), gl.zeros([BN, BM], gl.float32, mma))
            ds = (p * (dp - de[None, :]) * sm).to(Q.dtype.element_ty)
            dk = mma_v2(gl.convert_layout(ds, A), gl.convert_layout(q, B), dk)
    gl.store(DV + (hk * S + rn)[:, None] * D + d[None, :], gl.convert_layout(dv.to(DV.dtype.element_ty), cp))
    gl.store(DK + (hk * S + rn)[:, None] * D + d[None, :], gl.convert_layout(dk.to(DK.dtype.element_ty), cp))


@gluon.jit
def patch_embed(y, x, w, bias, H, Wd, C: gl.constexpr, P: gl.constexpr, N: gl.constexpr, BM: gl.constexpr, BK: gl.constexpr, WARPS: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [WARPS, 1], [16, 8])
    ca: gl.constexpr = gl.BlockedLayout([1, 4], [32 // (BK // 4), BK // 4], [WARPS, 1], [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([1, 8], [256 // N, N // 8], [WARPS, 1], [1, 0])
    m = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, ca))
    across = Wd // P
    py = m // across
    px = m % across
    acc = gl.zeros([BM, N], gl.float32, mma)
    for k0 in range(0, C * P * P, BK):
        k = k0 + gl.arange(0, BK, gl.SliceLayout(0, ca))
        c = k // (P * P)
        dy = k // P % P
        dx = k % P
        xa = gl.load(x + (c * H * Wd + dy * Wd + dx)[None, :] + (py * P * Wd + px * P)[:, None])
        kb = k0 + gl.arange(0, BK, gl.SliceLayout(1, cb))
        wb = gl.load(w + kb[:, None] * N + gl.arange(0, N, gl.SliceLayout(0, cb))[None, :])
        acc = mma_v2(gl.convert_layout(xa, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(wb, gl.DotOperandLayout(1, mma, 2)), acc)
    n = gl.arange(0, N, gl.SliceLayout(0, mma))
    mr = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, mma))
    gl.store(y + mr[:, None] * N + n[None, :], (acc + gl.load(bias + n)[None, :]).to(y.dtype.element_ty))


@gluon.jit
def rank_by_count(out, x, n, R: gl.constexpr, C: gl.constexpr):
    """Ranks within rows by comparing all pairs."""
    L: gl.constexpr = gl.BlockedLayout([1, 1, 4], [1, 4, 8], [gl.num_warps(), 1, 1], [2, 1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, gl.SliceLayout(2, L)))
    i = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(2, L)))
    j = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, L)))
    a = gl.load(x + r[:, None] * C + i[None, :])
    b = gl.load(x + gl.arange(0, R, gl.SliceLayout(1, gl.SliceLayout(1, L)))[:, None] * C + gl.program_id(0) * R * C + j[None, :])
    before = (b[:, None, :] > a[:, :, None]) | ((b[:, None, :] == a[:, :, None]) & (j[None, None, :] < i[None, :, None]))
    gl.store(out + r[:, None] * C + i[None, :], gl.sum(before.to(gl.int32), 2))


@gluon.jit
def batch_norm_apply(y, x, mean, var, g, b, C, HW, eps, BLOCK: gl.constexpr, RELU: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.program_id(1) * BLOCK + gl.arange(0, BLOCK, layout)
    nc = gl.program_id(0)
    c = nc % C
    s = gl.load(g + c) * gl.rsqrt(gl.load(var + c) + eps)
    t = gl.load(b + c) - gl.load(mean + c) * s
    v = gl.load(x + nc * HW + i, mask=i < HW, other=0.0).to(gl.float32) * s + t
    if RELU:
        v = gl.maximum(v, 0.0)
    gl.store(y + nc * HW + i, v.to(y.dtype.element_ty), mask=i < HW)


@gluon.jit
def kl_rows(out, p, q, rows, cols, R: gl.constexpr, C: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    acc = gl.zeros([R], gl.float32, gl.SliceLayout(1, L))
    for k in range(0, cols, C):
        c = k + gl.arange(0, C, gl.SliceLayout(0, L))
        ok = (r < rows)[:, None] & (c < cols)[None, :]
        a = gl.load(p + r[:, None] * cols + c[None, :], mask=ok, other=0.0).to(gl.float32)
        b = gl.load(q + r[:, None] * cols + c[None, :], mask=ok, other=0.0).to(gl.float32)
        acc += gl.sum(gl.where(ok, gl.exp(a) * (a - b), 0.0), 1)
    gl.store(out + r, acc, mask=r < rows)


@gluon.jit
def lookup_rope_cache(kc, vc, k, v, cos, sin, slots, heads, D: gl.constexpr, H: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [512 // D, D // 16], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0)
    slot = gl.load(slots + t)
    if slot >= 0:
        h = gl.arange(0, H, gl.SliceLayout(1, L))
        d = gl.arange(0, D // 2, gl.SliceLayout(0, L))
        at = (t * heads + h)[:, None] * D + d[None, :]
        to = (slot * heads + h)[:, None] * D + d[None, :]
        ok = (h < heads)[:, None]
        c = gl.load(cos + t * (D // 2) + d)[None, :]
        s = gl.load(sin + t * (D // 2) + d)[None, :]
        a = gl.load(k + at, mask=ok, other=0.0).to(gl.float32)
        b = gl.load(k + at + D // 2, mask=ok, other=0.0).to(gl.float32)
        gl.store(kc + to, (a * c - b * s).to(kc.dtype.element_ty), mask=ok)
        gl.store(kc + to + D // 2, (b * c + a * s).to(kc.dtype.element_ty), mask=ok)
        gl.store(vc + to, gl.load(v + at, mask=ok, other=0.0), mask=ok)
        gl.store(vc + to + D // 2, gl.load(v + at + D // 2, mask=ok, other=0.0), mask=ok)


@gluon.jit
def sgd_nesterov(p, g, buf, n, lr, mu, wd, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    for k in range(gl.program_id(0) * BLOCK, n, gl.num_programs(0) * BLOCK):
        i = k + gl.arange(0, BLOCK, layout)
        ok = i < n
        w = gl.load(p + i, mask=ok, other=0.0)
        d = gl.load(g + i, mask=ok, other=0.0).to(gl.float32) + wd * w
        m = mu * gl.load(buf + i, mask=ok, other=0.0) + d
        gl.store(buf + i, m, mask=ok)
        gl.store(p + i, w - lr * (d + mu * m), mask=ok)


@gluon.jit
def _mx(a, b):
    return gl.maximum(a, b)


@gluon.jit
def cummax_rows(out, x, cols, R: gl.constexpr, C: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    carry = gl.full([R], -float("inf"), gl.float32, gl.SliceLayout(1, L))
    for k in range(0, cols, C):
        c = k + gl.arange(0, C, gl.SliceLayout(0, L))
        v = gl.load(x + r[:, None] * cols + c[None, :], mask=(c < cols)[None, :], other=-float("inf")).to(gl.float32)
        s = gl.maximum(gl.associative_scan(v, 1, _mx), carry[:, None])
        gl.store(out + r[:, None] * cols + c[None, :], s.to(out.dtype.element_ty), mask=(c < cols)[None, :])
        carry = gl.maximum(carry, gl.max(v, 1))


def cases(scale=1):
    def R(*shape, d=torch.float32):
        return torch.randn(shape, device="cuda").to(d)

    def E(*shape, d=torch.float32):
        return torch.empty(shape, device="cuda", dtype=d)

    f16, bf16, f32, i32 = torch.float16, torch.bfloat16, torch.float32, torch.int32
    n = 1 << 26
    h, h2, ho, b, b2, bo = R(n, d=f16), R(n, d=f16), E(n, d=f16), R(n, d=bf16), R(n, d=bf16), E(n, d=bf16)
    b3 = E(n, d=bf16)
    f, f2, fo = R(n), R(n), E(n)
    cu = torch.arange(0, 9, device="cuda", dtype=i32) * 1000
    yield "packed, cp.async, 128", varlen_async, lambda: varlen_async[(8, 16, 8)](ho, h, h2, h, cu, 0.1, 2048, 2048, 2048, 128, 128, 64, 4, True), [ho]
    yield "packed, cp.async, 128, 8 warps", varlen_async, lambda: varlen_async[(8, 16, 8)](bo, b, b2, b, cu, 0.1, 2048, 2048, 2048, 128, 128, 64, 8, True, num_warps=8), [bo]
    yield "packed, cp.async, 128, 64 rows", varlen_async, lambda: varlen_async[(16, 16, 8)](ho, h, h2, h, cu, 0.1, 2048, 2048, 2048, 128, 64, 64, 4, False), [ho]
    yield "packed, cp.async, 64", varlen_async, lambda: varlen_async[(8, 16, 8)](ho, h, h2, h, cu, 0.1, 1024, 1024, 1024, 64, 128, 64, 4, True), [ho]
    lse, h3 = E(1 << 20), E(n, d=f16)
    yield "packed, grouped, 128", varlen_registers, lambda: varlen_registers[(16, 32, 8)](ho, lse, h, h2, h, cu, cu, 0.1, 32, 8, 128, 64, 64, 4), [ho]
    yield "packed, grouped, 128, 8 warps", varlen_registers, lambda: varlen_registers[(8, 32, 8)](bo, lse, b, b2, b, cu, cu, 0.1, 32, 8, 128, 128, 64, 8, num_warps=8), [bo]
    yield "packed, grouped, 128, narrow", varlen_registers, lambda: varlen_registers[(16, 32, 8)](ho, lse, h, h2, h, cu, cu, 0.1, 32, 8, 128, 64, 32, 4), [ho]
    yield "window with sink", sink_window_attention, lambda: sink_window_attention[(64, 64)](ho, h, h2, h, f, 4096, 512, 64, 64, 64, 4), [ho]
    yield "window with sink, 128", sink_window_attention, lambda: sink_window_attention[(32, 64)](bo, b, b2, b, f, 4096, 512, 128, 128, 64, 8, num_warps=8), [bo]
    table = torch.randint(0, 1024, (64, 128), device="cuda").to(i32)
    lens = torch.full((64, ), 4000, device="cuda", dtype=i32)
    yield "latent decode", mla_decode, lambda: mla_decode[(64, )](bo, b, b2, table, lens, 0.1, 128, 16, 512, 64, 32, 4), [bo]
    yield "gated chunks", gdn_chunk, lambda: gdn_chunk[(128, )](bo, b, b2, b, f, f2, 4096, 64, 64, 4), [bo]
    yield "gated chunks, 128", gdn_chunk, lambda: gdn_chunk[(64, )](ho, h, h2, h, f, f2, 4096, 128, 64, 8, num_warps=8), [ho]
    yield "backward, grouped", bwd_dkdv_gqa, lambda: bwd_dkdv_gqa[(32, 16)](ho, h3, h, h2, h, h2, f, f2, 0.1, 2048, 64, 64, 64, 4, 4), [ho]
    yield "backward, grouped, 128", bwd_dkdv_gqa, lambda: bwd_dkdv_gqa[(16, 8)](bo, b3, b, b2, b, b2, f, f2, 0.1, 2048, 128, 32, 128, 4, 8, num_warps=8), [bo]
    yield "patches", patch_embed, lambda: patch_embed[(4096 // 64, )](ho, h, h2, f, 1024, 1024, 3, 16, 128, 64, 32, 4), [ho]
    yield "ranks", rank_by_count, lambda: rank_by_count[(n // 64 // 4, )](fo.view(torch.int32), f, n, 4, 64), [fo]
    yield "batch norm", batch_norm_apply, lambda: batch_norm_apply[(4096, 8)](ho, h, f, f2, f, f2, 256, 16000, 1e-5, 2048, True), [ho]
    yield "divergence of rows", kl_rows, lambda: kl_rows[(16384 // 8, )](lse, h, h2, 16384, 4000, 8, 256), [lse]
    slots = torch.randperm(8192, device="cuda").to(i32)
    yield "keys to cache", lookup_rope_cache, lambda: lookup_rope_cache[(8192, )](bo, ho, b, h, f, f2, slots, 8, 128, 8), [bo]
    yield "momentum", sgd_nesterov, lambda: sgd_nesterov[(1056, )](f, h, f2, n, 1e-3, 0.9, 0.01, 2048), []
    yield "running maxima", cummax_rows, lambda: cummax_rows[(16384 // 4, )](ho, h, 4000, 4, 256), [ho]


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
