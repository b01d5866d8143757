"""Attention backward, latent and paged attention, gathered and scaled products, rows and scans that nobody tuned for. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.extra import libdevice

from shared import Chip, affine, ld, merge_softmax, mul, of, offsets_of, plus, run, st


@gluon.jit
def attention_backward_kv(dk, dv, q, k, v, do, lse, delta, N, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, CAUSAL: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    base = gl.program_id(1) * N * D
    n = gl.program_id(0) * BN
    kv = gl.convert_layout(gl.load(k + base + offsets_of(n, 0, D, L, BN, D)), A)
    vv = gl.convert_layout(gl.load(v + base + offsets_of(n, 0, D, L, BN, D)), A)
    ak = gl.zeros([BN, D], gl.float32, MMA)
    av = gl.zeros([BN, D], gl.float32, MMA)
    keys = n + gl.arange(0, BN, gl.SliceLayout(1, MMA))
    first = 0
    if CAUSAL:
        first = n // BM * BM
    for m in range(first, N, BM):
        qv = gl.load(q + base + offsets_of(m, 0, D, L, BM, D))
        dov = gl.load(do + base + offsets_of(m, 0, D, L, BM, D))
        rows = m + gl.arange(0, BM, gl.SliceLayout(0, MMA))
        s = mul(kv, gl.convert_layout(qv.permute((1, 0)), B), gl.zeros([BN, BM], gl.float32, MMA), KIND)
        p = gl.exp2(s * scale - gl.load(lse + gl.program_id(1) * N + rows)[None, :])
        if CAUSAL:
            p = gl.where(rows[None, :] >= keys[:, None], p, 0.0)
        av = mul(gl.convert_layout(p.to(q.dtype.element_ty), A), gl.convert_layout(dov, B), av, KIND)
        dp = mul(vv, gl.convert_layout(dov.permute((1, 0)), B), gl.zeros([BN, BM], gl.float32, MMA), KIND)
        ds = p * (dp - gl.load(delta + gl.program_id(1) * N + rows)[None, :])
        ak = mul(gl.convert_layout(ds.to(q.dtype.element_ty), A), gl.convert_layout(qv, B), ak, KIND)
    gl.store(dk + base + offsets_of(n, 0, D, MMA, BN, D), (ak * scale).to(dk.dtype.element_ty))
    gl.store(dv + base + offsets_of(n, 0, D, MMA, BN, D), av.to(dv.dtype.element_ty))


@gluon.jit
def latent_decode(out, lse, q, qr, c, kr, table, lens, scale, H: gl.constexpr, C: gl.constexpr, R: gl.constexpr, BN: gl.constexpr, PAGE: gl.constexpr, SPLIT: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LC: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    LR: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (R // 8), R // 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    b = gl.program_id(0)
    part = gl.program_id(1)
    n = gl.load(lens + b)
    each = gl.cdiv(gl.cdiv(n, SPLIT), BN) * BN
    qc = gl.convert_layout(gl.load(q + b * H * C + offsets_of(0, 0, C, LC, H, C)), A)
    qp = gl.convert_layout(gl.load(qr + b * H * R + offsets_of(0, 0, R, LR, H, R)), A)
    m = gl.full([H], -1e30, gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([H], gl.float32, gl.SliceLayout(1, MMA))
    acc = gl.zeros([H, C], gl.float32, MMA)
    for j in range(part * each, gl.minimum(n, part * each + each), BN):
        tc = j + gl.arange(0, BN, gl.SliceLayout(1, LC))
        tr = j + gl.arange(0, BN, gl.SliceLayout(1, LR))
        pc = gl.load(table + b * 8 + tc // PAGE, mask=tc < n, other=0) * PAGE + tc % PAGE
        pr = gl.load(table + b * 8 + tr // PAGE, mask=tr < n, other=0) * PAGE + tr % PAGE
        cv = gl.load(c + pc[:, None] * C + gl.arange(0, C, gl.SliceLayout(0, LC))[None, :], mask=(tc < n)[:, None], other=0.0)
        rv = gl.load(kr + pr[:, None] * R + gl.arange(0, R, gl.SliceLayout(0, LR))[None, :], mask=(tr < n)[:, None], other=0.0)
        x = mul(qc, gl.convert_layout(cv.permute((1, 0)), B), gl.zeros([H, BN], gl.float32, MMA), KIND)
        x = mul(qp, gl.convert_layout(rv.permute((1, 0)), B), x, KIND) * scale
        cols = j + gl.arange(0, BN, gl.SliceLayout(0, MMA))
        x = gl.where((cols < n)[None, :], x, -1e30)
        mn = gl.maximum(m, gl.max(x, 1))
        p = gl.exp2(x - mn[:, None])
        al = gl.exp2(m - mn)
        s = s * al + gl.sum(p, 1)
        acc = mul(gl.convert_layout(p.to(c.dtype.element_ty), A), gl.convert_layout(cv, B), acc * al[:, None], KIND)
        m = mn
    at = (b * SPLIT + part) * H
    gl.store(out + at * C + offsets_of(0, 0, C, MMA, H, C), acc / gl.where(s > 0, s, 1.0)[:, None])
    gl.store(lse + at + gl.arange(0, H, gl.SliceLayout(1, MMA)), m + gl.log2(gl.where(s > 0, s, 1.0)))


@gluon.jit
def softcap_window(o, q, k, v, N, scale, cap, W, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    sk = gl.allocate_shared_memory(k.dtype.element_ty, [2, BN, D], S)
    sv = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], S)
    r = gl.program_id(0) * BM
    qv = gl.convert_layout(gl.load(q + offsets_of(r, 0, D, L, BM, D)), A)
    rows = r + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    m = gl.full([BM], -1e30, gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, MMA))
    acc = gl.zeros([BM, D], gl.float32, MMA)
    lo = gl.maximum(r - W, 0) // BN
    hi = gl.cdiv(r + BM, BN)
    sk.index(lo % 2).store(gl.load(k + offsets_of(lo * BN, 0, D, L, BN, D)))
    for j in range(lo, hi):
        sv.store(gl.load(v + offsets_of(j * BN, 0, D, L, BN, D)))
        if j + 1 < hi:
            sk.index((j + 1) % 2).store(gl.load(k + offsets_of((j + 1) * BN, 0, D, L, BN, D)))
        x = mul(qv, sk.index(j % 2).permute((1, 0)).load(B), gl.zeros([BM, BN], gl.float32, MMA), KIND) * scale
        e = gl.exp2(x * (2.885390082 / cap))
        x = cap * (1.0 - 2.0 / (e + 1.0))
        cols = j * BN + gl.arange(0, BN, gl.SliceLayout(0, MMA))
        ok = (cols[None, :] <= rows[:, None]) & (rows[:, None] - cols[None, :] <= W)
        x = gl.where(ok, x * 1.442695, -1e30)
        mn = gl.maximum(m, gl.max(x, 1))
        p = gl.where(ok, gl.exp2(x - mn[:, None]), 0.0)
        al = gl.exp2(m - mn)
        s = s * al + gl.sum(p, 1)
        acc = mul(gl.convert_layout(p.to(v.dtype.element_ty), A), sv.load(B), acc * al[:, None], KIND)
        m = mn
    gl.store(o + offsets_of(r, 0, D, MMA, BM, D), (acc / s[:, None]).to(o.dtype.element_ty))


@gluon.jit
def gated_products(out, a, wg, wu, tokens, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    t = gl.load(tokens + r + gl.arange(0, BM, gl.SliceLayout(1, L)))
    kk = gl.arange(0, BK, gl.SliceLayout(0, L))
    g = gl.zeros([BM, BN], gl.float32, MMA)
    u = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        x = gl.convert_layout(ld(a, t[:, None] * K + (k + kk)[None, :], None, BUF, None), A)
        y = ld(wg, offsets_of(q, k, K, L, BN, BK), None, BUF, None)
        z = ld(wu, offsets_of(q, k, K, L, BN, BK), None, BUF, None)
        g = mul(x, gl.convert_layout(y.permute((1, 0)), B), g, KIND)
        u = mul(x, gl.convert_layout(z.permute((1, 0)), B), u, KIND)
    st(out, offsets_of(r, q, N, MMA, BM, BN), g / (1.0 + gl.exp(-g)) * u, None, BUF)


@gluon.jit
def awq_product(out, a, w, z, s, N, K, G: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    LW: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        x = gl.load(a + offsets_of(r, k, K, LA, BM, BK))
        packed = gl.load(w + offsets_of(k, q // 2, N // 2, LW, BK, BN // 2))
        zero = gl.load(z + (k // G) * (N // 2) + q // 2 + gl.arange(0, BN // 2, gl.SliceLayout(0, LW)))
        lo = (packed & 15).to(gl.int32) - (zero & 15).to(gl.int32)[None, :]
        hi = (packed >> 4).to(gl.int32) - (zero >> 4).to(gl.int32)[None, :]
        y = gl.reshape(gl.join(lo, hi), [BK, BN]).to(gl.float32)
        y = gl.convert_layout(y, gl.BlockedLayout([1, 8], [LANES // (BN // 8), BN // 8], [gl.num_warps(), 1], [1, 0]))
        g = gl.load(s + (k // G) * N + q + gl.arange(0, BN, gl.SliceLayout(0, gl.BlockedLayout([1, 8], [LANES // (BN // 8), BN // 8], [gl.num_warps(), 1], [1, 0]))))
        y = (y * g[None, :]).to(a.dtype.element_ty)
        acc = mul(gl.convert_layout(x, A), gl.convert_layout(y, B), acc, KIND)
    gl.store(out + offsets_of(r, q, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def moe_fp8(out, a, w, sa, sw, tokens, experts, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // (BK // 16), BK // 16], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    e = gl.load(experts + gl.program_id(0))
    t = gl.load(tokens + r + gl.arange(0, BM, gl.SliceLayout(1, L)))
    tm = gl.load(tokens + r + gl.arange(0, BM, gl.SliceLayout(1, MMA)))
    kk = gl.arange(0, BK, gl.SliceLayout(0, L))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        x = gl.load(a + t[:, None] * K + (k + kk)[None, :])
        y = gl.load(w + e * N * K + offsets_of(q, k, K, L, BN, BK))
        p = mul(gl.convert_layout(x, A), gl.convert_layout(y.permute((1, 0)), B), gl.zeros([BM, BN], gl.float32, MMA), KIND)
        acc += p * gl.load(sa + tm * (K // BK) + k // BK)[:, None] * gl.load(sw + e * (K // BK) + k // BK)
    gl.store(out + tm[:, None] * N + (q + gl.arange(0, BN, gl.SliceLayout(0, MMA)))[None, :], acc.to(out.dtype.element_ty))


@gluon.jit
def stream_k(out, a, b, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    steps = K // BK
    total = gl.cdiv(M, BM) * gl.cdiv(N, BN) * steps
    each = gl.cdiv(total, gl.num_programs(0))
    at = gl.program_id(0) * each
    end = gl.minimum(at + each, total)
    while at < end:
        tile = at // steps
        stop = gl.minimum((tile + 1) * steps, end)
        r, q = tile // gl.cdiv(N, BN) * BM, tile % gl.cdiv(N, BN) * BN
        acc = gl.zeros([BM, BN], gl.float32, MMA)
        for i in range(at - tile * steps, stop - tile * steps):
            x = gl.load(a + offsets_of(r, i * BK, K, L, BM, BK))
            y = gl.load(b + offsets_of(q, i * BK, K, L, BN, BK))
            acc = mul(gl.convert_layout(x, A), gl.convert_layout(y.permute((1, 0)), B), acc, KIND)
        ro = r + gl.arange(0, BM, gl.SliceLayout(1, MMA))
        co = q + gl.arange(0, BN, gl.SliceLayout(0, MMA))
        gl.atomic_add(out + ro[:, None] * N + co[None, :], acc, mask=(ro < M)[:, None] & (co < N)[None, :], sem="relaxed")
        at = stop


@gluon.jit
def group_norm_silu(y, x, w, b, C, HW, eps, CG: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [1, LANES], [gl.num_warps(), 1], [1, 0])
    c = gl.program_id(0) * CG + gl.arange(0, CG, gl.SliceLayout(1, L))
    i = gl.arange(0, BLOCK, gl.SliceLayout(0, L))
    s1 = gl.zeros([CG, BLOCK], gl.float32, L)
    s2 = gl.zeros([CG, BLOCK], gl.float32, L)
    for j in range(0, HW, BLOCK):
        v = ld(x, c[:, None] * HW + (j + i)[None, :], (j + i < HW)[None, :], BUF).to(gl.float32)
        s1 += v
        s2 += v * v
    count = CG * HW
    mean = gl.sum(gl.sum(s1, 1), 0) / count
    var = gl.sum(gl.sum(s2, 1), 0) / count - mean * mean
    rstd = gl.rsqrt(var + eps)
    g = gl.load(w + c).to(gl.float32) * rstd
    h = gl.load(b + c).to(gl.float32) - mean * g
    for j in range(0, HW, BLOCK):
        v = ld(x, c[:, None] * HW + (j + i)[None, :], (j + i < HW)[None, :], BUF).to(gl.float32)
        v = v * g[:, None] + h[:, None]
        st(y, c[:, None] * HW + (j + i)[None, :], v / (1 + gl.exp(-v)), (j + i < HW)[None, :], BUF)


@gluon.jit
def layer_norm_backward(dx, dw, db, dy, x, w, mean, rstd, M, N, ROWS: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    c = gl.arange(0, BLOCK, L)
    ok = c < N
    g = gl.load(w + c, mask=ok, other=0.0).to(gl.float32)
    aw = gl.zeros([BLOCK], gl.float32, L)
    ab = gl.zeros([BLOCK], gl.float32, L)
    for i in range(ROWS):
        r = gl.program_id(0) * ROWS + i
        live = ok & (r < M)
        d = gl.load(dy + r * N + c, mask=live, other=0.0).to(gl.float32)
        h = (gl.load(x + r * N + c, mask=live, other=0.0).to(gl.float32) - gl.load(mean + r)) * gl.load(rstd + r)
        h = gl.where(live, h, 0.0)
        wd = g * d
        c1 = gl.sum(h * wd, 0) / N
        c2 = gl.sum(wd, 0) / N
        gl.store(dx + r * N + c, ((wd - (h * c1 + c2)) * gl.load(rstd + r)).to(dx.dtype.element_ty), mask=live)
        aw += d * h
        ab += d
    gl.store(dw + gl.program_id(0) * N + c, aw, mask=ok)
    gl.store(db + gl.program_id(0) * N + c, ab, mask=ok)


@gluon.jit
def cross_entropy_smooth(loss, dlogits, logits, labels, V, smooth, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    r = gl.program_id(0)
    y = gl.load(labels + r)
    i = gl.arange(0, BLOCK, L)
    m = gl.full([BLOCK], -1e30, gl.float32, L)
    s = gl.zeros([BLOCK], gl.float32, L)
    t = gl.zeros([BLOCK], gl.float32, L)
    for j in range(0, V, BLOCK):
        x = gl.load(logits + r * V + j + i, mask=j + i < V, other=-1e30).to(gl.float32)
        mn = gl.maximum(m, x)
        s = s * gl.exp(m - mn) + gl.exp(x - mn)
        m = mn
        t += gl.where(j + i < V, x, 0.0)
    top, z = gl.reduce((m, s), 0, merge_softmax)
    ln = top + gl.log(z)
    xy = gl.load(logits + r * V + y).to(gl.float32)
    gl.store(loss + r, gl.where(y >= 0, ln - (1 - smooth) * xy - smooth * gl.sum(t, 0) / V, 0.0))
    for j in range(0, V, BLOCK):
        x = gl.load(logits + r * V + j + i, mask=j + i < V, other=-1e30).to(gl.float32)
        p = gl.exp(x - ln) - smooth / V - gl.where(j + i == y, 1 - smooth, 0.0)
        gl.store(dlogits + r * V + j + i, p.to(dlogits.dtype.element_ty), mask=j + i < V)


@gluon.jit
def selective_scan(y, u, dt, a, b, c, T, N: gl.constexpr, BT: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [4, LANES // 4], [gl.num_warps(), 1], [1, 0])
    n = gl.arange(0, N, gl.SliceLayout(1, L))
    t = gl.arange(0, BT, gl.SliceLayout(0, L))
    d = gl.program_id(0)
    av = gl.load(a + d * N + n)
    h = gl.zeros([N], gl.float32, gl.SliceLayout(1, L))
    for j in range(0, T, BT):
        ok = j + t < T
        x = gl.load(u + d * T + j + t, mask=ok, other=0.0).to(gl.float32)
        g = gl.load(dt + d * T + j + t, mask=ok, other=0.0).to(gl.float32)
        g = gl.where(g > 20, g, gl.log(1 + gl.exp(g)))
        g = gl.where(ok, g, 0.0)
        f = gl.exp(g[None, :] * av[:, None])
        w = gl.load(b + (j + t)[None, :] * N + n[:, None], mask=ok[None, :], other=0.0).to(gl.float32) * (g * x)[None, :]
        pf, pw = gl.associative_scan((f, w), 1, affine)
        s = pf * h[:, None] + pw
        o = gl.sum(s * gl.load(c + (j + t)[None, :] * N + n[:, None], mask=ok[None, :], other=0.0).to(gl.float32), 0)
        gl.store(y + d * T + j + t, o.to(y.dtype.element_ty), mask=ok)
        h = gl.sum(gl.where(t[None, :] == BT - 1, s, 0.0), 1)


@gluon.jit
def topk_keys(values, places, x, N, K: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    v = gl.load(x + gl.program_id(0) * N + i, mask=i < N, other=-float("inf"))
    bits = v.to(gl.int32, bitcast=True)
    key = gl.where(bits < 0, bits ^ 0x7FFFFFFF, bits).to(gl.int64) << 32 | (BLOCK - 1 - i).to(gl.int64)
    for k in range(K):
        best = gl.max(key, 0)
        at = BLOCK - 1 - (best & 0xFFFFFFFF).to(gl.int32)
        top = (best >> 32).to(gl.int32)
        top = gl.where(top < 0, top ^ 0x7FFFFFFF, top)
        gl.store(values + gl.program_id(0) * K + k, top.to(gl.float32, bitcast=True))
        gl.store(places + gl.program_id(0) * K + k, at)
        key = gl.where(key == best, -0x8000000000000000, key)


@gluon.jit
def expert_ranks(counts, ranks, experts, n, E: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [1, LANES], [1, gl.num_warps()], [1, 0])
    e = gl.arange(0, E, gl.SliceLayout(1, L))
    i = gl.arange(0, BLOCK, gl.SliceLayout(0, L))
    base = gl.zeros([E], gl.int32, gl.SliceLayout(1, L))
    for j in range(0, n, BLOCK):
        x = gl.load(experts + j + i, mask=j + i < n, other=-1)
        hit = (x[None, :] == e[:, None]).to(gl.int32)
        run_ = gl.associative_scan(hit, 1, plus)
        r = gl.sum((run_ - hit + base[:, None]) * hit, 0)
        gl.store(ranks + j + i, r, mask=j + i < n)
        base += gl.sum(hit, 1)
    gl.store(counts + e, base)


@gluon.jit
def block_quantize_16(q, scales, x, N, R: gl.constexpr, C: gl.constexpr, FP8: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    at = gl.program_id(0) * R * C + offsets_of(0, 0, C, L, R, C)
    v = gl.reshape(gl.load(x + at).to(gl.float32), [R, C // 16, 16])
    top = gl.max(gl.abs(v), 2)
    s = gl.exp2(gl.ceil(gl.log2(gl.maximum(top, 1e-8) / 240.0)))
    w = gl.convert_layout(gl.reshape(v / gl.expand_dims(s, 2), [R, C]), L)
    gl.store(q + at, w.to(FP8))
    flat = gl.convert_layout(gl.reshape(s, [R * (C // 16)]), gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0]))
    gl.store(scales + gl.program_id(0) * R * (C // 16) + gl.arange(0, R * (C // 16), gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0])), flat)


@gluon.jit
def rms_fp8_tokens(q, scales, res, x, w, N, eps, FP8: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    r = gl.program_id(0)
    ok = i < N
    v = ld(x, r * N + i, ok, BUF).to(gl.float32) + ld(res, r * N + i, ok, BUF).to(gl.float32)
    st(res, r * N + i, v, ok, BUF)
    v = v * gl.rsqrt(gl.sum(v * v, 0) / N + eps) * gl.load(w + i, mask=ok, other=0.0).to(gl.float32)
    top = gl.maximum(gl.max(gl.abs(v), 0), 1e-6)
    gl.store(q + r * N + i, (v * (240.0 / top)).to(FP8), mask=ok)
    gl.store(scales + r, top / 240.0)


@gluon.jit
def rope_pairs(q, cos, sin, H: gl.constexpr, D: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    at = gl.program_id(0) * H * D + offsets_of(0, 0, D, L, H, D)
    a, b = gl.split(gl.reshape(ld(q, at, None, BUF, None).to(gl.float32), [H, D // 2, 2]))
    P: gl.constexpr = a.type.layout
    d = gl.arange(0, D // 2, gl.SliceLayout(0, P))
    c = gl.load(cos + gl.program_id(0) * (D // 2) + d)[None, :]
    s = gl.load(sin + gl.program_id(0) * (D // 2) + d)[None, :]
    y = gl.reshape(gl.join(a * c - b * s, a * s + b * c), [H, D])
    st(q, at, gl.convert_layout(y, L), None, BUF)


@gluon.jit
def depthwise_3x3(y, x, w, H, W, C: gl.constexpr, BW: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // (C // 4), C // 4], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0)
    p = gl.program_id(1) * BW + gl.arange(0, BW, gl.SliceLayout(1, L))
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    acc = gl.zeros([BW, C], gl.float32, L)
    for i in gl.static_range(3):
        for j in gl.static_range(3):
            h = r + i - 1
            v = p + j - 1
            ok = (h >= 0) & (h < H) & (v >= 0) & (v < W)
            acc += ld(x, (h * W + v)[:, None] * C + c[None, :], ok[:, None], BUF).to(gl.float32) * gl.load(w + (i * 3 + j) * C + c).to(gl.float32)[None, :]
    st(y, (r * W + p)[:, None] * C + c[None, :], gl.maximum(acc, 0.0), (p < W)[:, None], BUF)


@gluon.jit
def triangular_inverse(out, a, B: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 1], [LANES // 16, 16], [1, gl.num_warps()], [0, 1])
    r = gl.arange(0, B, gl.SliceLayout(1, L))
    c = gl.arange(0, B, gl.SliceLayout(0, L))
    base = gl.program_id(0) * B * B
    m = -gl.load(a + base + r[:, None] * B + c[None, :]) * 0.05
    m = gl.where(r[:, None] > c[None, :], m, 0.0)
    for i in range(1, B):
        row = gl.sum(gl.where(r[:, None] == i, m, 0.0), 0)
        turned = gl.convert_layout(row, gl.SliceLayout(1, L))
        new = row + gl.sum(turned[:, None] * m, 0)
        m = gl.where(r[:, None] == i, gl.where(c < i, new, 0.0)[None, :], m)
    gl.store(out + base + r[:, None] * B + c[None, :], m + gl.where(r[:, None] == c[None, :], 1.0, 0.0))


@gluon.jit
def table_lookup(y, x, codes, N, BLOCK: gl.constexpr, T: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    t = gl.load(x + gl.arange(0, T, L))
    k = gl.load(codes + i, mask=i < N, other=0).to(gl.int32)
    lo = gl.gather(t, k & (T - 1), 0)
    hi = gl.gather(t, (k >> 4) & (T - 1), 0)
    gl.store(y + i, lo * 0.5 + hi, mask=i < N)


@gluon.jit
def two_axis_scans(y, z, x, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2, 2], [LANES // 8, 8], [2, gl.num_warps() // 2], [1, 0])
    at = gl.program_id(0) * R * C + offsets_of(0, 0, C, L, R, C)
    v = gl.load(x + at).to(gl.float32)
    gl.store(y + at, gl.associative_scan(gl.associative_scan(v, 1, plus), 0, plus))
    gl.store(z + at, gl.associative_scan(v, 0, plus, reverse=True))


@gluon.jit
def fma_products(c, a, b, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 4], [LANES // 8, 8], [2, gl.num_warps() // 2], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, L, 0)
    B: gl.constexpr = gl.DotOperandLayout(1, L, 0)
    LA: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // (BK // 4), BK // 4], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    acc = gl.zeros([BM, BN], gl.float32, L)
    for k in range(0, K, BK):
        u = gl.load(a + offsets_of(0, k, K, LA, BM, BK))
        v = gl.load(b + offsets_of(k, 0, BN, LB, BK, BN))
        acc = gl.dot_fma(gl.convert_layout(u, A), gl.convert_layout(v, B), acc)
    gl.store(c + offsets_of(0, 0, BN, L, BM, BN), acc)


@gluon.jit
def embedding_backward(dw, dy, ids, n, D: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2], [LANES // 32, 32], [gl.num_warps(), 1], [1, 0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    t = gl.load(ids + i, mask=i < n, other=-1)
    v = gl.load(dy + i[:, None] * D + d[None, :], mask=(i < n)[:, None], other=0.0)
    gl.atomic_add(dw + t[:, None] * D + d[None, :], v, mask=(t >= 0)[:, None], sem="relaxed")


@gluon.jit
def halves_counted(out, old, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    v = gl.load(x + i, mask=i < n, other=0.0)
    before = gl.atomic_add(out + i, v, mask=(i < n) & (i % 3 != 1), sem="relaxed")
    gl.store(old + i, before, mask=(i < n) & (i % 3 != 1))


def cases(arch):
    chip = Chip(arch)
    lanes, kind, kw, kw8, buf = chip.lanes, chip.products, chip.width, chip.byte_width, chip.takes_buffers
    p, q, r, o, h = (of(1 << 16, dtype=torch.float16) for _ in range(5))
    pb, qb, rb, ob = (of(1 << 16, dtype=torch.bfloat16) for _ in range(4))
    x, y, z, w, v = (of(1 << 16) for _ in range(5))
    ids, slots, flags = (of(1 << 12, dtype=torch.int32) for _ in range(3))
    bytes_, s8, f8 = of(1 << 16, dtype=torch.uint8), of(1 << 16, dtype=torch.int8), of(1 << 16, dtype=chip.fp8)
    FP8 = gl.float8e4b8 if arch == "gfx942" else gl.float8e4nv
    square, tall, one = chip.matrix(square=True), chip.matrix(), chip.matrix(warps=1)
    attention_backward_kv[(2, 1)](o, h, p, q, r, p, x, y, 128, 0.18, 64, 64, 64, True, tall, kw, kind, lanes)
    attention_backward_kv[(2, 1)](ob, ob, pb, qb, rb, pb, x, y, 128, 0.18, 128, 32, 64, False, tall, kw, kind, lanes)
    attention_backward_kv[(2, 1)](o, h, p, q, r, p, x, y, 128, 0.18, 64, 32, 64, False, square, kw, kind, lanes)
    latent_decode[(2, 2)](x, y, p, q, r, o, ids, slots, 0.09, 16, 256, 64, 32, 16, 2, one, kw, kind, lanes, num_warps=1)
    latent_decode[(2, 2)](x, y, pb, qb, rb, ob, ids, slots, 0.09, 64, 128, 64, 32, 16, 2, tall, kw, kind, lanes)
    softcap_window[(2, )](o, p, q, r, 128, 0.09, 30.0, 64, 64, 64, 32, tall, kw, kind, lanes)
    softcap_window[(2, )](ob, pb, qb, rb, 128, 0.09, 50.0, 100, 128, 64, 64, tall, kw, kind, lanes)
    gated_products[(1, 1)](o, p, q, r, ids, 64, 128, 64, 64, 32, square, kw, kind, lanes, buf)
    gated_products[(1, 1)](ob, pb, qb, rb, ids, 128, 128, 64, 128, 64, square, kw, kind, lanes, buf)
    awq_product[(1, 1)](o, p, bytes_, bytes_, x, 64, 128, 64, 64, 64, 64, square, kw, kind, lanes)
    if chip.has_fp8:
        moe_fp8[(1, 1)](ob, f8, f8, x, y, ids, slots, 64, 128, 64, 64, 64, chip.matrix(bits=8, square=True), kw8, kind, lanes)
        block_quantize_16[(2, )](f8, x, pb, 1 << 16, 16, 128, FP8, lanes)
        rms_fp8_tokens[(4, )](f8, x, p, q, r, 1000, 1e-6, FP8, 1024, lanes, buf)
    stream_k[(2, )](x, p, q, 128, 100, 128, 64, 64, 32, square, kw, kind, lanes)
    group_norm_silu[(2, )](o, p, q, r, 32, 700, 1e-5, 8, 256, lanes, buf)
    layer_norm_backward[(2, )](o, x, y, p, q, r, z, w, 7, 1000, 4, 1024, lanes)
    cross_entropy_smooth[(2, )](x, ob, pb, ids, 3000, 0.1, 1024, lanes)
    selective_scan[(2, )](o, p, q, x, y, z, 200, 16, 64, lanes)
    topk_keys[(2, )](x, ids, y, 1000, 8, 1024, lanes)
    expert_ranks[(1, )](ids, slots, flags, 900, 8, 512, lanes)
    rope_pairs[(4, )](p, x, y, 32, 64, lanes, buf)
    depthwise_3x3[(2, 2)](o, p, q, 16, 60, 64, 32, lanes, buf)
    triangular_inverse[(2, )](x, y, 32, lanes)
    table_lookup[(2, )](x, y, bytes_, 2000, 1024, 16, lanes)
    two_axis_scans[(2, )](x, y, p, 32, 64, lanes)
    fma_products[(1, )](x, y, z, 64, 32, 64, 16, lanes)
    embedding_backward[(2, )](x, y, ids, 60, 64, 32, lanes)
    embedding_backward[(2, )](o, p, ids, 60, 64, 32, lanes)
    embedding_backward[(2, )](ob, pb, ids, 60, 64, 32, lanes)
    halves_counted[(2, )](o, p, q, 1999, 1024, lanes)
    halves_counted[(2, )](ob, pb, qb, 2000, 1024, lanes)


if __name__ == "__main__":
    run(cases)
