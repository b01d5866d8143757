"""Norms, losses, optimizers, quantization, gathers, routing and convolutions as models have them. `oracle.py record --main` makes records."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LOG2E = gl.constexpr(1.4426950408889634)


@gluon.jit
def rms_norm_heads(dst, src, weight, tokens, heads, eps, D: gl.constexpr, R: gl.constexpr):
    """Norms of the heads of a projection, one after another for R tokens."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    w = gl.load(weight + d).to(gl.float32) + 1.0
    for h in range(heads):
        at = (t * heads + h)[:, None] * D + d[None, :]
        ok = (t < tokens)[:, None]
        x = gl.load(src + at, mask=ok, other=0.0).to(gl.float32)
        s = gl.rsqrt(gl.sum(x * x, 1) / D + eps)
        gl.store(dst + at, (x * s[:, None] * w[None, :]).to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def softmax_dropout(dst, src, keep, stride, cols, p, scale, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    row = gl.program_id(0) * stride
    ok = i < cols
    x = gl.load(src + row + i, mask=ok, other=-float("inf")).to(gl.float32) * scale
    e = gl.exp2((x - gl.max(x, 0)) * LOG2E)
    y = e / gl.sum(e, 0)
    u = gl.load(keep + row + i, mask=ok, other=0.0)
    y = gl.where(u > p, y / (1 - p), 0.0)
    gl.store(dst + row + i, y.to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def sparsemax_steps(dst, src, cols, STEPS: gl.constexpr, BLOCK: gl.constexpr):
    """Entmax by bisection of the threshold."""
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    row = gl.program_id(0) * cols
    x = gl.load(src + row + i, mask=i < cols, other=-1e30).to(gl.float32)
    high = gl.max(x, 0)
    low = high - 1.0
    for _ in range(STEPS):
        mid = (low + high) * 0.5
        total = gl.sum(gl.maximum(x - mid, 0.0), 0)
        low = gl.where(total >= 1.0, mid, low)
        high = gl.where(total >= 1.0, high, mid)
    y = gl.maximum(x - low, 0.0)
    gl.store(dst + row + i, (y / gl.sum(y, 0)).to(dst.dtype.element_ty), mask=i < cols)


@gluon.jit
def rms_residual_quant(q, scales, total, src, res, weight, cols, eps, BLOCK: gl.constexpr):
    """Sum with the residual, norm, and a scale of int8 for each row."""
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    ok = i < cols
    row = gl.program_id(0).to(gl.int64) * cols
    x = gl.load(src + row + i, mask=ok, other=0.0).to(gl.float32) + gl.load(res + row + i, mask=ok, other=0.0).to(gl.float32)
    gl.store(total + row + i, x.to(total.dtype.element_ty), mask=ok)
    x = x * gl.rsqrt(gl.sum(x * x, 0) / cols + eps) * gl.load(weight + i, mask=ok, other=0.0).to(gl.float32)
    s = gl.maximum(gl.max(gl.abs(x), 0), 1e-6) / 127.0
    gl.store(scales + gl.program_id(0), s)
    y = x / s
    y = gl.where(y >= 0, y + 0.5, y - 0.5)
    gl.store(q + row + i, y.to(gl.int8), mask=ok)


@gluon.jit
def rms_rows_fp8(q, scales, src, weight, rows, eps, R: gl.constexpr, C: gl.constexpr, G: gl.constexpr):
    """Norm of rows, then fp8 with a scale for each group of G columns."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    ok = (r < rows)[:, None]
    at = r[:, None] * C + c[None, :]
    x = gl.load(src + at, mask=ok, other=0.0).to(gl.float32)
    x = x * gl.rsqrt(gl.sum(x * x, 1) / C + eps)[:, None] * gl.load(weight + c).to(gl.float32)[None, :]
    g = gl.reshape(x, [R, C // G, G])
    s = gl.maximum(gl.max(gl.abs(g), 2), 1e-10) / 448.0
    y = gl.reshape(g / s[:, :, None], [R, C])
    y = gl.convert_layout(y, layout)
    gl.store(q + at, y.to(q.dtype.element_ty), mask=ok)
    SL: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [gl.num_warps(), 1], [1, 0])
    rr = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, SL))
    cc = gl.arange(0, C // G, gl.SliceLayout(0, SL))
    gl.store(scales + rr[:, None] * (C // G) + cc[None, :], gl.convert_layout(s, SL), mask=(rr < rows)[:, None])


@gluon.jit
def layer_norm_modulate(dst, src, shift, scale, tokens, cols, eps, BLOCK: gl.constexpr):
    """Adaptive norm of a diffusion transformer: shift and scale of each image."""
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    ok = i < cols
    r = gl.program_id(0)
    b = r // tokens
    x = gl.load(src + r * cols + i, mask=ok, other=0.0).to(gl.float32)
    mean = gl.sum(x, 0) / cols
    d = gl.where(ok, x - mean, 0.0)
    rstd = 1 / gl.sqrt(gl.sum(d * d, 0) / cols + eps)
    sh = gl.load(shift + b * cols + i, mask=ok, other=0.0).to(gl.float32)
    sc = gl.load(scale + b * cols + i, mask=ok, other=0.0).to(gl.float32)
    gl.store(dst + r * cols + i, (d * rstd * (1 + sc) + sh).to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def group_norm_silu_backward(dx, dy, x, mean, rstd, weight, size, channels, GROUP: gl.constexpr, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    g = gl.program_id(0)
    n = gl.program_id(1)
    base = (n * channels + g * GROUP) * size
    m = gl.load(mean + n * (channels // GROUP) + g)
    s = gl.load(rstd + n * (channels // GROUP) + g)
    s1 = gl.zeros([BLOCK], gl.float32, layout)
    s2 = gl.zeros([BLOCK], gl.float32, layout)
    for k in range(0, GROUP * size, BLOCK):
        j = k + i
        ok = j < GROUP * size
        xv = (gl.load(x + base + j, mask=ok, other=0.0).to(gl.float32) - m) * s
        w = gl.load(weight + g * GROUP + j // size, mask=ok, other=0.0).to(gl.float32)
        gv = gl.load(dy + base + j, mask=ok, other=0.0).to(gl.float32)
        sig = 1 / (1 + gl.exp(-xv * w))
        gv = gv * sig * (1 + xv * w * (1 - sig)) * w
        s1 += gv
        s2 += gv * xv
    c1 = gl.sum(s1, 0) / (GROUP * size)
    c2 = gl.sum(s2, 0) / (GROUP * size)
    for k in range(0, GROUP * size, BLOCK):
        j = k + i
        ok = j < GROUP * size
        xv = (gl.load(x + base + j, mask=ok, other=0.0).to(gl.float32) - m) * s
        w = gl.load(weight + g * GROUP + j // size, mask=ok, other=0.0).to(gl.float32)
        gv = gl.load(dy + base + j, mask=ok, other=0.0).to(gl.float32)
        sig = 1 / (1 + gl.exp(-xv * w))
        gv = gv * sig * (1 + xv * w * (1 - sig)) * w
        gl.store(dx + base + j, ((gv - c1 - xv * c2) * s).to(dx.dtype.element_ty), mask=ok)


@gluon.jit
def z_loss_cross_entropy(loss, logits, labels, vocab, z, cap, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    r = gl.program_id(0)
    base = logits + r.to(gl.int64) * vocab
    m = -float("inf")
    s = 0.0
    for k in range(0, vocab, BLOCK):
        x = gl.load(base + k + i, mask=k + i < vocab, other=-float("inf")).to(gl.float32)
        top = gl.maximum(m, gl.max(x, 0))
        s = s * gl.exp(m - top) + gl.sum(gl.exp(x - top), 0)
        m = top
    lse = m + gl.log(s)
    label = gl.load(labels + r)
    picked = gl.load(base + label).to(gl.float32)
    gl.store(loss + r, lse - picked + z * lse * lse)
    for k in range(0, vocab, BLOCK):
        ok = k + i < vocab
        x = gl.load(base + k + i, mask=ok, other=0.0).to(gl.float32)
        g = gl.exp(x - lse) * (1 + 2 * z * lse)
        g = gl.where(k + i == label, g - 1.0, g)
        gl.store(base + k + i, (g * cap).to(logits.dtype.element_ty), mask=ok)


@gluon.jit
def focal_pairs(out, a, b, t, n, margin, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    acc = gl.zeros([BLOCK], gl.float32, layout)
    for k in range(gl.program_id(0) * BLOCK, n, gl.num_programs(0) * BLOCK):
        i = k + gl.arange(0, BLOCK, layout)
        ok = i < n
        x = gl.load(a + i, mask=ok, other=0.0).to(gl.float32)
        y = gl.load(b + i, mask=ok, other=0.0).to(gl.float32)
        w = gl.load(t + i, mask=ok, other=0)
        d = x - y
        pos = d * d
        neg = gl.maximum(margin - gl.abs(d), 0.0)
        acc += gl.where(w != 0, pos, neg * neg)
    gl.atomic_add(out, gl.sum(acc, 0), sem="relaxed")


@gluon.jit
def adafactor_rows(p, g, rowv, colv, n, m, lr, clip, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    ok = (r < n)[:, None] & (c < m)[None, :]
    at = r[:, None] * m + c[None, :]
    gv = gl.load(g + at, mask=ok, other=0.0).to(gl.float32)
    rv = gl.load(rowv + r, mask=r < n, other=1.0)
    cv = gl.load(colv + c, mask=c < m, other=1.0)
    u = gv * gl.rsqrt(rv[:, None] * cv[None, :] + 1e-30)
    u = gl.minimum(gl.maximum(u, -clip), clip)
    pv = gl.load(p + at, mask=ok, other=0.0).to(gl.float32)
    gl.store(p + at, (pv - lr * u).to(p.dtype.element_ty), mask=ok)


@gluon.jit
def adamw_master(param, master, grad, m1, m2, n, lr, b1, b2, eps, wd, c1, c2, BLOCK: gl.constexpr, VEC: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    ok = i < n
    g = gl.load(grad + i, mask=ok, other=0.0).to(gl.float32)
    a = gl.load(m1 + i, mask=ok, other=0.0).to(gl.float32)
    b = gl.load(m2 + i, mask=ok, other=0.0).to(gl.float32)
    w = gl.load(master + i, mask=ok, other=0.0)
    a = b1 * a + (1 - b1) * g
    b = b2 * b + (1 - b2) * g * g
    w = w - lr * (a / c1 / (gl.sqrt(b / c2) + eps) + wd * w)
    gl.store(m1 + i, a.to(m1.dtype.element_ty), mask=ok)
    gl.store(m2 + i, b.to(m2.dtype.element_ty), mask=ok)
    gl.store(master + i, w, mask=ok)
    gl.store(param + i, w.to(param.dtype.element_ty), mask=ok)


@gluon.jit
def swiglu_backward(dg, du, dy, gate, up, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    ok = i < n
    g = gl.load(gate + i, mask=ok, other=0.0).to(gl.float32)
    u = gl.load(up + i, mask=ok, other=0.0).to(gl.float32)
    d = gl.load(dy + i, mask=ok, other=0.0).to(gl.float32)
    s = 1 / (1 + gl.exp(-g))
    gl.store(du + i, (d * g * s).to(du.dtype.element_ty), mask=ok)
    gl.store(dg + i, (d * u * s * (1 + g * (1 - s))).to(dg.dtype.element_ty), mask=ok)


@gluon.jit
def gelu_tanh_gate(dst, src, rows, half, BR: gl.constexpr, BC: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BR + gl.arange(0, BR, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * BC + gl.arange(0, BC, gl.SliceLayout(0, layout))
    ok = (r < rows)[:, None] & (c < half)[None, :]
    a = gl.load(src + r[:, None] * (2 * half) + c[None, :], mask=ok, other=0.0).to(gl.float32)
    b = gl.load(src + r[:, None] * (2 * half) + half + c[None, :], mask=ok, other=0.0).to(gl.float32)
    z = 0.7978845608 * (a + 0.044715 * a * a * a)
    th = 1 - 2 / (gl.exp(2 * z) + 1)
    gl.store(dst + r[:, None] * half + c[None, :], (0.5 * a * (1 + th) * b).to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def rope_half_qk(q, k, cos, sin, seq, heads_q, heads_k, D: gl.constexpr, H: gl.constexpr):
    """Both halves of queries and keys of a token are turned in place."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [256 // D, D // 8], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0)
    h = gl.arange(0, H, gl.SliceLayout(1, layout))
    d = gl.arange(0, D // 2, gl.SliceLayout(0, layout))
    c = gl.load(cos + (t % seq) * (D // 2) + d).to(gl.float32)[None, :]
    s = gl.load(sin + (t % seq) * (D // 2) + d).to(gl.float32)[None, :]
    at = (t * heads_q + h)[:, None] * D + d[None, :]
    ok = (h < heads_q)[:, None]
    a = gl.load(q + at, mask=ok, other=0.0).to(gl.float32)
    b = gl.load(q + at + D // 2, mask=ok, other=0.0).to(gl.float32)
    gl.store(q + at, (a * c - b * s).to(q.dtype.element_ty), mask=ok)
    gl.store(q + at + D // 2, (b * c + a * s).to(q.dtype.element_ty), mask=ok)
    at = (t * heads_k + h)[:, None] * D + d[None, :]
    ok = (h < heads_k)[:, None]
    a = gl.load(k + at, mask=ok, other=0.0).to(gl.float32)
    b = gl.load(k + at + D // 2, mask=ok, other=0.0).to(gl.float32)
    gl.store(k + at, (a * c - b * s).to(k.dtype.element_ty), mask=ok)
    gl.store(k + at + D // 2, (b * c + a * s).to(k.dtype.element_ty), mask=ok)


@gluon.jit
def alibi_rows(dst, src, slopes, heads, S, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    row = gl.program_id(0)
    head = gl.program_id(1)
    at = (head * S + row).to(gl.int64) * S
    ok = i <= row
    x = gl.load(src + at + i, mask=i < S, other=0.0).to(gl.float32) + gl.load(slopes + head % heads) * (i - row).to(gl.float32)
    x = gl.where(ok, x, -float("inf"))
    e = gl.exp(x - gl.max(x, 0))
    gl.store(dst + at + i, (e / gl.sum(e, 0)).to(dst.dtype.element_ty), mask=i < S)


@gluon.jit
def mxfp4_quantize(q, scales, src, rows, cols, R: gl.constexpr, C: gl.constexpr):
    """Values of four bits with a power of two for each 32 of them, two in a byte."""
    layout: gl.constexpr = gl.BlockedLayout([1, 1, 16, 2], [2, 16, 1, 1], [gl.num_warps(), 1, 1, 1], [3, 2, 1, 0])
    L3: gl.constexpr = gl.SliceLayout(3, layout)
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, gl.SliceLayout(2, L3)))
    b = gl.program_id(1) * (C // 32) + gl.arange(0, C // 32, gl.SliceLayout(0, gl.SliceLayout(2, L3)))
    k = gl.arange(0, 16, gl.SliceLayout(0, gl.SliceLayout(1, L3)))
    j = gl.arange(0, 2, gl.SliceLayout(0, gl.SliceLayout(1, gl.SliceLayout(2, layout))))
    base = r[:, None, None, None] * cols + b[None, :, None, None] * 32 + k[None, None, :, None] * 2 + j[None, None, None, :]
    ok = (r < rows)[:, None, None, None]
    x = gl.load(src + base, mask=ok, other=0.0).to(gl.float32)
    most = gl.max(gl.max(gl.abs(x), 3), 2)
    e = gl.ceil(gl.log2(gl.maximum(most, 1e-20) / 6.0))
    y = gl.abs(x) * gl.exp2(-e)[:, :, None, None]
    code = gl.where(y < 0.25, 0, gl.where(y < 0.75, 1, gl.where(y < 1.25, 2, gl.where(y < 1.75, 3, gl.where(y < 2.5, 4, gl.where(y < 3.5, 5, gl.where(y < 5.0, 6, 7)))))))
    code = code | gl.where(x < 0, 8, 0)
    lo, hi = gl.split(code)
    byte = (lo | (hi << 4)).to(gl.uint8)
    out = r[:, None, None] * (cols // 2) + b[None, :, None] * 16 + k[None, None, :]
    inside = gl.convert_layout((r[:, None, None] + 0 * out) < rows, byte.type.layout)
    out = gl.convert_layout(out, byte.type.layout)
    gl.store(q + out, byte, mask=inside)
    gl.store(scales + r[:, None] * (cols // 32) + b[None, :], gl.convert_layout((e + 127.0).to(gl.uint8), gl.SliceLayout(2, L3)), mask=(r < rows)[:, None])


@gluon.jit
def int4_unpack_zero(dst, packed, scales, zeros, K, N, GROUP: gl.constexpr, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    w = gl.load(packed + r[:, None] * N + c[None, :])
    for s in gl.static_range(8):
        g = (r * 8 + s) // GROUP
        sc = gl.load(scales + g[:, None] * N + c[None, :]).to(gl.float32)
        z = gl.load(zeros + g[:, None] * (N // 8) + c[None, :] // 8) >> ((c[None, :] % 8) * 4) & 15
        v = ((w >> (4 * s)) & 15) - z
        gl.store(dst + (r * 8 + s)[:, None] * N + c[None, :], (v.to(gl.float32) * sc).to(dst.dtype.element_ty))


@gluon.jit
def block_absmax_fp8(q, scales, src, M, N, BM: gl.constexpr, BN: gl.constexpr):
    """One scale for each tile of 128 x 128 weights."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, layout))
    ok = (r < M)[:, None] & (c < N)[None, :]
    at = r[:, None] * N + c[None, :]
    x = gl.load(src + at, mask=ok, other=0.0).to(gl.float32)
    s = gl.max(gl.max(gl.abs(x), 1), 0) / 448.0
    gl.store(q + at, (x / s).to(q.dtype.element_ty), mask=ok)
    gl.store(scales + gl.program_id(0) * gl.num_programs(1) + gl.program_id(1), s)


@gluon.jit
def nf4_dequant(dst, packed, table, absmax, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    b = gl.load(packed + i).to(gl.int32)
    s = gl.load(absmax + i // 32)
    hi = gl.load(table + (b >> 4)) * s
    lo = gl.load(table + (b & 15)) * s
    both = gl.join(hi, lo)
    out: gl.constexpr = both.type.layout
    j = gl.program_id(0) * (2 * BLOCK) + gl.arange(0, BLOCK, gl.SliceLayout(1, out))[:, None] * 2 + gl.arange(0, 2, gl.SliceLayout(0, out))[None, :]
    gl.store(dst + j, both.to(dst.dtype.element_ty))


@gluon.jit
def index_select_add(dst, src, index, weight, rows, cols, R: gl.constexpr, C: gl.constexpr):
    """The outputs of experts are weighted and added to their tokens."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    token = gl.load(index + r, mask=r < rows, other=0)
    w = gl.load(weight + r, mask=r < rows, other=0.0)
    x = gl.load(src + r[:, None] * cols + c[None, :], mask=(r < rows)[:, None], other=0.0).to(gl.float32)
    gl.atomic_add(dst + token[:, None] * cols + c[None, :], x * w[:, None], mask=(r < rows)[:, None], sem="relaxed")


@gluon.jit
def _best(a, i, b, j):
    left = (a > b) | ((a == b) & (i < j))
    return gl.where(left, a, b), gl.where(left, i, j)


@gluon.jit
def router_topk_softmax(weights, ids, logits, tokens, E: gl.constexpr, K: gl.constexpr, R: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [32 * 4 // E if E < 128 else 1, E // 4 if E < 128 else 32], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    e = gl.arange(0, E, gl.SliceLayout(0, layout))
    ok = t < tokens
    x = gl.load(logits + t[:, None] * E + e[None, :], mask=ok[:, None], other=-float("inf")).to(gl.float32)
    which = e[None, :] + gl.zeros([R, E], gl.int32, layout)
    first = gl.max(x, 1)
    total = gl.zeros([R], gl.float32, gl.SliceLayout(1, layout))
    for k in gl.static_range(K):
        v, i = gl.reduce((x, which), 1, _best)
        p = gl.exp(v - first)
        total += p
        gl.store(weights + t * K + k, p, mask=ok)
        gl.store(ids + t * K + k, i, mask=ok)
        x = gl.where(which == i[:, None], -float("inf"), x)


@gluon.jit
def expert_offsets(starts, ids, n, E: gl.constexpr, BLOCK: gl.constexpr):
    """Counts of experts by comparing, and where each one begins."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [gl.num_warps(), 1], [1, 0])
    e = gl.arange(0, E, gl.SliceLayout(1, layout))
    b = gl.arange(0, BLOCK, gl.SliceLayout(0, layout))
    count = gl.zeros([E], gl.int32, gl.SliceLayout(1, layout))
    for k in range(0, n, BLOCK):
        x = gl.load(ids + k + b, mask=k + b < n, other=-1)
        count += gl.sum((x[None, :] == e[:, None]).to(gl.int32), 1)
    gl.store(starts + e, count)


@gluon.jit
def conv1d_silu(y, x, w, bias, T, C, K: gl.constexpr, BT: gl.constexpr, BC: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * BT + gl.arange(0, BT, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * BC + gl.arange(0, BC, gl.SliceLayout(0, layout))
    acc = gl.zeros([BT, BC], gl.float32, layout) + gl.load(bias + c).to(gl.float32)[None, :]
    for k in gl.static_range(K):
        tt = t - (K - 1) + k
        xv = gl.load(x + tt[:, None] * C + c[None, :], mask=((tt >= 0) & (tt < T))[:, None], other=0.0).to(gl.float32)
        acc += xv * gl.load(w + k * C + c).to(gl.float32)[None, :]
    gl.store(y + t[:, None] * C + c[None, :], (acc / (1 + gl.exp(-acc))).to(y.dtype.element_ty), mask=(t < T)[:, None])


@gluon.jit
def depthwise_nhwc(y, x, w, H, W, C, BW: gl.constexpr, BC: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    row = gl.program_id(0)
    n, h = row // H, row % H
    u = gl.program_id(1) * BW + gl.arange(0, BW, gl.SliceLayout(1, layout))
    c = gl.program_id(2) * BC + gl.arange(0, BC, gl.SliceLayout(0, layout))
    acc = gl.zeros([BW, BC], gl.float32, layout)
    for dy in gl.static_range(3):
        for dx in gl.static_range(3):
            hh = h + dy - 1
            uu = u + dx - 1
            ok = (hh >= 0) & (hh < H) & (uu >= 0) & (uu < W)
            xv = gl.load(x + ((n * H + hh) * W + uu)[:, None] * C + c[None, :], mask=ok[:, None], other=0.0).to(gl.float32)
            acc += xv * gl.load(w + (dy * 3 + dx) * C + c).to(gl.float32)[None, :]
    gl.store(y + ((n * H + h) * W + u)[:, None] * C + c[None, :], acc.to(y.dtype.element_ty), mask=(u < W)[:, None])


@gluon.jit
def col2im_gather(dst, src, n, H, W, K: gl.constexpr, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    ok = i < n
    x = i % W
    y = i // W % H
    p = i // (W * H)
    acc = gl.zeros([BLOCK], gl.float32, layout)
    for a in gl.static_range(K):
        for b in gl.static_range(K):
            yy, xx = y - a, x - b
            inside = ok & (yy >= 0) & (yy < H - K + 1) & (xx >= 0) & (xx < W - K + 1)
            acc += gl.load(src + ((p * K * K + a * K + b) * (H - K + 1) + yy) * (W - K + 1) + xx, mask=inside, other=0.0).to(gl.float32)
    gl.store(dst + i, acc.to(dst.dtype.element_ty), mask=ok)


@gluon.jit
def histogram_equalize(dst, src, lut, hist, n, BINS: gl.constexpr, BLOCK: gl.constexpr, PHASE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([16], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x = gl.load(src + i, mask=i < n, other=0).to(gl.int32)
    if PHASE == 0:
        HL: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
        h = gl.histogram(x, BINS, layout=HL)
        gl.atomic_add(hist + gl.arange(0, BINS, HL), h, sem="relaxed")
    else:
        gl.store(dst + i, gl.load(lut + x), mask=i < n)


@gluon.jit
def topp_threshold(out, probs, cols, p, BLOCK: gl.constexpr):
    """The least probability that nucleus sampling keeps, by bisection over values."""
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, layout)
    base = probs + gl.program_id(0) * cols
    lo = 0.0
    hi = 1.0
    for _ in range(16):
        mid = (lo + hi) * 0.5
        acc = gl.zeros([BLOCK], gl.float32, layout)
        for k in range(0, cols, BLOCK):
            x = gl.load(base + k + i, mask=k + i < cols, other=0.0)
            acc += gl.where(x >= mid, x, 0.0)
        if gl.sum(acc, 0) >= p:
            lo = mid
        else:
            hi = mid
    gl.store(out + gl.program_id(0), lo)


@gluon.jit
def transpose_blend(dst, a, b, M, N, alpha, BM: gl.constexpr, BN: gl.constexpr):
    li: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    lo: gl.constexpr = gl.BlockedLayout([4, 1], [16, 2], [1, gl.num_warps()], [0, 1])
    pm = gl.program_id(0) * BM
    pn = gl.program_id(1) * BN
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, li))
    c = pn + gl.arange(0, BN, gl.SliceLayout(0, li))
    x = gl.load(a + r[:, None] * N + c[None, :], mask=(r < M)[:, None] & (c < N)[None, :], other=0.0)
    x = gl.convert_layout(x, lo)
    r = pm + gl.arange(0, BM, gl.SliceLayout(1, lo))
    c = pn + gl.arange(0, BN, gl.SliceLayout(0, lo))
    ok = (r < M)[:, None] & (c < N)[None, :]
    y = gl.load(b + c[None, :] * M + r[:, None], mask=ok, other=0.0)
    gl.store(dst + c[None, :] * M + r[:, None], (x.to(gl.float32) * alpha + y.to(gl.float32)).to(dst.dtype.element_ty), mask=ok)


def cases(scale=1):
    """As `cases` of bench/ordinary.py; `scale` is ignored."""
    def R(*shape, d=torch.float32):
        return torch.randn(shape, device="cuda").to(d)

    def E(*shape, d=torch.float32):
        return torch.empty(shape, device="cuda", dtype=d)

    def I(bound, *shape, d=torch.int32):
        return torch.randint(0, bound, shape, device="cuda").to(d)

    f16, bf16, i8, u8, i32, i64 = torch.float16, torch.bfloat16, torch.int8, torch.uint8, torch.int32, torch.int64
    f8 = torch.float8_e4m3fn
    n = 1 << 26
    h, h2, ho = R(n, d=f16), R(n, d=f16), E(n, d=f16)
    b, b2, bo = R(n, d=bf16), R(n, d=bf16), E(n, d=bf16)
    f, f2, fo = R(n), R(n), E(n)
    w16, wb, wf = R(8192, d=f16), R(8192, d=bf16), R(8192)
    wp, wn, fp, hp, one, state = wf.abs(), -wf.abs(), f.abs(), h.abs() * 0.1, E(1), E(8 * 2048)
    yield "heads' norms", rms_norm_heads, lambda: rms_norm_heads[(16384 // 16, )](bo, b, wb, 16384, 32, 1e-6, 128, 16), [bo]
    yield "heads' norms, 64", rms_norm_heads, lambda: rms_norm_heads[(32768 // 32, )](ho, h, w16, 32768, 24, 1e-6, 64, 32, num_warps=8), [ho]
    yield "softmax, dropout", softmax_dropout, lambda: softmax_dropout[(16384, )](ho, h, f, 4000, 4000, 0.1, 0.125, 4096), [ho]
    yield "softmax, dropout, 8 warps", softmax_dropout, lambda: softmax_dropout[(8192, )](bo, b, f, 8192, 8192, 0.1, 0.125, 8192, num_warps=8), [bo]
    yield "entmax", sparsemax_steps, lambda: sparsemax_steps[(16384, )](fo, f, 2000, 20, 2048), [fo]
    q8, sc = E(n, d=i8), E(1 << 20)
    yield "norm to int8", rms_residual_quant, lambda: rms_residual_quant[(16384, )](q8, sc, ho, h, h2, w16, 4096, 1e-6, 4096), [sc, ho]
    yield "norm to int8, odd", rms_residual_quant, lambda: rms_residual_quant[(16384, )](q8, sc, bo, b, b2, wb, 2880, 1e-6, 4096, num_warps=8), [sc, bo]
    qf = E(n, d=f8)
    yield "norm to fp8 groups", rms_rows_fp8, lambda: rms_rows_fp8[(32768 // 4, )](qf, sc, b, wb, 32768, 1e-6, 4, 1024, 128), [sc]
    yield "norm, modulated", layer_norm_modulate, lambda: layer_norm_modulate[(32768, )](bo, b, wb, wb, 16384, 1152, 1e-6, 2048), [bo]
    yield "norm, modulated, fp32", layer_norm_modulate, lambda: layer_norm_modulate[(32768, )](fo, f, wf, wf, 16384, 2048, 1e-6, 2048, num_warps=8), [fo]
    yield "group norm backward", group_norm_silu_backward, lambda: group_norm_silu_backward[(32, 32)](ho, h, h2, wf, wp, w16, 4096, 512, 16, 2048), [ho]
    loss, labels, logits = E(8192), I(32000, 8192, d=i64), R(n, d=bf16)
    yield "cross entropy with z", z_loss_cross_entropy, lambda: z_loss_cross_entropy[(2048, )](loss, logits, labels, 32000, 1e-4, 1.0, 4096, num_warps=8), []
    yield "contrastive pairs", focal_pairs, lambda: focal_pairs[(1056, )](one, h, h2, q8, n, 1.0, 2048), []
    yield "adafactor", adafactor_rows, lambda: adafactor_rows[(8192 // 16, 8)](bo, b, wp, wp, 8192, 8000, 1e-3, 1.0, 16, 1024), []
    yield "adamw, master weights", adamw_master, lambda: adamw_master[(n // 1024, )](bo, fo, b, f2, fp, n, 1e-3, 0.9, 0.95, 1e-8, 0.1, 0.5, 0.5, 1024, 4), []
    yield "adamw, bf16 moments", adamw_master, lambda: adamw_master[(n // 2048, )](bo, fo, b, b2, ho, n, 1e-3, 0.9, 0.95, 1e-8, 0.1, 0.5, 0.5, 2048, 8), []
    yield "swiglu backward", swiglu_backward, lambda: swiglu_backward[(n // 2048, )](bo, ho, b, b2, b, n, 2048), [bo, ho]
    yield "gelu gate", gelu_tanh_gate, lambda: gelu_tanh_gate[(8192 // 16, 4096 // 128)](ho, h, 8192, 4096, 16, 128), [ho]
    c, s = R(8192, 64), R(8192, 64)
    yield "rope of halves", rope_half_qk, lambda: rope_half_qk[(8192, )](b, b2, c, s, 4096, 32, 8, 128, 32), []
    yield "alibi rows", alibi_rows, lambda: alibi_rows[(2000, 8)](ho, h, wf, 16, 2000, 2048), [ho]
    qu = E(n, d=u8)
    yield "mxfp4", mxfp4_quantize, lambda: mxfp4_quantize[(8192 // 8, 4096 // 512)](qu, qu, b, 8192, 4096, 8, 512), []
    pk = I(1 << 30, 1 << 23)
    yield "int4 with zeros", int4_unpack_zero, lambda: int4_unpack_zero[(512 // 16, 4096 // 64)](ho, pk, h, pk, 4096, 4096, 128, 16, 64), [ho]
    yield "fp8 tiles of weights", block_absmax_fp8, lambda: block_absmax_fp8[(64, 64)](qf, sc, b, 8192, 8192, 128, 128, num_warps=8), [sc]
    yield "nf4", nf4_dequant, lambda: nf4_dequant[(n // 2 // 2048, )](bo, qu, wf, f, n, 2048), [bo]
    table = I(4096, 64, 512)
    idx = I(8192, 32768)
    yield "experts to tokens", index_select_add, lambda: index_select_add[(32768 // 8, 2)](fo, b, idx, f, 32768, 2048, 8, 1024), []
    ids, wt = E(1 << 20, d=i32), E(1 << 20)
    yield "router, 128 experts", router_topk_softmax, lambda: router_topk_softmax[(65536 // 16, )](wt, ids, b, 65536, 128, 8, 16), [wt, ids]
    yield "router, 32 experts", router_topk_softmax, lambda: router_topk_softmax[(65536 // 32, )](wt, ids, f, 65536, 32, 4, 32), [wt, ids]
    many = I(64, 65536)
    yield "experts' counts", expert_offsets, lambda: expert_offsets[(1, )](ids, many, 65536, 64, 256), []
    yield "short convolution", conv1d_silu, lambda: conv1d_silu[(16384 // 32, 4096 // 64)](bo, b, wb, wb, 16384, 4096, 4, 32, 64), [bo]
    yield "depthwise, channels last", depthwise_nhwc, lambda: depthwise_nhwc[(16 * 64, 2, 8)](ho, h, w16, 64, 64, 512, 32, 64), [ho]
    yield "columns to image", col2im_gather, lambda: col2im_gather[(448 * 128 * 128 // 512, )](fo, f, 448 * 128 * 128, 128, 128, 3, 512), [fo]
    ub = I(255, n, d=u8)
    yield "histogram of bytes", histogram_equalize, lambda: histogram_equalize[(n // 8192, )](qu, ub, wb, ids, n, 256, 8192, 0), []
    yield "table of bytes", histogram_equalize, lambda: histogram_equalize[(n // 4096, )](qu, ub, ub, ids, n, 256, 4096, 1), [qu]
    yield "nucleus", topp_threshold, lambda: topp_threshold[(528, )](loss, fp, 32000, 0.9, 2048, num_warps=8), [loss]
    yield "transpose and blend", transpose_blend, lambda: transpose_blend[(8192 // 64, 8000 // 64)](ho, h, h2, 8192, 8000, 0.5, 64, 64), [ho]


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
