"""Kernels that load, compute and store in each turn of a loop, written after the order of stores was tuned to one of bench/ordinary.py.

As a program it launches each of them once, as bench/ordinary.py does; bench/gpu.py --ordinary times all three files.
"""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def rows_scaled(dst, scales, src, stride, R: gl.constexpr, G: gl.constexpr, K: gl.constexpr, V: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, V], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    for k in range(K):
        at = r[:, None] * stride + (k * G + c)[None, :]
        x = gl.load(src + at).to(gl.float32)
        s = gl.sqrt(gl.sum(x * x, 1) / G + 1e-6)
        gl.store(dst + at, (x / s[:, None]).to(dst.dtype.element_ty))
        gl.store(scales + r * K + k, s)


@gluon.jit
def softmax_groups(dst, src, stride, R: gl.constexpr, G: gl.constexpr, K: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    for k in range(K):
        at = r[:, None] * stride + (k * G + c)[None, :]
        x = gl.load(src + at)
        x = gl.exp(x - gl.max(x, 1)[:, None])
        gl.store(dst + at, x / gl.sum(x, 1)[:, None])


@gluon.jit
def strided(dst, a, b, n, step, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    for start in range(gl.program_id(0) * BLOCK, n, step):
        at = start + gl.arange(0, BLOCK, layout)
        x = gl.load(a + at)
        y = gl.load(b + at)
        gl.store(dst + at, x * y + x)


@gluon.jit
def strided_masked(dst, a, n, step, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    for start in range(gl.program_id(0) * BLOCK, n, step):
        at = start + gl.arange(0, BLOCK, layout)
        x = gl.load(a + at, mask=at < n).to(gl.float32)
        gl.store(dst + at, (x / (1 + gl.exp(-x))).to(dst.dtype.element_ty), mask=at < n)


@gluon.jit
def copies(dst, src, stride, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.arange(0, N, gl.SliceLayout(0, layout))
    for k in range(K):
        at = r[:, None] * stride + (k * N + c)[None, :]
        gl.store(dst + at, gl.load(src + at))


@gluon.jit
def running_sum(dst, src, stride, R: gl.constexpr, G: gl.constexpr, K: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    total = gl.zeros([R], gl.float32, gl.SliceLayout(1, layout))
    for k in range(K):
        at = r[:, None] * stride + (k * G + c)[None, :]
        x = gl.load(src + at)
        total += gl.sum(x, 1)
        gl.store(dst + at, x + total[:, None])


@gluon.jit
def dequantize_rows(dst, src, scales, stride, R: gl.constexpr, G: gl.constexpr, K: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    for k in range(K):
        at = r[:, None] * stride + (k * G + c)[None, :]
        x = gl.load(src + at).to(gl.float32)
        s = gl.load(scales + r * K + k)
        gl.store(dst + at, (x * s[:, None]).to(dst.dtype.element_ty))


@gluon.jit
def layer_norm_groups(dst, src, w, stride, R: gl.constexpr, G: gl.constexpr, K: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    g = gl.load(w + c).to(gl.float32)
    for k in range(K):
        at = r[:, None] * stride + (k * G + c)[None, :]
        x = gl.load(src + at).to(gl.float32)
        x = x - (gl.sum(x, 1) / G)[:, None]
        v = gl.sum(x * x, 1) / G
        gl.store(dst + at, (x * gl.rsqrt(v + 1e-5)[:, None] * g[None, :]).to(dst.dtype.element_ty))


def cases(scale=1):
    """As `cases` of bench/ordinary.py."""
    def rand(*shape, dtype=torch.float32):
        return torch.randn(shape, device="cuda").to(dtype)

    def empty(*shape, dtype=torch.float32):
        return torch.empty(shape, device="cuda", dtype=dtype)

    half, bf16, i8 = torch.float16, torch.bfloat16, torch.int8
    rows = 16384 // scale
    n = rows * 4096
    x, x2, y = rand(rows, 4096), rand(rows, 4096), empty(rows, 4096)
    h, g = rand(rows, 4096, dtype=half), empty(rows, 4096, dtype=half)
    z, o = rand(rows, 4096, dtype=bf16), empty(rows, 4096, dtype=bf16)
    q = torch.randint(-127, 127, (rows, 4096), device="cuda").to(i8)
    s = empty(rows, 64)
    ss = rand(rows, 64)
    w = rand(256, dtype=bf16)
    yield "turns: rms of 64, bf16", rows_scaled, lambda: rows_scaled[(rows // 64, )](o, s, z, 4096, 64, 64, 64, 8), [o, s]
    yield "turns: rms of 128, fp16", rows_scaled, lambda: rows_scaled[(rows // 32, )](g, s, h, 4096, 32, 128, 32, 8), [g]
    yield "turns: rms of 64, fp32", rows_scaled, lambda: rows_scaled[(rows // 32, )](y, s, x, 4096, 32, 64, 64, 4), [y]
    yield "turns: softmax of 64", softmax_groups, lambda: softmax_groups[(rows // 32, )](y, x, 4096, 32, 64, 64), [y]
    yield "turns: softmax of 128", softmax_groups, lambda: softmax_groups[(rows // 16, )](y, x, 4096, 16, 128, 32), [y]
    yield "turns: sums", strided, lambda: strided[(1056, )](y, x, x2, n, 1056 * 2048, 2048), [y]
    yield "turns: silu, masked", strided_masked, lambda: strided_masked[(1056, )](o, z, n, 1056 * 4096, 4096), [o]
    yield "turns: copies", copies, lambda: copies[(rows // 32, )](y, x, 4096, 32, 128, 32), [y]
    yield "turns: running sums", running_sum, lambda: running_sum[(rows // 16, )](y, x, 4096, 16, 128, 32), [y]
    yield "turns: from int8", dequantize_rows, lambda: dequantize_rows[(rows // 32, )](o, q, ss, 4096, 32, 128, 32), [o]
    yield "turns: layer norm of 256", layer_norm_groups, lambda: layer_norm_groups[(rows // 16, )](o, z, w, 4096, 16, 256, 16), [o]


if __name__ == "__main__":
    for name, kernel, launch, outputs in cases():
        launch()
