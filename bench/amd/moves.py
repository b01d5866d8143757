"""Moves, quantization and arithmetic on elements. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3, cdna4, cdna5
from triton.experimental.gluon.language.extra import libdevice

from shared import Chip, ld, of, offsets_of, run, st


@gluon.jit
def int4_group_quant(q, s, z, x, cols, G: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    R: gl.constexpr = 16 * gl.num_warps()
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    c = gl.arange(0, G, gl.SliceLayout(0, L))
    v = gl.load(x + r[:, None] * cols + gl.program_id(1) * G + c[None, :]).to(gl.float32)
    lo, hi = gl.min(v, 1), gl.max(v, 1)
    sc = gl.maximum((hi - lo) * (1.0 / 15.0), 1e-6)
    zp = gl.floor(-lo / sc + 0.5)
    k = gl.minimum(gl.maximum(gl.floor(v / sc[:, None] + zp[:, None] + 0.5), 0.0), 15.0).to(gl.uint8)
    a, b = gl.split(k.reshape([R, G // 2, 2]))
    w = a | (b << 4)
    P: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    gl.store(q + offsets_of(gl.program_id(0) * R, gl.program_id(1) * (G // 2), cols // 2, P, R, G // 2), gl.convert_layout(w, P))
    gl.store(s + r * (cols // G) + gl.program_id(1), sc.to(s.dtype.element_ty))
    gl.store(z + r * (cols // G) + gl.program_id(1), zp.to(z.dtype.element_ty))


@gluon.jit
def fp8_dequant_block(y, q, s, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(gl.program_id(0) * R, gl.program_id(1) * C, cols, L, R, C)
    sc = gl.load(s + gl.program_id(0) * (cols // C) + gl.program_id(1))
    st(y, o, ld(q, o, None, BUF, None).to(gl.float32) * sc, None, BUF)


@gluon.jit
def smooth_quant(q, sc, x, w, cols, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    i = gl.arange(0, BLOCK, L)
    v = ld(x, row * cols + i, i < cols, BUF).to(gl.float32) * gl.load(w + i, mask=i < cols, other=0.0)
    a = gl.maximum(gl.max(gl.abs(v), 0), 1e-8)
    t = v * (127.0 / a)
    t = gl.where(t >= 0, gl.floor(t + 0.5), gl.ceil(t - 0.5))
    gl.store(q + row * cols + i, t.to(gl.int8), mask=i < cols)
    gl.store(sc + row, a * (1.0 / 127.0))


@gluon.jit
def gather_rows_mean(y, table, ids, offs, D: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    b = gl.program_id(0)
    lo, hi = gl.load(offs + b), gl.load(offs + b + 1)
    d = gl.arange(0, D, L)
    acc = gl.zeros([D], gl.float32, L)
    for k in range(lo, hi):
        acc += ld(table, gl.load(ids + k) * D + d, None, BUF, None).to(gl.float32)
    n = gl.maximum(hi - lo, 1).to(gl.float32)
    st(y, b * D + d, acc / n, None, BUF)


@gluon.jit
def scatter_rows_add(y, x, ids, D: gl.constexpr, R: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    d = gl.arange(0, D, gl.SliceLayout(0, L))
    at = gl.load(ids + r)
    v = gl.load(x + r[:, None] * D + d[None, :])
    gl.atomic_add(y + at[:, None] * D + d[None, :], v, mask=(at >= 0)[:, None], sem="relaxed")


@gluon.jit
def index_copy(y, x, src, dst, D, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    a, b = gl.load(src + gl.program_id(0)), gl.load(dst + gl.program_id(0))
    for k in range(0, D, BLOCK):
        st(y, b * D + k + i, ld(x, a * D + k + i, k + i < D, BUF), k + i < D, BUF)


@gluon.jit
def geglu_split(y, x, cols, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    i = gl.program_id(1) * BLOCK + gl.arange(0, BLOCK, L)
    a = ld(x, row * 2 * cols + i, i < cols, BUF).to(gl.float32)
    b = ld(x, row * 2 * cols + cols + i, i < cols, BUF).to(gl.float32)
    t = 0.7978845608 * (a + 0.044715 * a * a * a)
    e = gl.exp(2.0 * t)
    st(y, row * cols + i, 0.5 * a * (1.0 + (e - 1.0) / (e + 1.0)) * b, i < cols, BUF)


@gluon.jit
def adamw_bf16(p, g, m, v, lr, b1, b2, eps, wd, step, n, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    k = i < n
    gr = ld(g, i, k, BUF).to(gl.float32)
    pm = ld(p, i, k, BUF).to(gl.float32)
    a = b1 * ld(m, i, k, BUF) + (1 - b1) * gr
    c = b2 * ld(v, i, k, BUF) + (1 - b2) * gr * gr
    pm = pm * (1 - lr * wd) - lr * a / (gl.sqrt(c) + eps)
    st(p, i, pm, k, BUF)
    st(m, i, a, k, BUF)
    st(v, i, c, k, BUF)


@gluon.jit
def conv1d_causal(y, x, w, b, T, C: gl.constexpr, BT: gl.constexpr, K: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * BT + gl.arange(0, BT, gl.SliceLayout(1, L))
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    acc = gl.zeros([BT, C], gl.float32, L) + gl.load(b + c)[None, :]
    for k in gl.static_range(K):
        s = t - (K - 1) + k
        acc += gl.load(x + s[:, None] * C + c[None, :], mask=((s >= 0) & (s < T))[:, None], other=0.0).to(gl.float32) * gl.load(w + c * K + k)[None, :]
    gl.store(y + t[:, None] * C + c[None, :], (acc / (1.0 + gl.exp(-acc))).to(y.dtype.element_ty), mask=(t < T)[:, None])


@gluon.jit
def max_pool_2x2(y, x, H, W, BH: gl.constexpr, BW: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(gl.program_id(0) * BH, gl.program_id(1) * BW, W, L, BH, BW)
    v = gl.load(x + o).reshape([BH // 2, 2, BW // 2, 2])
    m = gl.max(gl.max(v, 3), 1)
    O: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    gl.store(y + offsets_of(gl.program_id(0) * (BH // 2), gl.program_id(1) * (BW // 2), W // 2, O, BH // 2, BW // 2), gl.convert_layout(m, O))


@gluon.jit
def upsample_nearest(y, x, W, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(1) * BLOCK + gl.arange(0, BLOCK, L)
    v = gl.load(x + gl.program_id(0) * W + i)
    w = gl.join(v, v).reshape([2 * BLOCK])
    M: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    j = gl.program_id(1) * 2 * BLOCK + gl.arange(0, 2 * BLOCK, M)
    w = gl.convert_layout(w, M)
    gl.store(y + (2 * gl.program_id(0)) * 2 * W + j, w)
    gl.store(y + (2 * gl.program_id(0) + 1) * 2 * W + j, w)


@gluon.jit
def transpose_pad(y, x, R, C, B: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[B, 4]], [B, B], [1, 0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [B, B], S)
    r, c = gl.program_id(0) * B, gl.program_id(1) * B
    s.store(gl.load(x + offsets_of(r, c, C, L, B, B)))
    gl.store(y + offsets_of(c, r, R, L, B, B), s.permute((1, 0)).load(L))


@gluon.jit
def transpose_3d(y, x, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 1, 8], [1, LANES // 8, 8], [gl.num_warps(), 1, 1], [2, 1, 0])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, L)))
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, L)))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, L)))
    v = gl.load(x + gl.program_id(0) * A * B * C + (a[:, None, None] * B + b[None, :, None]) * C + c[None, None, :])
    w = gl.convert_layout(v.permute((1, 0, 2)), L)
    a2 = gl.arange(0, B, gl.SliceLayout(1, gl.SliceLayout(2, L)))
    b2 = gl.arange(0, A, gl.SliceLayout(0, gl.SliceLayout(2, L)))
    gl.store(y + gl.program_id(0) * A * B * C + (a2[:, None, None] * A + b2[None, :, None]) * C + c[None, None, :], w)


@gluon.jit
def philox_like(y, n, seed, p, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = i.to(gl.uint32) * 2654435761 + seed.to(gl.uint32)
    for _ in gl.static_range(4):
        x = x ^ (x >> 16)
        x = x * 2246822519
        x = x ^ (x >> 13)
        x = x * 3266489917
    u = (x >> 8).to(gl.float32) * 5.9604645e-08
    st(y, i, gl.where(u < p, 0.0, 1.0 / (1.0 - p)), i < n, BUF)


@gluon.jit
def bit_unpack_2(y, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [LANES, 1], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.SliceLayout(1, L))
    s = gl.arange(0, 4, gl.SliceLayout(0, L))
    v = gl.load(x + r, mask=r < n, other=0).to(gl.int32)
    t = ((v[:, None] >> (2 * s)[None, :]) & 3) - 1
    gl.store(y + r[:, None] * 4 + s[None, :], t.to(y.dtype.element_ty), mask=(r < n)[:, None])


@gluon.jit
def complex_mul(y, a, b, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 2], [LANES, 1], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(gl.program_id(0) * BLOCK, 0, 2, L, BLOCK, 2)
    ar, ai = gl.split(gl.load(a + o))
    br, bi = gl.split(gl.load(b + o))
    z = gl.join(ar * br - ai * bi, ar * bi + ai * br)
    gl.store(y + o, gl.convert_layout(z, L))


@gluon.jit
def mxfp4_quantize(q, s, x, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 1, 8], [LANES // 8, 2, 4], [gl.num_warps(), 1, 1], [2, 1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, gl.SliceLayout(2, L)))
    g = gl.arange(0, C // 32, gl.SliceLayout(0, gl.SliceLayout(2, L)))
    k = gl.arange(0, 32, gl.SliceLayout(0, gl.SliceLayout(1, L)))
    v = gl.load(x + r[:, None, None] * cols + g[None, :, None] * 32 + k[None, None, :]).to(gl.float32)
    top = gl.max(gl.abs(v), 2)
    e = ((top.to(gl.int32, bitcast=True) >> 23) & 255) - 2
    e = gl.maximum(e, 1)
    scale = ((254 - e) << 23).to(gl.float32, bitcast=True)
    u = gl.abs(v) * scale[:, :, None]
    code = gl.where(u < 0.25, 0, gl.where(u < 0.75, 1, gl.where(u < 1.25, 2, gl.where(u < 1.75, 3, gl.where(u < 2.5, 4, gl.where(u < 3.5, 5, gl.where(u < 5.0, 6, 7)))))))
    code = gl.where(v < 0.0, code | 8, code)
    lo, hi = gl.split(code.reshape([R, C // 2, 2]))
    byte = gl.convert_layout((lo | (hi << 4)).to(gl.uint8), gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0]))
    gl.store(q + offsets_of(gl.program_id(0) * R, 0, cols // 2, byte.type.layout, R, C // 2), byte)
    gl.store(s + r[:, None] * (cols // 32) + g[None, :], e.to(gl.uint8))


@gluon.jit
def fp8_tile_quantize(q, s, x, cols, FMAX: gl.constexpr, B: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(gl.program_id(0) * B, gl.program_id(1) * B, cols, L, B, B)
    v = gl.load(x + o).to(gl.float32)
    top = gl.max(gl.max(gl.abs(v), 1), 0)
    scale = gl.maximum(top, 1e-12) / FMAX
    gl.store(q + o, gl.minimum(gl.maximum(v / scale, -FMAX), FMAX).to(q.dtype.element_ty))
    gl.store(s + gl.program_id(0) * gl.num_programs(1) + gl.program_id(1), scale)


@gluon.jit
def embedding_bag_max(y, which, table, ids, starts, D: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [LANES], [gl.num_warps()], [0])
    d = gl.arange(0, D, L)
    best = gl.full([D], -float("inf"), gl.float32, L)
    at_ = gl.full([D], -1, gl.int32, L)
    for i in range(gl.load(starts + gl.program_id(0)), gl.load(starts + gl.program_id(0) + 1)):
        row = gl.load(ids + i)
        v = gl.load(table + row * D + d).to(gl.float32)
        more = v > best
        best = gl.where(more, v, best)
        at_ = gl.where(more, i, at_)
    gl.store(y + gl.program_id(0) * D + d, best.to(y.dtype.element_ty))
    gl.store(which + gl.program_id(0) * D + d, at_)


@gluon.jit
def lstm_cell(h, c, gates, c0, n, H, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    ok = i < n
    base = (i // H) * 4 * H + i % H
    a = gl.load(gates + base, mask=ok, other=0.0).to(gl.float32)
    f = gl.load(gates + base + H, mask=ok, other=0.0).to(gl.float32)
    g = gl.load(gates + base + 2 * H, mask=ok, other=0.0).to(gl.float32)
    o = gl.load(gates + base + 3 * H, mask=ok, other=0.0).to(gl.float32)
    n1 = gl.load(c0 + i, mask=ok, other=0.0) / (1.0 + gl.exp(-f)) + (2.0 / (1.0 + gl.exp(-2.0 * g)) - 1.0) / (1.0 + gl.exp(-a))
    gl.store(c + i, n1, mask=ok)
    gl.store(h + i, ((2.0 / (1.0 + gl.exp(-2.0 * n1)) - 1.0) / (1.0 + gl.exp(-o))).to(h.dtype.element_ty), mask=ok)


@gluon.jit
def winograd_input(y, x, W, C, BC: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [LANES], [gl.num_warps()], [0])
    c = gl.arange(0, BC, L)
    base = gl.program_id(0) * 2 * W * C + gl.program_id(1) * 2 * C
    for j in gl.static_range(4):
        a = gl.load(x + base + (0 * W + j) * C + c).to(gl.float32)
        b = gl.load(x + base + (1 * W + j) * C + c).to(gl.float32)
        d = gl.load(x + base + (2 * W + j) * C + c).to(gl.float32)
        e = gl.load(x + base + (3 * W + j) * C + c).to(gl.float32)
        o = ((gl.program_id(0) * gl.num_programs(1) + gl.program_id(1)) * 16 + j) * C + c
        gl.store(y + o, (a - d).to(y.dtype.element_ty))
        gl.store(y + o + 4 * C, (b + d).to(y.dtype.element_ty))
        gl.store(y + o + 8 * C, (d - b).to(y.dtype.element_ty))
        gl.store(y + o + 12 * C, (b - e).to(y.dtype.element_ty))


@gluon.jit
def lamb_step(p, m, v, norms, g, b1, b2, eps, decay, c1, c2, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    ok = i < n
    w = cdna3.buffer_load(p, i, mask=ok, other=0.0)
    d = cdna3.buffer_load(g, i, mask=ok, other=0.0).to(gl.float32)
    a = cdna3.buffer_load(m, i, mask=ok, other=0.0) * b1 + d * (1.0 - b1)
    b = cdna3.buffer_load(v, i, mask=ok, other=0.0) * b2 + d * d * (1.0 - b2)
    u = (a / c1) / (gl.sqrt(b / c2) + eps) + decay * w
    cdna3.buffer_store(a, m, i, mask=ok)
    cdna3.buffer_store(b, v, i, mask=ok)
    gl.atomic_add(norms, gl.sum(w * w, 0))
    gl.atomic_add(norms + 1, gl.sum(u * u, 0))


@gluon.jit
def permute_four(y, x, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, D: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 1, 1, 4], [1, 1, LANES // 8, 8], [1, gl.num_warps(), 1, 1], [3, 2, 1, 0])
    M: gl.constexpr = gl.BlockedLayout([1, 1, 1, 4], [1, 2, LANES // 8, 4], [1, 1, gl.num_warps(), 1], [3, 2, 1, 0])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, gl.SliceLayout(3, L))))
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, gl.SliceLayout(3, L))))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, gl.SliceLayout(3, L))))
    d = gl.arange(0, D, gl.SliceLayout(0, gl.SliceLayout(1, gl.SliceLayout(2, L))))
    v = gl.load(x + a[:, None, None, None] * (B * C * D) + b[None, :, None, None] * (C * D) + c[None, None, :, None] * D + d[None, None, None, :])
    t = gl.convert_layout(gl.permute(v, (2, 0, 3, 1)), M)
    e = gl.arange(0, C, gl.SliceLayout(1, gl.SliceLayout(2, gl.SliceLayout(3, M))))
    f = gl.arange(0, A, gl.SliceLayout(0, gl.SliceLayout(2, gl.SliceLayout(3, M))))
    g = gl.arange(0, D, gl.SliceLayout(0, gl.SliceLayout(1, gl.SliceLayout(3, M))))
    h = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(1, gl.SliceLayout(2, M))))
    gl.store(y + e[:, None, None, None] * (A * D * B) + f[None, :, None, None] * (D * B) + g[None, None, :, None] * B + h[None, None, None, :], t)


@gluon.jit
def special_functions(y, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    v = gl.load(x + i, mask=i < n, other=1.0)
    a = libdevice.tanh(v) + libdevice.log1p(gl.abs(v)) + libdevice.pow(gl.abs(v), 1.5)
    gl.store(y + i, a + gl.sin(v) * gl.cos(v) + gl.erf(v) + gl.floor(v) + gl.fma(v, v, 1.0), mask=i < n)


@gluon.jit
def downcast(q, s, x, cols, FORMAT: gl.constexpr, PACK: gl.constexpr, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 32], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    SL: gl.constexpr = gl.BlockedLayout([1, 1], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    v = gl.load(x + offsets_of(gl.program_id(0) * R, 0, cols, L, R, C))
    e = gl.load(s + offsets_of(gl.program_id(0) * R, 0, cols // 32, SL, R, C // 32))
    if LANES == 64:
        y = cdna4.scaled_downcast(v, e, FORMAT)
    else:
        y = cdna5.scaled_downcast(v, e, FORMAT)
    gl.store(q + offsets_of(gl.program_id(0) * R, 0, cols // PACK, y.type.layout, R, C // PACK), y)


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
    int4_group_quant[(4, 32)](bytes_, o, o, h, cols, 64, lanes)
    fp8_dequant_block[(4, 32)](d, f8, w, cols, 64, 128, lanes, buf)
    smooth_quant[(rows, )](s8, w, h, w, 3500, 4096, lanes, buf)
    gather_rows_mean[(64, )](d, b, ids, ids, 512, lanes, buf)
    scatter_rows_add[(64, )](x, y, ids, 128, 16, lanes)
    index_copy[(64, )](o, h, ids, ids, cols, 1024, lanes, buf)
    geglu_split[(rows, 2)](d, b, 2000, 1024, lanes, buf)
    adamw_bf16[(512, )](b, c, x, y, 0.001, 0.9, 0.999, 1e-08, 0.01, 10, n, 2048, lanes, buf)
    conv1d_causal[(16, )](d, b, w, w, 1000, 64, 64, 4, lanes)
    max_pool_2x2[(4, 16)](o, h, 256, 4096, 64, 128, lanes)
    upsample_nearest[(64, 4)](bytes_, bytes_, 4096, 1024, lanes)
    upsample_nearest[(64, 4)](h, g, 4096, 1024, lanes)
    transpose_pad[(4, 64)](y, x, rows, cols, 64, lanes)
    transpose_pad[(4, 64)](d, b, rows, cols, 64, lanes)
    transpose_3d[(16, )](o, h, 8, 32, 64, lanes)
    philox_like[(256, )](o, n, 1234, 0.1, 2048, lanes, buf)
    bit_unpack_2[(64, )](s8, bytes_, n, 512, lanes)
    complex_mul[(64, )](y, x, z, n, 1024, lanes)
    kind = chip.products
    p, q, r, o = (of(1 << 16, dtype=torch.float16) for _ in range(4))
    pb, qb, rb, ob = (of(1 << 16, dtype=torch.bfloat16) for _ in range(4))
    x, y, z, w, v = (of(1 << 16) for _ in range(5))
    ids, slots, flags = (of(1 << 12, dtype=torch.int32) for _ in range(3))
    ids64 = of(1 << 12, dtype=torch.int64)
    bytes_, s8, f8 = of(1 << 16, dtype=torch.uint8), of(1 << 16, dtype=torch.int8), of(1 << 16, dtype=chip.fp8)
    mxfp4_quantize[(1, )](bytes_, bytes_, pb, 128, 32, 128, lanes)
    if chip.has_fp8:
        fp8_tile_quantize[(1, 1)](f8, x, pb, 128, 240.0 if arch == "gfx942" else 448.0, 128, lanes)
    embedding_bag_max[(2, )](o, slots, p, ids64, ids, 256, lanes, num_warps=2)
    lstm_cell[(1, )](o, x, p, y, 1000, 100, 1024, lanes)
    winograd_input[(2, 2)](o, p, 8, 256, 256, lanes, num_warps=2)
    lamb_step[(1, )](x, y, z, w, p, 0.9, 0.99, 1e-06, 0.01, 0.1, 0.01, 2000, 2048, lanes)
    permute_four[(1, )](o, p, 4, 8, 16, 32, lanes)
    permute_four[(1, )](s8, s8, 4, 8, 16, 32, lanes)
    special_functions[(1, )](y, x, 500, 512, lanes)
    if arch in ("gfx950", "gfx1250"):
        f = of(1 << 16, dtype=chip.fp8)
        downcast[(1, )](f, bytes_, pb, 256, "e4m3", 1, 32, 256, lanes)
        downcast[(1, )](bytes_, bytes_, pb, 256, "e2m1", 2, 32, 256, lanes)


if __name__ == "__main__":
    run(cases)
