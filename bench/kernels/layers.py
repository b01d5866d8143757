"""Layers of models as people write them: elementwise kernels, gathers, recurrences, rows, routing. `cases` as in bench/ordinary.py; oracle.py record --main makes records."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def silu_masked_2d(dst, src, M, N, sm, BM: gl.constexpr, BN: gl.constexpr, VEC: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, VEC], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, layout))
    inside = (r < M)[:, None] & (c < N)[None, :]
    at = r[:, None] * sm + c[None, :]
    x = gl.load(src + at, mask=inside, other=0.0).to(gl.float32)
    gl.store(dst + at, (x / (1.0 + gl.exp(-x))).to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def _corner(src, y, x, H, W, inside):
    ok = inside & (x >= 0) & (x < W) & (y >= 0) & (y < H)
    return gl.load(src + y * W + x, mask=ok, other=0.0).to(gl.float32)


@gluon.jit
def grid_sample(dst, src, grid, C, H, W, OHW, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    b = gl.program_id(1)
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = i < OHW
    gx = gl.load(grid + (b * OHW + i) * 2, mask=inside, other=0.0)
    gy = gl.load(grid + (b * OHW + i) * 2 + 1, mask=inside, other=0.0)
    fx = ((gx + 1) * W - 1) * 0.5
    fy = ((gy + 1) * H - 1) * 0.5
    x0f = gl.floor(fx)
    y0f = gl.floor(fy)
    x0 = x0f.to(gl.int32)
    y0 = y0f.to(gl.int32)
    wx = fx - x0f
    wy = fy - y0f
    for c in range(C):
        plane = src + (b * C + c) * H * W
        v00 = _corner(plane, y0, x0, H, W, inside)
        v01 = _corner(plane, y0, x0 + 1, H, W, inside)
        v10 = _corner(plane, y0 + 1, x0, H, W, inside)
        v11 = _corner(plane, y0 + 1, x0 + 1, H, W, inside)
        o = v00 * (1 - wx) * (1 - wy) + v01 * wx * (1 - wy) + v10 * (1 - wx) * wy + v11 * wx * wy
        gl.store(dst + (b * C + c) * OHW + i, o.to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def topk_rows_sum(dst, src, stride, cols, K: gl.constexpr, BLOCK: gl.constexpr):
    """The sum of the K largest of each row."""
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    c = gl.arange(0, BLOCK, layout)
    x = gl.load(src + row * stride + c, mask=c < cols, other=-float("inf")).to(gl.float32)
    total = 0.0
    for _ in range(K):
        m = gl.max(x, 0)
        total += m
        first = gl.min(gl.where(x == m, c, BLOCK), 0)
        x = gl.where(c == first, -float("inf"), x)
    gl.store(dst + row, total)


@gluon.jit
def _larger(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return gl.where(first, a, b), gl.where(first, i, j)


@gluon.jit
def topk_tile_sum(dst, src, rows, stride, cols, K: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, layout))
    c = gl.arange(0, BN, gl.SliceLayout(0, layout))
    x = gl.load(src + r[:, None] * stride + c[None, :], mask=(r < rows)[:, None] & (c < cols)[None, :], other=-float("inf")).to(gl.float32)
    total = gl.zeros([BM], gl.float32, gl.SliceLayout(1, layout))
    for k in gl.static_range(K):
        m, at = gl.reduce((x, c[None, :] + gl.zeros([BM, BN], gl.int32, layout)), 1, _larger)
        total += m
        x = gl.where(c[None, :] == at[:, None], -float("inf"), x)
    gl.store(dst + r, total, mask=r < rows)


@gluon.jit
def _ema(a0, b0, a1, b1):
    return a1 * a0, a1 * b0 + b1


@gluon.jit
def ema_columns(dst, src, decay, T, N, BT: gl.constexpr, BN: gl.constexpr):
    """An exponential moving average down the columns, with a carry between blocks."""
    layout: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    t = gl.arange(0, BT, gl.SliceLayout(1, layout))
    n = gl.program_id(0) * BN + gl.arange(0, BN, gl.SliceLayout(0, layout))
    d = gl.load(decay + n, mask=n < N, other=0.0).to(gl.float32)
    h = gl.zeros([BN], gl.float32, gl.SliceLayout(0, layout))
    for start in range(0, T, BT):
        at = (start + t)[:, None] * N + n[None, :]
        inside = (start + t < T)[:, None] & (n < N)[None, :]
        x = gl.load(src + at, mask=inside, other=0.0).to(gl.float32)
        a = gl.where(inside, d[None, :] + gl.zeros([BT, BN], gl.float32, layout), 1.0)
        b = gl.where(inside, x * (1 - d)[None, :], 0.0)
        pa, pb = gl.associative_scan((a, b), 0, _ema)
        y = pa * h[None, :] + pb
        gl.store(dst + at, y.to(dst.dtype.element_ty), mask=inside)
        h = gl.sum(gl.where((t == BT - 1)[:, None], y, 0.0), 0)


@gluon.jit
def ema_rows(dst, src, alpha, T, BT: gl.constexpr, BN: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BN + gl.arange(0, BN, gl.SliceLayout(1, layout))
    t = gl.arange(0, BT, gl.SliceLayout(0, layout))
    a = gl.full([BN, BT], alpha, gl.float32, layout)
    h = gl.zeros([BN], gl.float32, gl.SliceLayout(1, layout))
    for start in range(0, T, BT):
        at = r[:, None] * T + (start + t)[None, :]
        x = gl.load(src + at) * (1 - alpha)
        pa, pb = gl.associative_scan((a, x), 1, _ema)
        y = pa * h[:, None] + pb
        gl.store(dst + at, y)
        h = gl.sum(gl.where((t == BT - 1)[None, :], y, 0.0), 1)


@gluon.jit
def hardswish_strided(dst, src, M, N, sm, sn, dm, dn, BM: gl.constexpr, BN: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 2], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, layout))
    inside = (r < M)[:, None] & (c < N)[None, :]
    x = gl.load(src + r[:, None] * sm + c[None, :] * sn, mask=inside, other=0.0).to(gl.float32)
    y = x * gl.minimum(gl.maximum(x + 3.0, 0.0), 6.0) / 6.0
    gl.store(dst + r[:, None] * dm + c[None, :] * dn, y.to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def mish_backward(dx, dy, x, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = i < n
    v = gl.load(x + i, mask=inside, other=0.0).to(gl.float32)
    g = gl.load(dy + i, mask=inside, other=0.0).to(gl.float32)
    e = gl.exp(-gl.abs(v))
    sp = gl.maximum(v, 0.0) + gl.log(1.0 + e)
    t = 1.0 - 2.0 / (1.0 + gl.exp(2.0 * sp))
    s = 1.0 / (1.0 + gl.exp(-v))
    gl.store(dx + i, (g * (t + v * s * (1 - t * t))).to(dx.dtype.element_ty), mask=inside)


@gluon.jit
def lion(p, g, m, n, lr, b1, b2, wd, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = i < n
    w = gl.load(p + i, mask=inside)
    d = gl.load(g + i, mask=inside).to(gl.float32)
    v = gl.load(m + i, mask=inside)
    u = b1 * v + (1 - b1) * d
    step = gl.where(u > 0, 1.0, gl.where(u < 0, -1.0, 0.0))
    gl.store(p + i, w * (1 - lr * wd) - lr * step, mask=inside)
    gl.store(m + i, b2 * v + (1 - b2) * d, mask=inside)


@gluon.jit
def huber_loss(out, a, b, n, delta, BLOCK: gl.constexpr, ITERS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    base = gl.program_id(0) * (BLOCK * ITERS)
    total = gl.zeros([BLOCK], gl.float32, layout)
    for k in range(ITERS):
        i = base + k * BLOCK + gl.arange(0, BLOCK, layout)
        d = gl.load(a + i, mask=i < n, other=0.0).to(gl.float32) - gl.load(b + i, mask=i < n, other=0.0).to(gl.float32)
        q = gl.abs(d)
        total += gl.where(q < delta, 0.5 * d * d, delta * (q - 0.5 * delta))
    gl.store(out + gl.program_id(0), gl.sum(total, 0))


@gluon.jit
def contrastive_rows(out, a, b, tau, D, BLOCK: gl.constexpr, BR: gl.constexpr):
    """Cosine of pairs of rows."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BR + gl.arange(0, BR, gl.SliceLayout(1, layout))
    c = gl.arange(0, BLOCK, gl.SliceLayout(0, layout))
    ab = gl.zeros([BR, BLOCK], gl.float32, layout)
    aa = gl.zeros([BR, BLOCK], gl.float32, layout)
    bb = gl.zeros([BR, BLOCK], gl.float32, layout)
    for d in range(0, D, BLOCK):
        at = r[:, None] * D + (d + c)[None, :]
        x = gl.load(a + at).to(gl.float32)
        y = gl.load(b + at).to(gl.float32)
        ab += x * y
        aa += x * x
        bb += y * y
    cosine = gl.sum(ab, 1) / gl.sqrt(gl.sum(aa, 1) * gl.sum(bb, 1) + 1e-12)
    gl.store(out + r, cosine / tau)


@gluon.jit
def moe_gate(weights, experts, logits, T, E: gl.constexpr, K: gl.constexpr, BT: gl.constexpr):
    """Softmax over experts, the K best, renormalized."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [32 * 4 // E, E // 4], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * BT + gl.arange(0, BT, gl.SliceLayout(1, layout))
    e = gl.arange(0, E, gl.SliceLayout(0, layout))
    x = gl.load(logits + t[:, None] * E + e[None, :], mask=(t < T)[:, None], other=0.0).to(gl.float32)
    p = gl.exp(x - gl.max(x, 1)[:, None])
    p = p / gl.sum(p, 1)[:, None]
    total = gl.zeros([BT], gl.float32, gl.SliceLayout(1, layout))
    for k in gl.static_range(K):
        v, at = gl.reduce((p, e[None, :] + gl.zeros([BT, E], gl.int32, layout)), 1, _larger)
        total += v
        gl.store(weights + t * K + k, v, mask=t < T)
        gl.store(experts + t * K + k, at, mask=t < T)
        p = gl.where(e[None, :] == at[:, None], -1.0, p)


@gluon.jit
def moe_permute(dst, src, order, D, TOPK, BT: gl.constexpr, BD: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * BT + gl.arange(0, BT, gl.SliceLayout(1, layout))
    c = gl.arange(0, BD, gl.SliceLayout(0, layout))
    row = gl.load(order + t) // TOPK
    for d in range(0, D, BD):
        x = gl.load(src + row[:, None] * D + (d + c)[None, :])
        gl.store(dst + t[:, None] * D + (d + c)[None, :], x)


@gluon.jit
def moe_combine(dst, src, where, gate, D, K: gl.constexpr, BD: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    t = gl.program_id(0)
    c = gl.program_id(1) * BD + gl.arange(0, BD, layout)
    acc = gl.zeros([BD], gl.float32, layout)
    for k in gl.static_range(K):
        row = gl.load(where + t * K + k)
        w = gl.load(gate + t * K + k)
        acc += w * gl.load(src + row.to(gl.int64) * D + c, mask=c < D, other=0.0).to(gl.float32)
    gl.store(dst + t * D + c, acc.to(dst.dtype.element_ty), mask=c < D)


@gluon.jit
def expert_counts(counts, ids, n, E: gl.constexpr, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    bins: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    h = gl.histogram(gl.load(ids + i, mask=i < n, other=0), E, mask=i < n, layout=bins)
    gl.atomic_add(counts + gl.arange(0, E, bins), h, sem="relaxed")


@gluon.jit
def alibi_softmax(dst, src, slopes, L, heads, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    head = gl.program_id(1)
    c = gl.arange(0, BLOCK, layout)
    inside = c <= row
    base = (head * L + row).to(gl.int64) * L
    x = gl.load(src + base + c, mask=inside, other=-float("inf")).to(gl.float32)
    x = x + gl.load(slopes + head) * (c - row).to(gl.float32)
    e = gl.exp(x - gl.max(x, 0))
    gl.store(dst + base + c, (e / gl.sum(e, 0)).to(dst.dtype.element_ty), mask=c < L)


@gluon.jit
def softcap_logits(dst, src, bias, M, N, cap, BM: gl.constexpr, BN: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(1) * BM + gl.arange(0, BM, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * BN + gl.arange(0, BN, gl.SliceLayout(0, layout))
    inside = (r[:, None] < M) & (c[None, :] < N)
    x = gl.load(src + r[:, None] * N + c[None, :], mask=inside).to(gl.float32) + gl.load(bias + c, mask=c < N).to(gl.float32)[None, :]
    y = x / cap
    t = 2.0 / (1.0 + gl.exp(-2.0 * y)) - 1.0
    gl.store(dst + r[:, None] * N + c[None, :], (cap * t).to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def rms_norm_gated(out, x, z, w, N, eps, GROUP: gl.constexpr):
    """Mamba's norm: groups of a row, gated by silu."""
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    c = gl.program_id(1) * GROUP + gl.arange(0, GROUP, layout)
    v = gl.load(x + row * N + c).to(gl.float32)
    g = gl.load(z + row * N + c).to(gl.float32)
    v = v * g / (1 + gl.exp(-g))
    rstd = gl.rsqrt(gl.sum(v * v, 0) / GROUP + eps)
    gl.store(out + row * N + c, (v * rstd * gl.load(w + c).to(gl.float32)).to(out.dtype.element_ty))


@gluon.jit
def qk_norm_rope(q, w, cos, sin, pos, heads, eps, D: gl.constexpr, BH: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0)
    h = gl.arange(0, BH, gl.SliceLayout(1, layout))
    d = gl.arange(0, D // 2, gl.SliceLayout(0, layout))
    at = (t * heads + h)[:, None] * D + d[None, :]
    ok = (h < heads)[:, None]
    a = gl.load(q + at, mask=ok, other=0.0).to(gl.float32)
    b = gl.load(q + at + D // 2, mask=ok, other=0.0).to(gl.float32)
    rstd = gl.rsqrt((gl.sum(a * a, 1) + gl.sum(b * b, 1)) / D + eps)
    a = a * rstd[:, None] * gl.load(w + d).to(gl.float32)[None, :]
    b = b * rstd[:, None] * gl.load(w + d + D // 2).to(gl.float32)[None, :]
    p = gl.load(pos + t)
    c = gl.load(cos + p * (D // 2) + d)[None, :]
    s = gl.load(sin + p * (D // 2) + d)[None, :]
    gl.store(q + at, (a * c - b * s).to(q.dtype.element_ty), mask=ok)
    gl.store(q + at + D // 2, (b * c + a * s).to(q.dtype.element_ty), mask=ok)


@gluon.jit
def rope_2d(dst, src, freq, W, heads, D: gl.constexpr, BH: gl.constexpr):
    """Rotary embedding of images: a half of each head by the row, a half by the column."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0)
    y = t // W
    x = t % W
    h = gl.arange(0, BH, gl.SliceLayout(1, layout))
    d = gl.arange(0, D // 4, gl.SliceLayout(0, layout))
    f = gl.load(freq + d)
    ok = (h < heads)[:, None]
    for axis in gl.static_range(2):
        angle = f * (y if axis == 0 else x).to(gl.float32)
        c = gl.cos(angle)[None, :]
        s = gl.sin(angle)[None, :]
        at = (t * heads + h)[:, None] * D + axis * (D // 2) + d[None, :]
        a = gl.load(src + at, mask=ok, other=0.0).to(gl.float32)
        b = gl.load(src + at + D // 4, mask=ok, other=0.0).to(gl.float32)
        gl.store(dst + at, (a * c - b * s).to(dst.dtype.element_ty), mask=ok)
        gl.store(dst + at + D // 4, (a * s + b * c).to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def embedding_add_pos(out, ids, table, position, L, D, BT: gl.constexpr, BD: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * BT + gl.arange(0, BT, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * BD + gl.arange(0, BD, gl.SliceLayout(0, layout))
    i = gl.load(ids + t)
    x = gl.load(table + i[:, None] * D + c[None, :], mask=(c < D)[None, :], other=0.0)
    p = gl.load(position + (t % L)[:, None] * D + c[None, :], mask=(c < D)[None, :], other=0.0)
    gl.store(out + t[:, None] * D + c[None, :], x + p, mask=(c < D)[None, :])


@gluon.jit
def bilinear_resize_nhwc(dst, src, H, W, OH, OW, C: gl.constexpr, BX: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [32 * 4 // C, C // 4], [gl.num_warps(), 1], [1, 0])
    x = gl.program_id(0) * BX + gl.arange(0, BX, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    y = gl.program_id(1)
    b = gl.program_id(2)
    sx = x.to(gl.float32) * (W - 1) / (OW - 1)
    sy = y.to(gl.float32) * (H - 1) / (OH - 1)
    x0 = gl.floor(sx).to(gl.int32)
    y0 = gl.floor(sy).to(gl.int32)
    x1 = gl.minimum(x0 + 1, W - 1)
    y1 = gl.minimum(y0 + 1, H - 1)
    wx = (sx - x0.to(gl.float32))[:, None]
    wy = sy - y0.to(gl.float32)
    ok = (x < OW)[:, None]
    p = src + b * H * W * C
    a = gl.load(p + (y0 * W + x0)[:, None] * C + c[None, :], mask=ok, other=0.0).to(gl.float32)
    e = gl.load(p + (y0 * W + x1)[:, None] * C + c[None, :], mask=ok, other=0.0).to(gl.float32)
    f = gl.load(p + (y1 * W + x0)[:, None] * C + c[None, :], mask=ok, other=0.0).to(gl.float32)
    g = gl.load(p + (y1 * W + x1)[:, None] * C + c[None, :], mask=ok, other=0.0).to(gl.float32)
    o = (a + (e - a) * wx) * (1 - wy) + (f + (g - f) * wx) * wy
    gl.store(dst + ((b * OH + y) * OW + x)[:, None] * C + c[None, :], o.to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def avg_pool_nchw(dst, src, H, W, OH, OW, KH: gl.constexpr, KW: gl.constexpr, S: gl.constexpr, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    plane = gl.program_id(1)
    y = i // OW * S
    x = i % OW * S
    acc = gl.zeros([BLOCK], gl.float32, layout)
    for ky in gl.static_range(KH):
        for kx in gl.static_range(KW):
            ok = (i < OH * OW) & (y + ky < H) & (x + kx < W)
            acc += gl.load(src + plane * H * W + (y + ky) * W + x + kx, mask=ok, other=0.0).to(gl.float32)
    gl.store(dst + plane * OH * OW + i, (acc / (KH * KW)).to(dst.dtype.element_ty), mask=i < OH * OW)


@gluon.jit
def depthwise_3x3(dst, src, w, H, W, BY: gl.constexpr, BX: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    ch = gl.program_id(2)
    y = gl.program_id(1) * BY + gl.arange(0, BY, gl.SliceLayout(1, layout))
    x = gl.program_id(0) * BX + gl.arange(0, BX, gl.SliceLayout(0, layout))
    acc = gl.zeros([BY, BX], gl.float32, layout)
    for ky in gl.static_range(3):
        for kx in gl.static_range(3):
            iy = y + ky - 1
            ix = x + kx - 1
            ok = ((iy >= 0) & (iy < H))[:, None] & ((ix >= 0) & (ix < W))[None, :]
            acc += gl.load(src + ch * H * W + iy[:, None] * W + ix[None, :], mask=ok, other=0.0).to(gl.float32) * gl.load(w + ch * 9 + ky * 3 + kx).to(gl.float32)
    gl.store(dst + ch * H * W + y[:, None] * W + x[None, :], acc.to(dst.dtype.element_ty), mask=(y < H)[:, None] & (x < W)[None, :])


@gluon.jit
def causal_conv_update(out, state, x, w, bias, D, K: gl.constexpr, BLOCK: gl.constexpr):
    """A step of a causal convolution that keeps its last inputs."""
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    b = gl.program_id(0)
    d = gl.program_id(1) * BLOCK + gl.arange(0, BLOCK, layout)
    ok = d < D
    acc = gl.load(bias + d, mask=ok, other=0.0).to(gl.float32)
    for k in gl.static_range(K - 1):
        s = gl.load(state + (b * K + k + 1) * D + d, mask=ok, other=0.0)
        gl.store(state + (b * K + k) * D + d, s, mask=ok)
        acc += s.to(gl.float32) * gl.load(w + k * D + d, mask=ok, other=0.0).to(gl.float32)
    v = gl.load(x + b * D + d, mask=ok, other=0.0)
    gl.store(state + (b * K + K - 1) * D + d, v, mask=ok)
    acc += v.to(gl.float32) * gl.load(w + (K - 1) * D + d, mask=ok, other=0.0).to(gl.float32)
    gl.store(out + b * D + d, (acc / (1 + gl.exp(-acc))).to(out.dtype.element_ty), mask=ok)


@gluon.jit
def ssm_step(out, state, x, dt, A, B, C, D, N: gl.constexpr, BD: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [32 * 4 // N, N // 4], [gl.num_warps(), 1], [1, 0])
    b = gl.program_id(1)
    d = gl.program_id(0) * BD + gl.arange(0, BD, gl.SliceLayout(1, layout))
    n = gl.arange(0, N, gl.SliceLayout(0, layout))
    ok = (d < D)[:, None]
    delta = gl.load(dt + b * D + d, mask=d < D, other=0.0).to(gl.float32)
    delta = gl.where(delta > 20.0, delta, gl.log(1 + gl.exp(delta)))
    v = gl.load(x + b * D + d, mask=d < D, other=0.0).to(gl.float32)
    a = gl.exp(delta[:, None] * gl.load(A + d[:, None] * N + n[None, :], mask=ok, other=0.0))
    at = (b * D + d)[:, None] * N + n[None, :]
    h = gl.load(state + at, mask=ok, other=0.0) * a + (delta * v)[:, None] * gl.load(B + b * N + n)[None, :]
    gl.store(state + at, h, mask=ok)
    gl.store(out + b * D + d, gl.sum(h * gl.load(C + b * N + n)[None, :], 1).to(out.dtype.element_ty), mask=d < D)


def cases(scale=1):
    def R(*shape, d=torch.float32):
        return torch.randn(shape, device="cuda").to(d)

    def E(*shape, d=torch.float32):
        return torch.empty(shape, device="cuda", dtype=d)

    def I(bound, *shape, d=torch.int32):
        return torch.randint(0, bound, shape, device="cuda").to(d)

    f16, bf16, i32 = torch.float16, torch.bfloat16, torch.int32
    n = (1 << 26) // scale
    x, y, h, g, z, o = R(n), E(n), R(n, d=f16), E(n, d=f16), R(n, d=bf16), E(n, d=bf16)
    rows = n // 4096
    yield "silu 2d, masked", silu_masked_2d, lambda: silu_masked_2d[(rows // 16, 8)](g, h, rows - 3, 4001, 4096, 16, 512, 8), [g]
    yield "silu 2d, masked, fp32", silu_masked_2d, lambda: silu_masked_2d[(rows // 8, 32)](y, x, rows - 3, 4001, 4096, 8, 128, 4), [y]
    grid = torch.rand((8, 512, 512, 2), device="cuda") * 2 - 1
    yield "grid sample", grid_sample, lambda: grid_sample[(512 * 512 // 256, 8)](y, x, grid, 16, 512, 512, 512 * 512, 256), [y]
    yield "grid sample, fp16", grid_sample, lambda: grid_sample[(1001 * 511 // 512 + 1, 4)](g, h, grid, 16, 500, 510, 511 * 1001, 512, num_warps=8), [g]
    per = E(n // 64)
    yield "sum of top 8", topk_rows_sum, lambda: topk_rows_sum[(n // 1024, )](per, x, 1024, 1000, 8, 1024), [per]
    yield "sum of top 16, fp16", topk_rows_sum, lambda: topk_rows_sum[(n // 2048 // 4, )](per, h, 2048, 2048, 16, 2048, num_warps=8), [per]
    yield "sum of top 4 of tiles", topk_tile_sum, lambda: topk_tile_sum[(n // 256 // 8, )](per, x, n // 256 - 1, 256, 250, 4, 8, 256), [per]
    decay = torch.rand(8192, device="cuda")
    yield "average of columns", ema_columns, lambda: ema_columns[(8192 // 32, )](y, x, decay, 4000, 8192, 64, 32), [y]
    yield "average of columns, bf16", ema_columns, lambda: ema_columns[(8192 // 16, )](o, z, decay, 4096, 8192, 128, 16, num_warps=8), [o]
    yield "average of rows", ema_rows, lambda: ema_rows[(n // 4096 // 4, )](y, x, 0.9, 4096, 256, 4), [y]
    yield "hardswish, strided", hardswish_strided, lambda: hardswish_strided[(rows // 32, 64)](g, h, rows - 1, 4001, 4096, 1, 4096, 1, 32, 64), [g]
    yield "mish backward", mish_backward, lambda: mish_backward[(n // 2048, )](o, z, z, n - 5, 2048), [o]
    p1, m1 = R(n // 2), R(n // 2)
    yield "lion", lion, lambda: lion[(n // 2 // 1024, )](p1, z, m1, n // 2, 1e-4, 0.9, 0.99, 0.1, 1024), []
    yield "huber loss", huber_loss, lambda: huber_loss[(n // 8192, )](per, x, h, n - 7, 1.0, 1024, 8), [per]
    yield "cosines", contrastive_rows, lambda: contrastive_rows[(n // 1024 // 16, )](per, h, h, 0.07, 1024, 128, 16), [per]
    T = n // 64
    wts, ids = E(T * 2), E(T * 2, d=i32)
    yield "gate of 64 experts", moe_gate, lambda: moe_gate[(T // 32, )](wts, ids, h, T - 1, 64, 2, 32), [wts, ids]
    w4, i4 = E(n // 128 * 8), E(n // 128 * 8, d=i32)
    yield "gate of 128 experts, top 8", moe_gate, lambda: moe_gate[(n // 128 // 16, )](w4, i4, z, n // 128, 128, 8, 16, num_warps=8), [w4, i4]
    order = torch.randperm(rows * 2, device="cuda").to(i32)
    yield "permute to experts", moe_permute, lambda: moe_permute[(rows // 4, )](o, z, order, 4096, 2, 4, 1024), [o]
    where, gate = I(rows, rows * 4), torch.rand(rows * 4, device="cuda")
    yield "combine experts", moe_combine, lambda: moe_combine[(rows, 4)](o, z, where, gate, 4090, 4, 1024), [o]
    counts = torch.zeros(64, device="cuda", dtype=i32)
    which = I(64, n // 4)
    yield "counts of experts", expert_counts, lambda: expert_counts[(n // 4 // 2048, )](counts, which, n // 4, 64, 2048), []
    slopes = R(16)
    yield "alibi softmax", alibi_softmax, lambda: alibi_softmax[(2048, 16)](g, h, slopes, 2048, 16, 2048), [g]
    bias = R(32000, d=f16)
    yield "soft cap", softcap_logits, lambda: softcap_logits[(500, 64)](g, h, bias, 2000, 32000, 30.0, 32, 64), [g]
    wn = R(4096, d=bf16)
    yield "gated norm", rms_norm_gated, lambda: rms_norm_gated[(rows, 4)](o, z, z, wn, 4096, 1e-5, 1024), [o]
    cs, sn = R(4096, 64), R(4096, 64)
    pos = I(4096, 16384)
    w128 = R(128, d=bf16)
    qq = R(16384, 32, 128, d=bf16)
    yield "norm and rope", qk_norm_rope, lambda: qk_norm_rope[(16384, )](qq, w128, cs, sn, pos, 31, 1e-6, 128, 32), []
    freq = R(32)
    yield "rope 2d", rope_2d, lambda: rope_2d[(16384, )](g, h, freq, 128, 16, 128, 16), [g]
    emb, ids2 = R(32000, 2048, d=bf16), I(32000, 16384)
    pe = R(2048, 2048, d=bf16)
    yield "embedding with position", embedding_add_pos, lambda: embedding_add_pos[(16384 // 8, 2)](o, ids2, emb, pe, 2048, 2048, 8, 1024), [o]
    yield "embedding with position, 256", embedding_add_pos, lambda: embedding_add_pos[(16384 // 16, 8)](o, ids2, emb, pe, 2000, 2040, 16, 256, num_warps=8), [o]
    yield "resize, channels last", bilinear_resize_nhwc, lambda: bilinear_resize_nhwc[(1024 // 32, 768, 2)](g, h, 400, 500, 768, 1000, 32, 32), [g]
    yield "average pool", avg_pool_nchw, lambda: avg_pool_nchw[(128 * 128 // 256, 512)](y, x, 256, 256, 128, 128, 3, 3, 2, 256), [y]
    wk = R(1024 * 9)
    yield "depthwise 3x3", depthwise_3x3, lambda: depthwise_3x3[(4, 32, 256)](g, h, wk, 250, 254, 8, 64), [g]
    st, xk, wc = R(512, 4, 4096, d=bf16), R(512, 4096, d=bf16), R(4, 4096, d=bf16)
    yield "convolution step", causal_conv_update, lambda: causal_conv_update[(512, 16)](o, st, xk, wc, wn, 4096, 4, 256), []
    hs, A, Bm, Cm = R(64, 8192, 16), R(8192, 16), R(64, 16), R(64, 16)
    yield "state space step", ssm_step, lambda: ssm_step[(8192 // 64, 64)](o, hs, z, z, A, Bm, Cm, 8190, 16, 64), []


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
