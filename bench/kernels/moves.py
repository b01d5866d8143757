"""Conversions of types, transposes, quantization, gathers, histograms, masks, and arithmetic on each element."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy


@gluon.jit
def convert_all(dst, src, n, BLOCK: gl.constexpr, VEC: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    gl.store(dst + i, gl.load(src + i, mask=i < n).to(dst.dtype.element_ty), mask=i < n)


@gluon.jit
def affine_convert(dst, src, n, a, b, BLOCK: gl.constexpr, VEC: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(src + i, mask=i < n).to(gl.float32)
    gl.store(dst + i, (x * a + b).to(dst.dtype.element_ty), mask=i < n)


@gluon.jit
def rtz_convert(dst, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    gl.store(dst + i, gl.cast(gl.load(src + i, mask=i < n), dst.dtype.element_ty, fp_downcast_rounding="rtz"), mask=i < n)


@gluon.jit
def permute_4d(dst, src, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, D: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 1, 1, 4], [2, 2, 2, 4], [1, 2, gl.num_warps() // 2, 1], [3, 2, 1, 0])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, gl.SliceLayout(3, L))))[:, None, None, None]
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, gl.SliceLayout(3, L))))[None, :, None, None]
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, gl.SliceLayout(3, L))))[None, None, :, None]
    d = gl.arange(0, D, gl.SliceLayout(0, gl.SliceLayout(1, gl.SliceLayout(2, L))))[None, None, None, :]
    base = gl.program_id(0) * A * B * C * D
    x = gl.load(src + base + ((a * B + b) * C + c) * D + d)
    y = gl.permute(x, (0, 2, 1, 3))
    y = gl.reshape(y, (A * C, B * D))
    O: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    y = gl.convert_layout(y, O)
    r = gl.arange(0, A * C, gl.SliceLayout(1, O))
    q = gl.arange(0, B * D, gl.SliceLayout(0, O))
    gl.store(dst + base + r[:, None] * (B * D) + q[None, :], y)


@gluon.jit
def transpose_swizzled(dst, src, M, N, BM: gl.constexpr, BN: gl.constexpr, VEC: gl.constexpr, PH: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, VEC], [32 * VEC // BN if BN // VEC < 32 else 1, BN // VEC if BN // VEC < 32 else 32], [gl.num_warps(), 1], [1, 0])
    T: gl.constexpr = gl.BlockedLayout([VEC, 1], [BM // VEC if BM // VEC < 32 else 32, 32 * VEC // BM if BM // VEC < 32 else 1], [1, gl.num_warps()], [0, 1])
    s = gl.allocate_shared_memory(src.dtype.element_ty, [BM, BN], gl.SwizzledSharedLayout(PH, 1, 8, [1, 0]))
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, L))
    s.store(gl.load(src + r[:, None] * N + c[None, :], mask=(r < M)[:, None] & (c < N)[None, :]))
    rt = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, T))
    ct = gl.program_id(1) * BN + gl.arange(0, BN, gl.SliceLayout(0, T))
    gl.store(dst + ct[None, :] * M + rt[:, None], s.load(T), mask=(rt < M)[:, None] & (ct < N)[None, :])


@gluon.jit
def pixel_shuffle(dst, src, C, H, W, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    total = C * H * W * 4
    ow = i % (2 * W)
    t = i // (2 * W)
    oh = t % (2 * H)
    ch = t // (2 * H)
    s = ((ch * 4 + (oh % 2) * 2 + ow % 2) * H + oh // 2) * W + ow // 2
    gl.store(dst + i, gl.load(src + s, mask=i < total), mask=i < total)


@gluon.jit
def upsample_bilinear(dst, src, H, W, OH, OW, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [32], [gl.num_warps()], [0])
    x = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    y = gl.program_id(1)
    sx = (x.to(gl.float32) + 0.5) * W.to(gl.float32) / OW - 0.5
    sy = (y.to(gl.float32) + 0.5) * H.to(gl.float32) / OH - 0.5
    fx = gl.floor(sx)
    fy = gl.floor(sy)
    x0 = gl.maximum(gl.minimum(fx.to(gl.int32), W - 1), 0)
    x1 = gl.maximum(gl.minimum(fx.to(gl.int32) + 1, W - 1), 0)
    y0 = gl.maximum(gl.minimum(fy.to(gl.int32), H - 1), 0)
    y1 = gl.maximum(gl.minimum(fy.to(gl.int32) + 1, H - 1), 0)
    m = x < OW
    a = gl.load(src + y0 * W + x0, mask=m).to(gl.float32)
    b = gl.load(src + y0 * W + x1, mask=m).to(gl.float32)
    c = gl.load(src + y1 * W + x0, mask=m).to(gl.float32)
    d = gl.load(src + y1 * W + x1, mask=m).to(gl.float32)
    wx = sx - fx
    wy = sy - fy
    o = (a * (1 - wx) + b * wx) * (1 - wy) + (c * (1 - wx) + d * wx) * wy
    gl.store(dst + y * OW + x, o.to(dst.dtype.element_ty), mask=m)


@gluon.jit
def rope_neox(q, k, cos, sin, pos, stride_t, stride_h, HQ, D: gl.constexpr, BH: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps(), 1], [1, 0])
    t = gl.program_id(0)
    h = gl.arange(0, BH, gl.SliceLayout(1, L))
    d = gl.arange(0, D // 2, gl.SliceLayout(0, L))
    p = gl.load(pos + t)
    c = gl.load(cos + p * (D // 2) + d).to(gl.float32)[None, :]
    s = gl.load(sin + p * (D // 2) + d).to(gl.float32)[None, :]
    at = t * stride_t + h[:, None] * stride_h + d[None, :]
    m = (h < HQ)[:, None]
    a = gl.load(q + at, mask=m).to(gl.float32)
    b = gl.load(q + at + D // 2, mask=m).to(gl.float32)
    gl.store(q + at, (a * c - b * s).to(q.dtype.element_ty), mask=m)
    gl.store(q + at + D // 2, (b * c + a * s).to(q.dtype.element_ty), mask=m)
    e = gl.load(k + at, mask=m).to(gl.float32)
    f = gl.load(k + at + D // 2, mask=m).to(gl.float32)
    gl.store(k + at, (e * c - f * s).to(k.dtype.element_ty), mask=m)
    gl.store(k + at + D // 2, (f * c + e * s).to(k.dtype.element_ty), mask=m)


@gluon.jit
def philox_dropout(dst, src, n, p, seed, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    c0 = i.to(gl.uint32)
    c1 = gl.zeros([BLOCK], gl.uint32, L)
    c2 = c1
    c3 = c1
    k0 = (seed & 0xffffffff).to(gl.uint32)
    k1 = (seed >> 32).to(gl.uint32)
    for _ in gl.static_range(10):
        a = c0
        b = c2
        c0 = gl.umulhi(b, gl.full([BLOCK], 0xCD9E8D57, gl.uint32, L)) ^ c1 ^ k0
        c2 = gl.umulhi(a, gl.full([BLOCK], 0xD2511F53, gl.uint32, L)) ^ c3 ^ k1
        c1 = b * 0xCD9E8D57
        c3 = a * 0xD2511F53
        k0 = k0 + 0x9E3779B9
        k1 = k1 + 0xBB67AE85
    u = (c0 >> 9).to(gl.float32) * (1.0 / 8388608.0)
    x = gl.load(src + i, mask=i < n)
    gl.store(dst + i, gl.where(u > p, x / (1 - p), 0.0).to(dst.dtype.element_ty), mask=i < n)


@gluon.jit
def quant_int8_groups(q, s, z, src, N, R: gl.constexpr, G: gl.constexpr, NG: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 1, 8], [1, 2, 16], [gl.num_warps(), 1, 1], [2, 1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, gl.SliceLayout(2, L)))[:, None, None]
    g = gl.program_id(1) * NG + gl.arange(0, NG, gl.SliceLayout(0, gl.SliceLayout(2, L)))[None, :, None]
    e = gl.arange(0, G, gl.SliceLayout(0, gl.SliceLayout(1, L)))[None, None, :]
    at = r * N + g * G + e
    x = gl.load(src + at).to(gl.float32)
    hi = gl.max(x, 2, keep_dims=True)
    lo = gl.min(x, 2, keep_dims=True)
    scale = (hi - lo) / 255.0
    scale = gl.where(scale == 0, 1.0, scale)
    zero = gl.floor(-lo / scale + 0.5)
    v = gl.clamp(gl.floor(x / scale + 0.5) + zero, 0.0, 255.0).to(gl.uint8)
    gl.store(q + at, v)
    gs = r * (N // G) + g
    gl.store(s + gs, scale)
    gl.store(z + gs, zero.to(gl.uint8))


@gluon.jit
def unpack_int4_rows(dst, src, scale, zero, N, G: gl.constexpr, R: gl.constexpr, C: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    w = gl.load(src + r[:, None] * (N // 8) + (c // 8)[None, :])
    v = (w >> ((c % 8) * 4)[None, :]) & 15
    s = gl.load(scale + r[:, None] * (N // G) + (c // G)[None, :])
    z = gl.load(zero + r[:, None] * (N // G) + (c // G)[None, :])
    gl.store(dst + r[:, None] * N + c[None, :], ((v.to(gl.float16) - z) * s))


@gluon.jit
def pack_bits(dst, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [32, 1], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.SliceLayout(1, L))
    c = gl.arange(0, 8, gl.SliceLayout(0, L))
    x = gl.load(src + r[:, None] * 8 + c[None, :], mask=(r < n)[:, None], other=0.0)
    b = (x > 0).to(gl.int32) << c[None, :]
    gl.store(dst + r, gl.sum(b, 1).to(gl.uint8), mask=r < n)


@gluon.jit
def gather_rows_async(dst, table, idx, D, n, T: gl.constexpr, C: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    s = gl.allocate_shared_memory(table.dtype.element_ty, [2, T, C], gl.SwizzledSharedLayout(4, 1, 1, [1, 0]))
    t = gl.program_id(0) * T + gl.arange(0, T, gl.SliceLayout(1, L))
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    id = gl.load(idx + t, mask=t < n, other=0).to(gl.int64)
    async_copy.async_load(s.index(0), table + id[:, None] * D + c[None, :], mask=(t < n)[:, None] & (c < D)[None, :])
    async_copy.commit_group()
    for k in range(0, D, C):
        b = (k // C) % 2
        async_copy.async_load(s.index(1 - b), table + id[:, None] * D + (k + C + c)[None, :], mask=(t < n)[:, None] & (k + C + c < D)[None, :])
        async_copy.commit_group()
        async_copy.wait_group(1)
        gl.barrier()
        gl.store(dst + t[:, None] * D + (k + c)[None, :], s.index(b).load(L), mask=(t < n)[:, None] & (k + c < D)[None, :])
        gl.barrier()


@gluon.jit
def scatter_max(dst, idx, src, n, BLOCK: gl.constexpr, KIND: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    k = gl.load(idx + i, mask=i < n, other=0)
    x = gl.load(src + i, mask=i < n)
    if KIND == "max":
        gl.atomic_max(dst + k, x, mask=i < n)
    elif KIND == "min":
        gl.atomic_min(dst + k, x, mask=i < n, sem="release")
    elif KIND == "and":
        gl.atomic_and(dst + k, x, mask=i < n, scope="cta")
    elif KIND == "xchg":
        o = gl.atomic_xchg(dst + k, x, mask=i < n)
        gl.store(src + i, o, mask=i < n)
    elif KIND == "add":
        o = gl.atomic_add(dst + k, x, mask=i < n, sem="acq_rel")
        gl.store(src + i, o, mask=i < n)


@gluon.jit
def cas_lock_add(dst, idx, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    k = gl.load(idx + i, mask=i < n, other=0)
    old = gl.atomic_cas(dst + k, gl.zeros([BLOCK], gl.int32, L), gl.load(src + i, mask=i < n, other=0))
    gl.store(src + i, old, mask=i < n)


@gluon.jit
def shared_histogram(out, src, n, BINS: gl.constexpr, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    B: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    s = gl.allocate_shared_memory(gl.int32, [BINS], gl.SwizzledSharedLayout(1, 1, 1, [0]), gl.zeros([BINS], gl.int32, B))
    gl.barrier()
    one = gl.full([BLOCK], 1, gl.int32, L)
    for k in range(gl.program_id(0) * BLOCK, n, gl.num_programs(0) * BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        x = gl.load(src + i, mask=i < n, other=0).to(gl.int32)
        s.atomic_scatter_add(one, x, 0, mask=i < n)
    gl.barrier()
    gl.atomic_add(out + gl.arange(0, BINS, B), s.load(B))


@gluon.jit
def hist_builtin(out, src, n, BINS: gl.constexpr, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    B: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(src + i, mask=i < n, other=0).to(gl.int32)
    h = gl.histogram(x, BINS, mask=i < n, layout=B)
    gl.atomic_add(out + gl.arange(0, BINS, B), h)


@gluon.jit
def tensor_gather(dst, src, idx, M: gl.constexpr, N: gl.constexpr, AXIS: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, L))
    c = gl.arange(0, N, gl.SliceLayout(0, L))
    p = r[:, None] * N + c[None, :]
    x = gl.load(src + p)
    k = gl.load(idx + p)
    gl.store(dst + p, gl.gather(x, k, AXIS))


@gluon.jit
def shared_gather_scatter(dst, src, idx, N: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, N, L)
    s = gl.allocate_shared_memory(src.dtype.element_ty, [N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    s.store(gl.load(src + i))
    gl.barrier()
    k = gl.load(idx + i)
    x = s.gather(k, 0)
    gl.barrier()
    s.scatter(x * 2, N - 1 - i, 0)
    gl.barrier()
    gl.store(dst + i, s.load(L))


@gluon.jit
def interleave(dst, a, b, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    O: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.join(gl.load(a + i, mask=i < n), gl.load(b + i, mask=i < n)).reshape((2 * BLOCK, ))
    x = gl.convert_layout(x, O)
    j = gl.program_id(0) * 2 * BLOCK + gl.arange(0, 2 * BLOCK, O)
    gl.store(dst + j, x, mask=j < 2 * n)


@gluon.jit
def deinterleave_mul(re, im, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(src + i, mask=i < n, other=0.0)
    a, b = gl.split(gl.reshape(x, (BLOCK // 2, 2)))
    j = gl.program_id(0) * (BLOCK // 2) + gl.arange(0, BLOCK // 2, a.type.layout)
    gl.store(re + j, a * a - b * b, mask=j < n // 2)
    gl.store(im + j, 2 * a * b, mask=j < n // 2)


@gluon.jit
def masks_kind(dst, src, M, N, lo, hi, BM: gl.constexpr, BN: gl.constexpr, KIND: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.arange(0, BN, gl.SliceLayout(0, L))
    if KIND == "row":
        m = (r < M)[:, None] & (c >= 0)[None, :]
    elif KIND == "band":
        m = (c[None, :] >= r[:, None] - lo) & (c[None, :] <= r[:, None] + hi)
    elif KIND == "tri":
        m = r[:, None] >= c[None, :]
    elif KIND == "even":
        m = ((r[:, None] + c[None, :]) % 2) == 0
    elif KIND == "range":
        m = ((r >= lo) & (r < hi))[:, None] & (c < N)[None, :]
    elif KIND == "block":
        m = (c < (N // 16) * 16)[None, :] & (r < M)[:, None]
    else:
        m = gl.load(src + M * N + r).to(gl.int1)[:, None] & (c < N)[None, :]
    x = gl.load(src + r[:, None] * N + c[None, :], mask=m, other=1)
    gl.store(dst + r[:, None] * N + c[None, :], x * 2, mask=m)


@gluon.jit
def i64_index(dst, src, s0, s1, s2, A, B, C, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0).to(gl.int64) * BLOCK + gl.arange(0, BLOCK, L)
    c = i % C
    b = (i // C) % B
    a = i // C // B
    m = a < A
    x = gl.load(src + a * s0 + b * s1 + c * s2, mask=m)
    gl.store(dst + i, x, mask=m)


@gluon.jit
def muon_lerp(p, g, m, n, lr, beta, wd, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    for k in range(gl.program_id(0) * BLOCK, n, gl.num_programs(0) * BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        gv = gl.load(g + i, mask=i < n, other=0.0).to(gl.float32)
        mv = gl.load(m + i, mask=i < n, other=0.0)
        mv = mv * beta + gv * (1 - beta)
        u = mv / (gl.abs(mv) + 1e-6)
        pv = gl.load(p + i, mask=i < n, other=0.0).to(gl.float32)
        pv = pv * (1 - lr * wd) - lr * u
        gl.store(m + i, mv, mask=i < n)
        gl.store(p + i, pv.to(p.dtype.element_ty), mask=i < n)


@gluon.jit
def maths(dst, src, n, BLOCK: gl.constexpr, F: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(src + i, mask=i < n, other=0.5)
    if F == "sin":
        y = gl.sin(x) * gl.cos(x)
    elif F == "erf":
        y = gl.erf(x)
    elif F == "log":
        y = gl.log(gl.abs(x)) + gl.log2(x)
    elif F == "div":
        y = gl.fdiv(x, x + 3.0)
    elif F == "sqrt":
        y = gl.sqrt(x) + gl.rsqrt(x)
    elif F == "ceil":
        y = gl.ceil(x) - gl.floor(x)
    elif F == "mod":
        y = x % 3.0
    elif F == "tanh":
        e = gl.exp(2 * x)
        y = (e - 1) / (e + 1)
    elif F == "clamp":
        y = gl.clamp(x, -1.0, 1.0)
    else:
        y = gl.maximum(x, 0.25 * x, propagate_nan=gl.constexpr(0xFFFF))
    gl.store(dst + i, y.to(dst.dtype.element_ty), mask=i < n)


@gluon.jit
def ints(dst, a, b, n, BLOCK: gl.constexpr, F: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(a + i, mask=i < n, other=1)
    y = gl.load(b + i, mask=i < n, other=1)
    if F == "divmod":
        z = x // y + x % y
    elif F == "const":
        z = x // 7 + x % 10
    elif F == "shift":
        z = (x << (y & 7)) | (x >> (y & 3))
    elif F == "mulhi":
        z = gl.umulhi(x, y)
    elif F == "minmax":
        z = gl.minimum(x, y) ^ gl.maximum(x, y)
    else:
        z = gl.where(x > y, ~x, -y) & (x * y)
    gl.store(dst + i, z.to(dst.dtype.element_ty), mask=i < n)
