"""48 launches of kernels for Blackwell, of which nobody knew when the compiler was written.

    python oracle.py record bench/kernels/blackwell.py --main -o DIR --target cuda:100

makes records of them; bench/instructions.py and tests/ptx/beside.py compare gluond's code with Triton's."""
import sys
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, TensorMemoryScalesLayout, allocate_tensor_memory, clc, mbarrier, fence_async_shared,
                                                                 tcgen05_commit, tcgen05_copy, tcgen05_mma, tcgen05_mma_scaled, tma)
from triton.experimental.gluon.language.nvidia.hopper import cluster
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor, TensorDescriptorIm2Col


@gluon.jit
def _tile(base, row, col, ld, layout: gl.constexpr, R: gl.constexpr, C: gl.constexpr):
    r = row + gl.arange(0, R, gl.SliceLayout(1, layout))
    c = col + gl.arange(0, C, gl.SliceLayout(0, layout))
    return base + r[:, None] * ld + c[None, :]


@gluon.jit
def gemm_ring(a_desc, b_desc, C, K, N, EPI: gl.constexpr, PARTS: gl.constexpr, ST: gl.constexpr):
    """A ring of TMA copies, an accumulator in tensor memory, an epilogue by slices of columns."""
    BM: gl.constexpr = a_desc.block_type.shape[0]
    BK: gl.constexpr = a_desc.block_type.shape[1]
    BN: gl.constexpr = b_desc.block_type.shape[0]
    sa = gl.allocate_shared_memory(a_desc.dtype, [ST, BM, BK], a_desc.layout)
    sb = gl.allocate_shared_memory(b_desc.dtype, [ST, BN, BK], b_desc.layout)
    acc = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    ready = mbarrier.allocate_mbarrier(batch=ST)
    done = mbarrier.allocate_mbarrier(batch=ST)
    for s in gl.static_range(ST):
        mbarrier.init(ready.index(s), count=1)
        mbarrier.init(done.index(s), count=1)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    n = K // BK
    for s in gl.static_range(ST - 1):
        mbarrier.expect(ready.index(s), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [row, s * BK], ready.index(s), sa.index(s))
        tma.async_load(b_desc, [col, s * BK], ready.index(s), sb.index(s))
    for k in range(n):
        i = k % ST
        mbarrier.wait(ready.index(i), k // ST & 1)
        tcgen05_mma(sa.index(i), sb.index(i).permute((1, 0)), acc, use_acc=k > 0, mbarriers=[done.index(i)])
        j = k + ST - 1
        if k > 0:
            mbarrier.wait(done.index((k - 1) % ST), (k - 1) // ST & 1)
        if j < n:
            mbarrier.expect(ready.index(j % ST), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
            tma.async_load(a_desc, [row, j * BK], ready.index(j % ST), sa.index(j % ST))
            tma.async_load(b_desc, [col, j * BK], ready.index(j % ST), sb.index(j % ST))
    mbarrier.wait(done.index((n - 1) % ST), (n - 1) // ST & 1)
    out: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    W: gl.constexpr = BN // PARTS
    for p in gl.static_range(PARTS):
        x = acc.slice(p * W, W).load()
        if EPI == "relu":
            x = gl.maximum(x, 0.0)
        if EPI == "gelu":
            x = x / (1.0 + gl.exp(-1.702 * x))
        if EPI == "square":
            x = blackwell.mul2(x, x)
        gl.store(_tile(C, row, col + p * W, N, out, BM, W), gl.convert_layout(x.to(C.dtype.element_ty), out))


@gluon.jit
def gemm_plain(A, B, C, K, lda, ldb, ldc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr, A_IN_TMEM: gl.constexpr, VARIANT: gl.constexpr):
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    dtype: gl.constexpr = A.dtype.element_ty
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    sa = gl.allocate_shared_memory(dtype, [BM, BK], gl.NVMMASharedLayout.get_default_for([BM, BK], dtype))
    sb = gl.allocate_shared_memory(dtype, [BN, BK], gl.NVMMASharedLayout.get_default_for([BN, BK], dtype))
    acc = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    pa = _tile(A, row, 0, lda, copy, BM, BK)
    pb = _tile(B, col, 0, ldb, copy, BN, BK)
    phase = 0
    if A_IN_TMEM:
        ta = allocate_tensor_memory(dtype, [BM, BK], TensorMemoryLayout([BM, BK], col_stride=1))
    for k in range(0, K, BK):
        x = gl.load(pa)
        sb.store(gl.load(pb))
        if A_IN_TMEM:
            ta.store(gl.convert_layout(x, ta.get_reg_layout()))
            fence_async_shared()
            tcgen05_mma(ta, sb.permute((1, 0)), acc, use_acc=k > 0)
        else:
            sa.store(x)
            fence_async_shared()
            tcgen05_mma(sa, sb.permute((1, 0)), acc, use_acc=k > 0)
        tcgen05_commit(bar)
        mbarrier.wait(bar, phase)
        phase ^= 1
        pa += BK
        pb += BK
    layout: gl.constexpr = acc.get_reg_layout(instr_variant=VARIANT)
    x = acc.load(layout)
    gl.store(_tile(C, row, col, ldc, copy, BM, BN), gl.convert_layout(x.to(C.dtype.element_ty), copy))


@gluon.jit
def int8_product(A, B, C, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    copy: gl.constexpr = gl.BlockedLayout([1, 16], [8, 4], [gl.num_warps(), 1], [1, 0])
    sa = gl.allocate_shared_memory(gl.int8, [BM, BK], gl.NVMMASharedLayout.get_default_for([BM, BK], gl.int8), gl.load(_tile(A, 0, 0, BK, copy, BM, BK)))
    sb = gl.allocate_shared_memory(gl.int8, [BN, BK], gl.NVMMASharedLayout.get_default_for([BN, BK], gl.int8), gl.load(_tile(B, 0, 0, BK, copy, BN, BK)))
    acc = allocate_tensor_memory(gl.int32, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fence_async_shared()
    tcgen05_mma(sa, sb.permute((1, 0)), acc, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 0)
    gl.store(_tile(C, 0, 0, BN, copy, BM, BN), gl.convert_layout(acc.load(), copy))


@gluon.jit
def row_extremes(X, LO, HI, Y, N: gl.constexpr, MODE: gl.constexpr):
    """Rows of an accumulator with their minima or maxima, reduced while they are loaded."""
    layout: gl.constexpr = TensorMemoryLayout([128, N], col_stride=1)
    flat: gl.constexpr = gl.BlockedLayout([1, N], [32, 1], [gl.num_warps(), 1], [0, 1])
    t = allocate_tensor_memory(gl.float32, [128, N], layout)
    t.store(gl.convert_layout(gl.load(_tile(X, 0, 0, N, flat, 128, N)), t.get_reg_layout()))
    if MODE == "min":
        x, r = t.load_min()
    elif MODE == "absmax":
        x, r = t.load_max(abs=True)
    else:
        x, r = t.load_max()
    rows = gl.arange(0, 128, gl.SliceLayout(1, flat))
    gl.store(HI + rows, gl.convert_layout(r, gl.SliceLayout(1, flat)))
    gl.store(_tile(Y, 0, 0, N, flat, 128, N), gl.convert_layout(x, flat) - gl.convert_layout(r, gl.SliceLayout(1, flat))[:, None])


@gluon.jit
def scaled_product(A, B, SA, SB, C, BM: gl.constexpr, BN: gl.constexpr, K: gl.constexpr, TA: gl.constexpr, TB: gl.constexpr, VEC: gl.constexpr, STEPS: gl.constexpr):
    """K counts bytes of a row in a step."""
    flat: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [gl.num_warps(), 1], [1, 0])
    KE: gl.constexpr = 2 * K if TA == "e2m1" else K
    KS: gl.constexpr = KE // VEC
    acc = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    sa = gl.allocate_shared_memory(A.dtype.element_ty, [BM, K], gl.NVMMASharedLayout(128, 8, 2))
    sb = gl.allocate_shared_memory(B.dtype.element_ty, [BN, K], gl.NVMMASharedLayout(128, 8, 2))
    xa = allocate_tensor_memory(SA.dtype.element_ty, [BM, KS], TensorMemoryScalesLayout())
    xb = allocate_tensor_memory(SB.dtype.element_ty, [BN, KS], TensorMemoryScalesLayout())
    small: gl.constexpr = gl.BlockedLayout([1, KS], [32, 1], [gl.num_warps(), 1], [1, 0])
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    phase = 0
    for k in range(STEPS):
        sa.store(gl.load(_tile(A, 0, k * K, K * STEPS, flat, BM, K)))
        sb.store(gl.load(_tile(B, 0, k * K, K * STEPS, flat, BN, K)))
        xa.store(gl.convert_layout(gl.load(_tile(SA, 0, k * KS, KS * STEPS, small, BM, KS)), xa.get_reg_layout()))
        xb.store(gl.convert_layout(gl.load(_tile(SB, 0, k * KS, KS * STEPS, small, BN, KS)), xb.get_reg_layout()))
        fence_async_shared()
        tcgen05_mma_scaled(sa, sb.permute((1, 0)), acc, xa, xb, TA, TB, use_acc=k > 0, mbarriers=[bar])
        mbarrier.wait(bar, phase)
        phase ^= 1
    out: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    gl.store(_tile(C, 0, 0, BN, out, BM, BN), gl.convert_layout(acc.load(), out))


@gluon.jit
def scales_copy(A, B, S, C, BM: gl.constexpr, K: gl.constexpr):
    """Scales from shared memory into tensor memory by tcgen05.cp, in the form of cuBLAS."""
    flat: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [gl.num_warps(), 1], [1, 0])
    line: gl.constexpr = gl.BlockedLayout([1, 16], [32, 1], [1, gl.num_warps()], [1, 0])
    s = gl.allocate_shared_memory(gl.uint8, [32, 16], gl.NVMMASharedLayout(0, 8, 2), gl.load(_tile(S, 0, 0, 16, line, 32, 16)))
    v = s.reshape((1, 1, 32, 4, 4)).permute((0, 3, 2, 1, 4)).reshape((128, 4))
    ta = allocate_tensor_memory(gl.uint8, [128, 4], TensorMemoryScalesLayout())
    sa = gl.allocate_shared_memory(gl.float8e4nv, [BM, K], gl.NVMMASharedLayout(128, 8, 2), gl.load(_tile(A, 0, 0, K, flat, BM, K)))
    sb = gl.allocate_shared_memory(gl.float8e4nv, [BM, K], gl.NVMMASharedLayout(128, 8, 2), gl.load(_tile(B, 0, 0, K, flat, BM, K)))
    acc = allocate_tensor_memory(gl.float32, [BM, BM], TensorMemoryLayout([BM, BM], col_stride=1))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fence_async_shared()
    tcgen05_copy(v, ta)
    tcgen05_mma_scaled(sa, sb.permute((1, 0)), acc, ta, ta, "e4m3", "e4m3", use_acc=False)
    tcgen05_commit(bar)
    mbarrier.wait(bar, 0)
    out: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    gl.store(_tile(C, 0, 0, BM, out, BM, BM), gl.convert_layout(acc.load(), out))


@gluon.jit
def acc_copy(X, Y, N: gl.constexpr):
    """A tile from shared memory into tensor memory by tcgen05.cp."""
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    s = gl.allocate_shared_memory(gl.float32, [128, N], gl.NVMMASharedLayout(128, 32, 2), gl.load(_tile(X, 0, 0, N, flat, 128, N)))
    t = allocate_tensor_memory(gl.float32, [128, N], TensorMemoryLayout([128, N], col_stride=1))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fence_async_shared()
    tcgen05_copy(s, t)
    tcgen05_commit(bar)
    mbarrier.wait(bar, 0)
    gl.store(_tile(Y, 0, 0, N, flat, 128, N), gl.convert_layout(t.load(), flat))


@gluon.jit
def gather_scatter(src, dst, ids, at, COUNT: gl.constexpr, C: gl.constexpr):
    """Rows of an expert gathered and scattered by TMA."""
    index: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, gl.num_warps()], [1, 0]))
    flat: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    buffer = gl.allocate_shared_memory(src.dtype, [COUNT, C], src.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    p = gl.program_id(0) * COUNT
    rows = gl.load(ids + p + gl.arange(0, COUNT, index))
    mbarrier.expect(bar, buffer.nbytes_per_cta)
    tma.async_gather(src, rows, gl.program_id(1) * C, bar, buffer)
    mbarrier.wait(bar, 0)
    x = buffer.load(flat)
    buffer.store(x * 2)
    fence_async_shared()
    tma.async_scatter(dst, gl.load(at + p + gl.arange(0, COUNT, index)), gl.program_id(1) * C, buffer)
    tma.store_wait(0)


@gluon.jit
def conv_im2col(x_desc, w_desc, Y, CO, R: gl.constexpr, S: gl.constexpr, CI: gl.constexpr, OH, OW):
    """An implicit GEMM: pixels by im2col copies."""
    BM: gl.constexpr = x_desc.block_type.shape[0]
    BK: gl.constexpr = x_desc.block_type.shape[1]
    BN: gl.constexpr = w_desc.block_type.shape[0]
    sx = gl.allocate_shared_memory(x_desc.dtype, [BM, BK], x_desc.layout)
    sw = gl.allocate_shared_memory(w_desc.dtype, [BN, BK], w_desc.layout)
    acc = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    bar = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.init(done, count=1)
    first = gl.program_id(0) * BM
    n = first // (OH * OW)
    oy = first % (OH * OW) // OW
    ox = first % OW
    phase = 0
    for k in range(R * S * (CI // BK)):
        c = k % (CI // BK) * BK
        rs = k // (CI // BK)
        mbarrier.expect(bar, x_desc.block_type.nbytes + w_desc.block_type.nbytes)
        tma.async_load_im2col(x_desc, [n, oy - 1, ox - 1, c], [(rs // S).to(gl.int16), (rs % S).to(gl.int16)], bar, sx)
        tma.async_load(w_desc, [gl.program_id(1) * BN, rs * CI + c], bar, sw)
        mbarrier.wait(bar, phase)
        tcgen05_mma(sx, sw.permute((1, 0)), acc, use_acc=k > 0, mbarriers=[done])
        mbarrier.wait(done, phase)
        phase ^= 1
    out: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    gl.store(_tile(Y, first, gl.program_id(1) * BN, CO, out, BM, BN), gl.convert_layout(acc.load().to(Y.dtype.element_ty), out))


@gluon.jit
def product_2cta(A, B, C, K, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    """A pair of CTAs computes one tile of 2 * BM rows."""
    M: gl.constexpr = 2 * BM
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0], cga_layout=[[1, 0]])
    cb: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0], cga_layout=[[0, 1]])
    sa = gl.allocate_shared_memory(gl.float16, [M, BK], gl.NVMMASharedLayout.get_default_for([M, BK], gl.float16, cga_layout=[[1, 0]]))
    sb = gl.allocate_shared_memory(gl.float16, [BK, BN], gl.NVMMASharedLayout.get_default_for([BK, BN], gl.float16, cga_layout=[[0, 1]]))
    acc = allocate_tensor_memory(gl.float32, [M, BN], TensorMemoryLayout([BM, BN], col_stride=1, cga_layout=[[1, 0]], two_ctas=True))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    row, col = gl.program_id(0) * M, gl.program_id(1) * BN
    pa = _tile(A, row, 0, K, ca, M, BK)
    pb = _tile(B, 0, col, BN, cb, BK, BN)
    phase = 0
    for k in range(0, K, BK):
        sa.store(gl.load(pa))
        sb.store(gl.load(pb))
        fence_async_shared(cluster=True)
        cluster.barrier()
        tcgen05_mma(sa, sb, acc, use_acc=k > 0, mbarriers=[bar])
        mbarrier.wait(bar, phase)
        phase ^= 1
        pa += BK
        pb += BK * BN
    x = acc.load()
    gl.store(_tile(C, row, col, BN, ca, M, BN), gl.convert_layout(x.to(C.dtype.element_ty), ca))


@gluon.jit
def clc_scale(X, Y, n, BLOCK: gl.constexpr):
    """Programs take over those that were not launched yet."""
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [gl.num_warps()], [0])
    result = gl.allocate_shared_memory(gl.int64, [2], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    tile = gl.program_id(0)
    phase = 0
    more = True
    while more:
        mbarrier.expect(bar, 16)
        clc.try_cancel(result, bar)
        i = tile * BLOCK + gl.arange(0, BLOCK, layout)
        x = gl.load(X + i, mask=i < n).to(gl.float32)
        gl.store(Y + i, blackwell.fma2(x, x, x).to(Y.dtype.element_ty), mask=i < n)
        mbarrier.wait(bar, phase)
        phase ^= 1
        r = clc.load_result(result)
        more = r.is_canceled()
        if more:
            tile = r.program_id(0)


@gluon.jit
def _load_part(a_desc, b_desc, sa, sb, ready, empty, row, col, n, BK: gl.constexpr):
    ST: gl.constexpr = sa.type.shape[0]
    for k in range(n):
        i = k % ST
        mbarrier.wait(empty.index(i), k // ST & 1 ^ 1)
        mbarrier.expect(ready.index(i), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [row, k * BK], ready.index(i), sa.index(i))
        tma.async_load(b_desc, [col, k * BK], ready.index(i), sb.index(i))


@gluon.jit
def _mma_part(sa, sb, acc, ready, empty, done, n):
    ST: gl.constexpr = sa.type.shape[0]
    for k in range(n):
        i = k % ST
        mbarrier.wait(ready.index(i), k // ST & 1)
        tcgen05_mma(sa.index(i), sb.index(i).permute((1, 0)), acc, use_acc=k > 0)
        tcgen05_commit(empty.index(i))
    tcgen05_commit(done)


@gluon.jit
def _store_part(c_desc, acc, buffer, done, row, col):
    mbarrier.wait(done, 0)
    PARTS: gl.constexpr = acc.type.shape[1] // c_desc.block_type.shape[1]
    W: gl.constexpr = c_desc.block_type.shape[1]
    for p in gl.static_range(PARTS):
        x = acc.slice(p * W, W).load().to(c_desc.dtype)
        tma.store_wait(0)
        buffer.store(x)
        fence_async_shared()
        tma.async_store(c_desc, [row, col + p * W], buffer)
    tma.store_wait(0)


@gluon.jit
def gemm_partitions(a_desc, b_desc, c_desc, K, ST: gl.constexpr):
    BM: gl.constexpr = a_desc.block_type.shape[0]
    BK: gl.constexpr = a_desc.block_type.shape[1]
    BN: gl.constexpr = b_desc.block_type.shape[0]
    sa = gl.allocate_shared_memory(a_desc.dtype, [ST, BM, BK], a_desc.layout)
    sb = gl.allocate_shared_memory(b_desc.dtype, [ST, BN, BK], b_desc.layout)
    buffer = gl.allocate_shared_memory(c_desc.dtype, c_desc.block_type.shape, c_desc.layout)
    acc = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    ready = mbarrier.allocate_mbarrier(batch=ST)
    empty = mbarrier.allocate_mbarrier(batch=ST)
    done = mbarrier.allocate_mbarrier()
    for s in gl.static_range(ST):
        mbarrier.init(ready.index(s), count=1)
        mbarrier.init(empty.index(s), count=1)
    mbarrier.init(done, count=1)
    row, col = gl.program_id(0) * BM, gl.program_id(1) * BN
    n = K // BK
    gl.warp_specialize([(_store_part, (c_desc, acc, buffer, done, row, col)), (_mma_part, (sa, sb, acc, ready, empty, done, n)),
                        (_load_part, (a_desc, b_desc, sa, sb, ready, empty, row, col, n, BK))], [1, 1], [24, 24])


@gluon.jit
def attention_tcgen05(q_desc, k_desc, v_desc, O, S, scale):
    """Scores and results in tensor memory; P is the operand in tensor memory."""
    BM: gl.constexpr = q_desc.block_type.shape[0]
    D: gl.constexpr = q_desc.block_type.shape[1]
    BN: gl.constexpr = k_desc.block_type.shape[0]
    dtype: gl.constexpr = q_desc.dtype
    sq = gl.allocate_shared_memory(dtype, [BM, D], q_desc.layout)
    sk = gl.allocate_shared_memory(dtype, [BN, D], k_desc.layout)
    sv = gl.allocate_shared_memory(dtype, [BN, D], v_desc.layout)
    st = allocate_tensor_memory(gl.float32, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    ot = allocate_tensor_memory(gl.float32, [BM, D], TensorMemoryLayout([BM, D], col_stride=1))
    pt = st.slice(0, BN // 2).reinterpret(dtype, [BM, BN], TensorMemoryLayout([BM, BN], col_stride=1))
    bar = mbarrier.allocate_mbarrier()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.init(done, count=1)
    row = gl.program_id(0) * BM
    head = gl.program_id(1) * S
    mbarrier.expect(bar, q_desc.block_type.nbytes)
    tma.async_load(q_desc, [head + row, 0], bar, sq)
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = st.get_reg_layout()
    ol: gl.constexpr = ot.get_reg_layout()
    m = gl.full([BM], -float("inf"), gl.float32, gl.SliceLayout(1, layout))
    s = gl.zeros([BM], gl.float32, gl.SliceLayout(1, layout))
    ot.store(gl.zeros([BM, D], gl.float32, ol))
    phase = 1
    dphase = 0
    for n in range(0, S, BN):
        mbarrier.expect(bar, k_desc.block_type.nbytes + v_desc.block_type.nbytes)
        tma.async_load(k_desc, [head + n, 0], bar, sk)
        tma.async_load(v_desc, [head + n, 0], bar, sv)
        mbarrier.wait(bar, phase)
        phase ^= 1
        tcgen05_mma(sq, sk.permute((1, 0)), st, use_acc=False, mbarriers=[done])
        mbarrier.wait(done, dphase)
        dphase ^= 1
        x = st.load(layout) * scale
        mm = gl.maximum(m, gl.max(x, 1))
        p = gl.exp2(x - mm[:, None])
        a = gl.exp2(m - mm)
        s = s * a + gl.sum(p, 1)
        m = mm
        o = ot.load(ol) * gl.convert_layout(a, gl.SliceLayout(1, ol))[:, None]
        ot.store(o)
        pt.store(gl.convert_layout(p.to(dtype), pt.get_reg_layout()))
        tcgen05_mma(pt, sv, ot, mbarriers=[done])
        mbarrier.wait(done, dphase)
        dphase ^= 1
    out: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    o = ot.load(ol) / gl.convert_layout(s, gl.SliceLayout(1, ol))[:, None]
    gl.store(_tile(O + head * D, row, 0, D, out, BM, D), gl.convert_layout(o.to(O.dtype.element_ty), out))


@gluon.jit
def tmem_shuffle(X, Y, N: gl.constexpr, DT: gl.constexpr, V1: gl.constexpr, STRIDE: gl.constexpr):
    """A tile through tensor memory in one shape of messages and back in parts."""
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [gl.num_warps(), 1], [1, 0])
    t = allocate_tensor_memory(DT, [2, 128, N], TensorMemoryLayout([128, N], col_stride=STRIDE))
    x = gl.load(_tile(X, 0, 0, N, flat, 128, N)).to(DT)
    for i in gl.static_range(2):
        u = t.index(i)
        u.store(gl.convert_layout(x, u.get_reg_layout(instr_variant=V1)))
    for p in gl.static_range(2):
        v = t.index(1 - p).slice(p * (N // 2), N // 2)
        gl.store(_tile(Y, 0, p * (N // 2), N, flat, 128, N // 2), gl.convert_layout(v.load(), flat))


@gluon.jit
def nvf4_unpack(X, S, Y, K: gl.constexpr):
    """Packed fp4 to fp16 with scales of 16."""
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [gl.num_warps(), 1], [1, 0])
    out: gl.constexpr = gl.BlockedLayout([1, 16], [8, 4], [gl.num_warps(), 1], [1, 0])
    x = gl.load(_tile(X, 0, 0, K, layout, 64, K))
    y = gl.fp4_to_fp(x, gl.float16, 1)
    y = gl.convert_layout(y, out)
    r = gl.arange(0, 64, gl.SliceLayout(1, out))
    c = gl.arange(0, 2 * K, gl.SliceLayout(0, out))
    sc = gl.load(S + r[:, None] * (K // 8) + (c // 16)[None, :]).to(gl.float16)
    gl.store(Y + r[:, None] * (2 * K) + c[None, :], y * sc)


def cases():
    f16, bf16, f32, u8, i32 = torch.float16, torch.bfloat16, torch.float32, torch.uint8, torch.int32
    e4, e5 = torch.float8_e4m3fn, torch.float8_e5m2

    def E(*shape, d=f32):
        return torch.empty(shape, device="cuda", dtype=d)

    kinds = {f16: gl.float16, bf16: gl.bfloat16, f32: gl.float32, e4: gl.float8e4nv, e5: gl.float8e5}

    def T(t, block):
        return TensorDescriptor.from_tensor(t, block, gl.NVMMASharedLayout.get_default_for(block, kinds[t.dtype]))

    n = 512
    for d, bm, bn, bk, epi, parts, st, warps, o in ((f16, 128, 128, 64, "relu", 1, 3, 4, f16), (bf16, 128, 256, 64, "gelu", 4, 3, 4, bf16), (f16, 64, 64, 128, "none", 1, 2, 4, f32),
                                                 (e4, 128, 128, 128, "square", 2, 3, 4, bf16), (f32, 128, 64, 32, "none", 1, 3, 4, f32), (bf16, 64, 128, 64, "relu", 2, 4, 8, f32),
                                                 (e5, 128, 64, 64, "gelu", 1, 2, 8, f16), (f16, 128, 32, 64, "square", 1, 4, 4, f32)):
        yield lambda: gemm_ring[(n // bm, n // bn)](T(E(n, n, d=d), [bm, bk]), T(E(n, n, d=d), [bn, bk]), E(n, n, d=o), n, n, epi, parts, st, num_warps=warps)
    for d, bm, bn, bk, tm, variant, warps in ((f16, 128, 64, 64, True, "32x32b", 4), (bf16, 128, 128, 64, False, "16x256b", 4), (f16, 64, 32, 64, False, "32x32b", 4), (bf16, 128, 128, 64, False, "16x64b", 4),
                                              (e4, 128, 128, 64, True, "32x32b", 8), (f32, 128, 64, 32, True, "16x128b", 4), (f16, 64, 128, 128, False, "16x256b", 4), (e5, 128, 256, 64, False, "32x32b", 8)):
        yield lambda: gemm_plain[(n // bm, n // bn)](E(n, n, d=d), E(n, n, d=d), E(n, n, d=f32), n, n, n, n, bm, bn, bk, tm, variant, num_warps=warps)
    yield lambda: int8_product[(1, )](E(128, 64, d=torch.int8), E(64, 64, d=torch.int8), E(128, 64, d=i32), 128, 64, 64)
    for N, mode, warps in ((64, "min", 4), (128, "absmax", 4), (32, "max", 4), (256, "max", 4)):
        yield lambda: row_extremes[(1, )](E(128, N), E(128), E(128), E(128, N), N, mode, num_warps=warps)
    for ta, tb, da, db, sd, vec, bm, bn, k, steps, warps in (("e4m3", "e4m3", e4, e4, u8, 32, 128, 128, 128, 2, 4), ("e5m2", "e4m3", e5, e4, u8, 32, 128, 64, 128, 1, 4), ("e2m1", "e2m1", u8, u8, u8, 32, 128, 128, 128, 3, 4),
                                                      ("e2m1", "e2m1", u8, u8, e4, 16, 128, 64, 128, 2, 8), ("e4m3", "e5m2", e4, e5, u8, 32, 128, 256, 128, 2, 8)):
        yield lambda: scaled_product[(1, )](E(bm, k * steps, d=da), E(bn, k * steps, d=db), E(bm, 64, d=sd), E(bn, 64, d=sd), E(bm, bn), bm, bn, k, ta, tb, vec, steps, num_warps=warps)
    yield lambda: scales_copy[(1, )](E(128, 128, d=e4), E(128, 128, d=e4), E(32, 16, d=u8), E(128, 128), 128, 128)
    for N in (32, 64):
        yield lambda: acc_copy[(1, )](E(128, N), E(128, N), N)
    for d, count, c in ((f16, 32, 64), (bf16, 64, 64), (f32, 32, 32)):
        block = [1, c]
        src, dst = E(256, 256, d=d), E(256, 256, d=d)
        layout = gl.NVMMASharedLayout(128, d.itemsize * 8, 2)
        yield lambda: gather_scatter[(4, 2)](TensorDescriptor.from_tensor(src, block, layout), TensorDescriptor.from_tensor(dst, block, layout), E(256, d=i32), E(256, d=i32), count, c)
    for d, ci in ((f16, 64), (bf16, 128)):
        x, w = E(2, 16, 16, ci, d=d), E(64, 9 * ci, d=d)
        im = TensorDescriptorIm2Col(x, list(x.shape), list(x.stride()), [128, 64], gl.NVMMASharedLayout.get_default_for([128, 64], kinds[d]), padding="zero", element_strides=[1, 1, 1, 1],
                                    pixel_box_lower_corner=[-1, -1], pixel_box_upper_corner=[-1, -1])
        yield lambda: conv_im2col[(4, 1)](im, T(w, [64, 64]), E(512, 64, d=d), 64, 3, 3, ci, 16, 16)
    for bm, bn in ((128, 64), (128, 128)):
        yield lambda: product_2cta[(2, 1)](E(4 * bm, 256, d=f16), E(256, bn, d=f16), E(4 * bm, bn, d=f16), 256, bm, bn, 64, num_ctas=2)
    for d, warps, block in ((f32, 4, 1024), (bf16, 8, 2048)):
        yield lambda: clc_scale[(64, )](E(65536, d=d), E(65536, d=d), 65000, block, num_warps=warps)
    for d, bm, bn, bk, st, w in ((f16, 128, 128, 64, 3, 64), (bf16, 128, 64, 64, 4, 32)):
        yield lambda: gemm_partitions[(n // bm, n // bn)](T(E(n, n, d=d), [bm, bk]), T(E(n, n, d=d), [bn, bk]), T(E(n, n, d=d), [bm, w]), n, st)
    for d, dim, bm, bn in ((f16, 64, 128, 64), (bf16, 128, 128, 128)):
        q = E(512, dim, d=d)
        yield lambda: attention_tcgen05[(2, 2)](T(q, [bm, dim]), T(q, [bn, dim]), T(q, [bn, dim]), E(512, dim, d=d), 256, 0.18)
    for N, dt, v, stride, warps in ((64, gl.float32, "16x64b", 1, 4), (128, gl.float16, "32x32b", 1, 4), (64, gl.float32, "16x256b", 1, 8), (64, gl.float16, "16x128b", 2, 4), (128, gl.bfloat16, "16x256b", 1, 4)):
        yield lambda: tmem_shuffle[(1, )](E(128, N), E(128, N, d={gl.float32: f32, gl.float16: f16, gl.bfloat16: bf16}[dt]), N, dt, v, stride, num_warps=warps)
    yield lambda: nvf4_unpack[(1, )](E(64, 64, d=u8), E(64, 8, d=e4), E(64, 128, d=f16), 64)


if __name__ == "__main__":
    for launch in cases():
        try:
            launch()
        except Exception as error:
            print(type(error).__name__, str(error)[:300], file=sys.stderr)
