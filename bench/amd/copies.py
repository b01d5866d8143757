"""What single generations have: buffer atomics, copies into LDS, the tensor data mover, barriers, clusters, partitions. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import AMDWMMALayout, cdna3, cdna4, cdna5

from shared import Chip, of, offsets_of, run


@gluon.jit
def async_copy_sum(y, x, n, BLOCK: gl.constexpr, NB: gl.constexpr, LANES: gl.constexpr, VEC: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([VEC], [LANES], [gl.num_warps()], [0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [NB, BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    i = gl.arange(0, BLOCK, L)
    for k in gl.static_range(NB - 1):
        cdna4.async_copy.buffer_load_to_shared(s.index(k), x, k * BLOCK + i)
        cdna4.async_copy.commit_group()
    acc = gl.zeros([BLOCK], gl.float32, L)
    for k in range(0, n // BLOCK):
        j = k + NB - 1
        cdna4.async_copy.buffer_load_to_shared(s.index(j % NB), x, j * BLOCK + i, mask=j * BLOCK + i < n)
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(NB - 1)
        acc += s.index(k % NB).load(L).to(gl.float32)
    gl.store(y + i, acc)


@gluon.jit
def mm_async3(a, b, c, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [64 // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [3, BM, BK], S)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [3, BN, BK], S)
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    oa, ob = offsets_of(r, 0, K, LA, BM, BK), offsets_of(q, 0, K, LA, BN, BK)
    for k in gl.static_range(2):
        cdna4.async_copy.buffer_load_to_shared(sa.index(k), a, oa + k * BK)
        cdna4.async_copy.buffer_load_to_shared(sb.index(k), b, ob + k * BK)
        cdna4.async_copy.commit_group()
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K // BK - 2):
        cdna4.async_copy.buffer_load_to_shared(sa.index((k + 2) % 3), a, oa + (k + 2) * BK)
        cdna4.async_copy.buffer_load_to_shared(sb.index((k + 2) % 3), b, ob + (k + 2) * BK)
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(2)
        acc = cdna4.mfma(cdna4.async_copy.load_shared_relaxed(sa.index(k % 3), gl.DotOperandLayout(0, MMA, KW)), cdna4.async_copy.load_shared_relaxed(sb.index(k % 3).permute((1, 0)), gl.DotOperandLayout(1, MMA, KW)), acc)
    cdna3.buffer_store(acc.to(c.dtype.element_ty), c, offsets_of(r, q, N, MMA, BM, BN))


@gluon.jit
def tdm_mm_masked(a, b, c, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, NB: gl.constexpr, MMA: gl.constexpr):
    SA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0])
    SB: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BN, BK], [1, 0])
    r, q = gl.program_id(0) * BM, gl.program_id(1) * BN
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], SA)
    db = cdna5.tdm.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK], SB)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [NB, BM, BK], SA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [NB, BN, BK], SB)
    for k in gl.static_range(NB - 1):
        cdna5.tdm.async_load(da, [r, k * BK], sa.index(k))
        cdna5.tdm.async_load(db, [q, k * BK], sb.index(k))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, gl.cdiv(K, BK)):
        j = k + NB - 1
        cdna5.tdm.async_load(da, [r, j * BK], sa.index(j % NB))
        cdna5.tdm.async_load(db, [q, j * BK], sb.index(j % NB))
        cdna5.tdm.async_wait(2 * (NB - 1))
        acc = cdna5.wmma(sa.index(k % NB).load(gl.DotOperandLayout(0, MMA, 8)), sb.index(k % NB).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, 8)), acc)
    ro = r + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    co = q + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    gl.store(c + ro[:, None] * N + co[None, :], acc.to(c.dtype.element_ty), mask=(ro < M)[:, None] & (co < N)[None, :])


@gluon.jit
def tdm_transpose_store(y, x, R, C, B: gl.constexpr):
    S: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[B, 8]], [B, B], [1, 0])
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    dx = cdna5.tdm.make_tensor_descriptor(x, [R, C], [C, 1], [B, B], S)
    dy = cdna5.tdm.make_tensor_descriptor(y, [C, R], [R, 1], [B, B], S)
    s = gl.allocate_shared_memory(x.dtype.element_ty, [B, B], S)
    t = gl.allocate_shared_memory(x.dtype.element_ty, [B, B], S)
    r, c = gl.program_id(0) * B, gl.program_id(1) * B
    cdna5.tdm.async_load(dx, [r, c], s)
    cdna5.tdm.async_wait(0)
    t.store(s.permute((1, 0)).load(L))
    cdna5.tdm.async_store(dy, [c, r], t)
    cdna5.tdm.async_wait(0)


@gluon.jit
def buffer_atomics(counts, tops, halves, ids, x, n, BLOCK: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, L)
    ok = i < n
    k = cdna3.buffer_load(ids, i, mask=ok, other=0)
    v = cdna3.buffer_load(x, i, mask=ok, other=0.0)
    cdna3.buffer_atomic_add(halves, i, v.to(gl.float16), mask=ok, sem="relaxed")
    cdna3.buffer_atomic_max(tops, k, i, mask=ok, sem="relaxed", scope="gpu")
    old = cdna3.buffer_atomic_xor(counts, i, k, mask=ok, sem="relaxed")
    cdna3.buffer_store(old, ids, i, mask=ok)


@gluon.jit
def copies_ahead(y, x, stride, n, B: gl.constexpr, NB: gl.constexpr, VEC: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([VEC], [LANES], [gl.num_warps()], [0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [NB, B], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    i = gl.arange(0, B, L)
    row = gl.program_id(0) * stride
    for k in gl.static_range(NB - 1):
        cdna4.async_copy.buffer_load_to_shared(s.index(k), x, row + k * B + i)
        cdna4.async_copy.commit_group()
    top = gl.full([B], -1e30, gl.float32, L)
    for k in range(0, n // B - NB + 1):
        cdna4.async_copy.wait_group(NB - 2)
        v = s.index(k % NB).load(L).to(gl.float32)
        cdna4.async_copy.buffer_load_to_shared(s.index((k + NB - 1) % NB), x, row + (k + NB - 1) * B + i)
        cdna4.async_copy.commit_group()
        top = gl.maximum(top, v)
    for k in gl.static_range(NB - 1):
        cdna4.async_copy.wait_group(NB - 2 - k)
        top = gl.maximum(top, s.index((n // B - NB + 1 + k) % NB).load(L).to(gl.float32))
    gl.store(y + gl.program_id(0), gl.max(top, 0))


@gluon.jit
def copies_of_pointers(y, x, ids, cols, R: gl.constexpr, C: gl.constexpr, VEC: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, VEC], [LANES * VEC // C, C // VEC], [gl.num_warps(), 1], [1, 0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [R, C], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    r = gl.load(ids + gl.program_id(0) * R + gl.arange(0, R, gl.SliceLayout(1, L)))
    c = gl.arange(0, C, gl.SliceLayout(0, L))
    cdna4.async_copy.global_load_to_shared(s, x + r[:, None] * cols + c[None, :])
    cdna4.async_copy.commit_group()
    cdna4.async_copy.wait_group(0)
    M: gl.constexpr = gl.BlockedLayout([4, 1], [8, LANES // 8], [1, gl.num_warps()], [0, 1])
    v = s.load(M)
    gl.store(y + gl.program_id(0) * R * C + (gl.arange(0, C, gl.SliceLayout(0, M)) * R)[None, :] + gl.arange(0, R, gl.SliceLayout(1, M))[:, None], v)


@gluon.jit
def product_copies_transposed(out, a, b, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 8], [64 // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 8], [64 // (BN // 8), BN // 8], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], S)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BK, BN], S)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    cdna4.async_copy.buffer_load_to_shared(sa.index(0), a, offsets_of(row, 0, K, LA, BM, BK))
    cdna4.async_copy.buffer_load_to_shared(sb.index(0), b, offsets_of(0, col, N, LB, BK, BN))
    cdna4.async_copy.commit_group()
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K // BK - 1):
        cdna4.async_copy.buffer_load_to_shared(sa.index((k + 1) % 2), a, offsets_of(row, (k + 1) * BK, K, LA, BM, BK))
        cdna4.async_copy.buffer_load_to_shared(sb.index((k + 1) % 2), b, offsets_of((k + 1) * BK, col, N, LB, BK, BN))
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(1)
        acc = cdna4.mfma(sa.index(k % 2).load(gl.DotOperandLayout(0, MMA, KW)), sb.index(k % 2).load(gl.DotOperandLayout(1, MMA, KW)), acc)
    cdna4.async_copy.wait_group(0)
    last = (K // BK - 1) % 2
    acc = cdna4.mfma(sa.index(last).load(gl.DotOperandLayout(0, MMA, KW)), sb.index(last).load(gl.DotOperandLayout(1, MMA, KW)), acc)
    cdna4.buffer_store(acc.to(out.dtype.element_ty), out, offsets_of(row, col, N, MMA, BM, BN))


@gluon.jit
def copies_both_ways(y, x, n, B: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([8], [LANES], [gl.num_warps()], [0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [2, B], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    i = gl.program_id(0) * 2 * B + gl.arange(0, B, L)
    for k in gl.static_range(2):
        cdna5.async_copy.global_to_shared(s.index(k), x + i + k * B, mask=i + k * B < n)
        cdna5.async_copy.commit_group()
    for k in gl.static_range(2):
        cdna5.async_copy.wait_group(1 - k)
        s.index(k).store(s.index(k).load(L) * 2)
        cdna5.async_copy.shared_to_global(y + i + k * B, s.index(k), mask=i + k * B < n)
        cdna5.async_copy.commit_group()
    cdna5.async_copy.wait_group(0)


@gluon.jit
def tdm_barriers(out, a, b, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, NB: gl.constexpr, MMA: gl.constexpr):
    SA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0])
    SB: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BN, BK], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], SA)
    db = cdna5.tdm.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK], SB)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [NB, BM, BK], SA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [NB, BN, BK], SB)
    bars = gl.allocate_shared_memory(gl.int64, [NB, 1], cdna5.mbarrier.MBarrierLayout())
    for k in gl.static_range(NB):
        cdna5.mbarrier.init(bars.index(k), count=2 * gl.num_warps())
    for k in gl.static_range(NB - 1):
        cdna5.tdm.async_load(da, [row, k * BK], sa.index(k), mbarrier=bars.index(k))
        cdna5.tdm.async_load(db, [col, k * BK], sb.index(k), mbarrier=bars.index(k))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, gl.cdiv(K, BK)):
        j = k + NB - 1
        cdna5.tdm.async_load(da, [row, j * BK], sa.index(j % NB), mbarrier=bars.index(j % NB))
        cdna5.tdm.async_load(db, [col, j * BK], sb.index(j % NB), mbarrier=bars.index(j % NB))
        cdna5.mbarrier.wait(bars.index(k % NB), (k // NB) & 1)
        acc = cdna5.wmma(sa.index(k % NB).load(gl.DotOperandLayout(0, MMA, 8)), sb.index(k % NB).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, 8)), acc)
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    c = col + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    gl.store(out + r[:, None] * N + c[None, :], acc.to(out.dtype.element_ty), mask=(r < M)[:, None] & (c < N)[None, :])


@gluon.jit
def tdm_fused_pair(y, a, b, rows, cols, B: gl.constexpr):
    S: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[B, 4]], [B, B], [1, 0])
    L: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    da = cdna5.tdm.make_tensor_descriptor(a, [rows, cols], [cols, 1], [B, B], S)
    db = cdna5.tdm.make_tensor_descriptor(b, [rows, cols], [cols, 1], [B, B], S)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [B, B], S)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [B, B], S)
    da = cdna5.tdm.update_tensor_descriptor(da, add_offsets=[gl.program_id(0) * B, 0], clamp_bounds=True)
    db = cdna5.tdm.update_tensor_descriptor(db, add_offsets=[gl.program_id(0) * B, 0], clamp_bounds=True)
    for k in range(0, cols // B):
        cdna5.tdm.async_load_fused([(da, sa, 0b0011), (db, sb, 0b1100)])
        da = cdna5.tdm.update_tensor_descriptor(da, add_offsets=[0, B], clamp_bounds=True)
        db = cdna5.tdm.update_tensor_descriptor(db, add_offsets=[0, B], clamp_bounds=True)
        cdna5.tdm.async_wait(0)
        v = sa.load(L) * sb.load(L)
        gl.store(y + offsets_of(gl.program_id(0) * B, k * B, cols, L, B, B), v)


@gluon.jit
def tdm_rows(y, x, ids, rows, cols, R: gl.constexpr, C: gl.constexpr):
    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    LI: gl.constexpr = gl.SliceLayout(1, gl.BlockedLayout([R, 1], [1, 32], [1, gl.num_warps()], [1, 0]))
    dx = cdna5.tdm.make_tensor_descriptor(x, [rows, cols], [cols, 1], [R, C], S)
    dy = cdna5.tdm.make_tensor_descriptor(y, [rows, cols], [cols, 1], [R, C], S)
    s = gl.allocate_shared_memory(x.dtype.element_ty, [R, C], S)
    i = gl.load(ids + gl.program_id(0) * R + gl.arange(0, R, LI))
    dx = cdna5.tdm.update_tensor_descriptor(dx, add_offsets=[0, gl.program_id(1) * C], pred=1)
    dy = cdna5.tdm.update_tensor_descriptor(dy, add_offsets=[0, gl.program_id(1) * C])
    cdna5.tdm.async_gather(dx, i, s)
    cdna5.tdm.async_wait(0)
    cdna5.tdm.async_scatter(dy, i, s)
    cdna5.tdm.async_wait(0)


@gluon.jit
def tdm_cube(y, x, A, B, C, TA: gl.constexpr, TB: gl.constexpr, TC: gl.constexpr):
    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [2, 1, 0])
    L: gl.constexpr = gl.BlockedLayout([1, 1, 4], [1, 4, 8], [1, gl.num_warps(), 1], [2, 1, 0])
    dx = cdna5.tdm.make_tensor_descriptor(x, [A, B, C], [B * C, C, 1], [TA, TB, TC], S)
    dy = cdna5.tdm.make_tensor_descriptor(y, [A, B, C], [B * C, C, 1], [TA, TB, TC], S)
    s = gl.allocate_shared_memory(x.dtype.element_ty, [TA, TB, TC], S)
    t = gl.allocate_shared_memory(x.dtype.element_ty, [TA, TB, TC], S)
    a, b = gl.program_id(0) * TA, gl.program_id(1) * TB
    for k in range(0, C, TC):
        cdna5.tdm.prefetch(dx, [a, b, k + TC])
        cdna5.tdm.async_load(dx, [a, b, k], s)
        cdna5.tdm.async_wait(0)
        v = s.load(L)
        t.store(gl.where(v > 0, v, 0.0).to(x.dtype.element_ty))
        cdna5.tdm.async_store(dy, [a, b, k], t)
        cdna5.tdm.async_wait(0)


@gluon.jit
def cluster_products(out, a, b, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, CA: gl.constexpr, CB: gl.constexpr, MMA: gl.constexpr):
    SA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0], CA)
    SB: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BN, BK], [1, 0], CB)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], SA)
    db = cdna5.tdm.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK], SB)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], SA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BN, BK], SB)
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    cdna5.tdm.async_load(da, [row, 0], sa.index(0))
    cdna5.tdm.async_load(db, [col, 0], sb.index(0))
    for k in range(0, gl.cdiv(K, BK)):
        cdna5.cluster.arrive()
        cdna5.cluster.wait()
        cdna5.tdm.async_load(da, [row, (k + 1) * BK], sa.index((k + 1) % 2))
        cdna5.tdm.async_load(db, [col, (k + 1) * BK], sb.index((k + 1) % 2))
        cdna5.tdm.async_wait(2)
        acc = cdna5.wmma(sa.index(k % 2).load(gl.DotOperandLayout(0, MMA, 8)), sb.index(k % 2).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, 8)), acc)
    r = row + gl.arange(0, BM, gl.SliceLayout(1, MMA))
    c = col + gl.arange(0, BN, gl.SliceLayout(0, MMA))
    gl.store(out + r[:, None] * N + c[None, :], acc.to(out.dtype.element_ty), mask=(r < M)[:, None] & (c < N)[None, :])


@gluon.jit
def feed(da, sa, full, empty, row, n, BK: gl.constexpr, NB: gl.constexpr):
    for k in range(0, n):
        cdna5.mbarrier.wait(empty.index(k % NB), ((k // NB) & 1) ^ 1)
        cdna5.tdm.async_load(da, [row, k * BK], sa.index(k % NB), mbarrier=full.index(k % NB))


@gluon.jit
def consume(out, sa, full, empty, row, n, BM: gl.constexpr, BK: gl.constexpr, NB: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, L))
    for k in range(0, n):
        cdna5.mbarrier.wait(full.index(k % NB), (k // NB) & 1)
        s += gl.sum(sa.index(k % NB).load(L).to(gl.float32), 1)
        cdna5.mbarrier.arrive(empty.index(k % NB))
    gl.store(out + row + gl.arange(0, BM, gl.SliceLayout(1, L)), s)


@gluon.jit
def specialized_row_sums(out, a, M, K, BM: gl.constexpr, BK: gl.constexpr, NB: gl.constexpr):
    SA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0])
    row = gl.program_id(0) * BM
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], SA)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [NB, BM, BK], SA)
    full = gl.allocate_shared_memory(gl.int64, [NB, 1], cdna5.mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [NB, 1], cdna5.mbarrier.MBarrierLayout())
    for k in gl.static_range(NB):
        cdna5.mbarrier.init(full.index(k), count=4)
        cdna5.mbarrier.init(empty.index(k), count=gl.num_warps() * 32)
    n = K // BK
    gl.warp_specialize([(consume, (out, sa, full, empty, row, n, BM, BK, NB)), (feed, (da, sa, full, empty, row, n, BK, NB))], [4])


def cases(arch):
    chip = Chip(arch)
    lanes = chip.lanes
    kind = chip.products
    n, m, cols, rows = 1 << 20, 1024, 4096, 256
    x, y, z, w = of(rows, cols), of(rows, cols), of(rows, cols), of(cols)
    h, g, o = (of(rows, cols, dtype=torch.float16) for _ in range(3))
    p, q, r = (of(m, m, dtype=torch.float16) for _ in range(3))
    pb, qb, rb = (of(m, m, dtype=torch.bfloat16) for _ in range(3))
    if arch == "gfx950":
        async_copy_sum[(1, )](y, x, n, 2048, 3, lanes, 4)
        mm_async3[(8, 8)](p, q, r, m, m, 128, 128, 64, chip.matrix(square=True), 8)
    if arch == "gfx942":
        async_copy_sum[(1, )](y, x, n, 1024, 3, lanes, 1)
    if arch == "gfx1250":
        tdm_mm_masked[(8, 8)](p, q, r, m - 8, m, m, 128, 128, 32, 3, chip.matrix(square=True))
        tdm_mm_masked[(8, 8)](pb, qb, rb, m, m, m, 64, 64, 64, 2, chip.matrix())
        tdm_transpose_store[(4, 16)](o, h, 256, 1024, 64)
    p, q, r, o = (of(1 << 16, dtype=torch.float16) for _ in range(4))
    x, y, z, w, v = (of(1 << 16) for _ in range(5))
    ids, slots, flags = (of(1 << 12, dtype=torch.int32) for _ in range(3))
    if kind == "mfma":
        buffer_atomics[(1, )](ids, slots, o, ids, x, 1000, 1024, lanes)
        vec = 4 if arch == "gfx950" else 1
        copies_ahead[(1, )](y, x, 8192, 8192, 1024, 3, vec, lanes)
        copies_of_pointers[(1, )](y, x, ids, 128, 32, 128 if arch == "gfx950" else 64, vec, lanes)
    if arch == "gfx950":
        product_copies_transposed[(1, 1)](o, p, q, 128, 128, 128, 128, 64, chip.matrix(wide=True, square=True), 8)
    if arch == "gfx1250":
        copies_both_ways[(1, )](o, p, 4000, 2048, lanes)
        tdm_barriers[(1, 1)](o, p, q, 120, 128, 128, 64, 64, 32, 3, chip.matrix(square=True))
        tdm_fused_pair[(1, )](y, x, z, 64, 128, 64)
        tdm_rows[(1, 1)](o, p, ids, 64, 128, 16, 64)
        tdm_cube[(1, 1)](o, p, 6, 30, 64, 4, 16, 32)
        paired = AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 32], [[1, 0]])
        cluster_products[(1, 1)](o, p, q, 128, 64, 128, 128, 64, 32, [[1, 0]], [[0, 0]], paired, num_ctas=2)
        specialized_row_sums[(1, )](x, p, 64, 256, 64, 32, 3)


if __name__ == "__main__":
    run(cases)
