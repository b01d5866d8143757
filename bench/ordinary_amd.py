"""Kernels of the kinds that people write for AMD's GPUs, none of which the compiler was tuned to.

As a program it launches each of them once, so that `oracle.py record --main --target hip:gfx942` makes records of them (any chip
from CDNA 3 and RDNA 4 on; what a chip lacks is left out); bench/amd_records.py compares their assembly with Triton's.
"""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout, cdna3, cdna4, cdna5, rdna4
from triton.experimental.gluon.language.extra import libdevice

LOG2E = gl.constexpr(1.4426950408889634)


# ---- Rows: norms, softmax and losses. LANES is the size of a wave.


@gluon.jit
def softmax(dst, src, stride, cols, BLOCK: gl.constexpr, VEC: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([VEC], [LANES], [gl.num_warps()], [0])
    index = gl.arange(0, BLOCK, layout)
    row = gl.program_id(0) * stride
    x = gl.load(src + row + index, mask=index < cols, other=-float("inf")).to(gl.float32)
    e = gl.exp(x - gl.max(x, 0))
    gl.store(dst + row + index, (e / gl.sum(e, 0)).to(dst.dtype.element_ty), mask=index < cols)


@gluon.jit
def softmax_buffer(dst, src, rows, stride, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * stride + c[None, :]
    inside = (r < rows)[:, None] & (c < stride)[None, :]
    x = cdna3.buffer_load(src, at, mask=inside, other=-1e30).to(gl.float32)
    e = gl.exp2((x - gl.max(x, 1)[:, None]) * LOG2E)
    cdna3.buffer_store((e / gl.sum(e, 1)[:, None]).to(dst.dtype.element_ty), dst, at, mask=inside)


@gluon.jit
def online_softmax(dst, src, stride, cols, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
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
def layer_norm(dst, src, weight, bias, stride, cols, eps, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index = gl.arange(0, BLOCK, layout)
    inside = index < cols
    x = gl.load(src + row * stride + index, mask=inside, other=0.0).to(gl.float32)
    average = gl.sum(x, 0) / cols
    d = gl.where(inside, x - average, 0.0)
    scale = gl.rsqrt(gl.sum(d * d, 0) / cols + eps)
    w = gl.load(weight + index, mask=inside).to(gl.float32)
    b = gl.load(bias + index, mask=inside).to(gl.float32)
    gl.store(dst + row * stride + index, (d * scale * w + b).to(dst.dtype.element_ty), mask=inside)


@gluon.jit
def rms_norm_residual(dst, residual, src, weight, rows, cols, eps, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * cols + c[None, :]
    inside = (r < rows)[:, None] & (c < cols)[None, :]
    x = cdna3.buffer_load(src, at, mask=inside, other=0.0).to(gl.float32) + cdna3.buffer_load(residual, at, mask=inside, other=0.0).to(gl.float32)
    cdna3.buffer_store(x.to(residual.dtype.element_ty), residual, at, mask=inside)
    scale = gl.rsqrt(gl.sum(x * x, 1) / cols + eps)
    w = cdna3.buffer_load(weight, c, mask=c < cols).to(gl.float32)
    cdna3.buffer_store((x * scale[:, None] * w[None, :]).to(dst.dtype.element_ty), dst, at, mask=inside)


@gluon.jit
def layer_norm_backward(dx, dy, src, weight, mean, rstd, stride, cols, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index = gl.arange(0, BLOCK, layout)
    inside = index < cols
    x = gl.load(src + row * stride + index, mask=inside, other=0).to(gl.float32)
    g = gl.load(dy + row * stride + index, mask=inside, other=0).to(gl.float32)
    w = gl.load(weight + index, mask=inside, other=0).to(gl.float32)
    xhat = gl.where(inside, (x - gl.load(mean + row)) * gl.load(rstd + row), 0.0)
    wg = gl.where(inside, w * g, 0.0)
    c1 = gl.sum(xhat * wg, 0) / cols
    c2 = gl.sum(wg, 0) / cols
    gl.store(dx + row * stride + index, ((wg - (xhat * c1 + c2)) * gl.load(rstd + row)).to(dx.dtype.element_ty), mask=inside)


@gluon.jit
def group_norm(dst, src, weight, bias, eps, G: gl.constexpr, C: gl.constexpr, P: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1, 4], [1, 4, LANES // 4], [1, gl.num_warps(), 1], [2, 1, 0])
    g = gl.arange(0, G, gl.SliceLayout(1, gl.SliceLayout(2, layout)))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(2, layout)))
    p = gl.arange(0, P, gl.SliceLayout(0, gl.SliceLayout(1, layout)))
    at = gl.program_id(0) * (G * C * P) + (g[:, None, None] * C + c[None, :, None]) * P + p[None, None, :]
    x = gl.load(src + at).to(gl.float32)
    average = gl.sum(gl.sum(x, 2), 1) * (1.0 / (C * P))
    d = x - average[:, None, None]
    variance = gl.sum(gl.sum(d * d, 2), 1) * (1.0 / (C * P))
    channel = g[:, None, None] * C + c[None, :, None]
    y = d * gl.rsqrt(variance + eps)[:, None, None] * gl.load(weight + channel).to(gl.float32) + gl.load(bias + channel).to(gl.float32)
    gl.store(dst + at, y.to(dst.dtype.element_ty))


@gluon.jit
def log_sum_exp(dst, src, rows, stride, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
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
def cross_entropy(loss, logits, labels, stride, cols, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
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


# ---- Elementwise and quantization.


@gluon.jit
def swiglu(dst, gate, up, count, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    g = cdna3.buffer_load(gate, index, mask=index < count).to(gl.float32)
    u = cdna3.buffer_load(up, index, mask=index < count).to(gl.float32)
    cdna3.buffer_store((g / (1 + gl.exp(-g)) * u).to(dst.dtype.element_ty), dst, index, mask=index < count)


@gluon.jit
def gelu_tanh(dst, src, bias, count, cols, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x = gl.load(src + index, mask=index < count).to(gl.float32) + gl.load(bias + index % cols, mask=index < count).to(gl.float32)
    y = 0.5 * x * (1 + libdevice.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
    gl.store(dst + index, y.to(dst.dtype.element_ty), mask=index < count)


@gluon.jit
def gelu_erf(dst, src, count, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x = gl.load(src + index, mask=index < count)
    gl.store(dst + index, 0.5 * x * (1 + gl.erf(x * 0.7071067811865475)), mask=index < count)


@gluon.jit
def half_arithmetic(dst, a, b, c, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x, y, z = gl.load(a + index), gl.load(b + index), gl.load(c + index)
    gl.store(dst + index, gl.maximum(x * y + z, x - z))


@gluon.jit
def dropout(dst, src, count, p, seed, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x = gl.load(src + index, mask=index < count)
    h = (index ^ seed) * 0x45d9f3b
    h = (h ^ (h >> 16)) * 0x45d9f3b
    keep = ((h ^ (h >> 16)) & 0xffffff).to(gl.float32) * (1.0 / 16777216.0) > p
    gl.store(dst + index, gl.where(keep, x / (1 - p), 0.0), mask=index < count)


@gluon.jit
def adam(p, g, m, v, count, rate, b1, b2, eps, decay, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
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
def rope(dst, src, cos, sin, stride, HALF: gl.constexpr, H: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
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
def rope_interleaved(dst, src, cos, sin, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 2], [LANES, 1], [gl.num_warps(), 1], [1, 0])
    row = gl.program_id(0) * BLOCK * 2
    i = gl.arange(0, BLOCK, gl.SliceLayout(1, layout))
    k = gl.arange(0, 2, gl.SliceLayout(0, layout))
    at = row + i[:, None] * 2 + k[None, :]
    a, b = gl.load(src + at).to(gl.float32).split()
    c, s = gl.load(cos + i), gl.load(sin + i)
    c, s = gl.convert_layout(c, a.type.layout), gl.convert_layout(s, a.type.layout)
    both = gl.join(a * c - b * s, b * c + a * s)
    gl.store(dst + at, gl.convert_layout(both, layout).to(dst.dtype.element_ty))


@gluon.jit
def to_int8(dst, scales, src, stride, cols, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([16], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index = gl.arange(0, BLOCK, layout)
    x = gl.load(src + row * stride + index, mask=index < cols, other=0.0).to(gl.float32)
    scale = gl.maximum(gl.max(gl.abs(x), 0), 1e-10) / 127.0
    gl.store(scales + row, scale)
    gl.store(dst + row * stride + index, libdevice.rint(x / scale).to(gl.int8), mask=index < cols)


@gluon.jit
def to_fp8_groups(dst, scales, src, stride, R: gl.constexpr, G: gl.constexpr, K: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    for k in range(K):
        at = r[:, None] * stride + (k * G + c)[None, :]
        x = gl.load(src + at).to(gl.float32)
        scale = gl.max(gl.abs(x), 1) * (1 / 448.0) + 1e-12
        gl.store(dst + at, (x / scale[:, None]).to(dst.dtype.element_ty))
        gl.store(scales + r * K + k, scale)


@gluon.jit
def from_fp8(dst, src, scales, count, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([16], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    x = cdna3.buffer_load(src, index, mask=index < count)
    s = cdna3.buffer_load(scales, index // 128, mask=index < count)
    cdna3.buffer_store((x.to(gl.float32) * s).to(dst.dtype.element_ty), dst, index, mask=index < count)


@gluon.jit
def from_int4(dst, src, scales, count, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    packed = gl.load(src + index, mask=index < count)
    scale = gl.load(scales + index // 64, mask=index < count)
    low = ((packed & 15).to(gl.float16) - 8.0) * scale
    high = ((packed >> 4).to(gl.float16) - 8.0) * scale
    at = index * 2
    gl.store(dst + at, low, mask=index < count)
    gl.store(dst + at + 1, high, mask=index < count)


@gluon.jit
def masked_shorts(dst, a, b, rows, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    """16-bit integers where a mask says so, block by block."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * cols + c[None, :]
    inside = (r < rows)[:, None] & (c < cols)[None, :]
    x = cdna3.buffer_load(a, at, mask=inside, other=0)
    y = cdna3.buffer_load(b, at, mask=inside, other=0)
    cdna3.buffer_store(gl.where(x > y, x - y, x + y), dst, at, mask=inside)


@gluon.jit
def masked_fill(dst, src, mask, count, value, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    keep = gl.load(mask + index, mask=index < count, other=0)
    x = gl.load(src + index, mask=index < count, other=0.0)
    gl.store(dst + index, gl.where(keep != 0, value.to(x.dtype), x), mask=index < count)


# ---- Moves.


@gluon.jit
def transpose_convert(dst, src, rows, cols, B: gl.constexpr, LANES: gl.constexpr):
    across: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    down: gl.constexpr = gl.BlockedLayout([4, 1], [8, LANES // 8], [1, gl.num_warps()], [0, 1])
    r = gl.program_id(0) * B
    c = gl.program_id(1) * B
    x = gl.load(src + (r + gl.arange(0, B, gl.SliceLayout(1, across)))[:, None] * cols + (c + gl.arange(0, B, gl.SliceLayout(0, across)))[None, :])
    y = gl.convert_layout(x, down)
    gl.store(dst + (r + gl.arange(0, B, gl.SliceLayout(1, down)))[:, None] + (c + gl.arange(0, B, gl.SliceLayout(0, down)))[None, :] * rows, y)


@gluon.jit
def transpose_shared(dst, src, rows, cols, B: gl.constexpr, LANES: gl.constexpr):
    across: gl.constexpr = gl.BlockedLayout([1, 1], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * B
    c = gl.program_id(1) * B
    i = gl.arange(0, B, gl.SliceLayout(1, across))
    j = gl.arange(0, B, gl.SliceLayout(0, across))
    tile = gl.allocate_shared_memory(src.dtype.element_ty, [B, B], gl.PaddedSharedLayout.with_identity_for([[B, 1]], [B, B], [1, 0]))
    tile.store(gl.load(src + (r + i)[:, None] * cols + (c + j)[None, :], mask=((r + i) < rows)[:, None] & ((c + j) < cols)[None, :]))
    y = tile.permute((1, 0)).load(across)
    gl.store(dst + (c + i)[:, None] * rows + (r + j)[None, :], y, mask=((c + i) < cols)[:, None] & ((r + j) < rows)[None, :])


@gluon.jit
def transpose_bytes(dst, src, rows, cols, B: gl.constexpr, LANES: gl.constexpr):
    across: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * B
    c = gl.program_id(1) * B
    i = gl.arange(0, B, gl.SliceLayout(1, across))
    j = gl.arange(0, B, gl.SliceLayout(0, across))
    tile = gl.allocate_shared_memory(src.dtype.element_ty, [B, B], gl.SwizzledSharedLayout(4, 1, 16, [1, 0]))
    tile.store(cdna3.buffer_load(src, (r + i)[:, None] * cols + (c + j)[None, :]))
    cdna3.buffer_store(tile.permute((1, 0)).load(across), dst, (c + i)[:, None] * rows + (r + j)[None, :])


@gluon.jit
def embedding(dst, table, ids, stride, D: gl.constexpr, T: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, LANES], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    token = gl.load(ids + t)
    gl.store(dst + t[:, None] * stride + d[None, :], gl.load(table + token[:, None] * stride + d[None, :]))


@gluon.jit
def scatter_add(dst, src, ids, stride, D: gl.constexpr, T: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, LANES], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    token = gl.load(ids + t)
    gl.atomic_add(dst + token[:, None] * stride + d[None, :], gl.load(src + t[:, None] * stride + d[None, :]), sem="relaxed")


@gluon.jit
def scatter_add_buffer(dst, src, ids, stride, D: gl.constexpr, T: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 2], [1, LANES], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    token = cdna3.buffer_load(ids, t)
    cdna3.buffer_atomic_add(dst, token[:, None] * stride + d[None, :], cdna3.buffer_load(src, t[:, None] * stride + d[None, :]), sem="relaxed")


@gluon.jit
def gather_columns(dst, src, ids, stride, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * stride + c[None, :]
    gl.store(dst + at, gl.gather(gl.load(src + at), gl.load(ids + at), 1))


@gluon.jit
def cache_append(cache, new, slots, stride, D: gl.constexpr, H: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    h = gl.arange(0, H, gl.SliceLayout(1, layout))
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    token = gl.program_id(0)
    slot = gl.load(slots + token)
    if slot >= 0:
        at = h[:, None] * D + d[None, :]
        gl.store(cache + slot * stride + at, gl.load(new + token * stride + at))


# ---- Scans, histograms, sums.


@gluon.jit
def _add(a, b):
    return a + b


@gluon.jit
def _linear(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@gluon.jit
def _larger(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return gl.where(first, a, b), gl.where(first, i, j)


@gluon.jit
def cumulative_sum(dst, src, stride, BLOCK: gl.constexpr, VEC: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([VEC], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * stride + gl.arange(0, BLOCK, layout)
    gl.store(dst + index, gl.associative_scan(gl.load(src + index), 0, _add))


@gluon.jit
def cumulative_sum_columns(dst, src, stride, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2, 1], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    at = r[:, None] * stride + c[None, :]
    gl.store(dst + at, gl.associative_scan(gl.load(src + at), 0, _add, reverse=True))


@gluon.jit
def linear_recurrence(dst, a, b, steps, stride, T: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4, 1], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
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
def histogram(dst, src, count, BINS: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    bins: gl.constexpr = gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    h = gl.histogram(gl.load(src + index, mask=index < count, other=0), BINS, mask=index < count, layout=bins)
    gl.atomic_add(dst + gl.arange(0, BINS, bins), h, sem="relaxed")


@gluon.jit
def top_k(values, places, src, stride, cols, K: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0)
    index = gl.arange(0, BLOCK, layout)
    x = gl.load(src + row * stride + index, mask=index < cols, other=-float("inf")).to(gl.float32)
    for k in range(K):
        most, place = gl.reduce((x, index), 0, _larger)
        gl.store(values + row * K + k, most)
        gl.store(places + row * K + k, place)
        x = gl.where(index == place, -float("inf"), x)


@gluon.jit
def route(weights, experts, src, rows, R: gl.constexpr, E: gl.constexpr, K: gl.constexpr, LANES: gl.constexpr):
    """The softmax of the best experts of each token."""
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    e = gl.arange(0, E, gl.SliceLayout(0, layout))
    x = gl.load(src + r[:, None] * E + e[None, :], mask=(r < rows)[:, None], other=-1e30).to(gl.float32)
    total = gl.zeros([R], gl.float32, gl.SliceLayout(1, layout))
    peak = gl.max(x, 1)
    index = e[None, :] + gl.zeros([R, E], gl.int32, layout)
    for k in gl.static_range(K):
        most, place = gl.reduce((x, index), 1, _larger)
        w = gl.exp(most - peak)
        total += w
        gl.store(weights + r * K + k, w, mask=r < rows)
        gl.store(experts + r * K + k, place, mask=r < rows)
        x = gl.where(index == place[:, None], -1e30, x)
    gl.store(weights + rows * K + r, total, mask=r < rows)


@gluon.jit
def sum_columns(dst, src, rows, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(1) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    x = gl.load(src + r[:, None] * cols + c[None, :], mask=(r < rows)[:, None] & (c < cols)[None, :], other=0.0).to(gl.float32)
    gl.atomic_add(dst + c, gl.sum(x, 0), mask=c < cols, sem="relaxed")


@gluon.jit
def sum_middle(dst, src, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1, 4], [1, LANES // 8, 8], [2, gl.num_warps() // 2, 1], [2, 1, 0])
    a = gl.program_id(0) * A + gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, layout)))
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, layout)))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, layout)))
    x = gl.load(src + a[:, None, None] * (B * C) + b[None, :, None] * C + c[None, None, :])
    out: gl.constexpr = gl.SliceLayout(1, layout)
    ao = gl.program_id(0) * A + gl.arange(0, A, gl.SliceLayout(1, out))
    co = gl.arange(0, C, gl.SliceLayout(0, out))
    gl.store(dst + ao[:, None] * C + co[None, :], gl.sum(x, 1))


@gluon.jit
def convolve_depthwise(dst, src, weight, length, W: gl.constexpr, T: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * C + gl.arange(0, C, gl.SliceLayout(0, layout))
    channels = gl.num_programs(1) * C
    total = gl.zeros([T, C], gl.float32, layout)
    for k in gl.static_range(W):
        at = t + k - W + 1
        x = gl.load(src + at[:, None] * channels + c[None, :], mask=((at >= 0) & (at < length))[:, None], other=0.0).to(gl.float32)
        total += x * gl.load(weight + k * channels + c).to(gl.float32)[None, :]
    gl.store(dst + t[:, None] * channels + c[None, :], (total / (1 + gl.exp(-total))).to(dst.dtype.element_ty), mask=(t < length)[:, None])


# ---- Products. MMA is the layout of the result, KW the operands' k width.


@gluon.jit
def _multiply(a, b, acc, KIND: gl.constexpr):
    if KIND == "mfma":
        return cdna3.mfma(a, b, acc)
    elif KIND == "wmma":
        return rdna4.wmma(a, b, acc)
    else:
        return cdna5.wmma(a, b, acc)


@gluon.jit
def _offsets(row, col, stride, layout: gl.constexpr, M: gl.constexpr, N: gl.constexpr):
    r = row + gl.arange(0, M, gl.SliceLayout(1, layout))
    c = col + gl.arange(0, N, gl.SliceLayout(0, layout))
    return r[:, None] * stride + c[None, :]


@gluon.jit
def gemv(dst, matrix, vector, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, C, gl.SliceLayout(0, layout))
    total = gl.zeros([R, C], gl.float32, layout)
    for k in range(0, cols, C):
        v = gl.load(vector + k + c).to(gl.float32)
        total += gl.load(matrix + r[:, None] * cols + (k + c)[None, :]).to(gl.float32) * v[None, :]
    gl.store(dst + r, gl.sum(total, 1).to(dst.dtype.element_ty))


@gluon.jit
def fma_product(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    pa = a + _offsets(row, 0, lda, layout, BM, BK)
    pb = b + _offsets(0, col, ldb, layout, BK, BN)
    acc = gl.zeros([BM, BN], gl.float32, layout)
    for k in range(0, K, BK):
        x = gl.convert_layout(gl.load(pa), gl.DotOperandLayout(0, layout, 0))
        y = gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, layout, 0))
        acc = gl.dot_fma(x, y, acc)
        pa += BK
        pb += BK * ldb
    gl.store(out + _offsets(row, col, ldc, layout, BM, BN), acc)


@gluon.jit
def product_masked(a, b, out, M, N, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
                   LANES: gl.constexpr):
    load: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    rows = row + gl.arange(0, BM, gl.SliceLayout(1, load))
    cols = col + gl.arange(0, BN, gl.SliceLayout(0, load))
    for k in range(0, K, BK):
        ka = k + gl.arange(0, BK, gl.SliceLayout(0, load))
        kb = k + gl.arange(0, BK, gl.SliceLayout(1, load))
        x = gl.load(a + rows[:, None] * lda + ka[None, :], mask=(rows < M)[:, None] & (ka < K)[None, :], other=0.0)
        y = gl.load(b + kb[:, None] * ldb + cols[None, :], mask=(kb < K)[:, None] & (cols < N)[None, :], other=0.0)
        acc = _multiply(gl.convert_layout(x, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(y, gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    rows = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    cols = col + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    gl.store(out + rows[:, None] * ldc + cols[None, :], acc.to(out.dtype.element_ty), mask=(rows < M)[:, None] & (cols < N)[None, :])


@gluon.jit
def product_prefetched(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
                       LANES: gl.constexpr):
    """The next tiles are in registers while this one is multiplied from LDS; B is transposed there."""
    load: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [BM, BK], shared)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [BN, BK], shared)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    ao = _offsets(row, 0, lda, load, BM, BK)
    bo = _offsets(col, 0, ldb, load, BN, BK)
    x = cdna3.buffer_load(a, ao)
    y = cdna3.buffer_load(b, bo)
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K - BK, BK):
        sa.store(x)
        sb.store(y)
        ao += BK
        bo += BK
        x = cdna3.buffer_load(a, ao)
        y = cdna3.buffer_load(b, bo)
        acc = _multiply(sa.load(gl.DotOperandLayout(0, MMA, KW)), sb.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    sa.store(x)
    sb.store(y)
    acc = _multiply(sa.load(gl.DotOperandLayout(0, MMA, KW)), sb.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    cdna3.buffer_store(acc.to(out.dtype.element_ty), out, _offsets(row, col, ldc, MMA, BM, BN))


@gluon.jit
def split_k(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SPLIT: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
            LANES: gl.constexpr):
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    part = K // SPLIT
    first = gl.program_id(2) * part
    pa = a + _offsets(row, first, lda, copy, BM, BK)
    pb = b + _offsets(first, col, ldb, copy, BK, BN)
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, part, BK):
        acc = _multiply(gl.convert_layout(gl.load(pa), gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
        pa += BK
        pb += BK * ldb
    gl.atomic_add(out + _offsets(row, col, ldc, MMA, BM, BN), acc, sem="relaxed")


@gluon.jit
def narrow_product(a, b, out, scale_a, scale_b, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr,
                   KIND: gl.constexpr, SUM: gl.constexpr, LANES: gl.constexpr):
    """8-bit integers or floats, with scales of rows and columns."""
    copy: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(16, 1, 4, [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [BM, BK], shared)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [BN, BK], shared)
    pa = a + _offsets(row, 0, lda, copy, BM, BK)
    pb = b + _offsets(col, 0, ldb, copy, BN, BK)
    acc = gl.zeros([BM, BN], SUM, MMA)
    for k in range(0, K, BK):
        sa.store(gl.load(pa))
        sb.store(gl.load(pb))
        acc = _multiply(sa.load(gl.DotOperandLayout(0, MMA, KW)), sb.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
        pa += BK
        pb += BK
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    c = col + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    result = acc.to(gl.float32) * gl.load(scale_a + r)[:, None] * gl.load(scale_b + c)[None, :]
    gl.store(out + r[:, None] * ldc + c[None, :], result.to(out.dtype.element_ty))


@gluon.jit
def grouped_product(a, b, out, offsets, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
                    LANES: gl.constexpr):
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    group = gl.program_id(2)
    begin, end = gl.load(offsets + group), gl.load(offsets + group + 1)
    row = begin + gl.program_id(0) * BM
    if row < end:
        r = row + gl.arange(0, BM, gl.SliceLayout(1, copy))
        col = gl.program_id(1) * BN
        k = gl.arange(0, BK, gl.SliceLayout(0, copy))
        pa = a + r[:, None] * K + k[None, :]
        pb = b + group * K * N + _offsets(0, col, N, copy, BK, BN)
        acc = gl.zeros([BM, BN], gl.float32, MMA)
        for _ in range(0, K, BK):
            x = gl.load(pa, mask=(r < end)[:, None], other=0.0)
            acc = _multiply(gl.convert_layout(x, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(gl.load(pb), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
            pa += BK
            pb += BK * N
        ro = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
        gl.store(out + _offsets(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty), mask=(ro < end)[:, None])


@gluon.jit
def int4_product(a, b, scales, out, K, N, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    """Weights of 4 bits, widened in registers; pairs along K."""
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    packed: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    pa = a + _offsets(row, 0, K, copy, BM, BK)
    pb = b + _offsets(0, col, N, packed, BK // 2, BN)
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    c = col + gl.arange(0, BN, gl.SliceLayout(0, packed))
    for k in range(0, K, BK):
        w = gl.load(pb)
        s = gl.load(scales + (k // BK) * N + c)[None, :]
        low = ((w & 15).to(gl.float16) - 8.0) * s
        high = ((w >> 4).to(gl.float16) - 8.0) * s
        both = gl.join(low, high).permute((0, 2, 1)).reshape((BK, BN))
        acc = _multiply(gl.convert_layout(gl.load(pa), gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(both, gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
        pa += BK
        pb += BK // 2 * N
    gl.store(out + _offsets(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def attention(q, k, v, out, length, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, CAUSAL: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
              LANES: gl.constexpr):
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    head = gl.program_id(1) * length * D
    row = gl.program_id(0) * BM
    x = gl.convert_layout(cdna3.buffer_load(q, head + _offsets(row, 0, D, copy, BM, D)), gl.DotOperandLayout(0, MMA, KW))
    keys = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    values = gl.allocate_shared_memory(k.dtype.element_ty, [BN, D], gl.SwizzledSharedLayout(4, 1, 8, [1, 0]))
    at = head + _offsets(0, 0, D, copy, BN, D)
    acc = gl.zeros([BM, D], gl.float32, MMA)
    m = gl.full([BM], -float("inf"), gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, MMA))
    last = length
    if CAUSAL:
        last = row + BM
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    for start in range(0, last, BN):
        keys.store(cdna3.buffer_load(k, at))
        values.store(cdna3.buffer_load(v, at))
        qk = _multiply(x, keys.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), gl.zeros([BM, BN], gl.float32, MMA), KIND) * scale
        if CAUSAL:
            c = start + gl.arange(0, BN, gl.SliceLayout(0, MMA))
            qk = gl.where(r[:, None] >= c[None, :], qk, -1e30)
        n = gl.maximum(m, gl.max(qk, 1))
        p = gl.exp2(qk - n[:, None])
        alpha = gl.exp2(m - n)
        s = s * alpha + gl.sum(p, 1)
        acc = acc * alpha[:, None]
        acc = _multiply(gl.convert_layout(p.to(q.dtype.element_ty), gl.DotOperandLayout(0, MMA, KW)), values.load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
        m = n
        at += BN * D
    cdna3.buffer_store((acc / s[:, None]).to(out.dtype.element_ty), out, head + _offsets(row, 0, D, MMA, BM, D))


@gluon.jit
def decode_attention(q, k, v, out, length, scale, D: gl.constexpr, BN: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    head = gl.program_id(0) * length * D
    d = gl.arange(0, D, gl.SliceLayout(0, layout))
    n = gl.arange(0, BN, gl.SliceLayout(1, layout))
    x = gl.load(q + gl.program_id(0) * D + d).to(gl.float32) * scale
    most = -float("inf")
    total = 0.0
    acc = gl.zeros([D], gl.float32, gl.SliceLayout(0, layout))
    for start in range(0, length, BN):
        at = head + (start + n)[:, None] * D + d[None, :]
        inside = start + n < length
        qk = gl.sum(gl.load(k + at, mask=inside[:, None], other=0.0).to(gl.float32) * x[None, :], 1)
        qk = gl.where(inside, qk, -float("inf"))
        new = gl.maximum(most, gl.max(qk, 0))
        p = gl.exp2(qk - new)
        alpha = gl.exp2(most - new)
        total = total * alpha + gl.sum(p, 0)
        acc = acc * alpha + gl.sum(gl.load(v + at, mask=inside[:, None], other=0.0).to(gl.float32) * p[:, None], 0)
        most = new
    gl.store(out + gl.program_id(0) * D + d, (acc / total).to(out.dtype.element_ty))


# ---- What only some chips have: asynchronous copies to LDS, scaled products, the tensor data mover.


@gluon.jit
def product_async(a, b, out, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr):
    """CDNA 4's copies to LDS in two buffers."""
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [64 // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BN, BK], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    ao = _offsets(row, 0, lda, copy, BM, BK)
    bo = _offsets(col, 0, ldb, copy, BN, BK)
    cdna4.async_copy.buffer_load_to_shared(sa.index(0), a, ao)
    cdna4.async_copy.buffer_load_to_shared(sb.index(0), b, bo)
    cdna4.async_copy.commit_group()
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K // BK):
        ao += BK
        bo += BK
        slot = (k + 1) % 2
        cdna4.async_copy.buffer_load_to_shared(sa.index(slot), a, ao)
        cdna4.async_copy.buffer_load_to_shared(sb.index(slot), b, bo)
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(1)
        x = cdna4.async_copy.load_shared_relaxed(sa.index(k % 2), gl.DotOperandLayout(0, MMA, KW))
        y = cdna4.async_copy.load_shared_relaxed(sb.index(k % 2).permute((1, 0)), gl.DotOperandLayout(1, MMA, KW))
        acc = cdna3.mfma(x, y, acc)
    cdna3.buffer_store(acc.to(out.dtype.element_ty), out, _offsets(row, col, ldc, MMA, BM, BN))


@gluon.jit
def copy_async(dst, src, count, BLOCK: gl.constexpr, VEC: gl.constexpr, LANES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([VEC], [LANES], [gl.num_warps()], [0])
    index = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout)
    buffer = gl.allocate_shared_memory(src.dtype.element_ty, [BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    if LANES == 64:
        cdna4.async_copy.global_load_to_shared(buffer, src + index, mask=index < count)
        cdna4.async_copy.wait_group(0)
    else:
        cdna5.async_copy.global_to_shared(buffer, src + index, mask=index < count)
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(0)
    gl.store(dst + index, buffer.load(layout), mask=index < count)


@gluon.jit
def scaled_product(a, b, sa, sb, out, K: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, FORMAT_A: gl.constexpr, FORMAT_B: gl.constexpr,
                   PACK_A: gl.constexpr, PACK_B: gl.constexpr, ofA: gl.constexpr, ofB: gl.constexpr, MMA: gl.constexpr, SCALES_A: gl.constexpr, SCALES_B: gl.constexpr,
                   LANES: gl.constexpr):
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        x = gl.load(a + _offsets(row, k // PACK_A, K // PACK_A, ofA, BM, BK // PACK_A))
        kb = k // PACK_B + gl.arange(0, BK // PACK_B, gl.SliceLayout(1, ofB))
        nb = col + gl.arange(0, BN, gl.SliceLayout(0, ofB))
        y = gl.load(b + nb[None, :] * (K // PACK_B) + kb[:, None])
        xs = gl.load(sa + _offsets(row, k // 32, K // 32, SCALES_A, BM, BK // 32))
        ys = gl.load(sb + _offsets(col, k // 32, K // 32, SCALES_B, BN, BK // 32))
        if LANES == 64:
            acc = cdna4.mfma_scaled(x, xs, FORMAT_A, y, ys, FORMAT_B, acc)
        else:
            acc = cdna5.wmma_scaled(x, xs, FORMAT_A, y, ys, FORMAT_B, acc)
    gl.store(out + _offsets(row, col, gl.num_programs(1) * BN, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def product_tdm(a, b, out, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr):
    sharedA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0])
    sharedB: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BN, 16]], [BK, BN], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], sharedA)
    db = cdna5.tdm.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN], sharedB)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], sharedA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BK, BN], sharedB)
    cdna5.tdm.async_load(da, [row, 0], sa.index(0))
    cdna5.tdm.async_load(db, [0, col], sb.index(0))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K // BK):
        cdna5.tdm.async_load(da, [row, (k + 1) * BK], sa.index((k + 1) % 2))
        cdna5.tdm.async_load(db, [(k + 1) * BK, col], sb.index((k + 1) % 2))
        cdna5.tdm.async_wait(2)
        acc = cdna5.wmma(sa.index(k % 2).load(gl.DotOperandLayout(0, MMA, 8)), sb.index(k % 2).load(gl.DotOperandLayout(1, MMA, 8)), acc)
    gl.store(out + _offsets(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


# ---- Launches.


def cases(arch):
    lanes = 64 if arch.startswith("gfx9") else 32
    half, bf16, i8, i16, i32, i64 = torch.float16, torch.bfloat16, torch.int8, torch.int16, torch.int32, torch.int64
    fp8 = torch.float8_e4m3fnuz if arch == "gfx942" else torch.float8_e4m3fn

    def of(*shape, dtype=torch.float32):
        return torch.empty(shape, dtype=dtype, device="cuda")

    n, cols = 1 << 20, 4096
    rows = 256
    x, y = of(rows, cols), of(rows, cols)
    h, g, o = (of(rows, cols, dtype=half) for _ in range(3))
    b, c, d = (of(rows, cols, dtype=bf16) for _ in range(3))
    w, per_row, w16 = of(cols), of(rows), of(cols, dtype=bf16)
    ids, ids64, counts = of(n, dtype=i32), of(n, dtype=i64), of(256, dtype=i32)
    softmax[(rows, )](o, h, cols, 4000, 4096, 8, lanes)
    softmax[(rows, )](y, x, cols, 1000, 1024, 4, lanes, num_warps=4)
    softmax_buffer[(rows // 16, )](d, b, rows, 512, 16, 512, lanes)
    online_softmax[(rows, )](y, x, cols, cols, 1024, lanes)
    layer_norm[(rows, )](o, h, w, w, cols, 4000, 1e-5, 4096, lanes, num_warps=8)
    rms_norm_residual[(rows // 4, )](d, c, b, w16, rows, 2000, 1e-5, 4, 2048, lanes)
    layer_norm_backward[(rows, )](o, g, h, w, per_row, per_row, cols, 4000, 4096, lanes)
    group_norm[(16, )](o, h, w, w, 1e-5, 2, 8, 256, lanes)
    log_sum_exp[(rows // 32, )](per_row, x, rows, cols, 4000, 32, 128, lanes)
    cross_entropy[(rows, )](per_row, b, ids64, cols, 4000, 2048, lanes)
    swiglu[(n // 2048, )](d, b, c, n, 2048, lanes)
    gelu_tanh[(n // 1024, )](o, h, w, n, cols, 1024, lanes)
    gelu_erf[(n // 1024, )](y, x, n, 1024, lanes)
    half_arithmetic[(n // 2048, )](o, h, g, h, 2048, lanes)
    dropout[(n // 1024, )](y, x, n, 0.3, 77, 1024, lanes)
    adam[(n // 1024, )](x, b, y, x, n, 1e-3, 0.9, 0.99, 1e-8, 0.01, 1024, lanes)
    rope[(rows, )](o, h, x, x, cols, 64, 32, lanes)
    rope_interleaved[(rows, )](o, h, x, x, 1024, lanes)
    q8, f8, u8 = of(rows, cols, dtype=i8), of(rows, cols, dtype=fp8), of(rows, cols, dtype=torch.uint8)
    to_int8[(rows, )](q8, per_row, h, cols, 4000, 4096, lanes)
    if arch != "gfx1200":
        to_fp8_groups[(rows // 16, )](f8, x, b, cols, 16, 128, 32, lanes)
    from_fp8[(n // 4096, )](d, f8, x, n, 4096, lanes)
    from_int4[(n // 2048, )](o, u8, h, n, 2048, lanes)
    s16 = of(rows, cols, dtype=i16)
    masked_shorts[(rows // 8, 16)](s16, s16, s16, rows, cols - 1, 8, 256, lanes)
    masked_shorts[(rows // 8, 16)](s16, s16, s16, rows, cols, 8, 256, lanes)
    masked_fill[(n // 2048, )](o, h, of(n, dtype=torch.bool), n, -1.0, 2048, lanes)
    transpose_convert[(4, 64)](y, x, rows, cols, 64, lanes)
    transpose_convert[(4, 64)](o, h, rows, cols, 64, lanes)
    transpose_shared[(4, 64)](o, h, rows, cols, 64, lanes)
    transpose_bytes[(4, 64)](u8, u8, rows, cols, 64, lanes)
    embedding[(64, )](d, b, ids64, 1024, 1024, 4, lanes)
    scatter_add[(64, )](y, x, ids, 1024, 1024, 4, lanes)
    scatter_add_buffer[(64, )](o, h, ids, 1024, 1024, 4, lanes)
    gather_columns[(64, )](y, x, ids, 256, 4, 256, lanes)
    cache_append[(rows, )](d, b, ids, 4096, 128, 32, lanes)
    cumulative_sum[(rows, )](y, x, cols, 4096, 4, lanes)
    cumulative_sum_columns[(64, )](y, x, cols, 128, 64, lanes)
    linear_recurrence[(64, )](y, x, x, 256, cols, 64, 16, lanes)
    histogram[(256, )](counts, ids, n, 256, 1024, lanes)
    top_k[(rows, )](per_row, ids, x, cols, 1000, 8, 1024, lanes)
    route[(rows // 16, )](x, ids, b, rows, 16, 128, 4, lanes)
    sum_columns[(64, 2)](w, h, rows, cols, 128, 64, lanes)
    sum_middle[(16, )](y, x, 4, 64, 64, lanes)
    convolve_depthwise[(4, 32)](o, h, w, rows, 4, 64, 128, lanes)
    gemv[(32, )](per_row, b, b, cols, 8, 1024, lanes)
    kind = {"gfx942": "mfma", "gfx950": "mfma", "gfx1250": "wmma5"}.get(arch, "wmma")

    def mma(bits=16, wide=False, warps=4, k=0):
        if kind == "mfma":
            ks = {16: 16, 8: 32}[bits] * (2 if arch == "gfx950" else 1)
            m = 32 if wide else 16
            return AMDMFMALayout(3 if arch == "gfx942" else 4, [m, m, ks if m == 16 else ks // 2], True, [warps, 1] if not wide else [2, warps // 2])
        version, depth = (3, {16: 32, 8: 64}[bits]) if kind == "wmma5" else (2, 16)
        return AMDWMMALayout(version, True, [[1, 0], [2, 0]] if not wide else [[0, 1], [1, 0]], [], [16, 16, depth])

    kw = 8 if kind != "mfma" or arch == "gfx950" else 4
    m = 1024
    p, q, r, rf = of(m, m, dtype=half), of(m, m, dtype=half), of(m, m, dtype=half), of(m, m)
    pb, qb, rb = of(m, m, dtype=bf16), of(m, m, dtype=bf16), of(m, m, dtype=bf16)
    fma_product[(16, 16)](rf, rf, rf, m, m, m, m, 64, 64, 16, lanes)
    product_masked[(8, 8)](p, q, r, m - 8, m - 8, m, m, m, m, 128, 128, 32, mma(wide=True), kw, kind, lanes)
    product_prefetched[(8, 8)](pb, qb, rb, m, m, m, m, 128, 128, 64, mma(wide=True), kw, kind, lanes)
    product_prefetched[(16, 16)](p, q, r, m, m, m, m, 64, 64, 64, mma(), kw, kind, lanes)
    split_k[(16, 16, 4)](p, q, rf, m, m, m, m, 64, 64, 32, 4, mma(), kw, kind, lanes)
    i8a, f8a = of(m, m, dtype=i8), of(m, m, dtype=fp8)
    width = 16 if arch == "gfx950" else 8
    narrow_product[(8, 8)](i8a, i8a, r, w, w, m, m, m, m, 128, 128, 64, mma(8), width, kind, gl.int32, lanes)
    narrow_product[(8, 8)](f8a, f8a, r, w, w, m, m, m, m, 128, 128, 64, mma(8), width, kind, gl.float32, lanes)
    grouped_product[(4, 16, 8)](pb, qb, rb, ids, m, m, 64, 64, 32, mma(), kw, kind, lanes)
    int4_product[(16, 16)](p, u8, h, r, m, m, 64, 64, 64, mma(), kw, kind, lanes)
    attention[(8, 16)](p, q, p, r, 1024, 0.18, 64, 128, 64, False, mma(), kw, kind, lanes)
    attention[(8, 16)](pb, qb, pb, rb, 1024, 0.18, 128, 64, 64, True, mma(), kw, kind, lanes)
    decode_attention[(64, )](p, q, p, r, 1000, 0.18, 128, 64, lanes)
    if arch == "gfx950":
        product_async[(8, 8)](p, q, r, m, m, m, m, 128, 128, 64, mma(wide=True), kw)
        copy_async[(n // 2048, )](y, x, n, 2048, 4, lanes)
    if arch == "gfx1250":
        copy_async[(n // 2048, )](y, x, n, 2048, 4, lanes)
        product_tdm[(8, 8)](p, q, r, m, m, m, 128, 128, 32, mma(wide=True))
    if arch in ("gfx950", "gfx1250"):
        for first, second in (("e4m3", "e4m3"), ("e2m1", "e2m1"), ("e4m3", "e2m1")):
            packs = [2 if each == "e2m1" else 1 for each in (first, second)]
            if lanes == 64:
                layout = AMDMFMALayout(4, [16, 16, 128], True, [2, 2])
                layouts, scales = [layout] * 2, cdna4.get_mfma_scale_layout
            else:
                layout = AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 128])
                layouts = [AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 128 // each]) for each in packs]
                scales = cdna5.get_wmma_scale_layout
            operands = [gl.DotOperandLayout(i, layouts[i], 16) for i in (0, 1)]
            scaled_product[(16, 16)](u8, u8, u8, u8, r, 1024, 64, 64, 256, first, second, *packs, *operands, layout, *[scales(each, [64, 8]) for each in operands], lanes)


if __name__ == "__main__":
    cases(triton.runtime.driver.active.get_current_target().arch)
