"""Rows: norms, softmax and losses, forwards and backwards. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from shared import argmax_pair, Chip, greater, ld, merge_softmax, of, offsets_of, run, st, welford


@gluon.jit
def batch_norm_infer(y, x, mean, var, g, b, eps, C, HW, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    ch = gl.program_id(1)
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    m = i < HW
    s = gl.load(g + ch) * gl.rsqrt(gl.load(var + ch) + eps)
    t = gl.load(b + ch) - gl.load(mean + ch) * s
    v = ld(x, ch * HW + i, m, BUF).to(gl.float32)
    st(y, ch * HW + i, gl.maximum(v * s + t, 0.0), m, BUF)


@gluon.jit
def welford_rows(y, x, cols, eps, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0) * cols
    i = gl.arange(0, BLOCK, L)
    v = ld(x, row + i, i < cols, BUF).to(gl.float32)
    n = gl.where(i < cols, 1.0, 0.0)
    mean, m2, cnt = gl.reduce((v, gl.zeros([BLOCK], gl.float32, L), n), 0, welford)
    st(y, row + i, (v - mean) * gl.rsqrt(m2 / cnt + eps), i < cols, BUF)


@gluon.jit
def softmax_two_pass(y, x, cols, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0) * cols
    top = gl.full([BLOCK], -1e30, gl.float32, L)
    for k in range(0, cols, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        top = gl.maximum(top, ld(x, row + i, i < cols, BUF, -1e30).to(gl.float32))
    t = gl.max(top, 0)
    s = gl.zeros([BLOCK], gl.float32, L)
    for k in range(0, cols, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        s += gl.exp(ld(x, row + i, i < cols, BUF, -1e30).to(gl.float32) - t)
    d = 1.0 / gl.sum(s, 0)
    for k in range(0, cols, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        st(y, row + i, gl.exp(ld(x, row + i, i < cols, BUF, -1e30).to(gl.float32) - t) * d, i < cols, BUF)


@gluon.jit
def softmax_grad(dx, y, dy, rows, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(gl.program_id(0) * R, 0, cols, L, R, C)
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    m = (c < cols)[None, :] & (gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L)) < rows)[:, None]
    p = ld(y, o, m, BUF).to(gl.float32)
    g = ld(dy, o, m, BUF).to(gl.float32)
    st(dx, o, p * (g - gl.sum(p * g, 1)[:, None]), m, BUF)


@gluon.jit
def log_softmax_nll(loss, x, t, cols, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    i = gl.arange(0, BLOCK, L)
    v = ld(x, row * cols + i, i < cols, BUF, -1e30).to(gl.float32)
    m = gl.max(v, 0)
    z = gl.log(gl.sum(gl.exp(v - m), 0)) + m
    target = gl.load(t + row)
    at = gl.sum(gl.where(i == target, v, 0.0), 0)
    gl.store(loss + row, gl.where(target >= 0, z - at, 0.0))


@gluon.jit
def cummax_columns(y, x, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 1], [8, LANES // 8], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(0, gl.program_id(0) * C, cols, L, R, C)
    gl.store(y + o, gl.associative_scan(gl.load(x + o).to(gl.float32), 0, greater).to(y.dtype.element_ty))


@gluon.jit
def argmax_rows(out, x, rows, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    bv = gl.full([R], -1e30, gl.float32, gl.SliceLayout(1, L))
    bi = gl.full([R], 0, gl.int32, gl.SliceLayout(1, L))
    for k in range(0, cols, C):
        m = (r < rows)[:, None] & (k + c < cols)[None, :]
        v = ld(x, r[:, None] * cols + (k + c)[None, :], m, BUF, -1e30).to(gl.float32)
        w, j = gl.reduce((v, (k + c)[None, :] + gl.zeros([R, C], gl.int32, L)), 1, argmax_pair)
        bv, bi = argmax_pair(bv, bi, w, j)
    gl.store(out + r, bi, mask=r < rows)


@gluon.jit
def grad_norm_sq(out, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    acc = gl.zeros([BLOCK], gl.float32, L)
    for k in range(gl.program_id(0) * BLOCK, n, gl.num_programs(0) * BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        v = ld(x, i, i < n, BUF).to(gl.float32)
        acc += v * v
    gl.atomic_add(out, gl.sum(acc, 0))


@gluon.jit
def ragged_softmax(y, x, offs, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    lo, hi = gl.load(offs + gl.program_id(0)), gl.load(offs + gl.program_id(0) + 1)
    i = gl.arange(0, BLOCK, L)
    m = lo + i < hi
    v = gl.load(x + lo + i, mask=m, other=-float("inf")).to(gl.float32)
    v = gl.exp(v - gl.max(v, 0))
    gl.store(y + lo + i, (v / gl.sum(v, 0)).to(y.dtype.element_ty), mask=m)


@gluon.jit
def layer_norm_wgrad(dw, db, dy, x, mean, rstd, rows, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, L))
    a = gl.zeros([R, C], gl.float32, L)
    b = gl.zeros([R, C], gl.float32, L)
    for k in range(0, rows, R):
        r = k + gl.arange(0, R, gl.SliceLayout(1, L))
        m = (r < rows)[:, None] & (c < cols)[None, :]
        g = ld(dy, r[:, None] * cols + c[None, :], m, BUF).to(gl.float32)
        v = ld(x, r[:, None] * cols + c[None, :], m, BUF).to(gl.float32)
        h = (v - gl.load(mean + r, mask=r < rows, other=0.0)[:, None]) * gl.load(rstd + r, mask=r < rows, other=0.0)[:, None]
        a += g * h
        b += g
    gl.store(dw + c, gl.sum(a, 0), mask=c < cols)
    gl.store(db + c, gl.sum(b, 0), mask=c < cols)


@gluon.jit
def rms_norm_quant(q, s, x, w, cols, eps, FMAX: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([16], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    i = gl.arange(0, BLOCK, L)
    v = ld(x, row * cols + i, i < cols, BUF).to(gl.float32)
    v = v * gl.rsqrt(gl.sum(v * v, 0) / cols + eps) * ld(w, i, i < cols, BUF).to(gl.float32)
    a = gl.maximum(gl.max(gl.abs(v), 0), 1e-6)
    st(q, row * cols + i, v * (FMAX / a), i < cols, BUF)
    gl.store(s + row, a / FMAX)


@gluon.jit
def add_norm_fp32(y, res, x, w, b, cols, eps, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0) * cols
    i = gl.arange(0, BLOCK, L)
    k = i < cols
    v = ld(x, row + i, k, BUF) + ld(res, row + i, k, BUF)
    st(res, row + i, v, k, BUF)
    mu = gl.sum(v, 0) / cols
    d = gl.where(k, v - mu, 0.0)
    st(y, row + i, d * gl.rsqrt(gl.sum(d * d, 0) / cols + eps) * ld(w, i, k, BUF) + ld(b, i, k, BUF), k, BUF)


@gluon.jit
def sum_to_shape(y, x, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4, 2], [2, LANES // 8, 4], [gl.num_warps(), 1, 1], [2, 1, 0])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, L)))
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, L)))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, L)))
    v = gl.load(x + gl.program_id(0) * A * B * C + (a[:, None, None] * B + b[None, :, None]) * C + c[None, None, :]).to(gl.float32)
    gl.store(y + gl.program_id(0) * B + b, gl.sum(gl.sum(v, 2), 0).to(y.dtype.element_ty))


@gluon.jit
def masked_mean_pool(y, x, lens, T, D: gl.constexpr, BT: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    n = gl.load(lens + gl.program_id(0))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    acc = gl.zeros([BT, D], gl.float32, L)
    t0 = 0
    while t0 < n:
        t = t0 + gl.arange(0, BT, gl.SliceLayout(1, L))
        acc += ld(x, (gl.program_id(0) * T + t)[:, None] * D + d[None, :], (t < n)[:, None], BUF).to(gl.float32)
        t0 += BT
    gl.store(y + gl.program_id(0) * D + d, (gl.sum(acc, 0) / gl.maximum(n, 1).to(gl.float32)).to(y.dtype.element_ty))


@gluon.jit
def sigmoid_focal(loss, x, t, alpha, gamma, n, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    v = ld(x, i, i < n, BUF).to(gl.float32)
    y = gl.load(t + i, mask=i < n, other=0).to(gl.float32)
    p = 1.0 / (1.0 + gl.exp(-v))
    ce = gl.maximum(v, 0.0) - v * y + gl.log(1.0 + gl.exp(-gl.abs(v)))
    pt = p * y + (1.0 - p) * (1.0 - y)
    f = ce * gl.exp(gamma * gl.log(1.0 - pt + 1e-9))
    st(loss, i, (alpha * y + (1.0 - alpha) * (1.0 - y)) * f, i < n, BUF)


@gluon.jit
def layer_norm_stats(y, mean, rstd, x, w, b, rows, cols, eps, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    ok = (r < rows)[:, None] & (c < cols)[None, :]
    o = r[:, None] * cols + c[None, :]
    v = gl.load(x + o, mask=ok, other=0.0).to(gl.float32)
    m = gl.sum(v, 1) / cols
    d = gl.where((c < cols)[None, :], v - m[:, None], 0.0)
    s = 1.0 / gl.sqrt(gl.sum(d * d, 1) / cols + eps)
    gl.store(mean + r, m, mask=r < rows)
    gl.store(rstd + r, s, mask=r < rows)
    gl.store(y + o, (d * s[:, None] * gl.load(w + c, mask=c < cols, other=1.0)[None, :] + gl.load(b + c, mask=c < cols, other=0.0)[None, :]).to(y.dtype.element_ty), mask=ok)


@gluon.jit
def rms_norm_backward(dx, dw, dy, x, w, rstd, rows, cols, C: gl.constexpr, STEP: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    c = gl.arange(0, C, L)
    ok = c < cols
    g = gl.load(w + c, mask=ok, other=0.0).to(gl.float32)
    total = gl.zeros([C], gl.float32, L)
    for row in range(gl.program_id(0) * STEP, gl.minimum((gl.program_id(0) + 1) * STEP, rows)):
        v = gl.load(x + row * cols + c, mask=ok, other=0.0).to(gl.float32)
        d = gl.load(dy + row * cols + c, mask=ok, other=0.0).to(gl.float32)
        s = gl.load(rstd + row)
        n = v * s
        k = gl.sum(n * d * g, 0) / cols
        total += d * n
        gl.store(dx + row * cols + c, ((d * g - n * k) * s).to(dx.dtype.element_ty), mask=ok)
    gl.store(dw + gl.program_id(0) * cols + c, total, mask=ok)


@gluon.jit
def softmax_dropout_backward(dx, y, dy, seed, p, scale, cols, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0) * cols
    c = gl.arange(0, C, L)
    u = (row + c + seed).to(gl.uint32) * 2654435761
    u = (u ^ (u >> 15)) * 2246822519
    keep = ((u >> 8) & 0xFFFFFF).to(gl.float32) * (1.0 / 16777216.0) > p
    v = gl.load(y + row + c, mask=c < cols, other=0.0).to(gl.float32)
    d = gl.load(dy + row + c, mask=c < cols, other=0.0).to(gl.float32)
    d = gl.where(keep, d / (1.0 - p), 0.0)
    gl.store(dx + row + c, (v * (d - gl.sum(v * d, 0)) * scale).to(dx.dtype.element_ty), mask=c < cols)


@gluon.jit
def softmax_middle(y, x, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2, 4], [1, LANES // 8, 8], [gl.num_warps(), 1, 1], [2, 1, 0])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, L)))
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, L)))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, L)))
    o = gl.program_id(0) * (A * B * C) + a[:, None, None] * (B * C) + b[None, :, None] * C + c[None, None, :]
    v = gl.load(x + o).to(gl.float32)
    e = gl.exp(v - gl.max(v, 1)[:, None, :])
    gl.store(y + o, (e / gl.sum(e, 1)[:, None, :]).to(y.dtype.element_ty))


@gluon.jit
def log_softmax_pairs(out, x, cols, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0) * cols
    c = gl.arange(0, C, L)
    v = gl.load(x + row + c, mask=c < cols, other=-1e30).to(gl.float32)
    m, s = gl.reduce((v, gl.full([C], 1.0, gl.float32, L)), 0, merge_softmax)
    gl.store(out + row + c, (v - m - gl.log(s)).to(out.dtype.element_ty), mask=c < cols)


@gluon.jit
def gated_norm(y, x, z, w, cols, eps, G: gl.constexpr, D: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    o = gl.program_id(0) * (G * D) + offsets_of(0, 0, D, L, G, D)
    g = gl.load(z + o).to(gl.float32)
    v = gl.load(x + o).to(gl.float32) * g / (1.0 + gl.exp(-g))
    s = gl.rsqrt(gl.sum(v * v, 1) / D + eps)
    gl.store(y + o, (v * s[:, None] * gl.load(w + offsets_of(0, 0, D, L, G, D)).to(gl.float32)).to(y.dtype.element_ty))


@gluon.jit
def bias_gradient(db, dy, rows, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2], [1, LANES], [gl.num_warps(), 1], [1, 0])
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, L))
    s = gl.zeros([R, C], gl.float32, L)
    for r in range(gl.program_id(1) * R, rows, R * gl.num_programs(1)):
        i = r + gl.arange(0, R, gl.SliceLayout(1, L))
        s += gl.load(dy + i[:, None] * cols + c[None, :], mask=(i < rows)[:, None] & (c < cols)[None, :], other=0.0).to(gl.float32)
    gl.atomic_add(db + c, gl.sum(s, 0), mask=c < cols)


def cases(arch):
    chip = Chip(arch)
    lanes = chip.lanes
    n, m, cols, rows = 1 << 20, 1024, 4096, 256
    x, y, z, w = of(rows, cols), of(rows, cols), of(rows, cols), of(cols)
    h, g, o = (of(rows, cols, dtype=torch.float16) for _ in range(3))
    b, c, d = (of(rows, cols, dtype=torch.bfloat16) for _ in range(3))
    ids, long_ids, bytes_, s8 = of(n, dtype=torch.int32), of(n, dtype=torch.int64), of(n, dtype=torch.uint8), of(n, dtype=torch.int8)
    f8 = of(rows, cols, dtype=chip.fp8)
    buf = chip.takes_buffers
    batch_norm_infer[(4, 256)](o, h, w, w, w, w, 1e-05, 256, 4000, 1024, lanes, buf)
    welford_rows[(rows, )](d, b, 3000, 1e-05, 4096, lanes, buf)
    softmax_two_pass[(rows, )](o, h, 30000, 2048, lanes, buf)
    softmax_grad[(rows // 8, )](d, b, c, rows, 500, 8, 512, lanes, buf)
    log_softmax_nll[(rows, )](w, b, long_ids, 4001, 4096, lanes, buf)
    cummax_columns[(64, )](o, h, cols, 64, 64, lanes)
    argmax_rows[(rows // 16, )](ids, h, rows, 4000, 16, 256, lanes, buf)
    grad_norm_sq[(256, )](w, b, n, 4096, lanes, buf)
    ragged_softmax[(64, )](o, h, ids, 1024, lanes)
    layer_norm_wgrad[(64, )](w, w, b, c, w, w, rows, 4000, 32, 64, lanes, buf)
    if arch != "gfx1100":
        rms_norm_quant[(rows, )](f8, w, b, d, cols, 1e-06, 240.0 if arch == "gfx942" else 448.0, 4096, lanes, buf)
    add_norm_fp32[(rows, )](y, x, z, w, w, 2000, 1e-06, 2048, lanes, buf)
    sum_to_shape[(16, )](d, b, 8, 64, 16, lanes)
    masked_mean_pool[(64, )](o, h, ids, 512, 128, 32, lanes, buf)
    sigmoid_focal[(512, )](y, h, bytes_, 0.25, 2.0, n, 1024, lanes, buf)
    p, q, r, o = (of(1 << 16, dtype=torch.float16) for _ in range(4))
    pb, qb, rb, ob = (of(1 << 16, dtype=torch.bfloat16) for _ in range(4))
    x, y, z, w, v = (of(1 << 16) for _ in range(5))
    layer_norm_stats[(2, )](o, x, y, p, z, w, 7, 500, 1e-05, 4, 512, lanes)
    rms_norm_backward[(1, )](ob, x, pb, qb, rb, y, 3, 1000, 1024, 4, lanes)
    softmax_dropout_backward[(2, )](o, p, q, 1234, 0.25, 0.5, 900, 1024, lanes)
    softmax_middle[(1, )](o, p, 4, 16, 32, lanes)
    log_softmax_pairs[(2, )](ob, pb, 1000, 1024, lanes)
    gated_norm[(2, )](ob, pb, qb, rb, 1024, 1e-06, 8, 128, lanes)
    bias_gradient[(1, 1)](x, pb, 50, 100, 16, 128, lanes)


if __name__ == "__main__":
    run(cases)
