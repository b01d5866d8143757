"""Products of matrices: gathered, narrow, split along K, with what follows them; a convolution. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout, cdna3, cdna4, cdna5, warp_pipeline_stage

from shared import Chip, ld, mul, of, offsets_of, run, st


@gluon.jit
def mm_simple(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BN // 8), BN // 8], [gl.num_warps(), 1], [1, 0])
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        u = ld(a, offsets_of(r, k, K, LA, BM, BK), None, BUF, None)
        v = ld(b, offsets_of(k, q, N, LB, BK, BN), None, BUF, None)
        acc = mul(gl.convert_layout(u, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(v, gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    st(c, offsets_of(r, q, N, MMA, BM, BN), acc, None, BUF)


@gluon.jit
def mm_shared(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    SA: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [BM, BK], SA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [BN, BK], SA)
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    u = ld(a, offsets_of(r, 0, K, LA, BM, BK), None, BUF, None)
    v = ld(b, offsets_of(q, 0, K, LA, BN, BK), None, BUF, None)
    for k in range(BK, K, BK):
        sa.store(u)
        sb.store(v)
        u = ld(a, offsets_of(r, k, K, LA, BM, BK), None, BUF, None)
        v = ld(b, offsets_of(q, k, K, LA, BN, BK), None, BUF, None)
        acc = mul(sa.load(gl.DotOperandLayout(0, MMA, KW)), sb.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    sa.store(u)
    sb.store(v)
    acc = mul(sa.load(gl.DotOperandLayout(0, MMA, KW)), sb.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    OUT: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    st(c, offsets_of(r, q, N, OUT, BM, BN), gl.convert_layout(acc, OUT), None, BUF)


@gluon.jit
def mm_splitk_atomic(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SPLIT: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BN // 8), BN // 8], [gl.num_warps(), 1], [1, 0])
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(gl.program_id(2) * BK, K, BK * SPLIT):
        ra = r + gl.arange(0, BM, gl.SliceLayout(1, LA))
        kb = k + gl.arange(0, BK, gl.SliceLayout(1, LB))
        u = gl.load(a + offsets_of(r, k, K, LA, BM, BK), mask=(ra < M)[:, None], other=0.0)
        v = gl.load(b + offsets_of(k, q, N, LB, BK, BN), mask=(kb < K)[:, None], other=0.0)
        acc = mul(gl.convert_layout(u, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(v, gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    ro = r + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    gl.atomic_add(c + offsets_of(r, q, N, MMA, BM, BN), acc, mask=(ro < M)[:, None], sem="relaxed")


@gluon.jit
def splitk_combine(y, parts, bias, n, cols, SPLIT: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    acc = gl.load(bias + i % cols).to(gl.float32)
    for s in gl.static_range(SPLIT):
        acc += ld(parts, s * n + i, i < n, BUF)
    st(y, i, acc, i < n, BUF)


@gluon.jit
def mm_grouped_swizzle(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, G: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    pid = gl.program_id(0)
    nm, nn = gl.cdiv(M, BM), gl.cdiv(N, BN)
    group = pid // (G * nn)
    first = group * G
    size = gl.minimum(nm - first, G)
    r = (first + (pid % (G * nn)) % size) * BM
    q = ((pid % (G * nn)) // size) * BN
    ra = r + gl.arange(0, BM, gl.SliceLayout(1, LA))
    rb = q + gl.arange(0, BN, gl.SliceLayout(1, LA))
    kk = gl.arange(0, BK, gl.SliceLayout(0, LA))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, gl.cdiv(K, BK)):
        mk = (k * BK + kk < K)[None, :]
        u = ld(a, ra[:, None] * K + k * BK + kk[None, :], mk & (ra < M)[:, None], BUF)
        v = ld(b, rb[:, None] * K + k * BK + kk[None, :], mk & (rb < N)[:, None], BUF)
        acc = mul(gl.convert_layout(u, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(v.permute((1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    ro = r + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    co = q + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    st(c, ro[:, None] * N + co[None, :], acc, (ro < M)[:, None] & (co < N)[None, :], BUF)


@gluon.jit
def pairwise_l2(d, x, y, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, L)
    ra = r + gl.arange(0, BM, gl.SliceLayout(1, L))
    rb = q + gl.arange(0, BN, gl.SliceLayout(0, L))
    for k in range(0, K):
        u = gl.load(x + ra * K + k, mask=ra < M, other=0.0).to(gl.float32)
        v = gl.load(y + rb * K + k, mask=rb < N, other=0.0).to(gl.float32)
        e = u[:, None] - v[None, :]
        acc += e * e
    gl.store(d + ra[:, None] * N + rb[None, :], gl.sqrt(acc), mask=(ra < M)[:, None] & (rb < N)[None, :])


@gluon.jit
def gemv_fp16(y, a, x, K, R: gl.constexpr, BK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    kk = gl.arange(0, BK, gl.SliceLayout(0, L))
    acc = gl.zeros([R, BK], gl.float32, L)
    for k in range(0, K, BK):
        w = ld(a, r[:, None] * K + (k + kk)[None, :], None, BUF, None)
        acc += w.to(gl.float32) * gl.load(x + k + kk).to(gl.float32)[None, :]
    gl.store(y + r, gl.sum(acc, 1).to(y.dtype.element_ty))


@gluon.jit
def dot_int8(c, a, b, sa, sb, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // (BK // 16), BK // 16], [gl.num_warps(), 1], [1, 0])
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.int32, MMA)
    for k in range(0, K, BK):
        u = ld(a, offsets_of(r, k, K, LA, BM, BK), None, BUF, None)
        v = ld(b, offsets_of(q, k, K, LA, BN, BK), None, BUF, None)
        acc = mul(gl.convert_layout(u, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(v.permute((1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    x = gl.load(sa + r + gl.arange(0, BM, gl.SliceLayout(1, MMA)))[:, None] * gl.load(sb + q + gl.arange(0, BN, gl.SliceLayout(0, MMA)))[None, :]
    st(c, offsets_of(r, q, N, MMA, BM, BN), acc.to(gl.float32) * x, None, BUF)


@gluon.jit
def w8a16(c, a, w, s, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    LW: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // (BK // 16), BK // 16], [gl.num_warps(), 1], [1, 0])
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        u = gl.load(a + offsets_of(r, k, K, LA, BM, BK))
        v = gl.load(w + offsets_of(q, k, K, LW, BN, BK)).to(a.dtype.element_ty)
        acc = mul(gl.convert_layout(u, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(v.permute((1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    acc = acc * gl.load(s + q + gl.arange(0, BN, gl.SliceLayout(0, MMA)))[None, :]
    gl.store(c + offsets_of(r, q, N, MMA, BM, BN), acc.to(c.dtype.element_ty))


@gluon.jit
def batched_mm_bias_gelu(c, a, b, bias, S, K: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    z = gl.program_id(2).to(gl.int64) * S
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    u = gl.load(a + z + offsets_of(r, 0, K, LA, BM, K))
    v = gl.load(b + z + offsets_of(q, 0, K, LA, BN, K))
    x = mul(gl.convert_layout(u, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(v.permute((1, 0)), gl.DotOperandLayout(1, MMA, KW)), gl.zeros([BM, BN], gl.float32, MMA), KIND)
    x = x + gl.load(bias + q + gl.arange(0, BN, gl.SliceLayout(0, MMA)))[None, :]
    x = x / (1.0 + gl.exp(-1.702 * x))
    gl.store(c + z + offsets_of(r, q, 1024, MMA, BM, BN), x.to(c.dtype.element_ty))


@gluon.jit
def moe_gathered(out, x, w, tokens, experts, weights, count, N, K, TOPK: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr,
                 KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    sa = gl.allocate_shared_memory(x.dtype.element_ty, [BM, BK], gl.SwizzledSharedLayout(8, 2, 4, [1, 0]))
    sb = gl.allocate_shared_memory(w.dtype.element_ty, [BN, BK], gl.SwizzledSharedLayout(8, 2, 4, [1, 0]))
    pm, pn = gl.program_id(0), gl.program_id(1)
    e = gl.load(experts + pm)
    token = gl.load(tokens + pm * BM + gl.arange(0, BM, gl.SliceLayout(1, LA)))
    real = token < count
    kk = gl.arange(0, BK, gl.SliceLayout(0, LA))
    oa = (token // TOPK)[:, None] * K + kk[None, :]
    ob = e * N * K + offsets_of(pn * BN, 0, K, LA, BN, BK)
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        sa.store(gl.load(x + oa + k, mask=real[:, None] & (k + kk < K)[None, :], other=0.0))
        sb.store(gl.load(w + ob + k, mask=(k + kk < K)[None, :], other=0.0))
        acc = mul(sa.load(A), sb.permute((1, 0)).load(B), acc, KIND)
    t = gl.load(tokens + pm * BM + gl.arange(0, BM, gl.SliceLayout(1, MMA)))
    acc = acc * gl.load(weights + t, mask=t < count, other=0.0)[:, None]
    n = pn * BN + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    gl.store(out + t[:, None] * N + n[None, :], acc.to(out.dtype.element_ty), mask=(t < count)[:, None] & (n < N)[None, :])


@gluon.jit
def fp8_block_scales(out, a, b, sa, sb, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
                     LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    for k in range(0, K // BK):
        x = gl.load(a + offsets_of(row, k * BK, K, LA, BM, BK))
        y = gl.load(b + offsets_of(col, k * BK, K, LA, BN, BK))
        part = mul(gl.convert_layout(x, A), gl.convert_layout(gl.permute(y, (1, 0)), B), gl.zeros([BM, BN], gl.float32, MMA), KIND)
        acc += part * (gl.load(sa + r * (K // BK) + k) * gl.load(sb + (col // 128) * (K // BK) + k))[:, None]
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def split_k_last_adds(out, part, locks, a, b, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, SPLIT: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr,
                      KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    tile, split = gl.program_id(0), gl.program_id(1)
    row, col = (tile // (N // BN)) * BM, (tile % (N // BN)) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(split * (K // SPLIT), (split + 1) * (K // SPLIT), BK):
        x = gl.load(a + offsets_of(row, k, K, LA, BM, BK))
        y = gl.load(b + offsets_of(col, k, K, LA, BN, BK))
        acc = mul(gl.convert_layout(x, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(gl.permute(y, (1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    o = offsets_of(row, col, N, MMA, BM, BN)
    gl.store(part + split * M * N + o, acc)
    gl.barrier()
    done = gl.atomic_add(locks + tile, 1, sem="acq_rel")
    if done == SPLIT - 1:
        total = gl.zeros([BM, BN], gl.float32, MMA)
        for i in range(0, SPLIT):
            total += gl.load(part + i * M * N + o)
        gl.store(out + o, total.to(out.dtype.element_ty))


@gluon.jit
def persistent_bias_relu(out, a, b, bias, M, N, K, PROGRAMS: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr,
                         KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [BM, BK], gl.SwizzledSharedLayout(8, 2, 4, [1, 0]))
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [BK, BN], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    across = gl.cdiv(N, BN)
    for tile in range(gl.program_id(0), gl.cdiv(M, BM) * across, PROGRAMS):
        row, col = (tile // across) * BM, (tile % across) * BN
        ra = row + gl.arange(0, BM, gl.SliceLayout(1, LA))
        cb = col + gl.arange(0, BN, gl.SliceLayout(0, LB))
        acc = gl.zeros([BM, BN], gl.float32, MMA)
        for k in range(0, K, BK):
            sa.store(gl.load(a + offsets_of(row, k, K, LA, BM, BK), mask=(ra < M)[:, None], other=0.0))
            sb.store(gl.load(b + offsets_of(k, col, N, LB, BK, BN), mask=(cb < N)[None, :], other=0.0))
            acc = mul(sa.load(gl.DotOperandLayout(0, MMA, KW)), sb.load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
        r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
        c = col + gl.arange(0, BN, gl.SliceLayout(0, MMA))
        acc = gl.maximum(acc + gl.load(bias + c, mask=c < N, other=0.0).to(gl.float32)[None, :], 0.0)
        gl.store(out + r[:, None] * N + c[None, :], acc.to(out.dtype.element_ty), mask=(r < M)[:, None] & (c < N)[None, :])


@gluon.jit
def convolution(out, x, w, H, W, C, P, Q, F, R: gl.constexpr, S: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr,
                KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    i = row + gl.arange(0, BM, gl.SliceLayout(1, LA))
    q = i % Q
    p = (i // Q) % P
    n = i // (Q * P)
    kk = gl.arange(0, BK, gl.SliceLayout(0, LA))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, R * S * C, BK):
        c = (k + kk) % C
        s = (k + kk) // C % S
        r = (k + kk) // (C * S)
        h = p[:, None] + r[None, :] - 1
        v = q[:, None] + s[None, :] - 1
        ok = (h >= 0) & (h < H) & (v >= 0) & (v < W)
        a = gl.load(x + ((n[:, None] * H + h) * W + v) * C + c[None, :], mask=ok, other=0.0)
        b = gl.load(w + offsets_of(col, k, R * S * C, LA, BN, BK))
        acc = mul(gl.convert_layout(a, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(gl.permute(b, (1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    gl.store(out + offsets_of(row, col, F, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def double_buffered(out, a, b, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    SA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0])
    SB: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BN, BK], [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], SA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BN, BK], SB)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    sa.index(0).store(gl.load(a + offsets_of(row, 0, K, LA, BM, BK)))
    sb.index(0).store(gl.load(b + offsets_of(col, 0, K, LA, BN, BK)))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K // BK - 1):
        x = gl.load(a + offsets_of(row, (k + 1) * BK, K, LA, BM, BK))
        y = gl.load(b + offsets_of(col, (k + 1) * BK, K, LA, BN, BK))
        acc = mul(sa.index(k % 2).load(gl.DotOperandLayout(0, MMA, KW)), sb.index(k % 2).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
        sa.index((k + 1) % 2).store(x)
        sb.index((k + 1) % 2).store(y)
    last = (K // BK - 1) % 2
    acc = mul(sa.index(last).load(gl.DotOperandLayout(0, MMA, KW)), sb.index(last).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def product_transposed_a(out, a, b, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
                         LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [BK, BM], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [BK, BN], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        sa.store(gl.load(a + offsets_of(k, row, M, L, BK, BM)))
        sb.store(gl.load(b + offsets_of(k, col, N, L, BK, BN)))
        acc = mul(sa.permute((1, 0)).load(gl.DotOperandLayout(0, MMA, KW)), sb.load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def fp4_weights(out, a, b, scales, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        x = gl.load(a + offsets_of(row, k, K, LA, BM, BK))
        q = gl.load(b + offsets_of(col, k // 2, K // 2, LB, BN, BK // 2)).to(gl.int32)
        lo = q & 15
        hi = (q >> 4) & 15
        both = gl.join(lo, hi).reshape([BN, BK])
        e = (both >> 1) & 3
        m = both & 1
        v = gl.where(e == 0, m.to(gl.float32) * 0.5, (m.to(gl.float32) * 0.5 + 1.0) * (1 << (e - 1)).to(gl.float32))
        v = gl.where((both & 8) != 0, -v, v)
        g = gl.load(scales + (col + gl.arange(0, BN, gl.SliceLayout(1, both.type.layout))) * (K // 32) + k // 32).to(gl.float32)
        y = (v * g[:, None]).to(a.dtype.element_ty)
        acc = mul(gl.convert_layout(x, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(gl.permute(y, (1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def int8_per_channel(out, a, b, sa, sb, zb, bias, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
                     LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    sm = gl.allocate_shared_memory(gl.int8, [BM, BK], gl.SwizzledSharedLayout(16, 2, 4, [1, 0]))
    sn = gl.allocate_shared_memory(gl.int8, [BN, BK], gl.SwizzledSharedLayout(16, 2, 4, [1, 0]))
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.int32, MMA)
    sums = gl.zeros([BM], gl.int32, gl.SliceLayout(1, L))
    for k in range(0, K, BK):
        x = gl.load(a + offsets_of(row, k, K, L, BM, BK))
        sm.store(x)
        sn.store(gl.load(b + offsets_of(col, k, K, L, BN, BK)))
        sums += gl.sum(x.to(gl.int32), 1)
        acc = mul(sm.load(gl.DotOperandLayout(0, MMA, KW)), sn.permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    c = col + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    y = (acc - gl.convert_layout(sums, gl.SliceLayout(1, MMA))[:, None] * gl.load(zb + c).to(gl.int32)[None, :]).to(gl.float32)
    y = y * gl.load(sa + r)[:, None] * gl.load(sb + c)[None, :] + gl.load(bias + c).to(gl.float32)[None, :]
    gl.store(out + r[:, None] * N + c[None, :], y.to(out.dtype.element_ty))


@gluon.jit
def low_rank_update(out, x, a, b, scale, N, K, R: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr,
                    LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    row = gl.program_id(0) * BM
    h = gl.zeros([BM, R], gl.float32, MMA)
    for k in range(0, K, BK):
        h = mul(gl.convert_layout(gl.load(x + offsets_of(row, k, K, L, BM, BK)), A), gl.convert_layout(gl.permute(gl.load(a + offsets_of(0, k, K, L, R, BK)), (1, 0)), B), h, KIND)
    hd = gl.convert_layout((h * scale).to(x.dtype.element_ty), A)
    for n in range(0, N, BN):
        o = offsets_of(row, n, N, MMA, BM, BN)
        y = mul(hd, gl.convert_layout(gl.permute(gl.load(b + offsets_of(n, 0, R, L, BN, R)), (1, 0)), B), gl.zeros([BM, BN], gl.float32, MMA), KIND)
        gl.store(out + o, (gl.load(out + o).to(gl.float32) + y).to(out.dtype.element_ty))


@gluon.jit
def warp_pipelined(out, a, b, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 4, 4], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.SwizzledSharedLayout(8, 2, 4, [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], S)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BN, BK], S)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    sa.index(0).store(gl.load(a + offsets_of(row, 0, K, L, BM, BK)))
    sb.index(0).store(gl.load(b + offsets_of(col, 0, K, L, BN, BK)))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K // BK - 1):
        with warp_pipeline_stage("load", priority=1):
            x = gl.load(a + offsets_of(row, (k + 1) * BK, K, L, BM, BK))
            y = gl.load(b + offsets_of(col, (k + 1) * BK, K, L, BN, BK))
            u = sa.index(k % 2).load(gl.DotOperandLayout(0, MMA, KW))
            v = sb.index(k % 2).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW))
        with warp_pipeline_stage("compute", priority=0):
            acc = mul(u, v, acc, KIND)
            sa.index((k + 1) % 2).store(x)
            sb.index((k + 1) % 2).store(y)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def upcast_weights(out, a, b, scales, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr, KIND: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 4], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        x = gl.load(a + offsets_of(row, k, K, LA, BM, BK))
        q = gl.load(b + offsets_of(col, k // 2, K // 2, LB, BN, BK // 2))
        if KIND == "wmma5":
            SL: gl.constexpr = cdna5.get_scaled_upcast_fp4_scale_layout(q, 32, gl.bfloat16, 1)
            g = gl.load(scales + offsets_of(col, k // 32, K // 32, SL, BN, BK // 32))
            y = cdna5.scaled_upcast(q, g, gl.bfloat16, axis=1)
        else:
            SM: gl.constexpr = cdna3.get_scaled_upcast_fp4_scale_layout(q, 32, gl.bfloat16, 1)
            g = gl.load(scales + offsets_of(col, k // 32, K // 32, SM, BN, BK // 32))
            y = cdna3.scaled_upcast(q, g, gl.bfloat16, axis=1)
        acc = mul(gl.convert_layout(x, gl.DotOperandLayout(0, MMA, KW)), gl.convert_layout(gl.permute(y, (1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc, KIND)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def scaled_through_lds(out, a, b, sa, sb, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, A: gl.constexpr, B: gl.constexpr, MMA: gl.constexpr, SA: gl.constexpr,
                       SB: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 16]], [BM, BK], [1, 0])
    ma = gl.allocate_shared_memory(gl.float8e4nv, [BM, BK], S)
    mb = gl.allocate_shared_memory(gl.float8e4nv, [BN, BK], S)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        ma.store(gl.load(a + offsets_of(row, k, K, L, BM, BK)))
        mb.store(gl.load(b + offsets_of(col, k, K, L, BN, BK)))
        x = gl.load(sa + offsets_of(row, k // 32, K // 32, SA, BM, BK // 32))
        y = gl.load(sb + offsets_of(col, k // 32, K // 32, SB, BN, BK // 32))
        if LANES == 64:
            acc = cdna4.mfma_scaled(ma.load(A), x, "e4m3", mb.permute((1, 0)).load(B), y, "e4m3", acc)
        else:
            acc = cdna5.wmma_scaled(ma.load(A), x, "e4m3", mb.permute((1, 0)).load(B), y, "e4m3", acc)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


def cases(arch):
    chip = Chip(arch)
    lanes = chip.lanes
    kind = chip.products
    kw = chip.width
    kw8 = chip.byte_width
    n, m, cols, rows = 1 << 20, 1024, 4096, 256
    x, y, z, w = of(rows, cols), of(rows, cols), of(rows, cols), of(cols)
    h, g, o = (of(rows, cols, dtype=torch.float16) for _ in range(3))
    ids, long_ids, bytes_, s8 = of(n, dtype=torch.int32), of(n, dtype=torch.int64), of(n, dtype=torch.uint8), of(n, dtype=torch.int8)
    p, q, r = (of(m, m, dtype=torch.float16) for _ in range(3))
    pb, qb, rb = (of(m, m, dtype=torch.bfloat16) for _ in range(3))
    buf = chip.takes_buffers
    mm_simple[(8, 8)](p, q, r, m, m, m, 64, 64, 32, chip.matrix(square=True), kw, kind, lanes, buf)
    mm_simple[(8, 8)](pb, qb, rb, m, m, m, 128, 64, 64, chip.matrix(), kw, kind, lanes, buf)
    mm_shared[(8, 8)](p, q, r, m, m, m, 128, 128, 32, chip.matrix(wide=True, square=True), kw, kind, lanes, buf)
    mm_shared[(8, 8)](pb, qb, rb, m, m, m, 64, 128, 64, chip.matrix(square=True), kw, kind, lanes, buf)
    mm_splitk_atomic[(8, 8, 4)](p, q, x, m - 3, m, m, 64, 64, 32, 4, chip.matrix(square=True), kw, kind, lanes)
    splitk_combine[(512, )](o, x, w, n // 8, cols, 8, 1024, lanes, buf)
    mm_grouped_swizzle[(64, )](p, q, r, m - 8, m - 16, m - 8, 128, 64, 32, 8, chip.matrix(square=True), kw, kind, lanes, buf)
    pairwise_l2[(4, 4)](x, h, g, 250, 250, 64, 64, 64, 16, lanes)
    gemv_fp16[(64, )](o, h, g, cols, 8, 1024, lanes, buf)
    dot_int8[(8, 8)](r, s8, s8, w, w, m, m, 64, 64, 64, chip.matrix(square=True, bits=8), kw8, kind, lanes, buf)
    w8a16[(8, 8)](rb, pb, s8, w, m, m, 64, 64, 64, chip.matrix(square=True), kw, kind, lanes)
    batched_mm_bias_gelu[(8, 8, 4)](r, p, q, w, 1 << 16, 64, 64, 64, chip.matrix(square=True), kw, kind, lanes)
    p, q, r, o = (of(1 << 16, dtype=torch.float16) for _ in range(4))
    pb, qb, rb, ob = (of(1 << 16, dtype=torch.bfloat16) for _ in range(4))
    x, y, z, w, v = (of(1 << 16) for _ in range(5))
    ids, slots, flags = (of(1 << 12, dtype=torch.int32) for _ in range(3))
    bytes_, s8, f8 = of(1 << 16, dtype=torch.uint8), of(1 << 16, dtype=torch.int8), of(1 << 16, dtype=chip.fp8)
    moe_gathered[(1, 1)](o, p, q, ids, slots, x, 60, 128, 96, 2, 64, 64, 32, chip.matrix(square=True), kw, kind, lanes)
    moe_gathered[(1, 1)](ob, pb, qb, ids, slots, x, 60, 128, 128, 2, 32, 128, 32, chip.matrix(square=True), kw, kind, lanes)
    if chip.has_fp8:
        deep = AMDMFMALayout(4, [16, 16, 32], True, [2, 2]) if arch == "gfx950" else chip.matrix(bits=8, square=True)
        fp8_block_scales[(1, 1)](rb, f8, f8, x, y, 128, 256, 64, 64, 128, deep, 8 if kind == "mfma" else kw8, kind, lanes)
    split_k_last_adds[(1, 2)](o, x, flags, p, q, 64, 64, 128, 64, 64, 32, 2, chip.matrix(square=True), kw, kind, lanes)
    persistent_bias_relu[(1, )](o, p, q, r, 100, 120, 64, 1, 64, 64, 32, chip.matrix(square=True), kw, kind, lanes)
    convolution[(1, 1)](o, p, q, 8, 8, 32, 8, 8, 64, 3, 3, 64, 64, 32, chip.matrix(square=True), kw, kind, lanes)
    double_buffered[(1, 1)](ob, pb, qb, 128, 128, 128, 128, 32, chip.matrix(wide=True, square=True), kw, kind, lanes)
    product_transposed_a[(1, 1)](o, p, q, 64, 64, 128, 64, 64, 64, chip.matrix(square=True), kw, kind, lanes)
    fp4_weights[(1, 1)](ob, pb, bytes_, x, 64, 128, 64, 64, 32, chip.matrix(square=True), kw, kind, lanes)
    int8_per_channel[(1, 1)](o, s8, s8, x, y, s8, r, 64, 128, 64, 64, 64, chip.matrix(bits=8, square=True), kw8, kind, lanes)
    low_rank_update[(1, )](o, p, q, r, 0.5, 128, 128, 32, 64, 64, 32, chip.matrix(square=True), kw, kind, lanes)
    if kind in ("mfma", "wmma5"):
        upcast_weights[(1, 1)](ob, pb, bytes_, bytes_, 64, 128, 64, 64, 64, chip.matrix(square=True), kw, kind, lanes)
        warp_pipelined[(1, 1)](o, p, q, 128, 128, 128, 128, 32, chip.matrix(square=True), kw, kind, lanes)
    if arch in ("gfx950", "gfx1250"):
        f = of(1 << 16, dtype=chip.fp8)
        if lanes == 64:
            layout, scales = AMDMFMALayout(4, [32, 32, 64], True, [2, 2]), cdna4.get_mfma_scale_layout
        else:
            layout, scales = AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 128]), cdna5.get_wmma_scale_layout
        operands = [gl.DotOperandLayout(i, layout, 16) for i in (0, 1)]
        scaled_through_lds[(1, 1)](o, f, f, bytes_, bytes_, 64, 256, 64, 64, 128, *operands, layout, *[scales(each, [64, 4]) for each in operands], lanes)


if __name__ == "__main__":
    run(cases)
