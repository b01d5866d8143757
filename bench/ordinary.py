"""Forty kernels of the kinds that people write, none of which the compiler was tuned to.

As a program it launches each of them once, so that `oracle.py record --main` makes records of them; bench/families.py compares
their PTX with Triton's, and bench/gpu.py --ordinary their times.
"""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, warpgroup_mma, warpgroup_mma_wait

LOG2E = gl.constexpr(1.4426950408889634)


# ---- Rows: norms, softmax and losses.


@gluon.jit
def _row(cols, BLOCK: gl.constexpr, layout: gl.constexpr):
    index = gl.arange(0, BLOCK, layout)
    return index, index < cols


@gluon.jit
def softmax(dst, src, stride, cols, BLOCK: gl.constexpr, VEC: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    index, inside = _row(cols, BLOCK, layout)
    row = gl.program_id(0) * stride
    x = gl.load(src + row + index, mask=inside, other=-float("inf")).to(gl.float32)
    e = gl.exp(x - gl.max(x, 0))
    gl.store(dst + row + index, (e / gl.sum(e, 0)).to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def softmax_tile(dst, src, rows, stride, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * stride + c[None, :]
    inside = (r < rows)[:, None]
    x = gl.load(src + at, mask=inside, other=0.0)
    e = gl.exp2((x - gl.max(x, 1)[:, None]) * LOG2E)
    gl.store(dst + at, e / gl.sum(e, 1)[:, None], mask=inside)


@gluon.jit
def online_softmax(dst, src, stride, cols, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    row = gl.program_id(0) * stride
    m = gl.full([BLOCK], -float("inf"), gl.float32, layout)
    s = gl.zeros([BLOCK], gl.float32, layout)
    for start in range(0, cols, BLOCK):
        index = start + gl.arange(0, BLOCK, layout)
        x = gl.load(src + row + index, mask=index < cols, other=-1e30)
        n = gl.maximum(m, x)
        s = s * gl.exp2((m - n) * LOG2E) + gl.exp2((x - n) * LOG2E)
        m = n
    most = gl.max(m, 0)
    total = gl.sum(s * gl.exp2((m - most) * LOG2E), 0)
    for start in range(0, cols, BLOCK):
        index = start + gl.arange(0, BLOCK, layout)
        x = gl.load(src + row + index, mask=index < cols, other=-1e30)
        gl.store(dst + row + index, gl.exp2((x - most) * LOG2E) / total, mask=index < cols)


@gluon.jit
def log_sum_exp(dst, src, rows, stride, cols, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    m = gl.full([R], -float("inf"), gl.float32, gl.SliceLayout(1, layout))
    s = gl.zeros([R], gl.float32, gl.SliceLayout(1, layout))
    for start in range(0, cols, C):
        x = gl.load(src + r[:, None] * stride + (start + c)[None, :], mask=(r < rows)[:, None] & (start + c < cols)[None, :], other=-float("inf"))
        n = gl.maximum(m, gl.max(x, 1))
        s = s * gl.exp2((m - n) * LOG2E) + gl.sum(gl.exp2((x - n[:, None]) * LOG2E), 1)
        m = n
    gl.store(dst + r, m + gl.log2(s) / LOG2E, mask=r < rows)


@gluon.jit
def layer_norm(dst, src, weight, bias, mean, rstd, stride, cols, eps, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    src += row * stride
    dst += row * stride
    total = gl.zeros([BLOCK], gl.float32, layout)
    for start in range(0, cols, BLOCK):
        index = start + gl.arange(0, BLOCK, layout)
        total += gl.load(src + index, mask=index < cols, other=0.0).to(gl.float32)
    average = gl.sum(total, 0) / cols
    squares = gl.zeros([BLOCK], gl.float32, layout)
    for start in range(0, cols, BLOCK):
        index = start + gl.arange(0, BLOCK, layout)
        x = gl.load(src + index, mask=index < cols, other=0.0).to(gl.float32)
        d = gl.where(index < cols, x - average, 0.0)
        squares += d * d
    scale = 1 / gl.sqrt(gl.sum(squares, 0) / cols + eps)
    gl.store(mean + row, average)
    gl.store(rstd + row, scale)
    for start in range(0, cols, BLOCK):
        index = start + gl.arange(0, BLOCK, layout)
        inside = index < cols
        x = gl.load(src + index, mask=inside, other=0.0).to(gl.float32)
        w = gl.load(weight + index, mask=inside).to(gl.float32)
        b = gl.load(bias + index, mask=inside).to(gl.float32)
        gl.store(dst + index, ((x - average) * scale * w + b).to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def layer_norm_backward(dx, dy, src, weight, mean, rstd, stride, cols, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index, inside = _row(cols, BLOCK, layout)
    x = gl.load(src + row * stride + index, mask=inside, other=0).to(gl.float32)
    g = gl.load(dy + row * stride + index, mask=inside, other=0).to(gl.float32)
    w = gl.load(weight + index, mask=inside, other=0).to(gl.float32)
    xhat = gl.where(inside, (x - gl.load(mean + row)) * gl.load(rstd + row), 0.0)
    wg = gl.where(inside, w * g, 0.0)
    c1 = gl.sum(xhat * wg, 0) / cols
    c2 = gl.sum(wg, 0) / cols
    gl.store(dx + row * stride + index, ((wg - (xhat * c1 + c2)) * gl.load(rstd + row)).to(dx.dtype.element_ty), mask=inside)


@gluon.jit
def rms_norm(dst, src, weight, stride, cols, eps, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    index, inside = _row(cols, BLOCK, layout)
    row = gl.program_id(0).to(gl.int64) * stride
    x = gl.load(src + row + index, mask=inside, other=0.0).to(gl.float32)
    scale = gl.rsqrt(gl.sum(x * x, 0) / cols + eps)
    w = gl.load(weight + index, mask=inside, other=0.0).to(gl.float32)
    gl.store(dst + row + index, (x * scale * w).to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def batch_statistics(mean, variance, src, rows, cols, R: gl.constexpr, C: gl.constexpr):
    """Along the slow axis."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    s = gl.zeros([R, C], gl.float32, layout)
    q = gl.zeros([R, C], gl.float32, layout)
    for start in range(0, rows, R):
        x = gl.load(src + (start + r)[:, None] * cols + c[None, :], mask=(start + r < rows)[:, None], other=0.0)
        s += x
        q += x * x
    average = gl.sum(s, 0) / rows
    gl.store(mean + c, average)
    gl.store(variance + c, gl.sum(q, 0) / rows - average * average)


@gluon.jit
def cross_entropy(loss, logits, labels, stride, cols, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    logits += row.to(gl.int64) * stride
    m = -float("inf")
    s = 0.0
    for start in range(0, cols, BLOCK):
        index = start + gl.arange(0, BLOCK, layout)
        x = gl.load(logits + index, mask=index < cols, other=-float("inf")).to(gl.float32)
        n = gl.maximum(m, gl.max(x, 0))
        s = s * gl.exp(m - n) + gl.sum(gl.exp(x - n), 0)
        m = n
    label = gl.load(labels + row)
    gl.store(loss + row, m + gl.log(s) - gl.load(logits + label).to(gl.float32))


# ---- Elementwise.


@gluon.jit
def swiglu(dst, gate, up, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    g = gl.load(gate + index, mask=index < count).to(gl.float32)
    u = gl.load(up + index, mask=index < count).to(gl.float32)
    gl.store(dst + index, (g / (1 + gl.exp(-g)) * u).to(dst.dtype.element_ty), mask=index < count)


@gluon.jit
def gelu_bias(dst, src, bias, count, cols, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x = gl.load(src + index, mask=index < count) + gl.load(bias + index % cols, mask=index < count)
    gl.store(dst + index, 0.5 * x * (1 + gl.erf(x * 0.7071067811865475)), mask=index < count)


@gluon.jit
def half_arithmetic(dst, a, b, c, count, BLOCK: gl.constexpr):
    """Without a detour to fp32."""
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x, y, z = gl.load(a + index), gl.load(b + index), gl.load(c + index)
    gl.store(dst + index, gl.maximum(x * y + z, x - z))


@gluon.jit
def dropout(dst, src, count, p, seed, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x = gl.load(src + index, mask=index < count)
    h = (index ^ seed) * 0x45d9f3b
    h = (h ^ (h >> 16)) * 0x45d9f3b
    keep = ((h ^ (h >> 16)) & 0xffffff).to(gl.float32) * (1.0 / 16777216.0) > p
    gl.store(dst + index, gl.where(keep, x / (1 - p), 0.0), mask=index < count)


@gluon.jit
def adam(p, g, m, v, count, rate, b1, b2, eps, decay, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = index < count
    x = gl.load(p + index, mask=inside)
    d = gl.load(g + index, mask=inside).to(gl.float32)
    first = gl.load(m + index, mask=inside) * b1 + (1 - b1) * d
    second = gl.load(v + index, mask=inside) * b2 + (1 - b2) * d * d
    gl.store(m + index, first, mask=inside)
    gl.store(v + index, second, mask=inside)
    gl.store(p + index, x * (1 - rate * decay) - rate * first / (gl.sqrt(second) + eps), mask=inside)


@gluon.jit
def rope(dst, src, cos, sin, stride, HALF: gl.constexpr, H: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    h = gl.arange(0, H, gl.SliceLayout(1, layout))
    d = gl.arange(0, HALF, gl.SliceLayout(0, layout))
    token = gl.program_id(0)
    c = gl.load(cos + token * HALF + d)[None, :]
    s = gl.load(sin + token * HALF + d)[None, :]
    at = token * stride + h[:, None] * (2 * HALF) + d[None, :]
    a = gl.load(src + at).to(gl.float32)
    b = gl.load(src + at + HALF).to(gl.float32)
    gl.store(dst + at, (a * c - b * s).to(dst.dtype.element_ty))
    gl.store(dst + at + HALF, (b * c + a * s).to(dst.dtype.element_ty))


@gluon.jit
def rope_interleaved(dst, src, cos, sin, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 2], [32, 1], [gl.num_warps(), 1], [1, 0])
    half: gl.constexpr = gl.SliceLayout(1, layout)
    row = gl.program_id(0) * BLOCK * 2
    i = gl.arange(0, BLOCK, half)
    k = gl.arange(0, 2, gl.SliceLayout(0, layout))
    at = row + i[:, None] * 2 + k[None, :]
    a, b = gl.load(src + at).to(gl.float32).split()
    c, s = gl.load(cos + i), gl.load(sin + i)
    c, s = gl.convert_layout(c, a.type.layout), gl.convert_layout(s, a.type.layout)
    both = gl.join(a * c - b * s, b * c + a * s)
    gl.store(dst + at, gl.convert_layout(both, layout).to(dst.dtype.element_ty))


@gluon.jit
def to_fp8(dst, scales, src, stride, BLOCK: gl.constexpr):
    """One scale for each row."""
    layout: gl.constexpr = gl.BlockedLayout([16], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index = gl.arange(0, BLOCK, layout)
    x = gl.load(src + row * stride + index).to(gl.float32)
    scale = gl.maximum(gl.max(gl.abs(x), 0), 1e-10) / 448.0
    gl.store(scales + row, scale)
    gl.store(dst + row * stride + index, (x / scale).to(gl.float8e4nv))


@gluon.jit
def to_fp8_groups(dst, scales, src, stride, R: gl.constexpr, G: gl.constexpr, K: gl.constexpr):
    """One scale for each 128 neighbours."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    for k in range(K):
        at = r[:, None] * stride + (k * G + c)[None, :]
        x = gl.load(src + at).to(gl.float32)
        scale = gl.max(gl.abs(x), 1) * (1 / 448.0) + 1e-12
        gl.store(dst + at, (x / scale[:, None]).to(gl.float8e4nv))
        gl.store(scales + r * K + k, scale)


@gluon.jit
def from_int4(dst, src, scales, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    packed = gl.load(src + index, mask=index < count)
    scale = gl.load(scales + index // 64, mask=index < count)
    low = ((packed & 15).to(gl.float16) - 8.0) * scale
    high = ((packed >> 4).to(gl.float16) - 8.0) * scale
    at = index * 2
    gl.store(dst + at, low, mask=index < count)
    gl.store(dst + at + 1, high, mask=index < count)


# ---- Moves.


@gluon.jit
def transpose_convert(dst, src, rows, cols, B: gl.constexpr):
    across: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    down: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    r = gl.program_id(0) * B
    c = gl.program_id(1) * B
    x = gl.load(src + (r + gl.arange(0, B, gl.SliceLayout(1, across)))[:, None] * cols + (c + gl.arange(0, B, gl.SliceLayout(0, across)))[None, :])
    y = gl.convert_layout(x, down)
    gl.store(dst + (r + gl.arange(0, B, gl.SliceLayout(1, down)))[:, None] + (c + gl.arange(0, B, gl.SliceLayout(0, down)))[None, :] * rows, y)


@gluon.jit
def transpose_shared(dst, src, rows, cols, B: gl.constexpr):
    across: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * B
    c = gl.program_id(1) * B
    i = gl.arange(0, B, gl.SliceLayout(1, across))
    j = gl.arange(0, B, gl.SliceLayout(0, across))
    tile = gl.allocate_shared_memory(src.dtype.element_ty, [B, B], gl.PaddedSharedLayout.with_identity_for([[B, 1]], [B, B], [1, 0]))
    tile.store(gl.load(src + (r + i)[:, None] * cols + (c + j)[None, :], mask=((r + i) < rows)[:, None] & ((c + j) < cols)[None, :]))
    y = tile.permute((1, 0)).load(across)
    gl.store(dst + (c + i)[:, None] * rows + (r + j)[None, :], y, mask=((c + i) < cols)[:, None] & ((r + j) < rows)[None, :])


@gluon.jit
def embedding(dst, table, ids, stride, D: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    token = gl.load(ids + t)
    gl.store(dst + t[:, None] * stride + d[None, :], gl.load(table + token[:, None] * stride + d[None, :]))


@gluon.jit
def scatter_add(dst, src, ids, stride, D: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    token = gl.load(ids + t)
    gl.atomic_add(dst + token[:, None] * stride + d[None, :], gl.load(src + t[:, None] * stride + d[None, :]), sem="relaxed")


@gluon.jit
def gather_columns(dst, src, ids, stride, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * stride + c[None, :]
    gl.store(dst + at, gl.gather(gl.load(src + at), gl.load(ids + at), 1))


@gluon.jit
def cache_append(cache, new, slots, stride, D: gl.constexpr, H: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    h = gl.arange(0, H, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    token = gl.program_id(0)
    slot = gl.load(slots + token)
    if slot >= 0:
        at = h[:, None] * D + d[None, :]
        gl.store(cache + slot * stride + at, gl.load(new + token * stride + at))


# ---- Scans, histograms, sorts.


@gluon.jit
def _add(a, b):
    return a + b


@gluon.jit
def _linear(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@gluon.jit
def cumulative_sum(dst, src, stride, BLOCK: gl.constexpr, VEC: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * stride + gl.arange(0, BLOCK, layout)
    gl.store(dst + index, gl.associative_scan(gl.load(src + index), 0, _add))


@gluon.jit
def cumulative_sum_rows(dst, src, stride, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    at = r[:, None] * stride + gl.arange(0, C, gl.SliceLayout(0, layout))[None, :]
    gl.store(dst + at, gl.associative_scan(gl.load(src + at), 1, _add))


@gluon.jit
def cumulative_sum_columns(dst, src, stride, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2, 1], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * stride + c[None, :]
    gl.store(dst + at, gl.associative_scan(gl.load(src + at), 0, _add, reverse=True))


@gluon.jit
def linear_recurrence(dst, a, b, steps, stride, T: gl.constexpr, C: gl.constexpr):
    """h = a h + b along time, as state space models have it."""
    layout: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [gl.num_warps(), 1], [1, 0])
    t = gl.arange(0, T, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    h = gl.zeros([C], gl.float32, gl.SliceLayout(0, layout))
    for start in range(0, steps, T):
        at = (start + t)[:, None] * stride + c[None, :]
        x = gl.load(a + at)
        y = gl.load(b + at)
        y = gl.where((t == 0)[:, None], x * h[None, :] + y, y)
        _, out = gl.associative_scan((x, y), 0, _linear)
        gl.store(dst + at, out)
        h = gl.sum(gl.where((t == T - 1)[:, None], out, 0.0), 0)


@gluon.jit
def _larger(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return gl.where(first, a, b), gl.where(first, i, j)


@gluon.jit
def histogram(dst, src, count, BINS: gl.constexpr, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    bins: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    h = gl.histogram(gl.load(src + index, mask=index < count, other=0), BINS, mask=index < count, layout=bins)
    gl.atomic_add(dst + gl.arange(0, BINS, bins), h, sem="relaxed")


@gluon.jit
def top_k(values, places, src, stride, cols, K: gl.constexpr, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index, inside = _row(cols, BLOCK, layout)
    x = gl.load(src + row * stride + index, mask=inside, other=-float("inf")).to(gl.float32)
    for k in range(K):
        most, place = gl.reduce((x, index), 0, _larger)
        gl.store(values + row * K + k, most)
        gl.store(places + row * K + k, place)
        x = gl.where(index == place, -float("inf"), x)


@gluon.jit
def sum_columns(dst, src, rows, cols, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(1) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    x = gl.load(src + r[:, None] * cols + c[None, :], mask=(r < rows)[:, None] & (c < cols)[None, :], other=0.0).to(gl.float32)
    gl.atomic_add(dst + c, gl.sum(x, 0), mask=c < cols, sem="relaxed")


@gluon.jit
def sum_middle(dst, src, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1, 4], [1, 4, 8], [2, gl.num_warps() // 2, 1], [2, 1, 0])
    a = gl.program_id(0) * A + gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, layout)))
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, layout)))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, layout)))
    x = gl.load(src + a[:, None, None] * (B * C) + b[None, :, None] * C + c[None, None, :])
    out: gl.constexpr = gl.SliceLayout(1, layout)
    ao = gl.program_id(0) * A + gl.arange(0, A, gl.SliceLayout(1, out))
    co = gl.arange(0, C, gl.SliceLayout(0, out))
    gl.store(dst + ao[:, None] * C + co[None, :], gl.sum(x, 1))


# ---- Products.


@gluon.jit
def gemv(dst, matrix, vector, rows, cols, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    total = gl.zeros([R, C], gl.float32, layout)
    for k in range(0, cols, C):
        v = gl.load(vector + k + c).to(gl.float32)
        total += gl.load(matrix + r[:, None] * cols + (k + c)[None, :]).to(gl.float32) * v[None, :]
    gl.store(dst + r, gl.sum(total, 1).to(dst.dtype.element_ty))


@gluon.jit
def _tile(pointer, row, col, stride, layout: gl.constexpr, M: gl.constexpr, N: gl.constexpr):
    r = row + gl.arange(0, M, gl.SliceLayout(1, layout))
    c = col + gl.arange(0, N, gl.SliceLayout(0, layout))
    return pointer + r[:, None] * stride + c[None, :]


@gluon.jit
def mma_pipelined(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, STAGES: gl.constexpr):
    """Ampere's product with asynchronous copies in several stages."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [32 // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    copy_b: gl.constexpr = gl.BlockedLayout([1, 8], [32 // (BN // 8), BN // 8], [gl.num_warps(), 1], [1, 0])
    ring_a = gl.allocate_shared_memory(a.dtype.element_ty, [STAGES, BM, BK], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    ring_b = gl.allocate_shared_memory(b.dtype.element_ty, [STAGES, BK, BN], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    pa = _tile(a, row, 0, lda, copy, BM, BK)
    pb = _tile(b, 0, col, ldb, copy_b, BK, BN)
    for i in gl.static_range(STAGES - 1):
        async_copy.async_load(ring_a.index(i), pa)
        async_copy.async_load(ring_b.index(i), pb)
        async_copy.commit_group()
        pa += BK
        pb += BK * ldb
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, K // BK):
        async_copy.wait_group(STAGES - 2)
        x = ring_a.index(k % STAGES).load(gl.DotOperandLayout(0, mma, 2))
        y = ring_b.index(k % STAGES).load(gl.DotOperandLayout(1, mma, 2))
        slot = (k + STAGES - 1) % STAGES
        inside = k + STAGES - 1 < K // BK
        async_copy.async_load(ring_a.index(slot), pa, mask=inside)
        async_copy.async_load(ring_b.index(slot), pb, mask=inside)
        async_copy.commit_group()
        acc = mma_v2(x, y, acc)
        pa += BK
        pb += BK * ldb
    gl.store(_tile(out, row, col, ldc, mma, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def mma_simple(a, b, out, M, N, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    """Through registers, with masks."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    load: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, mma)
    rows = row + gl.arange(0, BM, gl.SliceLayout(1, load))
    cols = col + gl.arange(0, BN, gl.SliceLayout(0, load))
    for k in range(0, K, BK):
        ka = k + gl.arange(0, BK, gl.SliceLayout(0, load))
        kb = k + gl.arange(0, BK, gl.SliceLayout(1, load))
        x = gl.load(a + rows[:, None] * lda + ka[None, :], mask=(rows < M)[:, None] & (ka < K)[None, :], other=0.0)
        y = gl.load(b + kb[:, None] * ldb + cols[None, :], mask=(kb < K)[:, None] & (cols < N)[None, :], other=0.0)
        acc = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(y, gl.DotOperandLayout(1, mma, 2)), acc)
    rows = row + gl.arange(0, BM, gl.SliceLayout(1, mma))
    cols = col + gl.arange(0, BN, gl.SliceLayout(0, mma))
    gl.store(out + rows[:, None] * ldc + cols[None, :], acc.to(out.dtype.element_ty), mask=(rows < M)[:, None] & (cols < N)[None, :])


@gluon.jit
def split_k(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SPLIT: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    part = K // SPLIT
    first = gl.program_id(2) * part
    pa = _tile(a, row, first, lda, copy, BM, BK)
    pb = _tile(b, first, col, ldb, copy, BK, BN)
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, part, BK):
        x = gl.convert_layout(gl.load(pa), gl.DotOperandLayout(0, mma, 2))
        y = gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, mma, 2))
        acc = mma_v2(x, y, acc)
        pa += BK
        pb += BK * ldb
    gl.atomic_add(_tile(out, row, col, ldc, mma, BM, BN), acc, sem="relaxed")


@gluon.jit
def split_k_blocked(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SPLIT: gl.constexpr):
    """Sums in rows, after a change of layout."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    part = K // SPLIT
    first = gl.program_id(2) * part
    pa = _tile(a, row, first, lda, copy, BM, BK)
    pb = _tile(b, first, col, ldb, copy, BK, BN)
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, part, BK):
        x = gl.convert_layout(gl.load(pa), gl.DotOperandLayout(0, mma, 2))
        y = gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, mma, 2))
        acc = mma_v2(x, y, acc)
        pa += BK
        pb += BK * ldb
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    gl.atomic_add(_tile(out, row, col, ldc, rows, BM, BN), gl.convert_layout(acc, rows))


@gluon.jit
def int8_product(a, b, out, scale_a, scale_b, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 16], [8, 4], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    sa = gl.allocate_shared_memory(gl.int8, [BM, BK], gl.SwizzledSharedLayout(16, 1, 4, [1, 0]))
    sb = gl.allocate_shared_memory(gl.int8, [BN, BK], gl.SwizzledSharedLayout(16, 1, 4, [1, 0]))
    pa = _tile(a, row, 0, lda, copy, BM, BK)
    pb = _tile(b, col, 0, ldb, copy, BN, BK)  # transposed
    acc = gl.zeros([BM, BN], gl.int32, mma)
    for k in range(0, K, BK):
        sa.store(gl.load(pa))
        sb.store(gl.load(pb))
        acc = mma_v2(sa.load(gl.DotOperandLayout(0, mma, 4)), sb.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 4)), acc)
        pa += BK
        pb += BK
    r = row + gl.arange(0, BM, gl.SliceLayout(1, mma))
    c = col + gl.arange(0, BN, gl.SliceLayout(0, mma))
    result = acc.to(gl.float32) * gl.load(scale_a + r)[:, None] * gl.load(scale_b + c)[None, :]
    gl.store(out + r[:, None] * ldc + c[None, :], result.to(out.dtype.element_ty))


@gluon.jit
def grouped_product(a, b, out, offsets, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    """Rows of group g times its own matrix, as experts have it."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    group = gl.program_id(2)
    begin, end = gl.load(offsets + group), gl.load(offsets + group + 1)
    row = begin + gl.program_id(0) * BM
    if row < end:
        r = row + gl.arange(0, BM, gl.SliceLayout(1, copy))
        col = gl.program_id(1) * BN
        k = gl.arange(0, BK, gl.SliceLayout(0, copy))
        pa = a + r[:, None] * K + k[None, :]
        pb = _tile(b + group * K * N, 0, col, N, copy, BK, BN)
        acc = gl.zeros([BM, BN], gl.float32, mma)
        for _ in range(0, K, BK):
            x = gl.load(pa, mask=(r < end)[:, None], other=0.0)
            acc = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, mma, 2)), acc)
            pa += BK
            pb += BK * N
        ro = row + gl.arange(0, BM, gl.SliceLayout(1, mma))
        gl.store(_tile(out, row, col, N, mma, BM, BN), acc.to(out.dtype.element_ty), mask=(ro < end)[:, None])


@gluon.jit
def fma_product(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    """fp32 without matrix units."""
    layout: gl.constexpr = gl.BlockedLayout([4, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    pa = _tile(a, row, 0, lda, layout, BM, BK)
    pb = _tile(b, 0, col, ldb, layout, BK, BN)
    acc = gl.zeros([BM, BN], gl.float32, layout)
    for k in range(0, K, BK):
        x = gl.convert_layout(gl.load(pa), gl.DotOperandLayout(0, layout, 0))
        y = gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, layout, 0))
        acc = gl.dot_fma(x, y, acc)
        pa += BK
        pb += BK * ldb
    gl.store(_tile(out, row, col, ldc, layout, BM, BN), acc)


@gluon.jit
def attention(q, k, v, out, length, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, CAUSAL: gl.constexpr):
    """One head a program of the second axis, by mma_v2."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    head = gl.program_id(1) * length * D
    row = gl.program_id(0) * BM
    x = gl.convert_layout(gl.load(_tile(q + head, row, 0, D, copy, BM, D)), gl.DotOperandLayout(0, mma, 2))
    keys = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    values = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    pk = _tile(k + head, 0, 0, D, copy, BN, D)
    pv = _tile(v + head, 0, 0, D, copy, BN, D)
    acc = gl.zeros([BM, D], gl.float32, mma)
    m = gl.full([BM], -float("inf"), gl.float32, gl.SliceLayout(1, mma))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, mma))
    last = length
    if CAUSAL:
        last = row + BM
    r = row + gl.arange(0, BM, gl.SliceLayout(1, mma))
    for start in range(0, last, BN):
        async_copy.async_load(keys, pk)
        async_copy.async_load(values, pv)
        async_copy.commit_group()
        async_copy.wait_group(0)
        qk = mma_v2(x, keys.permute((1, 0)).load(gl.DotOperandLayout(1, mma, 2)), gl.zeros([BM, BN], gl.float32, mma)) * scale
        if CAUSAL:
            c = start + gl.arange(0, BN, gl.SliceLayout(0, mma))
            qk = gl.where(r[:, None] >= c[None, :], qk, -1e30)
        n = gl.maximum(m, gl.max(qk, 1))
        p = gl.exp2(qk - n[:, None])
        alpha = gl.exp2(m - n)
        s = s * alpha + gl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc = mma_v2(gl.convert_layout(p.to(q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), values.load(gl.DotOperandLayout(1, mma, 2)), acc)
        m = n
        pk += BN * D
        pv += BN * D
    gl.store(_tile(out + head, row, 0, D, mma, BM, D), (acc / s[:, None]).to(out.dtype.element_ty))


@gluon.jit
def attention_wgmma(q, k, v, out, length, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    """The same by Hopper's products."""
    scores: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    results: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, D, 16])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 16, rank=2)
    head = gl.program_id(1) * length * D
    row = gl.program_id(0) * BM
    queries = gl.allocate_shared_memory(q.dtype.element_ty, [BM, D], shared, gl.load(_tile(q + head, row, 0, D, copy, BM, D)))
    keys = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], shared)
    values = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], shared)
    pk = _tile(k + head, 0, 0, D, copy, BN, D)
    pv = _tile(v + head, 0, 0, D, copy, BN, D)
    acc = gl.zeros([BM, D], gl.float32, results)
    m = gl.full([BM], -float("inf"), gl.float32, gl.SliceLayout(1, scores))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, scores))
    for start in range(0, length, BN):
        keys.store(gl.load(pk))
        values.store(gl.load(pv))
        fence_async_shared()
        qk = warpgroup_mma(queries, keys.permute((1, 0)), gl.zeros([BM, BN], gl.float32, scores), use_acc=False, is_async=True)
        qk = warpgroup_mma_wait(num_outstanding=0, deps=(qk, )) * scale
        n = gl.maximum(m, gl.max(qk, 1))
        p = gl.exp2(qk - n[:, None])
        alpha = gl.exp2(m - n)
        s = s * alpha + gl.sum(p, 1)
        acc = acc * gl.convert_layout(alpha, gl.SliceLayout(1, results))[:, None]
        acc = warpgroup_mma(gl.convert_layout(p.to(q.dtype.element_ty), gl.DotOperandLayout(0, results, 2)), values, acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
        m = n
        pk += BN * D
        pv += BN * D
    acc = acc / gl.convert_layout(s, gl.SliceLayout(1, results))[:, None]
    gl.store(_tile(out + head, row, 0, D, results, BM, D), acc.to(out.dtype.element_ty))


@gluon.jit
def decode_attention(q, k, v, out, length, scale, D: gl.constexpr, BN: gl.constexpr):
    """One query, without matrix units."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    head = gl.program_id(0)
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    x = gl.load(q + head * D + d).to(gl.float32) * scale
    pk = _tile(k + head * length * D, 0, 0, D, layout, BN, D)
    pv = _tile(v + head * length * D, 0, 0, D, layout, BN, D)
    m = -float("inf")
    s = 0.0
    acc = gl.zeros([BN, D], gl.float32, layout)
    for start in range(0, length, BN):
        qk = gl.sum(gl.load(pk).to(gl.float32) * x[None, :], 1)
        n = gl.maximum(m, gl.max(qk, 0))
        p = gl.exp2(qk - n)
        alpha = gl.exp2(m - n)
        s = s * alpha + gl.sum(p, 0)
        acc = acc * alpha + p[:, None] * gl.load(pv).to(gl.float32)
        m = n
        pk += BN * D
        pv += BN * D
    gl.store(out + head * D + d, (gl.sum(acc, 0) / s).to(out.dtype.element_ty))


@gluon.jit
def wgmma_product(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    """Hopper's product with copies through registers, and a bias with an activation."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 16, rank=2)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [BM, BK], shared)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [BK, BN], shared)
    pa = _tile(a, row, 0, lda, copy, BM, BK)
    pb = _tile(b, 0, col, ldb, copy, BK, BN)
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for k in range(0, K, BK):
        sa.store(gl.load(pa))
        sb.store(gl.load(pb))
        fence_async_shared()
        acc = warpgroup_mma(sa, sb, acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
        pa += BK
        pb += BK * ldb
    acc = gl.maximum(acc, 0.0)
    out_layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    gl.store(_tile(out, row, col, ldc, out_layout, BM, BN), gl.convert_layout(acc.to(out.dtype.element_ty), out_layout))


def cases(scale=1):
    """(name, kernel, launch, outputs). `scale` divides the sizes; outputs of sums by atomics must be zeroed before a launch."""
    def rand(*shape, dtype=torch.float32):
        return torch.randn(shape, device="cuda").to(dtype)

    def empty(*shape, dtype=torch.float32):
        return torch.empty(shape, device="cuda", dtype=dtype)

    half, bf16, fp8, i32 = torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.int32
    rows = 16384 // scale
    hopper = torch.cuda.get_device_capability()[0] == 9
    x, y = rand(rows, 4096), empty(rows, 4096)
    h, g = rand(rows, 4096, dtype=half), empty(rows, 4096, dtype=half)
    z, o = rand(rows, 4096, dtype=bf16), empty(rows, 4096, dtype=bf16)
    per_row, per_row2 = empty(rows), empty(rows)
    w, b = rand(4096), rand(4096)
    wh, bh = rand(4096, dtype=half), rand(4096, dtype=half)
    count = rows * 4096
    yield "softmax, fp32", softmax, lambda: softmax[(rows, )](y, x, 4096, 4096, 4096, 4, num_warps=8), [y]
    yield "softmax, fp16, odd width", softmax, lambda: softmax[(rows, )](g, h, 4096, 4001, 4096, 8, num_warps=4), [g]
    yield "softmax of tiles", softmax_tile, lambda: softmax_tile[(count // 256 // 32, )](y, x, count // 256, 256, 32, 256), [y]
    yield "online softmax", online_softmax, lambda: online_softmax[(rows, )](y, x, 4096, 4096, 1024), [y]
    yield "log-sum-exp", log_sum_exp, lambda: log_sum_exp[(rows // 32, )](per_row, x, rows, 4096, 4096, 32, 64), [per_row]
    yield "layer norm", layer_norm, lambda: layer_norm[(rows, )](g, h, wh, bh, per_row, per_row2, 4096, 4096, 1e-5, 1024), [g, per_row, per_row2]
    yield "layer norm backward", layer_norm_backward, lambda: layer_norm_backward[(rows, )](o, z, z, w, w, b, 4096, 4096, 4096, num_warps=8), [o]
    yield "rms norm", rms_norm, lambda: rms_norm[(rows, )](o, z, w, 4096, 4096, 1e-6, 4096, num_warps=8), [o]
    c1, c2 = empty(4096), empty(4096)
    yield "batch statistics", batch_statistics, lambda: batch_statistics[(4096 // 32, )](c1, c2, x, rows, 4096, 64, 32), [c1, c2]
    labels = torch.randint(0, 4096, (rows, ), device="cuda")
    yield "cross entropy", cross_entropy, lambda: cross_entropy[(rows, )](per_row, z, labels, 4096, 4096, 2048), [per_row]
    yield "swiglu", swiglu, lambda: swiglu[(count // 2048, )](o, z, z, count, 2048), [o]
    yield "gelu with bias", gelu_bias, lambda: gelu_bias[(count // 1024, )](y, x, w, count, 4096, 1024), [y]
    yield "half arithmetic", half_arithmetic, lambda: half_arithmetic[(count // 2048, )](g, h, h, h, count, 2048), [g]
    yield "dropout", dropout, lambda: dropout[(count // 1024, )](y, x, count, 0.25, 12345, 1024), [y]
    pm, pv, pp = rand(count // 4), rand(count // 4).abs(), rand(count // 4)
    pg = rand(count // 4, dtype=bf16)
    yield "adam", adam, lambda: adam[(count // 4096, )](pp, pg, pm, pv, count // 4, 0.0, 1.0, 1.0, 1e-8, 0.01, 1024), [pp]
    angles, angles2 = rand(rows, 64), rand(rows, 64)
    yield "rope", rope, lambda: rope[(rows, )](o, z, angles, angles2, 4096, 64, 32), [o]
    yield "rope, interleaved", rope_interleaved, lambda: rope_interleaved[(count // 2048, )](o, z, angles, angles2, 1024), [o]
    q8 = empty(rows, 4096, dtype=fp8)
    yield "fp8 by rows", to_fp8, lambda: to_fp8[(rows, )](q8, per_row, z, 4096, 4096), [per_row, q8]
    group_scales = empty(rows, 32)
    yield "fp8 by groups", to_fp8_groups, lambda: to_fp8_groups[(rows // 32, )](q8, group_scales, z, 4096, 32, 128, 32), [group_scales, q8]
    nibbles = torch.randint(0, 255, (count // 2, ), device="cuda").to(torch.uint8)
    yield "from int4", from_int4, lambda: from_int4[(count // 2 // 2048, )](g, nibbles, wh.repeat(count // 2 // 64 // 4096 + 1), count // 2, 2048), [g]
    yield "transpose by conversion, fp16", transpose_convert, lambda: transpose_convert[(rows // 64, 64)](g, h, rows, 4096, 64), [g]
    yield "transpose by conversion, fp32", transpose_convert, lambda: transpose_convert[(rows // 32, 128)](y, x, rows, 4096, 32), [y]
    yield "transpose by padded memory", transpose_shared, lambda: transpose_shared[(rows // 64, 64)](y, x, rows, 4096, 64), [y]
    ids = torch.randint(0, rows, (rows, ), device="cuda").to(i32)
    yield "embedding", embedding, lambda: embedding[(rows // 4, )](o, z, ids, 4096, 4096, 4), [o]
    yield "scatter by sums", scatter_add, lambda: scatter_add[(rows // 4, )](y, x, ids, 4096, 4096, 4), [y]
    lanes = torch.randint(0, 128, (count // 128, 128), device="cuda").to(i32)
    yield "gather columns", gather_columns, lambda: gather_columns[(count // 128 // 16, )](y, x, lanes, 128, 16, 128), [y]
    yield "cache append", cache_append, lambda: cache_append[(rows, )](o, z, torch.arange(rows, device="cuda"), 4096, 128, 32), [o]
    yield "cumulative sum", cumulative_sum, lambda: cumulative_sum[(rows, )](y, x, 4096, 4096, 4), [y]
    yield "cumulative sum, 8 warps, one a thread", cumulative_sum, lambda: cumulative_sum[(rows, )](y, x, 4096, 4096, 1, num_warps=8), [y]
    yield "cumulative sum of rows", cumulative_sum_rows, lambda: cumulative_sum_rows[(count // 512 // 8, )](y, x, 512, 8, 512), [y]
    yield "cumulative sum of columns", cumulative_sum_columns, lambda: cumulative_sum_columns[(4096 // 16, )](y, x, 4096, 256, 16), [y]
    yield "linear recurrence", linear_recurrence, lambda: linear_recurrence[(4096 // 8, )](y, torch.sigmoid(x), x, rows // 4, 4096, 64, 8), [y]
    counts = torch.zeros(256, device="cuda", dtype=i32)
    bytes_ = torch.randint(0, 256, (count // 4, ), device="cuda").to(i32)
    yield "histogram", histogram, lambda: histogram[(count // 4 // 4096, )](counts, bytes_, count // 4, 256, 4096), [counts]
    best, places = empty(rows, 8), empty(rows, 8, dtype=i32)
    yield "top 8", top_k, lambda: top_k[(rows, )](best, places, z, 4096, 1000, 8, 1024), [best, places]
    yield "sum of columns by atomics", sum_columns, lambda: sum_columns[(4096 // 64, rows // 128)](c1, z, rows, 4096, 128, 64), [c1]
    yield "sum of a middle axis", sum_middle, lambda: sum_middle[(count // 4096 // 4, )](y, x, 4, 64, 64), [y]
    yield "matrix by vector", gemv, lambda: gemv[(rows // 8, )](per_row, z, z, rows, 4096, 8, 512), [per_row]
    n = 4096 // scale
    p, q = rand(n, n, dtype=half), rand(n, n, dtype=half)
    r, rf = empty(n, n, dtype=half), empty(n, n)
    tiles = (n // 128, n // 128)
    pb, qb, rb = p.to(bf16), q.to(bf16), empty(n, n, dtype=bf16)
    yield "mma_v2, 3 stages", mma_pipelined, lambda: mma_pipelined[tiles](p, q, r, n, n, n, n, 128, 128, 32, 3), [r]
    yield "mma_v2, 4 stages, bf16", mma_pipelined, lambda: mma_pipelined[(n // 128, n // 64)](pb, qb, rb, n, n, n, n, 128, 64, 32, 4), [rb]
    yield "mma_v2 with masks", mma_simple, lambda: mma_simple[tiles](p, q, r, n - 8, n - 8, n, n, n, n, 128, 128, 32, num_warps=8), [r]
    yield "split K", split_k, lambda: split_k[(n // 64, n // 64, 4)](p, q, rf, n, n, n, n, 64, 64, 32, 4), [rf]
    yield "split K in rows", split_k_blocked, lambda: split_k_blocked[(n // 64, n // 64, 4)](p, q, rf, n, n, n, n, 64, 64, 32, 4), [rf]
    ia, ib = (torch.randint(-100, 100, (n, n), device="cuda").to(torch.int8) for _ in range(2))
    yield "int8 product", int8_product, lambda: int8_product[tiles](ia, ib, r, w, b, n, n, n, n, 128, 128, 64), [r]
    offsets = (torch.arange(9, device="cuda") * (n // 8)).to(i32)
    experts = rand(8, n, 1024, dtype=bf16)
    grouped = empty(n, 1024, dtype=bf16)
    yield "grouped product", grouped_product, lambda: grouped_product[(n // 64 // 8, 1024 // 64, 8)](pb, experts, grouped, offsets, n, 1024, 64, 64, 32), [grouped]
    fa, fb = rand(n // 2, n // 2), rand(n // 2, n // 2)
    fo = empty(n // 2, n // 2)
    yield "fp32 product by FMA", fma_product, lambda: fma_product[(n // 128, n // 128)](fa, fb, fo, n // 2, n // 2, n // 2, n // 2, 64, 64, 16), [fo]
    heads, length = 64 // scale, 2048
    aq, ak, av = (rand(heads, length, 64, dtype=half) for _ in range(3))
    ao = empty(heads, length, 64, dtype=half)
    yield "attention", attention, lambda: attention[(length // 64, heads)](aq, ak, av, ao, length, 0.18, 64, 64, 64, False), [ao]
    yield "causal attention, 8 warps", attention, lambda: attention[(length // 128, heads)](aq, ak, av, ao, length, 0.18, 64, 128, 64, True, num_warps=8), [ao]
    yield "decoding attention", decode_attention, lambda: decode_attention[(heads, )](aq, ak, av, ao, length, 0.18, 64, 64), [ao]
    if hopper:
        yield "attention by wgmma", attention_wgmma, lambda: attention_wgmma[(length // 128, heads)](aq, ak, av, ao, length, 0.18, 64, 128, 64, num_warps=8), [ao]
        yield "product by wgmma", wgmma_product, lambda: wgmma_product[tiles](p, q, r, n, n, n, n, 128, 128, 64, num_warps=8), [r]


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
