"""Attention, its caches and rotary embeddings. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.extra import libdevice

from shared import Chip, ld, mul, of, offsets_of, plus, run, st


@gluon.jit
def flash_fwd(q, k, v, o, lse, N, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, CAUSAL: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    LQ: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    base = gl.program_id(1) * N * D
    r = gl.program_id(0) * BM
    qv = gl.convert_layout(ld(q, base + offsets_of(r, 0, D, LQ, BM, D), None, BUF, None), gl.DotOperandLayout(0, MMA, KW))
    m = gl.full([BM], -1e30, gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, MMA))
    acc = gl.zeros([BM, D], gl.float32, MMA)
    rows = r + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    end = N
    if CAUSAL:
        end = r + BM
    for n in range(0, end, BN):
        kv = ld(k, base + offsets_of(n, 0, D, LQ, BN, D), None, BUF, None)
        qk = mul(qv, gl.convert_layout(kv.permute((1, 0)), gl.DotOperandLayout(1, MMA, KW)), gl.zeros([BM, BN], gl.float32, MMA), KIND) * scale
        if CAUSAL:
            cols = n + gl.arange(0, BN, gl.SliceLayout(0, MMA))
            qk = gl.where(rows[:, None] >= cols[None, :], qk, -1e30)
        mn = gl.maximum(m, gl.max(qk, 1))
        p = gl.exp2(qk - mn[:, None])
        al = gl.exp2(m - mn)
        s = s * al + gl.sum(p, 1)
        acc = acc * al[:, None]
        vv = ld(v, base + offsets_of(n, 0, D, LQ, BN, D), None, BUF, None)
        acc = mul(gl.convert_layout(p.to(v.dtype.element_ty), gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(vv, gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
        m = mn
    st(o, base + offsets_of(r, 0, D, MMA, BM, D), acc / s[:, None], None, BUF)
    gl.store(lse + gl.program_id(1) * N + rows, m + gl.log2(s))


@gluon.jit
def alibi_decode(o, q, k, v, slopes, n, scale, D: gl.constexpr, BN: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    h = gl.program_id(0)
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    t = gl.arange(0, BN, gl.SliceLayout(1, L))
    qv = gl.load(q + h * D + d).to(gl.float32) * scale
    sl = gl.load(slopes + h)
    m = -1e30
    s = 0.0
    acc = gl.zeros([D], gl.float32, gl.SliceLayout(0, L))
    for j in range(0, n, BN):
        ok = j + t < n
        kv = ld(k, (h * n + j + t)[:, None] * D + d[None, :], ok[:, None], BUF).to(gl.float32)
        x = gl.sum(kv * qv[None, :], 1) + sl * (j + t - n + 1).to(gl.float32)
        x = gl.where(ok, x, -1e30)
        mn = gl.maximum(m, gl.max(x, 0))
        p = gl.exp(x - mn)
        al = gl.exp(m - mn)
        s = s * al + gl.sum(p, 0)
        vv = ld(v, (h * n + j + t)[:, None] * D + d[None, :], ok[:, None], BUF).to(gl.float32)
        acc = acc * al + gl.sum(vv * p[:, None], 0)
        m = mn
    st(o, h * D + d, acc / s, None, BUF)


@gluon.jit
def attn_combine(o, parts, lses, D: gl.constexpr, S: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [1, gl.num_warps()], [1, 0])
    s = gl.arange(0, S, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    l = gl.load(lses + gl.program_id(0) * S + s)
    w = gl.exp2(l - gl.max(l, 0))
    w = w / gl.sum(w, 0)
    p = gl.load(parts + (gl.program_id(0) * S + s)[:, None] * D + d[None, :])
    gl.store(o + gl.program_id(0) * D + d, gl.sum(p * w[:, None], 0).to(o.dtype.element_ty))


@gluon.jit
def rope_neox(q, pos, cs, sn, H: gl.constexpr, D: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    h = gl.arange(0, H, gl.SliceLayout(1, L))
    d = gl.arange(0, D // 2, gl.SliceLayout(0, L))
    p = gl.load(pos + gl.program_id(0))
    c = gl.load(cs + p * (D // 2) + d).to(gl.float32)
    s = gl.load(sn + p * (D // 2) + d).to(gl.float32)
    o = (gl.program_id(0) * H + h)[:, None] * D + d[None, :]
    a = ld(q, o, None, BUF, None).to(gl.float32)
    b = ld(q, o + D // 2, None, BUF, None).to(gl.float32)
    st(q, o, a * c[None, :] - b * s[None, :], None, BUF)
    st(q, o + D // 2, b * c[None, :] + a * s[None, :], None, BUF)


@gluon.jit
def kv_cache_store(kc, vc, k, v, slots, H: gl.constexpr, D: gl.constexpr, P: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    slot = gl.load(slots + gl.program_id(0)).to(gl.int64)
    if slot >= 0:
        o = offsets_of(0, 0, D, L, H, D)
        page, row = slot // P, slot % P
        h = gl.arange(0, H, gl.SliceLayout(1, L))
        d = gl.arange(0, D, gl.SliceLayout(0, L))
        at = ((page * H + h) * P + row)[:, None] * D + d[None, :]
        gl.store(kc + at, gl.load(k + gl.program_id(0) * H * D + o))
        gl.store(vc + at, gl.load(v + gl.program_id(0) * H * D + o))


@gluon.jit
def delta_outer(state, k, v, beta, T, N: gl.constexpr, P: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    p = gl.arange(0, P, gl.SliceLayout(1, L))
    n = gl.arange(0, N, gl.SliceLayout(0, L))
    at = gl.program_id(0) * P * N + p[:, None] * N + n[None, :]
    h = gl.load(state + at)
    for t in range(0, T):
        kk = gl.load(k + (gl.program_id(0) * T + t) * N + n).to(gl.float32)
        vv = gl.load(v + (gl.program_id(0) * T + t) * P + p).to(gl.float32)
        e = vv - gl.sum(h * kk[None, :], 1)
        h = h + (gl.load(beta + gl.program_id(0) * T + t) * e)[:, None] * kk[None, :]
    gl.store(state + at, h)


@gluon.jit
def chunk_state(s, k, v, g, T: gl.constexpr, D: gl.constexpr, C: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    acc = gl.zeros([D, D], gl.float32, MMA)
    c = gl.arange(0, C, gl.SliceLayout(1, L))
    for t in range(0, T, C):
        o = gl.program_id(0) * T * D + offsets_of(t, 0, D, L, C, D)
        w = gl.exp(gl.load(g + gl.program_id(0) * T + t + c))
        kk = gl.load(k + o)
        vv = (gl.load(v + o).to(gl.float32) * w[:, None]).to(v.dtype.element_ty)
        acc = mul(gl.convert_layout(kk.permute((1, 0)), gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(vv, gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    gl.store(s + gl.program_id(0) * D * D + offsets_of(0, 0, D, MMA, D, D), acc)


@gluon.jit
def attn_bwd_delta_f(d, o, do, N, D: gl.constexpr, BM: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    x = gl.program_id(1) * N * D + offsets_of(gl.program_id(0) * BM, 0, D, L, BM, D)
    v = gl.sum(ld(o, x, None, BUF, None).to(gl.float32) * ld(do, x, None, BUF, None).to(gl.float32), 1)
    gl.store(d + gl.program_id(1) * N + gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L)), v)


@gluon.jit
def attn_bwd_dv(dv, q, k, do, lse, N, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    base = gl.program_id(1) * N * D
    n = gl.program_id(0) * BN
    kk = gl.convert_layout(gl.load(k + base + offsets_of(n, 0, D, L, BN, D)), gl.DotOperandLayout(0, MMA, KW))
    acc = gl.zeros([BN, D], gl.float32, MMA)
    for m in range(0, N, BM):
        qq = gl.load(q + base + offsets_of(m, 0, D, L, BM, D))
        st_ = mul(kk, gl.convert_layout(qq.permute((1, 0)), gl.DotOperandLayout(1, MMA, KW)), gl.zeros([BN, BM], gl.float32, MMA), KIND)
        l = gl.load(lse + gl.program_id(1) * N + m + gl.arange(0, BM, gl.SliceLayout(0, MMA)))
        p = gl.exp2(st_ * scale - l[None, :]).to(do.dtype.element_ty)
        dd = gl.load(do + base + offsets_of(m, 0, D, L, BM, D))
        acc = mul(gl.convert_layout(p, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(dd, gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    gl.store(dv + base + offsets_of(n, 0, D, MMA, BN, D), acc.to(dv.dtype.element_ty))


@gluon.jit
def paged_prefill(out, q, kc, vc, table, length, start, scale, D: gl.constexpr, P: gl.constexpr, BM: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr,
                  KIND: gl.constexpr, LANES: gl.constexpr):
    LQ: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    sk = gl.allocate_shared_memory(kc.dtype.element_ty, [P, D], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    sv = gl.allocate_shared_memory(vc.dtype.element_ty, [P, D], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    head, row = gl.program_id(1), gl.program_id(0) * BM
    rq = row + gl.arange(0, BM, gl.SliceLayout(1, LQ))
    oq = rq[:, None] * D + gl.arange(0, D, gl.SliceLayout(0, LQ))[None, :]
    x = gl.load(q + head * length * D + oq, mask=(rq < length)[:, None], other=0.0)
    qd = gl.convert_layout(x, gl.DotOperandLayout(0, MMA, KW))
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    c = gl.arange(0, P, gl.SliceLayout(0, MMA))
    m = gl.full([BM], -1e30, gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, MMA))
    acc = gl.zeros([BM, D], gl.float32, MMA)
    inside = offsets_of(0, 0, D, LQ, P, D)
    for page in range(0, gl.cdiv(start + length, P)):
        block = gl.load(table + page).to(gl.int64) * (P * D)
        sk.store(gl.load(kc + block + inside))
        sv.store(gl.load(vc + block + inside))
        z = mul(qd, sk.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), gl.zeros([BM, P], gl.float32, MMA), KIND) * scale
        z = gl.where((page * P + c)[None, :] <= (start + r)[:, None], z, -1e30)
        n = gl.maximum(m, gl.max(z, 1))
        p = gl.exp2((z - n[:, None]) * 1.4426950408889634)
        a = gl.exp2((m - n) * 1.4426950408889634)
        s = s * a + gl.sum(p, 1)
        acc = mul(gl.convert_layout(p.to(q.dtype.element_ty), gl.DotOperandLayout(0, MMA, KW)), sv.load(gl.DotOperandLayout(1, MMA, KW)), acc * a[:, None], KIND)
        m = n
    gl.store(out + head * length * D + offsets_of(row, 0, D, MMA, BM, D), (acc / s[:, None]).to(out.dtype.element_ty), mask=(r < length)[:, None])


@gluon.jit
def paged_decode_heads(out, q, kc, vc, table, lens, scale, pages, D: gl.constexpr, P: gl.constexpr, G: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr,
                       KIND: gl.constexpr, LANES: gl.constexpr):
    LK: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    seq, kv = gl.program_id(0), gl.program_id(1)
    n = gl.load(lens + seq)
    QL: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    x = gl.load(q + (seq * gl.num_programs(1) + kv) * G * D + offsets_of(0, 0, D, QL, G, D))
    m = gl.full([G], -1e30, gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([G], gl.float32, gl.SliceLayout(1, MMA))
    acc = gl.zeros([G, D], gl.float32, MMA)
    c = gl.arange(0, P, gl.SliceLayout(0, MMA))
    off = offsets_of(0, 0, D, LK, P, D)
    for i in range(0, gl.cdiv(n, P)):
        page = gl.load(table + seq * pages + i)
        k = gl.load(kc + page * (P * D) + off)
        v = gl.load(vc + page * (P * D) + off)
        z = mul(x, gl.convert_layout(gl.permute(k, (1, 0)), gl.DotOperandLayout(1, MMA, KW)), gl.zeros([G, P], gl.float32, MMA), KIND) * scale
        z = gl.where((i * P + c < n)[None, :], z, -1e30)
        t = gl.maximum(m, gl.max(z, 1))
        p = gl.exp(z - t[:, None])
        a = gl.exp(m - t)
        s = s * a + gl.sum(p, 1)
        acc = mul(gl.convert_layout(p.to(q.dtype.element_ty), QL), gl.convert_layout(v, gl.DotOperandLayout(1, MMA, KW)), acc * a[:, None], KIND)
        m = t
    gl.store(out + (seq * gl.num_programs(1) + kv) * G * D + offsets_of(0, 0, D, MMA, G, D), (acc / s[:, None]).to(out.dtype.element_ty))


@gluon.jit
def sliding_sink_decode(out, q, k, v, sinks, n, window, scale, D: gl.constexpr, BN: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    h = gl.program_id(0)
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    x = gl.load(q + h * D + d).to(gl.float32) * scale
    m = gl.load(sinks + h)
    s = gl.full([], 1.0, gl.float32)
    acc = gl.zeros([D], gl.float32, gl.SliceLayout(0, L))
    for i in range(gl.maximum(n - window, 0), n, BN):
        j = i + gl.arange(0, BN, gl.SliceLayout(1, L))
        ok = j < n
        o = (h * n + j)[:, None] * D + d[None, :]
        z = gl.where(ok, gl.sum(gl.load(k + o, mask=ok[:, None], other=0.0).to(gl.float32) * x[None, :], 1), -1e30)
        t = gl.maximum(m, gl.max(z, 0))
        p = gl.exp(z - t)
        a = gl.exp(m - t)
        acc = acc * a + gl.sum(gl.load(v + o, mask=ok[:, None], other=0.0).to(gl.float32) * p[:, None], 0)
        s = s * a + gl.sum(p, 0)
        m = t
    gl.store(out + h * D + d, (acc / s).to(out.dtype.element_ty))


@gluon.jit
def attention_backward_dq(dq, q, k, v, do, lse, delta, n, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr,
                          KIND: gl.constexpr, LANES: gl.constexpr):
    LK: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    sk = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    sv = gl.allocate_shared_memory(v.dtype.element_ty, [BN, D], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    row = gl.program_id(0) * BM
    x = gl.convert_layout(gl.load(q + offsets_of(row, 0, D, LK, BM, D)), A)
    g = gl.convert_layout(gl.load(do + offsets_of(row, 0, D, LK, BM, D)), A)
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    l = gl.load(lse + r)
    dl = gl.load(delta + r)
    acc = gl.zeros([BM, D], gl.float32, MMA)
    for i in range(0, n, BN):
        sk.store(gl.load(k + offsets_of(i, 0, D, LK, BN, D)))
        sv.store(gl.load(v + offsets_of(i, 0, D, LK, BN, D)))
        p = gl.exp(mul(x, sk.permute((1, 0)).load(B), gl.zeros([BM, BN], gl.float32, MMA), KIND) * scale - l[:, None])
        dp = mul(g, sv.permute((1, 0)).load(B), gl.zeros([BM, BN], gl.float32, MMA), KIND)
        ds = p * (dp - dl[:, None]) * scale
        acc = mul(gl.convert_layout(ds.to(q.dtype.element_ty), A), sk.load(B), acc, KIND)
    gl.store(dq + offsets_of(row, 0, D, MMA, BM, D), acc.to(dq.dtype.element_ty))


@gluon.jit
def linear_attention_chunk(out, q, k, v, g, n, D: gl.constexpr, C: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    state = gl.zeros([D, D], gl.float32, MMA)
    r = gl.arange(0, C, gl.SliceLayout(1, MMA))
    c = gl.arange(0, C, gl.SliceLayout(0, MMA))
    for i in range(0, n, C):
        kk = gl.load(k + offsets_of(i, 0, D, L, C, D))
        vv = gl.convert_layout(gl.load(v + offsets_of(i, 0, D, L, C, D)), B)
        x = gl.convert_layout(gl.load(q + offsets_of(i, 0, D, L, C, D)), A)
        flat: gl.constexpr = gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0])
        decay = gl.convert_layout(gl.associative_scan(gl.load(g + i + gl.arange(0, C, flat)), 0, plus), gl.SliceLayout(1, MMA))
        s = mul(x, gl.convert_layout(gl.permute(kk, (1, 0)), B), gl.zeros([C, C], gl.float32, MMA), KIND)
        dc = gl.convert_layout(decay, gl.SliceLayout(0, MMA))
        s = gl.where(r[:, None] >= c[None, :], s * gl.exp(decay[:, None] - dc[None, :]), 0.0)
        o = mul(gl.convert_layout(s.to(q.dtype.element_ty), A), vv, gl.zeros([C, D], gl.float32, MMA), KIND)
        o = mul(x, gl.convert_layout(state.to(q.dtype.element_ty), B), o, KIND)
        state = mul(gl.convert_layout(gl.permute(kk, (1, 0)), A), vv, state, KIND)
        gl.store(out + offsets_of(i, 0, D, MMA, C, D), o.to(out.dtype.element_ty))


@gluon.jit
def rope_and_cache(q, k, kc, ks, cos, sin, slots, H: gl.constexpr, D: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0)
    h = gl.arange(0, H, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    o = t * H * D + h[:, None] * D + d[None, :]
    half: gl.constexpr = D // 2
    other = t * H * D + h[:, None] * D + gl.where(d < half, d + half, d - half)[None, :]
    c = gl.load(cos + t * half + d % half)
    s = gl.load(sin + t * half + d % half) * gl.where(d < half, -1.0, 1.0)
    x = gl.load(q + o).to(gl.float32) * c[None, :] + gl.load(q + other).to(gl.float32) * s[None, :]
    y = gl.load(k + o).to(gl.float32) * c[None, :] + gl.load(k + other).to(gl.float32) * s[None, :]
    gl.store(q + o, x.to(q.dtype.element_ty))
    top = gl.max(gl.abs(y), 1)
    slot = gl.load(slots + t).to(gl.int64)
    gl.store(ks + slot * H + h, top / 127.0)
    gl.store(kc + slot * (H * D) + h[:, None] * D + d[None, :], libdevice.rint(y * (127.0 / top)[:, None]).to(gl.int8))


def cases(arch):
    chip = Chip(arch)
    lanes = chip.lanes
    kind = chip.products
    kw = chip.width
    n, m, cols, rows = 1 << 20, 1024, 4096, 256
    x, y, z, w = of(rows, cols), of(rows, cols), of(rows, cols), of(cols)
    h, g, o = (of(rows, cols, dtype=torch.float16) for _ in range(3))
    b, c, d = (of(rows, cols, dtype=torch.bfloat16) for _ in range(3))
    ids, long_ids, bytes_, s8 = of(n, dtype=torch.int32), of(n, dtype=torch.int64), of(n, dtype=torch.uint8), of(n, dtype=torch.int8)
    p, q, r = (of(m, m, dtype=torch.float16) for _ in range(3))
    pb, qb, rb = (of(m, m, dtype=torch.bfloat16) for _ in range(3))
    buf = chip.takes_buffers
    flash_fwd[(8, 16)](p, q, p, r, x, m, 0.18, 64, 64, 64, True, chip.matrix(), kw, kind, lanes, buf)
    flash_fwd[(8, 16)](pb, qb, pb, rb, x, m, 0.18, 128, 64, 32, False, chip.matrix(), kw, kind, lanes, buf)
    alibi_decode[(32, )](o, h, g, h, w, 1000, 0.088, 128, 64, lanes, buf)
    attn_combine[(64, )](o, x, y, 128, 16, lanes)
    rope_neox[(rows, )](h, ids, w, w, 16, 128, lanes, buf)
    kv_cache_store[(rows, )](b, c, d, d, ids, 8, 128, 16, lanes)
    delta_outer[(64, )](x, h, g, w, 64, 64, 64, lanes)
    chunk_state[(16, )](x, p, q, w, 512, 64, 64, chip.matrix(square=True), kw, kind, lanes)
    attn_bwd_delta_f[(16, 8)](w, h, g, m, 64, 64, lanes, buf)
    attn_bwd_dv[(16, 8)](r, p, q, p, x, m, 0.18, 64, 64, 64, chip.matrix(), kw, kind, lanes)
    p, q, r, o = (of(1 << 16, dtype=torch.float16) for _ in range(4))
    pb, qb, rb, ob = (of(1 << 16, dtype=torch.bfloat16) for _ in range(4))
    x, y, z, w, v = (of(1 << 16) for _ in range(5))
    ids, slots, flags = (of(1 << 12, dtype=torch.int32) for _ in range(3))
    bytes_, s8, f8 = of(1 << 16, dtype=torch.uint8), of(1 << 16, dtype=torch.int8), of(1 << 16, dtype=chip.fp8)
    small = chip.matrix(warps=1)
    paged_prefill[(2, 1)](o, p, q, r, ids, 120, 40, 0.125, 64, 32, 64, chip.matrix(), kw, kind, lanes)
    paged_prefill[(2, 1)](ob, pb, qb, rb, ids, 128, 64, 0.088, 128, 64, 64, chip.matrix(), kw, kind, lanes)
    paged_decode_heads[(1, 1)](o, p, q, r, ids, slots, 0.125, 16, 64, 32, 16, small, kw, kind, lanes, num_warps=1)
    sliding_sink_decode[(2, )](o, p, q, r, x, 200, 128, 0.088, 128, 32, lanes)
    attention_backward_dq[(1, )](o, p, q, r, p, x, y, 128, 0.125, 64, 64, 64, chip.matrix(), kw, kind, lanes)
    linear_attention_chunk[(1, )](o, p, q, r, x, 128, 64, 64, chip.matrix(square=True), kw, kind, lanes)
    rope_and_cache[(2, )](p, q, s8, x, y, z, slots, 16, 64, lanes)


if __name__ == "__main__":
    run(cases)
