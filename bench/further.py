"""Kernels of the kinds that people write, written after the compiler was tuned to those of bench/ordinary.py: a check that it was not tuned to them alone.

As a program it launches each of them once, as bench/ordinary.py does; bench/gpu.py --ordinary times both files.
"""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma, warpgroup_mma, warpgroup_mma_wait
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

LOG2E = gl.constexpr(1.4426950408889634)


# ---- Rows.


@gluon.jit
def group_norm(dst, src, weight, bias, size, channels, eps, GROUP: gl.constexpr, BLOCK: gl.constexpr):
    """One program for each group of channels of one image; `size` pixels in each channel."""
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    base = (gl.program_id(1) * channels + gl.program_id(0) * GROUP) * size
    index = gl.arange(0, BLOCK, layout)
    total = gl.zeros([BLOCK], gl.float32, layout)
    squares = gl.zeros([BLOCK], gl.float32, layout)
    for start in range(0, GROUP * size, BLOCK):
        x = gl.load(src + base + start + index, mask=start + index < GROUP * size, other=0.0).to(gl.float32)
        total += x
        squares += x * x
    mean = gl.sum(total, 0) / (GROUP * size)
    scale = gl.rsqrt(gl.sum(squares, 0) / (GROUP * size) - mean * mean + eps)
    for start in range(0, GROUP * size, BLOCK):
        inside = start + index < GROUP * size
        x = gl.load(src + base + start + index, mask=inside, other=0.0).to(gl.float32)
        channel = gl.program_id(0) * GROUP + (start + index) // size
        w = gl.load(weight + channel, mask=inside, other=0.0)
        b = gl.load(bias + channel, mask=inside, other=0.0)
        gl.store(dst + base + start + index, ((x - mean) * scale * w + b).to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def softmax_backward(dx, dy, y, stride, cols, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    index = gl.arange(0, BLOCK, layout)
    inside = index < cols
    row = gl.program_id(0) * stride
    p = gl.load(y + row + index, mask=inside, other=0.0).to(gl.float32)
    g = gl.load(dy + row + index, mask=inside, other=0.0).to(gl.float32)
    gl.store(dx + row + index, (p * (g - gl.sum(p * g, 0))).to(dx.dtype.element_ty), mask=inside)


@gluon.jit
def add_rms_norm(dst, total, residual, src, weight, stride, eps, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    index = gl.arange(0, BLOCK, layout)
    row = gl.program_id(0).to(gl.int64) * stride
    x = gl.load(src + row + index).to(gl.float32) + gl.load(residual + row + index).to(gl.float32)
    gl.store(total + row + index, x.to(total.dtype.element_ty))
    scale = 1.0 / gl.sqrt(gl.sum(x * x, 0) / BLOCK + eps)
    gl.store(dst + row + index, (x * scale * gl.load(weight + index).to(gl.float32)).to(dst.dtype.element_ty))


@gluon.jit
def layer_norm_rows(dst, src, weight, bias, rows, eps, R: gl.constexpr, C: gl.constexpr):
    """Several short rows in one program."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * C + c[None, :]
    inside = (r < rows)[:, None]
    x = gl.load(src + at, mask=inside, other=0.0)
    mean = gl.sum(x, 1) / C
    centered = x - mean[:, None]
    variance = gl.sum(centered * centered, 1) / C
    out = centered * gl.rsqrt(variance + eps)[:, None] * gl.load(weight + c)[None, :] + gl.load(bias + c)[None, :]
    gl.store(dst + at, out, mask=inside)


@gluon.jit
def cross_entropy_backward(logits, labels, lse, grad, stride, cols, BLOCK: gl.constexpr):
    """In place, as training loops do it."""
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    label = gl.load(labels + row)
    total = gl.load(lse + row)
    scale = gl.load(grad + row)
    for start in range(0, cols, BLOCK):
        index = start + gl.arange(0, BLOCK, layout)
        inside = index < cols
        x = gl.load(logits + row.to(gl.int64) * stride + index, mask=inside, other=0.0).to(gl.float32)
        p = gl.exp(x - total)
        p = gl.where(index == label, p - 1.0, p)
        gl.store(logits + row.to(gl.int64) * stride + index, (p * scale).to(logits.dtype.element_ty), mask=inside)


@gluon.jit
def divergence(out, p, q, stride, cols, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    row = gl.program_id(0) * stride
    index = gl.arange(0, BLOCK, layout)
    total = gl.zeros([BLOCK], gl.float32, layout)
    for start in range(0, cols, BLOCK):
        a = gl.load(p + row + start + index, mask=start + index < cols, other=1.0)
        b = gl.load(q + row + start + index, mask=start + index < cols, other=1.0)
        total += a * (gl.log(a) - gl.log(b))
    gl.store(out + gl.program_id(0), gl.sum(total, 0))


@gluon.jit
def _better(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return gl.where(first, a, b), gl.where(first, i, j)


@gluon.jit
def arg_max(places, src, rows, stride, R: gl.constexpr, C: gl.constexpr, cols):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    best = gl.full([R], -float("inf"), gl.float32, gl.SliceLayout(1, layout))
    place = gl.zeros([R], gl.int32, gl.SliceLayout(1, layout))
    for start in range(0, cols, C):
        c = start + gl.arange(0, C, gl.SliceLayout(0, layout))
        x = gl.load(src + r[:, None] * stride + c[None, :]).to(gl.float32)
        columns, _ = gl.broadcast(c[None, :], x)
        most, at = gl.reduce((x, columns), 1, _better)
        place = gl.where(most > best, at, place)
        best = gl.maximum(best, most)
    gl.store(places + r, place, mask=r < rows)


@gluon.jit
def _merge(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    delta = mean_b - mean_a
    share = gl.where(n == 0.0, 0.0, n_b / n)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@gluon.jit
def welford(mean, variance, src, stride, cols, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    index = gl.arange(0, BLOCK, layout)
    inside = index < cols
    x = gl.load(src + gl.program_id(0) * stride + index, mask=inside, other=0.0)
    m, m2, n = gl.reduce((x, gl.zeros([BLOCK], gl.float32, layout), inside.to(gl.float32)), 0, _merge)
    gl.store(mean + gl.program_id(0), m)
    gl.store(variance + gl.program_id(0), m2 / n)


# ---- Elements and numbers.


@gluon.jit
def to_int8(dst, scales, src, stride, cols, BLOCK: gl.constexpr):
    """One scale for each token."""
    layout: gl.constexpr = gl.BlockedLayout([16], [32], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index = gl.arange(0, BLOCK, layout)
    x = gl.load(src + row * stride + index, mask=index < cols, other=0.0).to(gl.float32)
    scale = gl.max(gl.abs(x), 0) / 127.0 + 1e-9
    rounded = gl.floor(x / scale + 0.5)
    gl.store(dst + row * stride + index, gl.minimum(gl.maximum(rounded, -128.0), 127.0).to(gl.int8), mask=index < cols)
    gl.store(scales + row, scale)


@gluon.jit
def from_fp8_blocks(dst, src, scales, stride, R: gl.constexpr, C: gl.constexpr):
    """One scale for each tile."""
    layout: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    scale = gl.load(scales + gl.program_id(0) * gl.num_programs(1) + gl.program_id(1))
    at = r[:, None] * stride + c[None, :]
    gl.store(dst + at, (gl.load(src + at).to(gl.float32) * scale).to(dst.dtype.element_ty))


@gluon.jit
def dropout_residual(dst, src, bias, residual, count, cols, p, seed, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = index < count
    x = gl.load(src + index, mask=inside).to(gl.float32) + gl.load(bias + index % cols, mask=inside)
    kept = ((index * 1103515245 + seed) >> 8 & 65535).to(gl.float32) > p * 65536.0
    x = gl.where(kept, x / (1.0 - p), 0.0) + gl.load(residual + index, mask=inside).to(gl.float32)
    gl.store(dst + index, x.to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def normalize_image(dst, src, height, width, BLOCK: gl.constexpr):
    """Bytes of pixels side by side to planes of fp16."""
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    pixel = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = pixel < height * width
    for channel in gl.static_range(3):
        x = gl.load(src + pixel * 3 + channel, mask=inside, other=0).to(gl.float32)
        gl.store(dst + channel * height * width + pixel, ((x / 255.0 - 0.45) / 0.225).to(gl.float16), mask=inside)


@gluon.jit
def complex_multiply(dst, a, b, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    inside = index < count
    ar, ai = gl.load(a + 2 * index, mask=inside), gl.load(a + 2 * index + 1, mask=inside)
    br, bi = gl.load(b + 2 * index, mask=inside), gl.load(b + 2 * index + 1, mask=inside)
    gl.store(dst + 2 * index, ar * br - ai * bi, mask=inside)
    gl.store(dst + 2 * index + 1, ar * bi + ai * br, mask=inside)


# ---- Neighbours and indices.


@gluon.jit
def causal_convolution(dst, src, weight, bias, length, dim, T: gl.constexpr, C: gl.constexpr):
    """Four taps in each channel, then SiLU, as state space models have it."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    total = gl.load(bias + c)[None, :] + gl.zeros([T, C], gl.float32, layout)
    for tap in gl.static_range(4):
        at = t - 3 + tap
        x = gl.load(src + at[:, None] * dim + c[None, :], mask=((at >= 0) & (at < length))[:, None], other=0.0).to(gl.float32)
        total += x * gl.load(weight + c * 4 + tap)[None, :]
    total = total / (1.0 + gl.exp(-total))
    gl.store(dst + t[:, None] * dim + c[None, :], total.to(dst.dtype.element_ty), mask=(t < length)[:, None])


@gluon.jit
def five_points(dst, src, height, width, H: gl.constexpr, W: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    y = gl.program_id(1) * H + gl.arange(0, H, gl.SliceLayout(1, layout))
    x = gl.program_id(0) * W + gl.arange(0, W, gl.SliceLayout(0, layout))
    at = y[:, None] * width + x[None, :]
    inside = ((y > 0) & (y < height - 1))[:, None] & ((x > 0) & (x < width - 1))[None, :]
    center = gl.load(src + at, mask=inside, other=0.0)
    around = gl.load(src + at - 1, mask=inside, other=0.0) + gl.load(src + at + 1, mask=inside, other=0.0)
    around += gl.load(src + at - width, mask=inside, other=0.0) + gl.load(src + at + width, mask=inside, other=0.0)
    gl.store(dst + at, 0.5 * center + 0.125 * around, mask=inside)


@gluon.jit
def max_pool(dst, src, height, width, H: gl.constexpr, W: gl.constexpr):
    """Windows of 2x2."""
    layout: gl.constexpr = gl.BlockedLayout([1, 2], [1, 32], [gl.num_warps(), 1], [1, 0])
    y = gl.program_id(1) * H + gl.arange(0, H, gl.SliceLayout(1, layout))
    x = gl.program_id(0) * W + gl.arange(0, W, gl.SliceLayout(0, layout))
    most = gl.full([H, W], -float("inf"), gl.float32, layout)
    for i in gl.static_range(2):
        for j in gl.static_range(2):
            at = (2 * y + i)[:, None] * width + (2 * x + j)[None, :]
            most = gl.maximum(most, gl.load(src + at).to(gl.float32))
    gl.store(dst + y[:, None] * (width // 2) + x[None, :], most.to(dst.dtype.element_ty))


@gluon.jit
def embedding_bag(dst, table, ids, starts, stride, D: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    d = gl.arange(0, D, layout)
    bag = gl.program_id(0)
    first, last = gl.load(starts + bag), gl.load(starts + bag + 1)
    total = gl.zeros([D], gl.float32, layout)
    for i in range(first, last):
        total += gl.load(table + gl.load(ids + i).to(gl.int64) * stride + d).to(gl.float32)
    gl.store(dst + bag * D + d, total.to(dst.dtype.element_ty))


@gluon.jit
def segment_max(dst, src, segments, rows, R: gl.constexpr, C: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    segment = gl.load(segments + r, mask=r < rows, other=0)
    x = gl.load(src + r[:, None] * C + c[None, :], mask=(r < rows)[:, None], other=0)
    gl.atomic_max(dst + segment[:, None] * C + c[None, :], x, mask=(r < rows)[:, None], sem="relaxed")


@gluon.jit
def _add(a, b):
    return a + b


@gluon.jit
def discounted_returns(dst, rewards, stride, BLOCK: gl.constexpr):
    """A sum from the end."""
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    at = gl.program_id(0) * stride + gl.arange(0, BLOCK, layout)
    gl.store(dst + at, gl.associative_scan(gl.load(rewards + at), 0, _add, reverse=True))


@gluon.jit
def column_sums(dst, matrix, vector, rows, cols, R: gl.constexpr, C: gl.constexpr):
    """A vector times a matrix."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    total = gl.zeros([R, C], gl.float32, layout)
    for start in range(0, rows, R):
        r = start + gl.arange(0, R, gl.SliceLayout(1, layout))
        total += gl.load(matrix + r[:, None] * cols + c[None, :]).to(gl.float32) * gl.load(vector + r).to(gl.float32)[:, None]
    gl.store(dst + c, gl.sum(total, 0))


# ---- Products.


@gluon.jit
def gathered_product(a, b, out, rows, count, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    """Rows of `a` chosen by an index, as mixtures of experts do."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    load_a: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    load_b: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, load_a))
    source = gl.load(rows + r, mask=r < count, other=0)
    k = gl.arange(0, BK, gl.SliceLayout(0, load_a))
    pa = a + source[:, None].to(gl.int64) * K + k[None, :]
    kb = gl.arange(0, BK, gl.SliceLayout(1, load_b))
    col = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, load_b))
    pb = b + kb[:, None] * N + col[None, :]
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for _ in range(0, K, BK):
        x = gl.convert_layout(gl.load(pa, mask=(r < count)[:, None], other=0.0), gl.DotOperandLayout(0, mma, 2))
        y = gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, mma, 2))
        acc = mma_v2(x, y, acc)
        pa += BK
        pb += BK * N
    ro = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, mma))
    co = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, mma))
    gl.store(out + ro[:, None] * N + co[None, :], acc.to(out.dtype.element_ty), mask=(ro < count)[:, None])


@gluon.jit
def weights_int8_product(a, b, scales, out, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    """Weights of 8 bits, widened in registers."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, gl.num_warps() // 2], [16, 8])
    load_a: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    load_b: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, load_a))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, load_b))
    pa = a + r[:, None] * K + gl.arange(0, BK, gl.SliceLayout(0, load_a))[None, :]
    pb = b + gl.arange(0, BK, gl.SliceLayout(1, load_b))[:, None] * N + c[None, :]
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for _ in range(0, K, BK):
        x = gl.convert_layout(gl.load(pa), gl.DotOperandLayout(0, mma, 2))
        y = gl.convert_layout(gl.load(pb).to(gl.float16), gl.DotOperandLayout(1, mma, 2))
        acc = mma_v2(x, y, acc)
        pa += BK
        pb += BK * N
    ro = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, mma))
    co = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, mma))
    scale = gl.load(scales + co)
    gl.store(out + ro[:, None] * N + co[None, :], (acc * scale[None, :]).to(out.dtype.element_ty))


@gluon.jit
def distances(out, a, b, N, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    """Squared distances between two sets of points."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    load: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, load))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(1, load))
    d = gl.arange(0, D, gl.SliceLayout(0, load))
    x = gl.load(a + r[:, None] * D + d[None, :])
    y = gl.load(b + c[:, None] * D + d[None, :])
    xx = gl.sum(x.to(gl.float32) * x.to(gl.float32), 1)
    yy = gl.sum(y.to(gl.float32) * y.to(gl.float32), 1)
    xy = mma_v2(gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2)), gl.convert_layout(y.permute((1, 0)), gl.DotOperandLayout(1, mma, 2)),
                gl.zeros([BM, BN], gl.float32, mma))
    result = gl.convert_layout(xx, gl.SliceLayout(1, mma))[:, None] + gl.convert_layout(yy, gl.SliceLayout(0, mma))[None, :] - 2.0 * xy
    ro = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, mma))
    co = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, mma))
    gl.store(out + ro[:, None] * N + co[None, :], result)


@gluon.jit
def linear_attention(q, k, v, out, length, D: gl.constexpr, T: gl.constexpr):
    """Chunks with a running state, causal inside a chunk."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [gl.num_warps(), 1], [16, 8])
    load: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    t = gl.arange(0, T, gl.SliceLayout(1, load))
    d = gl.arange(0, D, gl.SliceLayout(0, load))
    at = gl.program_id(0) * length * D + t[:, None] * D + d[None, :]
    tm = gl.arange(0, T, gl.SliceLayout(1, mma))
    cm = gl.arange(0, T, gl.SliceLayout(0, mma))
    dm = gl.arange(0, D, gl.SliceLayout(0, mma))
    place = gl.program_id(0) * length * D + tm[:, None] * D + dm[None, :]
    state = gl.zeros([D, D], gl.float32, mma)
    for start in range(0, length, T):
        x = gl.load(q + at + start * D)
        y = gl.load(k + at + start * D)
        z = gl.load(v + at + start * D)
        xa = gl.convert_layout(x, gl.DotOperandLayout(0, mma, 2))
        zb = gl.convert_layout(z, gl.DotOperandLayout(1, mma, 2))
        scores = mma_v2(xa, gl.convert_layout(y.permute((1, 0)), gl.DotOperandLayout(1, mma, 2)), gl.zeros([T, T], gl.float32, mma))
        scores = gl.where(tm[:, None] >= cm[None, :], scores, 0.0)
        o = mma_v2(xa, gl.convert_layout(state.to(q.dtype.element_ty), gl.DotOperandLayout(1, mma, 2)), gl.zeros([T, D], gl.float32, mma))
        o = mma_v2(gl.convert_layout(scores.to(q.dtype.element_ty), gl.DotOperandLayout(0, mma, 2)), zb, o)
        gl.store(out + place + start * D, o.to(out.dtype.element_ty))
        state = mma_v2(gl.convert_layout(y.permute((1, 0)), gl.DotOperandLayout(0, mma, 2)), zb, state)


@gluon.jit
def paged_attention(out, q, keys, values, table, lengths, scale, pages, D: gl.constexpr, PAGE: gl.constexpr):
    """One query of one head; the cache lies in pages that a table names."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    row = gl.program_id(0)
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    n = gl.arange(0, PAGE, gl.SliceLayout(1, layout))
    x = gl.load(q + row * D + d).to(gl.float32) * scale
    length = gl.load(lengths + row)
    m = -float("inf")
    s = 0.0
    acc = gl.zeros([PAGE, D], gl.float32, layout)
    for i in range(0, (length + PAGE - 1) // PAGE):
        page = gl.load(table + row * pages + i).to(gl.int64)
        at = page * (PAGE * D) + n[:, None] * D + d[None, :]
        inside = i * PAGE + n < length
        kk = gl.load(keys + at, mask=inside[:, None], other=0.0).to(gl.float32)
        qk = gl.where(inside, gl.sum(kk * x[None, :], 1), -1e30)
        most = gl.maximum(m, gl.max(qk, 0))
        p = gl.exp2((qk - most) * LOG2E)
        alpha = gl.exp2((m - most) * LOG2E)
        s = s * alpha + gl.sum(p, 0)
        acc = acc * alpha + p[:, None] * gl.load(values + at, mask=inside[:, None], other=0.0).to(gl.float32)
        m = most
    gl.store(out + row * D + d, (gl.sum(acc, 0) / s).to(out.dtype.element_ty))


@gluon.jit
def ring_product(a, b, out, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, STAGES: gl.constexpr):
    """TMA into a ring of buffers, Hopper's products, and a SiLU at the end."""
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    ring_a = gl.allocate_shared_memory(a.dtype, [STAGES, BM, BK], a.layout)
    ring_b = gl.allocate_shared_memory(b.dtype, [STAGES, BK, BN], b.layout)
    ready = mbarrier.allocate_mbarrier(batch=STAGES)
    for i in gl.static_range(STAGES):
        mbarrier.init(ready.index(i), count=1)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    for i in gl.static_range(STAGES - 1):
        mbarrier.expect(ready.index(i), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [row, i * BK], ready.index(i), ring_a.index(i))
        tma.async_load(b, [i * BK, col], ready.index(i), ring_b.index(i))
    acc = gl.zeros([BM, BN], gl.float32, mma)
    for step in range(0, K // BK):
        slot = step % STAGES
        mbarrier.wait(ready.index(slot), (step // STAGES) & 1)
        acc = warpgroup_mma(ring_a.index(slot), ring_b.index(slot), acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
        later = step + STAGES - 1
        if later < K // BK:
            place = later % STAGES
            mbarrier.expect(ready.index(place), a.block_type.nbytes + b.block_type.nbytes)
            tma.async_load(a, [row, later * BK], ready.index(place), ring_a.index(place))
            tma.async_load(b, [later * BK, col], ready.index(place), ring_b.index(place))
    for i in gl.static_range(STAGES):
        mbarrier.invalidate(ready.index(i))
    acc = acc / (1.0 + gl.exp2(acc * -LOG2E))
    store: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = row + gl.arange(0, BM, gl.SliceLayout(1, store))
    c = col + gl.arange(0, BN, gl.SliceLayout(0, store))
    gl.store(out + r[:, None] * N + c[None, :], gl.convert_layout(acc.to(out.dtype.element_ty), store))


def cases(scale=1):
    """As `cases` of bench/ordinary.py."""
    def rand(*shape, dtype=torch.float32):
        return torch.randn(shape, device="cuda").to(dtype)

    def empty(*shape, dtype=torch.float32):
        return torch.empty(shape, device="cuda", dtype=dtype)

    half, bf16, fp8, i32 = torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.int32
    rows = 16384 // scale
    count = rows * 4096
    x, x2, y = rand(rows, 4096), rand(rows, 4096), empty(rows, 4096)
    h, h2, g = rand(rows, 4096, dtype=half), rand(rows, 4096, dtype=half), empty(rows, 4096, dtype=half)
    z, z2, o = rand(rows, 4096, dtype=bf16), rand(rows, 4096, dtype=bf16), empty(rows, 4096, dtype=bf16)
    z3 = torch.empty_like(z)
    w, b = rand(4096), rand(4096)
    wz = rand(4096, dtype=bf16)
    per_row, per_row2 = empty(rows), empty(rows)
    ones = rand(rows)
    labels = (torch.arange(rows, device="cuda") % 4096).to(i32)
    yield "group norm", group_norm, lambda: group_norm[(32, rows // 1024)](g, h, w, b, 4096, 1024, 1e-5, 32, 4096), [g]
    yield "softmax backward", softmax_backward, lambda: softmax_backward[(rows, )](o, z, z2, 4096, 4000, 4096), [o]
    yield "add, then rms norm", add_rms_norm, lambda: add_rms_norm[(rows, )](o, z3, z2, z, wz, 4096, 1e-6, 4096, num_warps=8), [o, z3]
    yield "layer norm of short rows", layer_norm_rows, lambda: layer_norm_rows[(count // 256 // 16, )](y, x, w, b, count // 256, 1e-5, 16, 256), [y]
    yield "cross entropy backward", cross_entropy_backward, lambda: cross_entropy_backward[(rows, )](g, labels, ones, ones, 4096, 4096, 2048), [g]
    p, q = torch.sigmoid(x), torch.sigmoid(x2)
    yield "divergence", divergence, lambda: divergence[(rows, )](per_row, p, q, 4096, 4096, 1024), [per_row]
    places = empty(rows, dtype=i32)
    yield "arg max", arg_max, lambda: arg_max[(rows // 8, )](places, z, rows, 4096, 8, 512, 4096), [places]
    yield "welford", welford, lambda: welford[(rows, )](per_row, per_row2, x, 4096, 4000, 4096), [per_row, per_row2]
    bytes_out = empty(rows, 4096, dtype=torch.int8)
    yield "int8 by tokens", to_int8, lambda: to_int8[(rows, )](bytes_out, per_row, z, 4096, 4096, 4096), [bytes_out, per_row]
    q8 = rand(rows, 4096).to(fp8)
    yield "from fp8 by tiles", from_fp8_blocks, lambda: from_fp8_blocks[(rows // 128, 32)](o, q8, x, 4096, 128, 128), [o]
    yield "dropout with residual", dropout_residual, lambda: dropout_residual[(count // 1024, )](g, h, w, h2, count, 4096, 0.1, 777, 1024), [g]
    pixels = torch.randint(0, 255, (count, ), device="cuda").to(torch.uint8)
    yield "normalize images", normalize_image, lambda: normalize_image[(count // 3 // 1024, )](g, pixels, rows // 3, 4096, 1024), [g]
    yield "complex product", complex_multiply, lambda: complex_multiply[(count // 2 // 512, )](y, x, x2, count // 2, 512), [y]
    yield "causal convolution", causal_convolution, lambda: causal_convolution[(rows // 16, 4096 // 128)](o, z, x, w, rows, 4096, 16, 128), [o]
    yield "five points", five_points, lambda: five_points[(4096 // 128, rows // 16)](y, x, rows, 4096, 16, 128), [y]
    yield "max pool", max_pool, lambda: max_pool[(2048 // 64, rows // 2 // 16)](g, h, rows, 4096, 16, 64), [g]
    ids = torch.randint(0, rows, (rows * 2, ), device="cuda").to(i32)
    starts = (torch.arange(rows // 8 + 1, device="cuda") * 16).to(i32)
    yield "embedding bag", embedding_bag, lambda: embedding_bag[(rows // 8, )](g, h, ids, starts, 4096, 4096), [g]
    integers = torch.randint(0, 1 << 20, (rows * 16, 256), device="cuda").to(i32)
    segments = torch.randint(0, 4096, (rows * 16, ), device="cuda").to(i32)
    most = torch.zeros((4096, 256), device="cuda", dtype=i32)
    yield "segment max", segment_max, lambda: segment_max[(rows, )](most, integers, segments, rows * 16, 16, 256), [most]
    yield "discounted returns", discounted_returns, lambda: discounted_returns[(rows, )](y, x, 4096, 4096), [y]
    yield "vector by matrix", column_sums, lambda: column_sums[(4096 // 64, )](w, z, ones, rows, 4096, 64, 64), [w]
    n = 4096 // scale
    m, m2, r = rand(n, n, dtype=half), rand(n, n, dtype=half), empty(n, n, dtype=half)
    chosen = torch.randint(0, n, (n, ), device="cuda").to(i32)
    yield "product of gathered rows", gathered_product, lambda: gathered_product[(n // 64, n // 64)](m, m2, r, chosen, n - 5, n, n, 64, 64, 32), [r]
    i8 = torch.randint(-100, 100, (n, n), device="cuda").to(torch.int8)
    yield "product by int8 weights", weights_int8_product, lambda: weights_int8_product[(n // 64, n // 128)](m, i8, b, r, n, n, 64, 128, 64), [r]
    points, points2, apart = rand(n, 64, dtype=half), rand(n, 64, dtype=half), empty(n, n)
    yield "distances", distances, lambda: distances[(n // 64, n // 64)](apart, points, points2, n, 64, 64, 64), [apart]
    heads, length = 256 // scale, 2048
    aq, ak, av = (rand(heads, length, 64, dtype=bf16) * 0.1 for _ in range(3))
    ao = empty(heads, length, 64, dtype=bf16)
    yield "linear attention", linear_attention, lambda: linear_attention[(heads, )](aq, ak, av, ao, length, 64, 64), [ao]
    cached = rand(8192, 32, 128, dtype=half), rand(8192, 32, 128, dtype=half)
    table = torch.randint(0, 8192, (1024, 64), device="cuda").to(i32)
    lengths = torch.randint(100, 2048, (1024, ), device="cuda").to(i32)
    pq, po = rand(1024, 128, dtype=half), empty(1024, 128, dtype=half)
    yield "paged attention", paged_attention, lambda: paged_attention[(1024, )](po, pq, cached[0], cached[1], table, lengths, 0.09, 64, 128, 32), [po]
    if torch.cuda.get_device_capability()[0] == 9:
        shared = gl.NVMMASharedLayout(128, 16, rank=2)
        ta = TensorDescriptor.from_tensor(m, [128, 64], shared)
        tb = TensorDescriptor.from_tensor(m2, [64, 128], shared)
        yield "product through a ring by TMA", ring_product, lambda: ring_product[(n // 128, n // 128)](ta, tb, r, n, n, 128, 128, 64, 4, num_warps=4), [r]


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
