"""Scans, sorts, selections: sums, segments, recurrences, bitonic networks, the largest of a row."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def _add(a, b):
    return a + b


@gluon.jit
def _max(a, b):
    return gl.maximum(a, b)


@gluon.jit
def _seg(fa, a, fb, b):
    return fa | fb, gl.where(fb != 0, b, a + b)


@gluon.jit
def _ssm(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2


@gluon.jit
def _online(m1, s1, m2, s2):
    m = gl.maximum(m1, m2)
    return m, s1 * gl.exp(m1 - m) + s2 * gl.exp(m2 - m)


@gluon.jit
def _welford(m1, v1, n1, m2, v2, n2):
    n = n1 + n2
    d = m2 - m1
    f = n2 / gl.maximum(n, 1.0)
    return m1 + d * f, v1 + v2 + d * d * n1 * f, n


@gluon.jit
def scan_1d(dst, src, n, BLOCK: gl.constexpr, VEC: gl.constexpr, REV: gl.constexpr, KIND: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    p = gl.program_id(0) * n + i
    x = gl.load(src + p, mask=i < n, other=0)
    if KIND == "sum":
        y = gl.cumsum(x, 0, reverse=REV)
    elif KIND == "prod":
        y = gl.cumprod(x, 0, reverse=REV)
    elif KIND == "max":
        y = gl.associative_scan(x, 0, _max, reverse=REV)
    else:
        y = gl.cumsum((x > 0).to(gl.int32), 0, reverse=REV)
    gl.store(dst + p, y.to(dst.dtype.element_ty), mask=i < n)


@gluon.jit
def scan_2d(dst, src, M: gl.constexpr, N: gl.constexpr, AXIS: gl.constexpr, REV: gl.constexpr, V0: gl.constexpr, V1: gl.constexpr, T0: gl.constexpr, W0: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([V0, V1], [T0, 32 // T0], [W0, gl.num_warps() // W0], [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, L))
    c = gl.arange(0, N, gl.SliceLayout(0, L))
    p = gl.program_id(0) * M * N + r[:, None] * N + c[None, :]
    gl.store(dst + p, gl.associative_scan(gl.load(src + p), AXIS, _add, reverse=REV))


@gluon.jit
def scan_3d(dst, src, A: gl.constexpr, B: gl.constexpr, C: gl.constexpr, AXIS: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2, 2], [2, 4, 4], [gl.num_warps() // 2, 2, 1], [2, 1, 0])
    a = gl.arange(0, A, gl.SliceLayout(1, gl.SliceLayout(2, L)))[:, None, None]
    b = gl.arange(0, B, gl.SliceLayout(0, gl.SliceLayout(2, L)))[None, :, None]
    c = gl.arange(0, C, gl.SliceLayout(0, gl.SliceLayout(1, L)))[None, None, :]
    p = gl.program_id(0) * A * B * C + (a * B + b) * C + c
    gl.store(dst + p, gl.cumsum(gl.load(src + p), AXIS))


@gluon.jit
def segmented_sum(dst, src, flag, n, BLOCK: gl.constexpr, VEC: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    p = gl.program_id(0) * n + i
    f, y = gl.associative_scan((gl.load(flag + p, mask=i < n, other=0), gl.load(src + p, mask=i < n, other=0.0)), 0, _seg)
    gl.store(dst + p, y, mask=i < n)


@gluon.jit
def mamba_chunk(y, a, b, c, T, D, BT: gl.constexpr, BD: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 1], [4, 8], [gl.num_warps(), 1], [1, 0])
    d = gl.program_id(0) * BD + gl.arange(0, BD, gl.SliceLayout(0, L))
    h = gl.zeros([BD], gl.float32, gl.SliceLayout(0, L))
    t = gl.arange(0, BT, gl.SliceLayout(1, L))
    for k in range(0, T, BT):
        p = (k + t)[:, None] * D + d[None, :]
        av = gl.exp(-gl.load(a + p).to(gl.float32))
        bv = gl.load(b + p).to(gl.float32)
        ca, cb = gl.associative_scan((av, bv), 0, _ssm)
        hs = ca * h[None, :] + cb
        gl.store(y + p, (hs * gl.load(c + p).to(gl.float32)).to(y.dtype.element_ty))
        last = (t == BT - 1)[:, None]
        h = gl.sum(gl.where(last, hs, 0.0), 0)


@gluon.jit
def online_softmax_reduce(out, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    x = gl.load(src + gl.program_id(0) * n + i, mask=i < n, other=-1e30)
    m, s = gl.reduce((x, gl.full([BLOCK], 1.0, gl.float32, L)), 0, _online)
    gl.store(out + gl.program_id(0) * 2, m)
    gl.store(out + gl.program_id(0) * 2 + 1, s)


@gluon.jit
def welford_rows(mean, var, src, N, BM: gl.constexpr, BN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [gl.num_warps() // 2, 2], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.arange(0, BN, gl.SliceLayout(0, L))
    x = gl.load(src + r[:, None] * N + c[None, :], mask=(c < N)[None, :], other=0.0).to(gl.float32)
    k = gl.where((c < N)[None, :], gl.full([BM, BN], 1.0, gl.float32, L), 0.0)
    m, v, n = gl.reduce((x, gl.zeros([BM, BN], gl.float32, L), k), 1, _welford)
    gl.store(mean + r, m)
    gl.store(var + r, v / n)


@gluon.jit
def _swap(x, N: gl.constexpr, j: gl.constexpr, k: gl.constexpr, L: gl.constexpr):
    # one compare and exchange of a bitonic network by reshapes
    y = gl.permute(gl.reshape(x, (N // (2 * j), 2, j)), (0, 2, 1))
    P: gl.constexpr = gl.BlockedLayout([1, 1, 2], [32 // (j if j < 32 else 32), j if j < 32 else 32, 1], [gl.num_warps(), 1, 1], [2, 1, 0])
    a, b = gl.split(gl.convert_layout(y, P))
    lo = gl.minimum(a, b)
    hi = gl.maximum(a, b)
    i = gl.arange(0, N // (2 * j), gl.SliceLayout(1, lo.type.layout))
    up = ((i * (2 * j)) & k) == 0
    first = gl.where(up[:, None], lo, hi)
    second = gl.where(up[:, None], hi, lo)
    z = gl.permute(gl.join(first, second), (0, 2, 1))
    return gl.convert_layout(gl.reshape(z, (N, )), L)


@gluon.jit
def bitonic_reshape(dst, src, N: gl.constexpr, LOGN: gl.constexpr, VEC: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([VEC], [32], [gl.num_warps()], [0])
    i = gl.arange(0, N, L)
    x = gl.load(src + gl.program_id(0) * N + i)
    for s in gl.static_range(1, LOGN + 1):
        for t in gl.static_range(s):
            x = _swap(x, N, 1 << (s - 1 - t), 1 << s, L)
    gl.store(dst + gl.program_id(0) * N + i, x)


@gluon.jit
def _gswap(x, i, j: gl.constexpr, k: gl.constexpr):
    y = gl.gather(x, i ^ j, 0)
    up = (i & k) == 0
    low = (i & j) == 0
    return gl.where(up == low, gl.minimum(x, y), gl.maximum(x, y))


@gluon.jit
def bitonic_gather(dst, src, N: gl.constexpr, LOGN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.arange(0, N, L)
    x = gl.load(src + gl.program_id(0) * N + i)
    for s in gl.static_range(1, LOGN + 1):
        for t in gl.static_range(s):
            x = _gswap(x, i, 1 << (s - 1 - t), 1 << s)
    gl.store(dst + gl.program_id(0) * N + i, x)


@gluon.jit
def _xswap(x, c, M: gl.constexpr, N: gl.constexpr, j: gl.constexpr, k: gl.constexpr, L: gl.constexpr):
    y = gl.reshape(x, (M, N // (2 * j), 2, j)).to(gl.int32, bitcast=True)
    o = gl.xor_sum(y, 2, keep_dims=True)
    other = gl.convert_layout(gl.reshape(o ^ y, (M, N)), L).to(gl.float32, bitcast=True)
    low = ((c & j) == 0)[None, :]
    up = ((c & k) == 0)[None, :]
    return gl.where(low == up, gl.minimum(x, other), gl.maximum(x, other))


@gluon.jit
def sort_rows_xor(dst, src, M: gl.constexpr, N: gl.constexpr, LOGN: gl.constexpr):
    # hypercube formulation as in triton's sort
    L: gl.constexpr = gl.BlockedLayout([1, 4], [8, 4], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, M, gl.SliceLayout(1, L))
    c = gl.arange(0, N, gl.SliceLayout(0, L))
    p = gl.program_id(0) * M * N + r[:, None] * N + c[None, :]
    x = gl.load(src + p)
    for s in gl.static_range(1, LOGN + 1):
        for t in gl.static_range(s):
            x = _xswap(x, c, M, N, 1 << (s - 1 - t), 1 << s, L)
    gl.store(dst + p, x)


@gluon.jit
def topk_loop(vals, ids, src, N, K: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * BM + gl.arange(0, BM, gl.SliceLayout(1, L))
    c = gl.arange(0, BN, gl.SliceLayout(0, L))
    x = gl.load(src + r[:, None] * N + c[None, :], mask=(c < N)[None, :], other=float("-inf")).to(gl.float32)
    # pack value and index to one int64
    b = x.to(gl.int32, bitcast=True)
    b = b ^ ((b >> 31) & 0x7fffffff)
    key = (b.to(gl.int64) << 32) | (BN - 1 - c)[None, :]
    for k in gl.static_range(K):
        best = gl.max(key, 1)
        gl.store(ids + r * K + k, (BN - 1 - (best & 0xffffffff)).to(gl.int32))
        v = (best >> 32).to(gl.int32)
        v = v ^ ((v >> 31) & 0x7fffffff)
        gl.store(vals + r * K + k, v.to(gl.float32, bitcast=True))
        key = gl.where(key == best[:, None], -9223372036854775808, key)


@gluon.jit
def compact(dst, count, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    x = gl.load(src + i, mask=i < n, other=0.0)
    keep = (x > 0) & (i < n)
    k = keep.to(gl.int32)
    place = gl.cumsum(k, 0) - k
    total = gl.sum(k, 0)
    base = gl.atomic_add(count, total)
    gl.store(dst + base + place, x, mask=keep)


@gluon.jit
def cumsum_carry(dst, src, n, BLOCK: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [gl.num_warps()], [0])
    carry = 0.0
    row = gl.program_id(0).to(gl.int64) * n
    for k in range(0, n, BLOCK):
        i = k + gl.arange(0, BLOCK, L)
        x = gl.load(src + row + i, mask=i < n, other=0.0).to(gl.float32)
        y = gl.cumsum(x, 0) + carry
        gl.store(dst + row + i, y.to(dst.dtype.element_ty), mask=i < n)
        carry += gl.sum(x, 0)


@gluon.jit
def radix_count(hist, keys, n, SHIFT: gl.constexpr, BLOCK: gl.constexpr, R: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 1], [32, 1], [gl.num_warps(), 1], [0, 1])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.SliceLayout(1, L))
    d = (gl.load(keys + i, mask=i < n, other=0) >> SHIFT) & (R - 1)
    b = gl.arange(0, R, gl.SliceLayout(0, L))
    one = (d[:, None] == b[None, :]).to(gl.int32)
    gl.store(hist + gl.program_id(0) * R + b, gl.sum(one, 0))
