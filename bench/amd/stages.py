"""Attention and products with copies in flight, scaled products, partitions: what single generations have, that nobody tuned for. Launched as all of bench/amd (shared.py)."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import AMDMFMALayout, AMDWMMALayout, cdna3, cdna4, cdna5, warp_pipeline_stage

from shared import Chip, mul, of, offsets_of, run


@gluon.jit
def attention_copies(o, q, k, v, N, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [64 // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, KW)
    sk = gl.allocate_shared_memory(k.dtype.element_ty, [2, BN, D], S)
    sv = gl.allocate_shared_memory(k.dtype.element_ty, [2, BN, D], S)
    r = gl.program_id(0) * BM
    qv = gl.convert_layout(cdna3.buffer_load(q, offsets_of(r, 0, D, L, BM, D)), A)
    at = offsets_of(0, 0, D, L, BN, D)
    cdna4.async_copy.buffer_load_to_shared(sk.index(0), k, at)
    cdna4.async_copy.commit_group()
    cdna4.async_copy.buffer_load_to_shared(sv.index(0), v, at)
    cdna4.async_copy.commit_group()
    m = gl.full([BM], -1e30, gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, MMA))
    acc = gl.zeros([BM, D], gl.float32, MMA)
    n = N // BN
    for j in range(0, n):
        ahead = (j + 1) * BN * D + at
        live = (j + 1) * BN + gl.arange(0, BN, gl.SliceLayout(1, L)) < N
        cdna4.async_copy.buffer_load_to_shared(sk.index((j + 1) % 2), k, ahead, mask=live[:, None])
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(2)
        x = cdna4.mfma(qv, cdna4.async_copy.load_shared_relaxed(sk.index(j % 2).permute((1, 0)), B), gl.zeros([BM, BN], gl.float32, MMA)) * scale
        mn = gl.maximum(m, gl.max(x, 1))
        p = gl.exp2(x - mn[:, None])
        al = gl.exp2(m - mn)
        s = s * al + gl.sum(p, 1)
        cdna4.async_copy.buffer_load_to_shared(sv.index((j + 1) % 2), v, ahead, mask=live[:, None])
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(2)
        acc = cdna4.mfma(gl.convert_layout(p.to(k.dtype.element_ty), A), cdna4.async_copy.load_shared_relaxed(sv.index(j % 2), B), acc * al[:, None])
        m = mn
    cdna4.async_copy.wait_group(0)
    cdna3.buffer_store((acc / s[:, None]).to(o.dtype.element_ty), o, offsets_of(r, 0, D, MMA, BM, D))


@gluon.jit
def attention_tdm(o, q, k, v, N, scale, D: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, NB: gl.constexpr, MMA: gl.constexpr):
    S: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[D, 8]], [BN, D], [1, 0])
    L: gl.constexpr = gl.BlockedLayout([1, 8], [32 // (D // 8), D // 8], [gl.num_warps(), 1], [1, 0])
    A: gl.constexpr = gl.DotOperandLayout(0, MMA, 8)
    B: gl.constexpr = gl.DotOperandLayout(1, MMA, 8)
    dk = cdna5.tdm.make_tensor_descriptor(k, [N, D], [D, 1], [BN, D], S)
    dv = cdna5.tdm.make_tensor_descriptor(v, [N, D], [D, 1], [BN, D], S)
    sk = gl.allocate_shared_memory(k.dtype.element_ty, [NB, BN, D], S)
    sv = gl.allocate_shared_memory(k.dtype.element_ty, [NB, BN, D], S)
    r = gl.program_id(0) * BM
    for j in gl.static_range(NB - 1):
        cdna5.tdm.async_load(dk, [j * BN, 0], sk.index(j))
        cdna5.tdm.async_load(dv, [j * BN, 0], sv.index(j))
    qv = gl.convert_layout(gl.load(q + offsets_of(r, 0, D, L, BM, D)), A)
    m = gl.full([BM], -1e30, gl.float32, gl.SliceLayout(1, MMA))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, MMA))
    acc = gl.zeros([BM, D], gl.float32, MMA)
    for j in range(0, gl.cdiv(N, BN)):
        a = j + NB - 1
        cdna5.tdm.async_load(dk, [a * BN, 0], sk.index(a % NB))
        cdna5.tdm.async_load(dv, [a * BN, 0], sv.index(a % NB))
        cdna5.tdm.async_wait(2 * NB - 1)
        x = cdna5.wmma(qv, sk.index(j % NB).permute((1, 0)).load(B), gl.zeros([BM, BN], gl.float32, MMA)) * scale
        cols = j * BN + gl.arange(0, BN, gl.SliceLayout(0, MMA))
        x = gl.where((cols < N)[None, :], x, -1e30)
        mn = gl.maximum(m, gl.max(x, 1))
        p = gl.exp2(x - mn[:, None])
        al = gl.exp2(m - mn)
        s = s * al + gl.sum(p, 1)
        cdna5.tdm.async_wait(2 * (NB - 1))
        acc = cdna5.wmma(gl.convert_layout(p.to(k.dtype.element_ty), A), sv.index(j % NB).load(B), acc * al[:, None])
        m = mn
    gl.store(o + offsets_of(r, 0, D, MMA, BM, D), (acc / s[:, None]).to(o.dtype.element_ty))


@gluon.jit
def scaled_mixed(out, a, b, sa, sb, N, K, FA: gl.constexpr, FB: gl.constexpr, PA: gl.constexpr, PB: gl.constexpr, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, A: gl.constexpr, B: gl.constexpr, MMA: gl.constexpr,
                 SA: gl.constexpr, SB: gl.constexpr, LANES: gl.constexpr):
    LA: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // (BK // PA // 16), BK // PA // 16], [gl.num_warps(), 1], [1, 0])
    LB: gl.constexpr = gl.BlockedLayout([1, 16], [LANES // (BK // PB // 16), BK // PB // 16], [gl.num_warps(), 1], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K, BK):
        x = gl.load(a + offsets_of(row, k // PA, K // PA, LA, BM, BK // PA))
        y = gl.load(b + offsets_of(col, k // PB, K // PB, LB, BN, BK // PB))
        u = gl.load(sa + offsets_of(row, k // 32, K // 32, SA, BM, BK // 32))
        v = gl.load(sb + offsets_of(col, k // 32, K // 32, SB, BN, BK // 32))
        xa = gl.convert_layout(x, A)
        yb = gl.convert_layout(y.permute((1, 0)), B)
        if LANES == 64:
            acc = cdna4.mfma_scaled(xa, u, FA, yb, v, FB, acc)
        else:
            acc = cdna5.wmma_scaled(xa, u, FA, yb, v, FB, acc)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def pipelined_copies(out, a, b, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr, KW: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [64 // (BK // 8), BK // 8], [gl.num_warps(), 1], [1, 0])
    S: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [3, BM, BK], S)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [3, BN, BK], S)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    oa, ob = offsets_of(row, 0, K, L, BM, BK), offsets_of(col, 0, K, L, BN, BK)
    for k in gl.static_range(2):
        cdna4.async_copy.buffer_load_to_shared(sa.index(k), a, oa + k * BK)
        cdna4.async_copy.buffer_load_to_shared(sb.index(k), b, ob + k * BK)
        cdna4.async_copy.commit_group()
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, K // BK - 2):
        cdna4.async_copy.wait_group(1)
        with warp_pipeline_stage("load", priority=1):
            u = cdna4.async_copy.load_shared_relaxed(sa.index(k % 3), gl.DotOperandLayout(0, MMA, KW))
            v = cdna4.async_copy.load_shared_relaxed(sb.index(k % 3).permute((1, 0)), gl.DotOperandLayout(1, MMA, KW))
            cdna4.async_copy.buffer_load_to_shared(sa.index((k + 2) % 3), a, oa + (k + 2) * BK)
            cdna4.async_copy.buffer_load_to_shared(sb.index((k + 2) % 3), b, ob + (k + 2) * BK)
            cdna4.async_copy.commit_group()
        with warp_pipeline_stage("compute", priority=0):
            acc = cdna4.mfma(u, v, acc)
    cdna4.async_copy.wait_group(0)
    for i in gl.static_range(2):
        k = K // BK - 2 + i
        acc = cdna4.mfma(sa.index(k % 3).load(gl.DotOperandLayout(0, MMA, KW)), sb.index(k % 3).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, KW)), acc)
    cdna3.buffer_store(acc.to(out.dtype.element_ty), out, offsets_of(row, col, N, MMA, BM, BN))


@gluon.jit
def fetch(da, db, sa, sb, full, empty, row, col, n, BK: gl.constexpr, NB: gl.constexpr):
    for k in range(0, n):
        cdna5.mbarrier.wait(empty.index(k % NB), ((k // NB) & 1) ^ 1)
        cdna5.tdm.async_load(da, [row, k * BK], sa.index(k % NB), mbarrier=full.index(k % NB))
        cdna5.tdm.async_load(db, [col, k * BK], sb.index(k % NB), mbarrier=full.index(k % NB))


@gluon.jit
def multiply(out, sa, sb, full, empty, row, col, N, n, BM: gl.constexpr, BN: gl.constexpr, NB: gl.constexpr, MMA: gl.constexpr):
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, n):
        cdna5.mbarrier.wait(full.index(k % NB), (k // NB) & 1)
        u = sa.index(k % NB).load(gl.DotOperandLayout(0, MMA, 8))
        v = sb.index(k % NB).permute((1, 0)).load(gl.DotOperandLayout(1, MMA, 8))
        acc = cdna5.wmma(u, v, acc)
        cdna5.mbarrier.arrive(empty.index(k % NB))
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def specialized_product(out, a, b, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, NB: gl.constexpr, MMA: gl.constexpr):
    SA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0])
    SB: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BN, BK], [1, 0])
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], SA)
    db = cdna5.tdm.make_tensor_descriptor(b, [N, K], [K, 1], [BN, BK], SB)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [NB, BM, BK], SA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [NB, BN, BK], SB)
    full = gl.allocate_shared_memory(gl.int64, [NB, 1], cdna5.mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [NB, 1], cdna5.mbarrier.MBarrierLayout())
    for k in gl.static_range(NB):
        cdna5.mbarrier.init(full.index(k), count=8)
        cdna5.mbarrier.init(empty.index(k), count=gl.num_warps() * 32)
    n = K // BK
    gl.warp_specialize([(multiply, (out, sa, sb, full, empty, row, col, N, n, BM, BN, NB, MMA)), (fetch, (da, db, sa, sb, full, empty, row, col, n, BK, NB))], [4])


@gluon.jit
def multicast_product(out, a, b, M, N, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, CA: gl.constexpr, CB: gl.constexpr, MMA: gl.constexpr):
    SA: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BK, 8]], [BM, BK], [1, 0], CA)
    SB: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[BN, 8]], [BK, BN], [1, 0], CB)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    da = cdna5.tdm.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK], SA)
    db = cdna5.tdm.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN], SB)
    sa = gl.allocate_shared_memory(a.dtype.element_ty, [3, BM, BK], SA)
    sb = gl.allocate_shared_memory(b.dtype.element_ty, [3, BK, BN], SB)
    for k in gl.static_range(2):
        cdna5.tdm.async_load(da, [row, k * BK], sa.index(k))
        cdna5.tdm.async_load(db, [k * BK, col], sb.index(k))
    acc = gl.zeros([BM, BN], gl.float32, MMA)
    for k in range(0, gl.cdiv(K, BK)):
        cdna5.cluster.arrive()
        cdna5.cluster.wait()
        cdna5.tdm.async_load(da, [row, (k + 2) * BK], sa.index((k + 2) % 3))
        cdna5.tdm.async_load(db, [(k + 2) * BK, col], sb.index((k + 2) % 3))
        cdna5.tdm.async_wait(4)
        acc = cdna5.wmma(sa.index(k % 3).load(gl.DotOperandLayout(0, MMA, 8)), sb.index(k % 3).load(gl.DotOperandLayout(1, MMA, 8)), acc)
    gl.store(out + offsets_of(row, col, N, MMA, BM, BN), acc.to(out.dtype.element_ty))


@gluon.jit
def double_products(out, a, b, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, MMA: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1, 2], [64 // (BK // 2), BK // 2], [gl.num_warps(), 1], [1, 0])
    acc = gl.zeros([BM, BN], gl.float64, MMA)
    for k in range(0, K, BK):
        x = gl.load(a + offsets_of(0, k, K, L, BM, BK))
        y = gl.load(b + offsets_of(0, k, K, L, BN, BK))
        acc = cdna3.mfma(gl.convert_layout(x, gl.DotOperandLayout(0, MMA, 1)), gl.convert_layout(y.permute((1, 0)), gl.DotOperandLayout(1, MMA, 1)), acc)
    gl.store(out + offsets_of(0, 0, BN, MMA, BM, BN), acc)


@gluon.jit
def copied_softmax(y, x, n, ld_, B: gl.constexpr, LANES: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([4], [LANES], [gl.num_warps()], [0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [2, B], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    i = gl.arange(0, B, L)
    r = gl.program_id(0)
    cdna5.async_copy.global_to_shared(s.index(0), x + r * ld_ + i, mask=i < n, other=0.0)
    cdna5.async_copy.commit_group()
    for k in range(0, 4):
        cdna5.async_copy.global_to_shared(s.index((k + 1) % 2), x + (r * 4 + k + 1) * ld_ + i, mask=i < n, other=0.0)
        cdna5.async_copy.commit_group()
        cdna5.async_copy.wait_group(1)
        v = gl.where(i < n, s.index(k % 2).load(L), -float("inf"))
        e = gl.exp(v - gl.max(v, 0))
        gl.store(y + (r * 4 + k) * ld_ + i, e / gl.sum(e, 0), mask=i < n)
    cdna5.async_copy.wait_group(0)


def cases(arch):
    chip = Chip(arch)
    lanes = chip.lanes
    p, q, r, o = (of(1 << 16, dtype=torch.float16) for _ in range(4))
    pb, qb, rb, ob = (of(1 << 16, dtype=torch.bfloat16) for _ in range(4))
    x, y, z = (of(1 << 16) for _ in range(3))
    bytes_, f8 = of(1 << 16, dtype=torch.uint8), of(1 << 16, dtype=chip.fp8)
    square, tall = chip.matrix(square=True), chip.matrix()
    if arch == "gfx942":
        d = of(1 << 14, dtype=torch.float64)
        double_products[(1, )](d, d, d, 64, 64, 64, 16, AMDMFMALayout(3, [16, 16, 4], True, [2, 2], element_bitwidth=64))
    if arch == "gfx950":
        attention_copies[(2, )](o, p, q, r, 128, 0.18, 64, 128, 64, tall, 8)
        attention_copies[(1, )](ob, pb, qb, rb, 128, 0.12, 128, 64, 32, chip.matrix(warps=4), 8)
        pipelined_copies[(1, 1)](o, p, q, 128, 256, 128, 128, 64, chip.matrix(wide=True, square=True), 8)
        pipelined_copies[(1, 1)](ob, pb, qb, 128, 256, 64, 128, 32, square, 8)
    if arch == "gfx1250":
        attention_tdm[(2, )](o, p, q, r, 120, 0.18, 64, 64, 64, 2, tall)
        attention_tdm[(1, )](ob, pb, qb, rb, 128, 0.12, 128, 128, 32, 3, tall)
        specialized_product[(1, 1)](o, p, q, 64, 64, 128, 64, 64, 32, 3, square)
        specialized_product[(1, 1)](ob, pb, qb, 128, 64, 256, 128, 64, 64, 2, square)
        across = AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 32], [[1, 0], [0, 1]])
        multicast_product[(1, 1)](o, p, q, 128, 128, 128, 128, 128, 32, [[1, 0], [0, 0]], [[0, 0], [0, 1]], across, num_ctas=4)
        copied_softmax[(2, )](x, y, 900, 1000, 1024, lanes)
    if arch in ("gfx950", "gfx1250"):
        for fa, fb, pa, pb_ in (("e2m1", "e2m1", 2, 2), ("e4m3", "e2m1", 1, 2), ("e4m3", "e4m3", 1, 1)):
            if lanes == 64:
                layout, scales = AMDMFMALayout(4, [16, 16, 128], True, [2, 2]), cdna4.get_mfma_scale_layout
            else:
                layout, scales = AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 128]), cdna5.get_wmma_scale_layout
            packed = AMDWMMALayout(3, True, [[0, 1], [1, 0]], [], [16, 16, 64])
            operands = [gl.DotOperandLayout(i, packed if lanes == 32 and pack == 2 else layout, 16) for i, pack in ((0, pa), (1, pb_))]
            plain = [gl.DotOperandLayout(i, layout, 16) for i in (0, 1)]
            memory = {"e2m1": bytes_, "e4m3": f8, "e5m2": f8}
            scaled_mixed[(1, 1)](o, memory[fa], memory[fb], bytes_, bytes_, 64, 256, fa, fb, pa, pb_, 64, 64, 128, *operands, layout, *[scales(each, [64, 4]) for each in plain], lanes)


if __name__ == "__main__":
    run(cases)
