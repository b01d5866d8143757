"""Softmaxes, norms, losses and reductions: of rows, of columns, of middle axes, in several types."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def softmax_2d_col(dst, src, M, N, sm, BM: gl.constexpr, BN: gl.constexpr):
    # softmax over the slow axis
    L: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.program_id(0) * BN + gl.arange(0, BN, gl.SliceLayout(0, L))
    p = r[:, None] * sm + c[None, :]
    m = (r < M)[:, None] & (c < N)[None, :]
    x = gl.load(src + p, mask=m, other=float("-inf")).to(gl.float32)
    e = gl.exp(x - gl.max(x, 0)[None, :])
    gl.store(dst + p, (e / gl.sum(e, 0)[None, :]).to(dst.dtype.element_ty), mask=m)


@gluon.jit
def softmax_3d(dst, src, s0, s1, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 1, 4], [2, 2, 8], [1, gl.num_warps(), 1], [2, 1, 0])
    LA: gl.constexpr = gl.SliceLayout(1, gl.SliceLayout(2, L))
    LB: gl.constexpr = gl.SliceLayout(0, gl.SliceLayout(2, L))
    LC: gl.constexpr = gl.SliceLayout(0, gl.SliceLayout(1, L))
    a = gl.arange(0, A, LA)[:, None, None]
    b = gl.arange(0, B, LB)[None, :, None]
    c = gl.arange(0, C, LC)[None, None, :]
    p = gl.program_id(0) * A * s0 + a * s0 + b * s1 + c
    x = gl.load(src + p)
    mx = gl.max(x, 1)
    e = gl.exp2((x - mx[:, None, :]) * 1.44269504)
    s = gl.sum(e, 1)
    gl.store(dst + p, e / s[:, None, :])


@gluon.jit
def online_lse(out, src, stride, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    row = gl.program_id(0).to(gl.int64)
    m = gl.full([BLOCK], float("-inf"), gl.float32, L)
    s = gl.zeros([BLOCK], gl.float32, L)
    for k in range(0, n, BLOCK):
        x = gl.load(src + row * stride + k + i, mask=k + i < n, other=float("-inf")).to(gl.float32)
        m2 = gl.maximum(m, x)
        s = s * gl.exp(m - m2) + gl.exp(x - m2)
        m = m2
    top = gl.max(m, 0)
    tot = gl.sum(s * gl.exp(m - top), 0)
    gl.store(out + row, top + gl.log(tot))


@gluon.jit
def rms_bwd(dx, dw, dy, x, w, rstd, M, N, BM: gl.constexpr, BN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [1, gl.num_warps()], [1, 0])
    c = gl.arange(0, BN, gl.SliceLayout(0, L))
    acc = gl.zeros([BN], gl.float32, gl.SliceLayout(0, L))
    wv = gl.load(w + c, mask=c < N, other=0.0).to(gl.float32)
    for k in range(gl.program_id(0) * BM, M, gl.num_programs(0) * BM):
        r = k + gl.arange(0, BM, gl.SliceLayout(1, L))
        m = (r < M)[:, None] & (c < N)[None, :]
        p = r[:, None] * N + c[None, :]
        xv = gl.load(x + p, mask=m, other=0.0).to(gl.float32)
        g = gl.load(dy + p, mask=m, other=0.0).to(gl.float32)
        rs = gl.load(rstd + r, mask=r < M, other=0.0)
        xh = xv * rs[:, None]
        gw = g * wv[None, :]
        dot = gl.sum(gw * xh, 1) / N
        gl.store(dx + p, ((gw - xh * dot[:, None]) * rs[:, None]).to(dx.dtype.element_ty), mask=m)
        acc += gl.sum(g * xh, 0)
    gl.atomic_add(dw + c, acc, mask=c < N)


@gluon.jit
def layernorm_fused_residual(y, mean_o, rstd_o, x, res, w, b, N, eps, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    r = gl.program_id(0)
    s = gl.zeros([BLOCK], gl.float32, L)
    for k in range(0, N, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        v = gl.load(x + r * N + i, mask=i < N, other=0.0).to(gl.float32) + gl.load(res + r * N + i, mask=i < N, other=0.0).to(gl.float32)
        gl.store(res + r * N + i, v.to(res.dtype.element_ty), mask=i < N)
        s += v
    mu = gl.sum(s, 0) / N
    q = gl.zeros([BLOCK], gl.float32, L)
    for k in range(0, N, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        v = gl.load(res + r * N + i, mask=i < N, other=0.0).to(gl.float32)
        d = gl.where(i < N, v - mu, 0.0)
        q += d * d
    rs = 1 / gl.sqrt(gl.sum(q, 0) / N + eps)
    gl.store(mean_o + r, mu)
    gl.store(rstd_o + r, rs)
    for k in range(0, N, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        v = gl.load(res + r * N + i, mask=i < N, other=0.0, eviction_policy="evict_first").to(gl.float32)
        wv = gl.load(w + i, mask=i < N).to(gl.float32)
        bv = gl.load(b + i, mask=i < N).to(gl.float32)
        gl.store(y + r * N + i, ((v - mu) * rs * wv + bv).to(y.dtype.element_ty), mask=i < N)


@gluon.jit
def instance_norm(dst, src, C, HW, eps, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    base = (gl.program_id(0) * C + gl.program_id(1)) * HW
    i = gl.arange(0, BLOCK, L)
    m = i < HW
    x = gl.load(src + base + i, mask=m, other=0.0)
    mu = gl.sum(x, 0) / HW
    d = gl.where(m, x - mu, 0.0)
    var = gl.sum(d * d, 0) / HW
    gl.store(dst + base + i, d * gl.rsqrt(var + eps), mask=m)


@gluon.jit
def focal_loss(out, logit, target, n, alpha, gamma, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(logit + i, mask=i < n, other=0.0).to(gl.float32)
    t = gl.load(target + i, mask=i < n, other=0)
    p = 1.0 / (1.0 + gl.exp(-x))
    pt = gl.where(t == 1, p, 1.0 - p)
    a = gl.where(t == 1, alpha, 1.0 - alpha)
    l = -a * gl.exp(gamma * gl.log(1.0 - pt + 1e-9)) * gl.log(pt + 1e-9)
    gl.store(out + i, l, mask=i < n)


@gluon.jit
def ce_smoothing(loss, logits, labels, V, ignore, smooth, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    r = gl.program_id(0)
    lab = gl.load(labels + r)
    m = float("-inf")
    s = 0.0
    tot = 0.0
    for k in range(0, V, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        x = gl.load(logits + r.to(gl.int64) * V + i, mask=i < V, other=float("-inf")).to(gl.float32)
        mx = gl.maximum(m, gl.max(x, 0))
        s = s * gl.exp(m - mx) + gl.sum(gl.exp(x - mx), 0)
        tot += gl.sum(gl.where(i < V, x, 0.0), 0)
        m = mx
    lse = m + gl.log(s)
    if lab == ignore:
        gl.store(loss + r, 0.0)
    else:
        t = gl.load(logits + r.to(gl.int64) * V + lab).to(gl.float32)
        gl.store(loss + r, (1 - smooth) * (lse - t) + smooth * (lse - tot / V))


@gluon.jit
def entropy_rows(out, src, M, N, BM: gl.constexpr, BN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2, 4], [2, 16], [2, gl.num_warps() // 2], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.arange(0, BN, gl.SliceLayout(0, L))
    acc = gl.zeros([BM, BN], gl.float32, L)
    for k in range(0, N, BN):
        x = gl.load(src + r[:, None] * N + k + c[None, :], mask=(r < M)[:, None] & (k + c < N)[None, :], other=1.0)
        acc -= x * gl.log2(x)
    gl.store(out + r, gl.sum(acc, 1), mask=r < M)


@gluon.jit
def log_softmax_small(dst, src, M, N: gl.constexpr, R: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, N], [32, 1], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    c = gl.arange(0, N, gl.SliceLayout(0, L))
    p = r[:, None] * N + c[None, :]
    m = (r < M)[:, None]
    x = gl.load(src + p, mask=m, other=0.0).to(gl.float32)
    x = x - gl.max(x, 1)[:, None]
    gl.store(dst + p, (x - gl.log(gl.sum(gl.exp(x), 1))[:, None]).to(dst.dtype.element_ty), mask=m)


@gluon.jit
def _first_max(a, i, b, j):
    t = (a > b) | ((a == b) & (i < j))
    return gl.where(t, a, b), gl.where(t, i, j)


@gluon.jit
def gumbel_argmax(out, src, N, seed, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    r = gl.program_id(0)
    h = (i + r * 7919).to(gl.uint32) * 0x9E3779B1 + seed.to(gl.uint32)
    h = (h ^ (h >> 15)) * 0x85EBCA77
    h = (h ^ (h >> 13)) * 0xC2B2AE3D
    h = h ^ (h >> 16)
    u = (h >> 8).to(gl.float32) * (1.0 / 16777216.0) + 1e-7
    x = gl.load(src + r * N + i, mask=i < N, other=float("-inf")).to(gl.float32) - gl.log(-gl.log(u))
    v, k = gl.reduce((x, i), 0, _first_max)
    gl.store(out + r, k)


@gluon.jit
def min_max_all(out, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([16], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(src + i, mask=i < n, other=0)
    lo = gl.min(x, 0)
    hi = gl.max(x, 0)
    gl.atomic_min(out, lo)
    gl.atomic_max(out + 1, hi)


@gluon.jit
def _prod(a, b):
    return a * b


@gluon.jit
def _xor(a, b):
    return a ^ b


@gluon.jit
def reduce_kinds(out, src, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, AXIS: gl.constexpr, KIND: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2, 2], [4, 4, 2], [2, 1, gl.num_warps() // 2], [2, 0, 1])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, L)))[:, None, None]
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, L)))[None, :, None]
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, L)))[None, None, :]
    x = gl.load(src + (gl.program_id(0) * A * B * C + a * B * C + b * C + c))
    if KIND == "prod":
        y = gl.reduce(x, AXIS, _prod)
    elif KIND == "xor":
        y = gl.xor_sum(x, AXIS)
    elif KIND == "min":
        y = gl.min(x, AXIS)
    else:
        y = gl.sum(x, AXIS)
    O: gl.constexpr = gl.BlockedLayout([1, 1], [4, 8], [gl.num_warps(), 1], [1, 0])
    y = gl.convert_layout(y, O)
    H: gl.constexpr = y.shape[0]
    V: gl.constexpr = y.shape[1]
    h = gl.arange(0, H, gl.SliceLayout(1, O))
    v = gl.arange(0, V, gl.SliceLayout(0, O))
    gl.store(out + gl.program_id(0) * H * V + h[:, None] * V + v[None, :], y)


@gluon.jit
def l2_normalize(dst, src, N, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    p = gl.program_id(0) * N + i
    x = gl.load(src + p, mask=i < N, other=0.0)
    xf = x.to(gl.float32)
    n = gl.sqrt_rn(gl.sum(xf * xf, 0))
    gl.store(dst + p, gl.div_rn(xf, gl.maximum(n, 1e-12)).to(dst.dtype.element_ty), mask=i < N)


@gluon.jit
def double_rows(dst, src, N, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    p = gl.program_id(0) * N + i
    x = gl.load(src + p, mask=i < N, other=0.0)
    mu = gl.sum(x, 0) / N
    v = gl.sum((x - mu) * (x - mu), 0) / (N - 1)
    gl.store(dst + p, (x - mu) / gl.sqrt(v), mask=i < N)


@gluon.jit
def masked_softmax(dst, src, lens, bias, S, BM: gl.constexpr, BN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    b = gl.program_id(1)
    n = gl.load(lens + b)
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.arange(0, BN, gl.SliceLayout(0, L))
    causal = (c[None, :] <= r[:, None]) & (c < n)[None, :]
    p = (b * S + r[:, None]) * S + c[None, :]
    ok = (r < S)[:, None] & (c < S)[None, :]
    x = gl.load(src + p, mask=ok & causal, other=0.0).to(gl.float32)
    x = x + gl.load(bias + (c[None, :] - r[:, None] + S), mask=ok, other=0.0)
    x = gl.where(causal & ok, x, -1e30)
    e = gl.exp(x - gl.max(x, 1)[:, None])
    e = gl.where(causal & ok, e, 0.0)
    gl.store(dst + p, (e / gl.sum(e, 1)[:, None]).to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def variance_columns(mean, var, src, M, N, BM: gl.constexpr, BN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.program_id(0) * BN + gl.arange(0, BN, gl.SliceLayout(0, L))
    s = gl.zeros([BM, BN], gl.float32, L)
    q = gl.zeros([BM, BN], gl.float32, L)
    for k in range(0, M, BM):
        x = gl.load(src + (k + r)[:, None] * N + c[None, :], mask=(k + r < M)[:, None] & (c < N)[None, :], other=0.0).to(gl.float32)
        s += x
        q = gl.fma(x, x, q)
    mu = gl.sum(s, 0) / M
    gl.store(mean + c, mu, mask=c < N)
    gl.store(var + c, gl.sum(q, 0) / M - mu * mu, mask=c < N)
