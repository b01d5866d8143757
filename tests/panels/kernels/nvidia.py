"""NVIDIA's matrix units, TMA, cp.async, ldmatrix and stmatrix, tensor memory, partitions."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
import torch

def desc(shape, block, dtype=torch.float16, gdtype=gl.float16):
    return TensorDescriptor.from_tensor(torch.empty(shape, dtype=dtype), block, gl.NVMMASharedLayout.get_default_for(block, gdtype))


# gluond: launch(a="*fp16:16", b="*fp16:16", c="*fp32:16", K="i32:16", sa="i32:16", sb="i32:16", sc="i32:16", BM=64, BN=64, BK=32, num_warps=4, target="cuda:80")
# gluond: launch(a="*bf16:16", b="*bf16:16", c="*fp32:16", K="i32:16", sa="i32:16", sb="i32:16", sc="i32:16", BM=128, BN=64, BK=64, num_warps=4, target="cuda:90")
@gluon.jit
def mma_v2_loop(a, b, c, K, sa, sb, sc, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8])
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, 2)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, 2)
    ca: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    sha: gl.constexpr = gl.SwizzledSharedLayout(8, 2, 4, [1, 0])
    shb: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    cb: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    rm = gl.arange(0, BM, gl.SliceLayout(1, ca))
    rk = gl.arange(0, BK, gl.SliceLayout(0, ca))
    rk2 = gl.arange(0, BK, gl.SliceLayout(1, cb))
    rn = gl.arange(0, BN, gl.SliceLayout(0, cb))
    ta = gl.allocate_shared_memory(a.dtype.element_ty, [2, BM, BK], sha)
    tb = gl.allocate_shared_memory(b.dtype.element_ty, [2, BK, BN], shb)
    acc = gl.zeros([BM, BN], gl.float32, acc_layout)
    for k in range(0, K, BK):
        i = (k // BK) % 2
        async_copy.async_load(ta.index(i), a + rm[:, None] * sa + (k + rk[None, :]))
        async_copy.async_load(tb.index(i), b + (k + rk2[:, None]) * sb + rn[None, :])
        async_copy.commit_group()
        async_copy.wait_group(0)
        x = ta.index(i).load(la)
        y = tb.index(i).load(lb)
        acc = mma_v2(x, y, acc)
    cm = gl.arange(0, BM, gl.SliceLayout(1, acc_layout))
    cn = gl.arange(0, BN, gl.SliceLayout(0, acc_layout))
    gl.store(c + cm[:, None] * sc + cn[None, :], acc)


# gluond: launch(a="*fp32:16", b="*fp32:16", c="*fp32:16", s="i32:16", BM=64, BN=64, BK=32, num_warps=4, target="cuda:80")
# gluond: launch(a="*i8:16", b="*i8:16", c="*i32:16", s="i32:16", BM=64, BN=64, BK=64, num_warps=4, target="cuda:90")
@gluon.jit
def mma_v2_types(a, b, c, s, BM: gl.constexpr, BN: gl.constexpr, BK: gl.constexpr):
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    kw: gl.constexpr = 32 // a.dtype.element_ty.primitive_bitwidth
    la: gl.constexpr = gl.DotOperandLayout(0, acc_layout, kw)
    lb: gl.constexpr = gl.DotOperandLayout(1, acc_layout, kw)
    ca: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    sh: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    rm = gl.arange(0, BM, gl.SliceLayout(1, ca))
    rk = gl.arange(0, BK, gl.SliceLayout(0, ca))
    rkb = gl.arange(0, BK, gl.SliceLayout(1, ca))
    rn = gl.arange(0, BN, gl.SliceLayout(0, ca))
    ta = gl.allocate_shared_memory(a.dtype.element_ty, [BM, BK], sh)
    tb = gl.allocate_shared_memory(b.dtype.element_ty, [BK, BN], sh)
    ta.store(gl.load(a + rm[:, None] * s + rk[None, :]))
    tb.store(gl.load(b + rkb[:, None] * s + rn[None, :]))
    x = ta.load(la)
    y = tb.load(lb)
    acc = mma_v2(x, y, gl.zeros([BM, BN], c.dtype.element_ty, acc_layout))
    out = gl.convert_layout(acc, ca)
    gl.store(c + rm[:, None] * s + rn[None, :], out)


# gluond: launch(q=desc([4096, 64], [64, 64]), k=desc([4096, 64], [64, 64]), v=desc([4096, 64], [64, 64]), o=desc([4096, 64], [64, 64]), n=4096, num_warps=4, target="cuda:90")
@gluon.jit
def attention_wgmma(q, k, v, o, n):
    s_layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    p_layout: gl.constexpr = gl.DotOperandLayout(0, s_layout, 2)
    row: gl.constexpr = gl.SliceLayout(1, s_layout)
    qs = gl.allocate_shared_memory(gl.float16, [64, 64], q.layout)
    ks = gl.allocate_shared_memory(gl.float16, [2, 64, 64], k.layout)
    vs = gl.allocate_shared_memory(gl.float16, [2, 64, 64], v.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
    mbarrier.expect(bar, q.block_type.nbytes)
    tma.async_load(q, [gl.program_id(0) * 64, 0], bar, qs)
    mbarrier.wait(bar, 0)
    m = gl.full([64], -float("inf"), gl.float32, row)
    l = gl.full([64], 0.0, gl.float32, row)
    acc = gl.zeros([64, 64], gl.float32, s_layout)
    phase = 0
    for j in range(0, n, 64):
        h = (j // 64) % 2
        mbarrier.expect(bars.index(h), k.block_type.nbytes + v.block_type.nbytes)
        tma.async_load(k, [j, 0], bars.index(h), ks.index(h))
        tma.async_load(v, [j, 0], bars.index(h), vs.index(h))
        mbarrier.wait(bars.index(h), phase)
        phase ^= h
        s = warpgroup_mma(qs, ks.index(h).permute((1, 0)), gl.zeros([64, 64], gl.float32, s_layout), is_async=False)
        m_new = gl.maximum(m, gl.max(s, 1))
        alpha = gl.exp2(m - m_new)
        p = gl.exp2(s - m_new[:, None])
        l = l * alpha + gl.sum(p, 1)
        acc = acc * alpha[:, None]
        p16 = gl.convert_layout(p.to(gl.float16), p_layout)
        acc = warpgroup_mma(p16, vs.index(h), acc, is_async=False)
        m = m_new
    acc = acc / l[:, None]
    os = gl.allocate_shared_memory(gl.float16, [64, 64], o.layout)
    os.store(acc.to(gl.float16))
    fence_async_shared()
    tma.async_store(o, [gl.program_id(0) * 64, 0], os)
    tma.store_wait(0)


# gluond: launch(x=desc([1024, 1024], [64, 64]), out=desc([1024, 1024], [64, 64]), STAGES=3, num_warps=4, target="cuda:90")
# gluond: launch(x=desc([1024, 1024], [64, 64], torch.float32, gl.float32), out=desc([1024, 1024], [64, 64], torch.float32, gl.float32), STAGES=2, num_warps=4, target="cuda:100")
# gluond: launch(x=desc([1024, 1024], [64, 128], torch.int8, gl.int8), out=desc([1024, 1024], [64, 128], torch.int8, gl.int8), STAGES=2, num_warps=4, target="cuda:120")
@gluon.jit
def tma_ring(x, out, STAGES: gl.constexpr):
    dtype: gl.constexpr = x.dtype
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    ring = gl.allocate_shared_memory(dtype, [STAGES] + x.block_shape, x.layout)
    dst = gl.allocate_shared_memory(dtype, x.block_shape, out.layout)
    bars = gl.allocate_shared_memory(gl.int64, [STAGES, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(STAGES):
        mbarrier.init(bars.index(i), count=1)
    row = gl.program_id(0) * x.block_shape[0]
    for i in gl.static_range(STAGES):
        mbarrier.expect(bars.index(i), x.block_type.nbytes)
        tma.async_load(x, [row, i * x.block_shape[1]], bars.index(i), ring.index(i))
    for j in range(0, 8):
        slot = j % STAGES
        mbarrier.wait(bars.index(slot), (j // STAGES) & 1)
        v = ring.index(slot).load(layout)
        tma.store_wait(0)
        dst.store(v + v)
        fence_async_shared()
        tma.async_store(out, [row, j * x.block_shape[1]], dst)
        mbarrier.expect(bars.index(slot), x.block_type.nbytes)
        tma.async_load(x, [row, (j + STAGES) * x.block_shape[1]], bars.index(slot), ring.index(slot))
    tma.store_wait(0)


# gluond: launch(a=desc([1024, 1024], [128, 64]), b=desc([1024, 1024], [64, 128]), c="*fp16:16", sc="i32:16", K=1024, num_warps=8, target="cuda:90")
# gluond: launch(a=desc([1024, 1024], [64, 64]), b=desc([1024, 1024], [64, 128]), c="*fp32:16", sc="i32:16", K=1024, num_warps=4, target="cuda:90")
@gluon.jit
def wgmma_split_k(a, b, c, sc, K):
    BM: gl.constexpr = a.block_shape[0]
    BN: gl.constexpr = b.block_shape[1]
    BK: gl.constexpr = a.block_shape[1]
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, 64, 16])
    out_layout: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [gl.num_warps(), 1], [1, 0])
    sa = gl.allocate_shared_memory(gl.float16, [2, BM, BK], a.layout)
    sb = gl.allocate_shared_memory(gl.float16, [2, BK, BN], b.layout)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
    row = gl.program_id(0) * BM
    col = gl.program_id(1) * BN
    acc = warpgroup_mma_init(gl.zeros([BM, BN], gl.float32, acc_layout))
    n = 0
    for k in range(gl.program_id(2) * BK, K, gl.num_programs(2) * BK):
        s = n % 2
        mbarrier.expect(bars.index(s), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [row, k], bars.index(s), sa.index(s))
        tma.async_load(b, [k, col], bars.index(s), sb.index(s))
        mbarrier.wait(bars.index(s), (n // 2) & 1)
        acc = warpgroup_mma_wait(0, deps=(acc, ))
        acc = warpgroup_mma(sa.index(s), sb.index(s), warpgroup_mma_init(acc), is_async=True)
        n += 1
    acc = warpgroup_mma_wait(0, deps=(acc, ))
    rm = row + gl.arange(0, BM, gl.SliceLayout(1, out_layout))
    rn = col + gl.arange(0, BN, gl.SliceLayout(0, out_layout))
    y = gl.convert_layout(acc.to(c.dtype.element_ty), out_layout)
    gl.atomic_add(c + rm[:, None] * sc + rn[None, :], y)


# gluond: launch(a=desc([1024, 1024], [128, 64]), b=desc([1024, 1024], [64, 128]), c=desc([1024, 1024], [128, 128]), K=1024, num_warps=4, target="cuda:100")
@gluon.jit
def tcgen05_matmul(a, b, c, K):
    acc_layout: gl.constexpr = blackwell.TensorMemoryLayout([128, 128], col_stride=1)
    sa = gl.allocate_shared_memory(gl.float16, [128, 64], a.layout)
    sb = gl.allocate_shared_memory(gl.float16, [64, 128], b.layout)
    acc = blackwell.allocate_tensor_memory(gl.float32, [128, 128], acc_layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.init(done, count=1)
    phase = 0
    use = False
    for k in range(0, K, 64):
        mbarrier.expect(bar, a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [gl.program_id(0) * 128, k], bar, sa)
        tma.async_load(b, [k, gl.program_id(1) * 128], bar, sb)
        mbarrier.wait(bar, phase)
        blackwell.tcgen05_mma(sa, sb, acc, use_acc=use)
        blackwell.tcgen05_commit(done)
        mbarrier.wait(done, phase)
        phase ^= 1
        use = True
    y = acc.load()
    sc = gl.allocate_shared_memory(gl.float16, [128, 128], c.layout)
    sc.store(y.to(gl.float16))
    fence_async_shared()
    tma.async_store(c, [gl.program_id(0) * 128, gl.program_id(1) * 128], sc)
    tma.store_wait(0)


# gluond: launch(x=desc([4096, 64], [1, 64]), idx="*i32:16", out=desc([4096, 64], [1, 64]), num_warps=4, target="cuda:100")
@gluon.jit
def tma_gather_rows(x, idx, out):
    off: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0]))
    rows = gl.load(idx + gl.arange(0, 32, off))
    s = gl.allocate_shared_memory(gl.float16, [32, 64], x.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 32 * 64 * 2)
    blackwell.tma.async_gather(x, rows, 0, bar, s)
    mbarrier.wait(bar, 0)
    blackwell.tma.async_scatter(out, rows, 0, s)
    tma.store_wait(0)


# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", out="*bf16:16", n="i32:16", num_warps=4, target="cuda:80")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16", num_warps=4, target="cuda:90")
@gluon.jit
def mma_epilogue(x, out, n):
    """Accumulator-like registers through shared memory, for wide stores."""
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    wide: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(8, 1, 8, [1, 0])
    r = gl.arange(0, 64, gl.SliceLayout(1, acc_layout))
    c = gl.arange(0, 64, gl.SliceLayout(0, acc_layout))
    v = gl.load(x + r[:, None] * n + c[None, :])
    tile = gl.allocate_shared_memory(x.dtype.element_ty, [64, 64], shared)
    tile.store(v)
    y = tile.load(wide)
    r2 = gl.arange(0, 64, gl.SliceLayout(1, wide))
    c2 = gl.arange(0, 64, gl.SliceLayout(0, wide))
    gl.store(out + r2[:, None] * n + c2[None, :], y)


# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", num_warps=4, target="cuda:100")
@gluon.jit
def mma_epilogue_transposed(x, out, n):
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    wide: gl.constexpr = gl.BlockedLayout([8, 1], [8, 4], [1, 4], [0, 1])
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    r = gl.arange(0, 64, gl.SliceLayout(1, acc_layout))
    c = gl.arange(0, 64, gl.SliceLayout(0, acc_layout))
    v = gl.load(x + r[:, None] * n + c[None, :])
    tile = gl.allocate_shared_memory(x.dtype.element_ty, [64, 64], shared)
    tile.permute((1, 0)).store(v)
    y = tile.permute((1, 0)).load(wide)
    r2 = gl.arange(0, 64, gl.SliceLayout(1, wide))
    c2 = gl.arange(0, 64, gl.SliceLayout(0, wide))
    gl.store(out + r2[:, None] + c2[None, :] * n, y)


# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", STAGES=3, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32", STAGES=2, num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", out="*i8:16", n="i32:16", STAGES=2, num_warps=4, target="cuda:90")
@gluon.jit
def cp_async_pipeline(x, out, n, STAGES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    ring = gl.allocate_shared_memory(x.dtype.element_ty, [STAGES, 1024], shared)
    i = gl.arange(0, 1024, layout)
    for s in gl.static_range(STAGES - 1):
        async_copy.async_load(ring.index(s), x + s * 1024 + i, mask=s * 1024 + i < n)
        async_copy.commit_group()
    for k in range(0, 16):
        at = (k + STAGES - 1) * 1024 + i
        async_copy.async_load(ring.index((k + STAGES - 1) % STAGES), x + at, mask=at < n)
        async_copy.commit_group()
        async_copy.wait_group(STAGES - 1)
        v = ring.index(k % STAGES).load(layout)
        gl.store(out + k * 1024 + i, v, mask=k * 1024 + i < n)


# gluond: launch(x=desc([1024, 1024], [64, 64], torch.bfloat16, gl.bfloat16), out="*bf16:16", num_warps=4, target="cuda:90")
@gluon.jit
def tma_read_columns(x, out):
    """A tile read down its columns from TMA's swizzled memory."""
    cols: gl.constexpr = gl.BlockedLayout([8, 1], [8, 4], [1, 4], [0, 1])
    s = gl.allocate_shared_memory(gl.bfloat16, [64, 64], x.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, x.block_type.nbytes)
    tma.async_load(x, [0, 0], bar, s)
    mbarrier.wait(bar, 0)
    v = s.load(cols)
    r = gl.arange(0, 64, gl.SliceLayout(1, cols))
    c = gl.arange(0, 64, gl.SliceLayout(0, cols))
    gl.store(out + r[:, None] + c[None, :] * 64, v)


# gluond: launch(x=desc([1024, 1024], [128, 128], torch.float32, gl.float32), out="*fp32:16", num_warps=4, target="cuda:90")
@gluon.jit
def tma_reduce(x, out):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    s = gl.allocate_shared_memory(gl.float32, [128, 128], x.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, x.block_type.nbytes)
    tma.async_load(x, [gl.program_id(0) * 128, 0], bar, s)
    mbarrier.wait(bar, 0)
    v = s.load(layout)
    s.store(v * 2)
    fence_async_shared()
    tma.async_atomic_add(x, [gl.program_id(0) * 128, 0], s)
    tma.store_wait(0)
    gl.store(out + gl.arange(0, 128, gl.SliceLayout(1, layout)), gl.sum(v, 1))


# gluond: launch(x="*fp16:16", out="*fp16:16", n="i32:16", num_warps=4, target="cuda:100")
@gluon.jit
def tmem_round_trip(x, out, n):
    tl: gl.constexpr = blackwell.TensorMemoryLayout([128, 64], col_stride=1)
    lo: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    r = gl.arange(0, 128, gl.SliceLayout(1, lo))
    c = gl.arange(0, 64, gl.SliceLayout(0, lo))
    at = r[:, None] * n + c[None, :]
    v = gl.load(x + at).to(gl.float32)
    t = blackwell.allocate_tensor_memory(gl.float32, [128, 64], tl)
    reg: gl.constexpr = t.get_reg_layout()
    t.store(gl.convert_layout(v, reg))
    y = t.load(reg)
    y = gl.convert_layout(y.to(gl.float16), lo)
    gl.store(out + at, y)


@gluon.jit
def load_part(x, ring, full, empty, n):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    for k in range(n):
        mbarrier.wait(empty.index(k % 2), ((k // 2) & 1) ^ 1)
        v = gl.load(x + k * 512 + i)
        ring.index(k % 2).store(v)
        mbarrier.arrive(full.index(k % 2), count=1)


@gluon.jit
def store_part(out, ring, full, empty, n):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    for k in range(n):
        mbarrier.wait(full.index(k % 2), (k // 2) & 1)
        v = ring.index(k % 2).load(layout)
        mbarrier.arrive(empty.index(k % 2), count=1)
        gl.store(out + k * 512 + i, v)


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32", num_warps=4, target="cuda:90")
@gluon.jit
def specialized_copy(x, out, n):
    ring = gl.allocate_shared_memory(gl.float32, [2, 512], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    gl.warp_specialize([(store_part, (out, ring, full, empty, n)), (load_part, (x, ring, full, empty, n))], [4], [64])


# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16:16", n="i32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", num_warps=4, target="cuda:80")
@gluon.jit
def packed_atomics(x, y, n):
    layout: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    i = gl.program_id(0) * 1024 + gl.arange(0, 1024, layout)
    v = gl.load(x + i, mask=i < n, other=0.0)
    gl.atomic_add(y + i, v, mask=i < n, sem="relaxed")
    old = gl.atomic_max(y + 4096 + i, v.to(gl.float32)) if y.dtype.element_ty == gl.float32 else v
    gl.store(y + 8192 + i, old)
