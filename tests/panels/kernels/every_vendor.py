"""Kernels for every vendor: T lanes of a warp are a parameter."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


# gluond: launch(x="*fp16:16", w="*fp16:16", out="*fp16:16", stride="i32:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", w="*fp32:16", out="*bf16:16", stride="i32:16", n="i32:16", N=4096, T=32, num_warps=8, target="cuda:80")
# gluond: launch(x="*fp32:16", w="*fp32:16", out="*fp16:16", stride="i32:16", n="i32", N=1024, T=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", w="*fp16:16", out="*fp16:16", stride="i32", n="i32", N=1024, T=32, num_warps=4, target="hip:gfx1201")
@gluon.jit
def rms_norm(x, w, out, stride, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [T], [gl.num_warps()], [0])
    row = gl.program_id(0)
    cols = gl.arange(0, N, layout)
    mask = cols < n
    v = gl.load(x + row * stride + cols, mask=mask, other=0.0).to(gl.float32)
    scale = gl.rsqrt(gl.sum(v * v, 0) / n + 1e-6)
    g = gl.load(w + cols, mask=mask, other=0.0)
    gl.store(out + row * stride + cols, (v * scale * g).to(out.dtype.element_ty), mask=mask)


# gluond: launch(x="*fp16:16", w="*fp16:16", b="*fp16:16", out="*fp16:16", mean_out="*fp32:16", rows="i32:16", n="i32:16", stride="i32:16", M=16, N=256, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", w="*fp32:16", b="*fp32:16", out="*fp32:16", mean_out="*fp32:16", rows="i32:16", n="i32:16", stride="i32:16", M=8, N=512, T=32, num_warps=4, target="cuda:120")
# gluond: launch(x="*bf16:16", w="*bf16:16", b="*bf16:16", out="*bf16:16", mean_out="*fp32:16", rows="i32:16", n="i32:16", stride="i32:16", M=16, N=256, T=64, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*bf16:16", w="*bf16:16", b="*bf16:16", out="*bf16:16", mean_out="*fp32:16", rows="i32:16", n="i32:16", stride="i32:16", M=16, N=256, T=32, num_warps=4, target="hip:gfx1250")
@gluon.jit
def layer_norm_2d(x, w, b, out, mean_out, rows, n, stride, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, T], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.arange(0, N, gl.SliceLayout(0, layout))
    mask = (r[:, None] < rows) & (c[None, :] < n)
    v = gl.load(x + r[:, None] * stride + c[None, :], mask=mask, other=0.0).to(gl.float32)
    mean = gl.sum(v, 1) / n
    d = v - mean[:, None]
    var = gl.sum(d * d, 1) / n
    gamma = gl.load(w + c, mask=c < n, other=0.0)
    beta = gl.load(b + c, mask=c < n, other=0.0)
    y = d * gl.rsqrt(var + 1e-5)[:, None] * gamma[None, :] + beta[None, :]
    gl.store(out + r[:, None] * stride + c[None, :], y.to(out.dtype.element_ty), mask=mask)
    gl.store(mean_out + r, mean, mask=r < rows)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32", stride="i32", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", stride="i32:16", N=2048, T=32, num_warps=4, target="cuda:100")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", stride="i32:16", N=2048, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def softmax_rows(x, out, n, stride, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    c = gl.arange(0, N, layout)
    row = gl.program_id(0)
    v = gl.load(x + row * stride + c, mask=c < n, other=-float("inf")).to(gl.float32)
    e = gl.exp(v - gl.max(v, 0))
    y = e / gl.sum(e, 0)
    gl.store(out + row * stride + c, y.to(out.dtype.element_ty), mask=c < n)


# gluond: launch(x="*fp16:16", out="*fp32:16", n="i32:16", N=128, M=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp32:16", n="i32:16", N=128, M=64, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def column_softmax(x, out, n, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    # Reads down columns on purpose: strided.
    layout: gl.constexpr = gl.BlockedLayout([4, 1], [T // 4, 4], [1, gl.num_warps()], [0, 1])
    r = gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.program_id(0) * N + gl.arange(0, N, gl.SliceLayout(0, layout))
    v = gl.load(x + r[:, None] * n + c[None, :]).to(gl.float32)
    e = gl.exp(v - gl.max(v, 0)[None, :])
    gl.store(out + r[:, None] * n + c[None, :], e / gl.sum(e, 0)[None, :])


@gluon.jit
def plus(a, b):
    return a + b


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*i32:16", out="*i32:16", n="i32:16", N=2048, T=32, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", N=1024, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def prefix_sum(x, out, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    i = gl.program_id(0) * N + gl.arange(0, N, layout)
    v = gl.load(x + i, mask=i < n, other=0)
    s = gl.associative_scan(v, 0, plus)
    gl.store(out + i, s, mask=i < n)


# gluond: launch(x="*fp32:16", q="*i8:16", s="*fp32:16", N=1024, G=128, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", q="*i8:16", s="*fp32:16", N=2048, G=64, T=32, num_warps=4, target="cuda:100")
# gluond: launch(x="*bf16:16", q="*i8:16", s="*fp32:16", N=1024, G=128, T=64, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*bf16:16", q="*i8:16", s="*fp32:16", N=1024, G=128, T=32, num_warps=4, target="hip:gfx1100")
@gluon.jit
def quantize_groups(x, q, s, N: gl.constexpr, G: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [T * 8 // G, G // 8], [gl.num_warps(), 1], [1, 0])
    R: gl.constexpr = N // G
    r = gl.arange(0, R, gl.SliceLayout(1, layout))
    c = gl.arange(0, G, gl.SliceLayout(0, layout))
    base = gl.program_id(0) * N
    v = gl.load(x + base + r[:, None] * G + c[None, :]).to(gl.float32)
    scale = gl.max(gl.abs(v), 1) / 127.0
    gl.store(s + gl.program_id(0) * R + r, scale)
    gl.store(q + base + r[:, None] * G + c[None, :], (v / scale[:, None]).to(gl.int8))


# gluond: launch(q="*i8:16", s="*fp16:16", out="*fp16:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(q="*u8:16", s="*fp32:16", out="*bf16:16", n="i32:16", N=2048, T=32, num_warps=8, target="cuda:89")
# gluond: launch(q="*i8:16", s="*fp16:16", out="*fp16:16", n="i32:16", N=1024, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def dequantize(q, s, out, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([16], [T], [gl.num_warps()], [0])
    i = gl.program_id(0) * N + gl.arange(0, N, layout)
    m = i < n
    v = gl.load(q + i, mask=m, other=0)
    scale = gl.load(s + i // 16, mask=m, other=0.0)
    gl.store(out + i, (v.to(gl.float32) * scale).to(out.dtype.element_ty), mask=m)


# gluond: launch(table="*fp16:16", ids="*i32:16", out="*fp16:16", D=256, M=16, T=32, num_warps=4, target="cuda:90")
# gluond: launch(table="*fp32:16", ids="*i64:16", out="*fp32:16", D=128, M=16, T=32, num_warps=4, target="cuda:80")
# gluond: launch(table="*bf16:16", ids="*i32:16", out="*bf16:16", D=256, M=16, T=64, num_warps=4, target="hip:gfx942")
# gluond: launch(table="*bf16:16", ids="*i32:16", out="*bf16:16", D=256, M=16, T=32, num_warps=4, target="hip:gfx1201")
@gluon.jit
def embedding(table, ids, out, D: gl.constexpr, M: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, T], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.arange(0, D, gl.SliceLayout(0, layout))
    which = gl.load(ids + r)
    v = gl.load(table + which[:, None] * D + c[None, :])
    gl.store(out + r[:, None] * D + c[None, :], v)


# gluond: launch(x="*fp32:16", index="*i32:16", out="*fp32:16", n="i32:16", N=512, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", index="*i32:16", out="*fp32:16", n="i32:16", N=512, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def gather_scatter(x, index, out, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [T], [gl.num_warps()], [0])
    i = gl.arange(0, N, layout)
    at = gl.load(index + i, mask=i < n, other=0)
    v = gl.load(x + at, mask=i < n)
    gl.store(out + at, v * 2, mask=i < n)


# gluond: launch(x="*i32:16", bins="*i32:16", n="i32", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*i32:16", bins="*i32:16", n="i32", N=1024, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def histogram_atomic(x, bins, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    i = gl.program_id(0) * N + gl.arange(0, N, layout)
    v = gl.load(x + i, mask=i < n, other=0)
    gl.atomic_add(bins + v, 1, mask=i < n)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", M=64, N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", M=64, N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", out="*i8:16", n="i32:16", M=64, N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", M=64, N=64, T=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", M=64, N=64, T=64, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", M=64, N=64, T=32, num_warps=4, target="hip:gfx1201")
@gluon.jit
def transpose_shared(x, out, n, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [T // 16, 16], [gl.num_warps(), 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(4, 2, 8, [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, rows))
    c = gl.arange(0, N, gl.SliceLayout(0, rows))
    tile = gl.allocate_shared_memory(x.dtype.element_ty, [M, N], shared)
    v = gl.load(x + r[:, None] * n + c[None, :])
    tile.store(v)
    t = tile.permute((1, 0)).load(rows)
    gl.store(out + r[:, None] * n + c[None, :], t)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", M=64, N=64, P=4, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", M=64, N=64, P=8, T=32, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", M=64, N=64, P=8, T=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", M=64, N=64, P=4, T=32, num_warps=4, target="hip:gfx1250")
@gluon.jit
def transpose_padded(x, out, n, M: gl.constexpr, N: gl.constexpr, P: gl.constexpr, T: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [T // 16, 16], [gl.num_warps(), 1], [1, 0])
    cols: gl.constexpr = gl.BlockedLayout([4, 1], [16, T // 16], [1, gl.num_warps()], [0, 1])
    shared: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[N, P]], [M, N], [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, rows))
    c = gl.arange(0, N, gl.SliceLayout(0, rows))
    tile = gl.allocate_shared_memory(x.dtype.element_ty, [M, N], shared)
    tile.store(gl.load(x + r[:, None] * n + c[None, :]))
    t = tile.load(cols)
    r2 = gl.arange(0, M, gl.SliceLayout(1, cols))
    c2 = gl.arange(0, N, gl.SliceLayout(0, cols))
    gl.store(out + r2[:, None] + c2[None, :] * n, t)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", N=256, STAGES=3, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", N=1024, STAGES=4, T=32, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", N=256, STAGES=3, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def staged_copy(x, out, n, N: gl.constexpr, STAGES: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [T], [gl.num_warps()], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    ring = gl.allocate_shared_memory(x.dtype.element_ty, [STAGES, N], shared)
    i = gl.arange(0, N, layout)
    for k in range(0, n // N):
        slot = ring.index(k % STAGES)
        v = gl.load(x + k * N + i)
        slot.store(v)
        back = slot.load(layout)
        gl.store(out + k * N + i, back)


# gluond: launch(x="*fp32:16", out="*fp32:16", M=64, N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", out="*fp32:16", M=64, N=64, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def reduce_over_warps(x, out, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 2], [2, T // 2], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.arange(0, N, gl.SliceLayout(0, layout))
    v = gl.load(x + r[:, None] * N + c[None, :])
    s = gl.sum(v, 0)
    gl.store(out + c, s)


# gluond: launch(a="*fp32:16", b="*fp32:16", out="*fp32:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(a="*fp32", b="*fp32:16", out="*fp32:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp16:16", n="i32", N=1024, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def swiglu(a, b, out, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    i = gl.program_id(0) * N + gl.arange(0, N, layout)
    m = i < n
    gate = gl.load(a + i, mask=m, other=0.0).to(gl.float32)
    up = gl.load(b + i + 1, mask=m, other=0.0).to(gl.float32)
    gl.store(out + i, (gate / (1 + gl.exp(-gate)) * up).to(out.dtype.element_ty), mask=m)


# gluond: launch(x="*fp32:16", cos="*fp32:16", sin="*fp32:16", out="*fp32:16", stride="i32:16", M=32, D=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", cos="*fp32:16", sin="*fp32:16", out="*fp16:16", stride="i32:16", M=32, D=64, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def rotary(x, cos, sin, out, stride, M: gl.constexpr, D: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 2], [T // 16, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(1, layout))
    h = gl.arange(0, D // 2, gl.SliceLayout(0, layout))
    cs = gl.load(cos + r[:, None] * (D // 2) + h[None, :])
    sn = gl.load(sin + r[:, None] * (D // 2) + h[None, :])
    left = gl.load(x + r[:, None] * stride + h[None, :]).to(gl.float32)
    right = gl.load(x + r[:, None] * stride + (h[None, :] + D // 2)).to(gl.float32)
    gl.store(out + r[:, None] * stride + h[None, :], (left * cs - right * sn).to(out.dtype.element_ty))
    gl.store(out + r[:, None] * stride + (h[None, :] + D // 2), (right * cs + left * sn).to(out.dtype.element_ty))


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", M=32, N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", M=32, N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", M=32, N=64, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def split_join(x, out, n, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [T // 8, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.arange(0, N, gl.SliceLayout(0, layout))
    v = gl.load(x + r[:, None] * n + c[None, :])
    even, odd = gl.split(v.reshape([M, N // 2, 2]))
    y = gl.join(odd, even).reshape([M, N])
    y = gl.convert_layout(y, layout)
    gl.store(out + r[:, None] * n + c[None, :], y)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", A=8, B=16, C=32, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", A=8, B=16, C=32, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def tile_3d(x, out, n, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1, 4], [1, T // 8, 8], [gl.num_warps(), 1, 1], [2, 1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 4, [2, 1, 0])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, layout)))
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, layout)))
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, layout)))
    at = a[:, None, None] * (B * C) + b[None, :, None] * C + c[None, None, :]
    v = gl.load(x + at)
    s = gl.allocate_shared_memory(gl.float32, [A, B, C], shared)
    s.store(v)
    y = s.load(layout)
    gl.store(out + at, y)


# gluond: launch(x="*fp32:16", index="*i32:16", out="*fp32:16", M=32, N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", index="*i32:16", out="*fp16:16", M=32, N=64, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def shared_gather(x, index, out, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [T // 16, 16], [gl.num_warps(), 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.arange(0, N, gl.SliceLayout(0, layout))
    s = gl.allocate_shared_memory(x.dtype.element_ty, [M, N], shared)
    s.store(gl.load(x + r[:, None] * N + c[None, :]))
    at = gl.load(index + r[:, None] * N + c[None, :])
    y = s.gather(at, 0)
    gl.store(out + r[:, None] * N + c[None, :], y)


# gluond: launch(x="*fp32:16", out="*fp32:16", M=64, N=32, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", M=64, N=32, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", M=64, N=32, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def convert_orders(x, out, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [T // 8, 8], [gl.num_warps(), 1], [1, 0])
    cols: gl.constexpr = gl.BlockedLayout([4, 1], [16, T // 16], [1, gl.num_warps()], [0, 1])
    r = gl.arange(0, M, gl.SliceLayout(1, rows))
    c = gl.arange(0, N, gl.SliceLayout(0, rows))
    v = gl.load(x + r[:, None] * N + c[None, :])
    t = gl.convert_layout(v, cols)
    r2 = gl.arange(0, M, gl.SliceLayout(1, cols))
    c2 = gl.arange(0, N, gl.SliceLayout(0, cols))
    gl.store(out + r2[:, None] + c2[None, :] * M, t)


# gluond: launch(x="*fp32:16", part="*fp32:16", n="i32:16", N=512, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", part="*fp32:16", n="i32:16", N=512, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def grid_stride_sum(x, part, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    i = gl.arange(0, N, layout)
    total = gl.zeros([N], gl.float32, layout)
    for start in range(gl.program_id(0) * N, n, gl.num_programs(0) * N):
        total += gl.load(x + start + i, mask=start + i < n, other=0.0)
    s = gl.sum(total, 0)
    gl.store(part + gl.program_id(0), s)


# gluond: launch(part="*fp32:16", bias="*fp16:16", out="*fp16:16", n="i32:16", K=4, M=16, N=128, T=32, num_warps=4, target="cuda:90")
# gluond: launch(part="*fp32:16", bias="*fp16:16", out="*fp16:16", n="i32:16", K=8, M=16, N=128, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def split_k_reduce(part, bias, out, n, K: gl.constexpr, M: gl.constexpr, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [T // 16, 16], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(1, layout))
    c = gl.program_id(1) * N + gl.arange(0, N, gl.SliceLayout(0, layout))
    acc = gl.zeros([M, N], gl.float32, layout)
    for k in gl.static_range(K):
        acc += gl.load(part + k * n * n + r[:, None] * n + c[None, :])
    acc += gl.load(bias + c)[None, :]
    gl.store(out + r[:, None] * n + c[None, :], acc.to(gl.float16))


# gluond: launch(a="*fp16:16", x="*fp16:16", y="*fp32:16", n="i32:16", M=16, K=256, T=32, num_warps=4, target="cuda:90")
# gluond: launch(a="*bf16:16", x="*bf16:16", y="*fp32:16", n="i32:16", M=16, K=512, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def gemv_atomic(a, x, y, n, M: gl.constexpr, K: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, T], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * M + gl.arange(0, M, gl.SliceLayout(1, layout))
    k = gl.program_id(1) * K + gl.arange(0, K, gl.SliceLayout(0, layout))
    w = gl.load(a + r[:, None] * n + k[None, :]).to(gl.float32)
    v = gl.load(x + k).to(gl.float32)
    s = gl.sum(w * v[None, :], 1)
    gl.atomic_add(y + r, s)


# gluond: launch(x="*i1:16", y="*fp8e4nv:16", out="*fp32:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*i1:16", y="*fp8e5:16", out="*fp64:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:100")
# gluond: launch(x="*i1:16", y="*fp8e5:16", out="*fp32:16", n="i32:16", N=1024, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def odd_types(x, y, out, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([8], [T], [gl.num_warps()], [0])
    i = gl.arange(0, N, layout)
    keep = gl.load(x + i)
    v = gl.load(y + i).to(gl.float32)
    gl.store(out + i, gl.where(keep != 0, v, 0.0).to(out.dtype.element_ty), mask=keep != 0)


# gluond: launch(ptrs="*u64:16", out="*fp32:16", N=256, T=32, num_warps=4, target="cuda:90")
# gluond: launch(ptrs="*u64:16", out="*fp32:16", N=256, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def pointer_list(ptrs, out, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    base = gl.load(ptrs + gl.program_id(0)).to(gl.pointer_type(gl.float32), bitcast=True)
    i = gl.arange(0, N, layout)
    v = gl.load(gl.multiple_of(base, 16) + i)
    gl.store(out + gl.program_id(0) * N + i, v)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", N=1024, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", N=1024, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def hinted_strides(x, out, n, N: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    i = gl.arange(0, N, layout)
    at = gl.max_contiguous(gl.multiple_of((i * 1 + gl.program_id(0) * N) % n, 4), 4)
    v = gl.load(x + at)
    rev = gl.load(x + (N - 1 - i))
    gl.store(out + at, v + rev)


# gluond: launch(x="*fp32:16", cond="i32", out="*fp32:16", N=256, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", cond="i32", out="*fp32:16", N=256, T=32, num_warps=8, target="cuda:90")
# gluond: launch(x="*fp16:16", cond="i32", out="*fp16:16", N=64, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", cond="i32", out="*fp16:16", N=64, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def replicated(x, cond, out, N: gl.constexpr, T: gl.constexpr):
    # The tile is smaller than the threads' registers: copies.
    layout: gl.constexpr = gl.BlockedLayout([4], [T], [gl.num_warps()], [0])
    i = gl.arange(0, N, layout)
    if cond > 0:
        v = gl.load(x + i, cache_modifier=".cg")
        gl.store(out + i, v, cache_modifier=".cs")
    else:
        u = gl.load(x + i * 2, eviction_policy="evict_first")
        gl.store(out + i * 2, u)


# gluond: launch(x="*fp16:16", out="*fp16:16", T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def slices(x, out, T: gl.constexpr):
    """Slices of a plain and of a padded buffer."""
    wide: gl.constexpr = gl.BlockedLayout([1, 8], [T // 16, 16], [gl.num_warps(), 1], [1, 0])
    part: gl.constexpr = gl.BlockedLayout([1, 8], [T, 1], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, 256, gl.SliceLayout(1, wide))
    c = gl.arange(0, 128, gl.SliceLayout(0, wide))
    tile = gl.load(x + r[:, None] * 128 + c[None, :])
    plain = gl.allocate_shared_memory(gl.float16, [256, 128], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    padded = gl.allocate_shared_memory(gl.float16, [256, 128], gl.PaddedSharedLayout.with_identity_for([[128, 8]], [256, 128], [1, 0]))
    plain.store(tile)
    padded.store(tile)
    left = plain.slice(16, 8, dim=1).load(part)
    right = padded.slice(8, 8, dim=1).load(part)
    r2 = gl.arange(0, 256, gl.SliceLayout(1, part))
    c2 = gl.arange(0, 8, gl.SliceLayout(0, part))
    gl.store(out + r2[:, None] * 8 + c2[None, :], left + right)


# Sums of floats of every width, one at a time and in pairs: some chips have no instruction, and swap in a loop.
# gluond: launch(x="*fp16:16", out="*fp16:16", C=1, T=32, num_warps=4, target="cuda:80")
# gluond: launch(x="*bf16:16", out="*bf16:16", C=4, T=32, num_warps=4, target="cuda:80")
# gluond: launch(x="*bf16:16", out="*bf16:16", C=4, T=32, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", C=1, T=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*bf16:16", out="*bf16:16", C=4, T=64, num_warps=4, target="hip:gfx942")
# gluond: launch(x="*fp64:16", out="*fp64:16", C=2, T=64, num_warps=4, target="hip:gfx950")
# gluond: launch(x="*fp16:16", out="*fp16:16", C=4, T=32, num_warps=4, target="hip:gfx1100")
# gluond: launch(x="*fp32:16", out="*fp32:16", C=4, T=32, num_warps=4, target="hip:gfx1100")
# gluond: launch(x="*fp64:16", out="*fp64:16", C=2, T=32, num_warps=4, target="hip:gfx1201")
# gluond: launch(x="*bf16:16", out="*bf16:16", C=2, T=32, num_warps=4, target="hip:gfx1201")
# gluond: launch(x="*fp64:16", out="*fp64:16", C=2, T=32, num_warps=4, target="hip:gfx1250")
# gluond: launch(x="*i64:16", out="*i64:16", C=2, T=64, num_warps=4, target="hip:gfx942")
@gluon.jit
def add_up(x, out, C: gl.constexpr, T: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([C], [T], [gl.num_warps()], [0])
    i = gl.arange(0, 1024, layout)
    gl.atomic_add(out + i, gl.load(x + i), sem="relaxed")
