"""Scans, sorts, searches and counts. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

from shared import affine, argmax_pair, Chip, ld, of, offsets_of, plus, run, segments, st, times


@gluon.jit
def scan_affine(y, a, b, T, BLOCK: gl.constexpr, LANES: gl.constexpr, BUF: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0) * T
    i = gl.arange(0, BLOCK, L)
    c = 0.0
    for k in range(0, T, BLOCK):
        p = ld(a, row + k + i, k + i < T, BUF, 1.0).to(gl.float32)
        q = ld(b, row + k + i, k + i < T, BUF).to(gl.float32)
        u, v = gl.associative_scan((p, q), 0, affine)
        v = v + u * c
        st(y, row + k + i, v, k + i < T, BUF)
        c = gl.sum(gl.where(i == BLOCK - 1, v, 0.0), 0)


@gluon.jit
def exclusive_counts(out, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    v = (gl.load(x + i, mask=i < n, other=0) > 0).to(gl.int32)
    gl.store(out + i, gl.associative_scan(v, 0, plus) - v, mask=i < n)


@gluon.jit
def moe_align_hist(counts, ids, n, E: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    H: gl.constexpr = gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    v = gl.load(ids + i, mask=i < n, other=0)
    h = gl.histogram(v, E, mask=i < n, layout=H)
    gl.atomic_add(counts + gl.arange(0, E, H), h, sem="relaxed")


@gluon.jit
def topk_softmax(w, ids, x, E: gl.constexpr, K: gl.constexpr, R: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, E // 8], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L))
    e = gl.arange(0, E, gl.SliceLayout(0, L))
    v = gl.load(x + r[:, None] * E + e[None, :]).to(gl.float32)
    v = gl.exp(v - gl.max(v, 1)[:, None])
    v = v / gl.sum(v, 1)[:, None]
    total = gl.zeros([R], gl.float32, gl.SliceLayout(1, L))
    for k in gl.static_range(K):
        a, i = gl.reduce((v, e[None, :] + gl.zeros([R, E], gl.int32, L)), 1, argmax_pair)
        gl.store(w + r * K + k, a)
        gl.store(ids + r * K + k, i)
        total += a
        v = gl.where(e[None, :] == i[:, None], -1.0, v)
    for k in gl.static_range(K):
        gl.store(w + r * K + k, gl.load(w + r * K + k) / total)


@gluon.jit
def sort_pairs_shared(y, x, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    v = gl.load(x + gl.program_id(0) * BLOCK + i)
    for k in gl.static_range(3):
        j = i ^ (1 << k)
        w = gl.gather(v, j, 0)
        up = ((i >> (k + 1)) & 1) == 0
        lower = (i & (1 << k)) == 0
        v = gl.where(lower == up, gl.minimum(v, w), gl.maximum(v, w))
    gl.store(y + gl.program_id(0) * BLOCK + i, v)


@gluon.jit
def binary_search(out, edges, x, n, E: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    v = gl.load(x + i, mask=i < n, other=0.0)
    lo = gl.zeros([BLOCK], gl.int32, L)
    hi = gl.full([BLOCK], E, gl.int32, L)
    for _ in range(0, 10):
        mid = (lo + hi) // 2
        e = gl.load(edges + mid)
        lo = gl.where(e <= v, mid, lo)
        hi = gl.where(e <= v, hi, mid)
    gl.store(out + i, lo, mask=i < n)


@gluon.jit
def fft_radix2(y, x, tw, N: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.arange(0, N // 2, L)
    a = gl.load(x + gl.program_id(0) * N + i)
    b = gl.load(x + gl.program_id(0) * N + N // 2 + i)
    t = gl.load(tw + i)
    gl.store(y + gl.program_id(0) * N + 2 * i, a + b * t)
    gl.store(y + gl.program_id(0) * N + 2 * i + 1, a - b * t)


@gluon.jit
def warp_votes(out, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 1], [1, LANES], [gl.num_warps(), 1], [1, 0])
    r = gl.arange(0, BLOCK, gl.SliceLayout(1, L))
    c = gl.arange(0, LANES, gl.SliceLayout(0, L))
    i = gl.program_id(0) * BLOCK * LANES + r[:, None] * LANES + c[None, :]
    b = (gl.load(x + i, mask=i < n, other=0.0) > 0.5).to(gl.int32)
    gl.store(out + gl.program_id(0) * BLOCK + r, gl.sum(b << (c & 15)[None, :], 1))


@gluon.jit
def reverse_cumsum_carry(y, x, n, cols, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4, 1], [LANES // 16, 16], [gl.num_warps(), 1], [0, 1])
    c = gl.program_id(0) * C + gl.arange(0, C, gl.SliceLayout(0, L))
    carry = gl.zeros([C], gl.float32, gl.SliceLayout(0, L))
    for i in range(0, n // R):
        r = n - (i + 1) * R + gl.arange(0, R, gl.SliceLayout(1, L))
        v = gl.load(x + r[:, None] * cols + c[None, :]).to(gl.float32)
        gl.store(y + r[:, None] * cols + c[None, :], (gl.associative_scan(v, 0, plus, reverse=True) + carry[None, :]).to(y.dtype.element_ty))
        carry += gl.sum(v, 0)


@gluon.jit
def segmented_scan(y, x, flags, B: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * B + gl.arange(0, B, L)
    s, f = gl.associative_scan((gl.load(x + i), gl.load(flags + i)), 0, segments)
    gl.store(y + i, gl.where(f != 0, s, -s))


@gluon.jit
def cumulative_product_double(y, x, R: gl.constexpr, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2], [1, LANES], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(gl.program_id(0) * R, 0, C, L, R, C)
    gl.store(y + o, gl.associative_scan(gl.load(x + o), 1, times))


@gluon.jit
def bitonic_rows(y, x, R: gl.constexpr, C: gl.constexpr, LOG: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2], [LANES // 16, 16], [gl.num_warps(), 1], [1, 0])
    o = offsets_of(gl.program_id(0) * R, 0, C, L, R, C)
    v = gl.load(x + o)
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    for stage in gl.static_range(1, LOG + 1):
        for step in gl.static_range(0, stage):
            other = gl.gather(v, ((c ^ (1 << (stage - 1 - step)))[None, :] + gl.zeros([R, C], gl.int32, L)), 1)
            up = ((c & (1 << stage)) == 0)[None, :]
            low = ((c & (1 << (stage - 1 - step))) == 0)[None, :]
            v = gl.where(up == low, gl.minimum(v, other), gl.maximum(v, other))
    gl.store(y + o, v)


@gluon.jit
def radix_counts(out, x, n, shift, BINS: gl.constexpr, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    LB: gl.constexpr = gl.BlockedLayout([1], [LANES], [gl.num_warps()], [0])
    total = gl.zeros([BINS], gl.int32, LB)
    for k in range(gl.program_id(0) * BLOCK, n, BLOCK * gl.num_programs(0)):
        i = k + gl.arange(0, BLOCK, L)
        d = (gl.load(x + i, mask=i < n, other=0) >> shift) & (BINS - 1)
        total += gl.histogram(d, BINS, mask=i < n, layout=LB)
    ends = gl.associative_scan(total, 0, plus)
    gl.store(out + gl.program_id(0) * BINS + gl.arange(0, BINS, LB), ends - total)


@gluon.jit
def top_p_mask(y, sorted_logits, p, cols, C: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    row = gl.program_id(0) * cols
    c = gl.arange(0, C, L)
    v = gl.load(sorted_logits + row + c, mask=c < cols, other=-1e30).to(gl.float32)
    e = gl.exp(v - gl.max(v, 0))
    q = e / gl.sum(e, 0)
    before = gl.associative_scan(q, 0, plus) - q
    gl.store(y + row + c, gl.where(before < p, v, -float("inf")).to(y.dtype.element_ty), mask=c < cols)


@gluon.jit
def hadamard(y, x, N: gl.constexpr, LOG: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.arange(0, N, L)
    v = gl.load(x + gl.program_id(0) * N + i).to(gl.float32)
    for k in gl.static_range(LOG):
        w = gl.gather(v, i ^ (1 << k), 0)
        v = gl.where((i & (1 << k)) == 0, v + w, w - v)
    gl.store(y + gl.program_id(0) * N + i, (v * (1.0 / N)).to(y.dtype.element_ty))


@gluon.jit
def overlaps(out, boxes, n, B: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2, 2], [LANES // 8, 8], [gl.num_warps(), 1], [1, 0])
    r = gl.program_id(0) * B + gl.arange(0, B, gl.SliceLayout(1, L))
    c = gl.program_id(1) * B + gl.arange(0, B, gl.SliceLayout(0, L))
    x0 = gl.load(boxes + r * 4, mask=r < n, other=0.0)
    y0 = gl.load(boxes + r * 4 + 1, mask=r < n, other=0.0)
    x1 = gl.load(boxes + r * 4 + 2, mask=r < n, other=0.0)
    y1 = gl.load(boxes + r * 4 + 3, mask=r < n, other=0.0)
    u0 = gl.load(boxes + c * 4, mask=c < n, other=0.0)
    v0 = gl.load(boxes + c * 4 + 1, mask=c < n, other=0.0)
    u1 = gl.load(boxes + c * 4 + 2, mask=c < n, other=0.0)
    v1 = gl.load(boxes + c * 4 + 3, mask=c < n, other=0.0)
    w = gl.maximum(gl.minimum(x1[:, None], u1[None, :]) - gl.maximum(x0[:, None], u0[None, :]), 0.0)
    h = gl.maximum(gl.minimum(y1[:, None], v1[None, :]) - gl.maximum(y0[:, None], v0[None, :]), 0.0)
    area = ((x1 - x0) * (y1 - y0))[:, None] + ((u1 - u0) * (v1 - v0))[None, :]
    gl.store(out + r[:, None] * n + c[None, :], (w * h > 0.5 * (area - w * h)).to(gl.int8), mask=(r < n)[:, None] & (c < n)[None, :])


@gluon.jit
def population(out, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    v = gl.load(x + i, mask=i < n, other=0)
    v = v - ((v >> 1) & 0x55555555)
    v = (v & 0x33333333) + ((v >> 2) & 0x33333333)
    v = (((v + (v >> 4)) & 0x0F0F0F0F) * 0x01010101) >> 24
    gl.atomic_max(out, gl.max(v, 0))
    gl.atomic_add(out + 1, gl.sum(v, 0).to(gl.int32))


@gluon.jit
def integer_divisions(y, x, d, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([2], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    a = gl.load(x + i, mask=i < n, other=1)
    b = gl.load(d + i, mask=i < n, other=1)
    gl.store(y + i, a // b * 3 + a % b + gl.umulhi(a, b), mask=i < n)


@gluon.jit
def lock_and_add(total, lock, x, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.arange(0, BLOCK, L)
    v = gl.load(x + gl.program_id(0) * BLOCK + i)
    while gl.atomic_cas(lock, 0, 1, sem="acquire") == 1:
        pass
    gl.store(total + i, gl.load(total + i) + v)
    gl.barrier()
    gl.atomic_xchg(lock, 0, sem="release")


def cases(arch):
    chip = Chip(arch)
    lanes = chip.lanes
    n, m, cols, rows = 1 << 20, 1024, 4096, 256
    x, y, z, w = of(rows, cols), of(rows, cols), of(rows, cols), of(cols)
    b, c, d = (of(rows, cols, dtype=torch.bfloat16) for _ in range(3))
    ids, long_ids, bytes_, s8 = of(n, dtype=torch.int32), of(n, dtype=torch.int64), of(n, dtype=torch.uint8), of(n, dtype=torch.int8)
    buf = chip.takes_buffers
    scan_affine[(rows, )](y, x, z, cols, 1024, lanes, buf)
    exclusive_counts[(64, )](ids, ids, n, 2048, lanes)
    moe_align_hist[(64, )](ids, ids, n, 256, 1024, lanes)
    topk_softmax[(16, )](w, ids, b, 64, 4, 16, lanes)
    sort_pairs_shared[(64, )](y, x, 256, lanes)
    binary_search[(64, )](ids, w, x, n, 1024, 1024, lanes)
    fft_radix2[(64, )](y, x, w, 2048, lanes)
    warp_votes[(64, )](ids, x, n, 32, lanes)
    p, q, r, o = (of(1 << 16, dtype=torch.float16) for _ in range(4))
    pb, qb, rb, ob = (of(1 << 16, dtype=torch.bfloat16) for _ in range(4))
    x, y, z, w, v = (of(1 << 16) for _ in range(5))
    d, e = (of(1 << 12, dtype=torch.float64) for _ in range(2))
    ids, slots, flags = (of(1 << 12, dtype=torch.int32) for _ in range(3))
    bytes_, s8, f8 = of(1 << 16, dtype=torch.uint8), of(1 << 16, dtype=torch.int8), of(1 << 16, dtype=chip.fp8)
    reverse_cumsum_carry[(2, )](y, p, 128, 64, 64, 32, lanes)
    segmented_scan[(2, )](y, x, flags, 1024, lanes)
    cumulative_product_double[(1, )](d, e, 8, 128, lanes)
    bitonic_rows[(1, )](y, x, 16, 64, 6, lanes)
    radix_counts[(1, )](slots, ids, 4000, 2, 64, 1024, lanes)
    top_p_mask[(1, )](o, p, 0.9, 500, 512, lanes)
    hadamard[(1, )](ob, pb, 1024, 10, lanes)
    overlaps[(1, 1)](s8, x, 60, 64, lanes)
    population[(1, )](slots, ids, 1000, 1024, lanes)
    integer_divisions[(1, )](slots, ids, flags, 1000, 1024, lanes)
    lock_and_add[(2, )](y, flags, x, 1024, lanes)


if __name__ == "__main__":
    run(cases)
