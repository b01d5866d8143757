"""Shared memory: swizzles, padding, slots, slices, views, matrix instructions, TMA, conversions."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma, warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


def desc(shape, block, dtype=torch.float16, gdtype=gl.float16):
    return TensorDescriptor.from_tensor(torch.empty(shape, dtype=dtype), block, gl.NVMMASharedLayout.get_default_for(block, gdtype))


# gluond: launch(x="*fp16:16", y="*fp16:16", VEC=1, PER=1, MAX=1, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", VEC=8, PER=1, MAX=8, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", VEC=4, PER=2, MAX=8, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp16:16", y="*fp16:16", VEC=2, PER=4, MAX=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", VEC=4, PER=1, MAX=8, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", VEC=1, PER=1, MAX=1, num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", y="*i8:16", VEC=16, PER=2, MAX=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp64:16", y="*fp64:16", VEC=2, PER=1, MAX=8, num_warps=4, target="cuda:90")
@gluon.jit
def swizzled_transpose(x, y, VEC: gl.constexpr, PER: gl.constexpr, MAX: gl.constexpr):
    R: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    s = gl.allocate_shared_memory(x.dtype.element_ty, [64, 64], gl.SwizzledSharedLayout(VEC, PER, MAX, [1, 0]))
    s.store(gl.load(x + r[:, None] * 64 + c[None, :]))
    v = s.load(C)
    w = s.permute((1, 0)).load(R)
    gl.store(y + r[:, None] * 64 + c[None, :], gl.convert_layout(v, R) + w)


# gluond: launch(x="*fp16:16", y="*fp16:16", P=8, I=64, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", P=4, I=64, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", P=1, I=64, num_warps=4, target="cuda:80")
# gluond: launch(x="*bf16:16", y="*bf16:16", P=2, I=128, num_warps=4, target="cuda:100")
@gluon.jit
def padded_transpose(x, y, P: gl.constexpr, I: gl.constexpr):
    R: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    L: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[I, P]], [64, 64], [1, 0])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [64, 64], L)
    s.store(gl.load(x + r[:, None] * 64 + c[None, :]))
    v = s.load(C)
    r2 = gl.arange(0, 64, gl.SliceLayout(1, C))
    c2 = gl.arange(0, 64, gl.SliceLayout(0, C))
    gl.store(y + r2[:, None] + c2[None, :] * 64, v)


# gluond: launch(x="*fp16:16", y="*fp16:16", STAGES=3, K=128, num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16:16", STAGES=4, K=64, num_warps=4, target="cuda:80")
@gluon.jit
def slots(x, y, STAGES: gl.constexpr, K: gl.constexpr):
    R: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    M: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    A: gl.constexpr = gl.DotOperandLayout(0, M, 2)
    B: gl.constexpr = gl.DotOperandLayout(1, M, 2)
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, K, gl.SliceLayout(0, R))
    s = gl.allocate_shared_memory(x.dtype.element_ty, [STAGES, 64, K], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    for i in range(STAGES):
        async_copy.async_load(s.index(i), x + i * 64 * K + r[:, None] * K + c[None, :])
        async_copy.commit_group()
    async_copy.wait_group(0)
    acc = gl.zeros([64, 64], gl.float32, M)
    for i in range(STAGES):
        a = s.index(i).load(A)
        b = s.index((i + 1) % STAGES).permute((1, 0)).load(B)
        acc = mma_v2(a, b, acc)
        for j in gl.static_range(K // 16):
            a2 = s.index(i).slice(j * 16, 16, 1).load(A)
            b2 = s.index(i).slice(j * 16, 16, 1).permute((1, 0)).load(B)
            acc = mma_v2(a2, b2, acc)
    r3 = gl.arange(0, 64, gl.SliceLayout(1, M))
    c3 = gl.arange(0, 64, gl.SliceLayout(0, M))
    gl.store(y + r3[:, None] * 64 + c3[None, :], acc.to(y.dtype.element_ty))


# gluond: launch(x="*fp16:16", y="*fp16:16", W=128, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", W=64, num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16:16", W=32, num_warps=8, target="cuda:100")
# gluond: launch(x="*fp16:16", y="*fp16:16", W=0, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", W=128, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp8e5:16", y="*fp8e5:16", W=64, num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", y="*i8:16", W=128, num_warps=4, target="cuda:90")
@gluon.jit
def nvmma_stores(x, y, W: gl.constexpr):
    M: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, 64, 16])
    r = gl.arange(0, 128, gl.SliceLayout(1, M))
    c = gl.arange(0, 128, gl.SliceLayout(0, M))
    v = gl.load(x + r[:, None] * 128 + c[None, :])
    E: gl.constexpr = x.dtype.element_ty.primitive_bitwidth
    s = gl.allocate_shared_memory(x.dtype.element_ty, [128, 128], gl.NVMMASharedLayout(W, E, 2))
    s.store(v)
    R: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [gl.num_warps(), 1], [1, 0])
    w = s.load(R)
    u = s.load(M)
    r2 = gl.arange(0, 128, gl.SliceLayout(1, R))
    c2 = gl.arange(0, 128, gl.SliceLayout(0, R))
    gl.store(y + r2[:, None] * 128 + c2[None, :], w)
    gl.store(y + r[:, None] * 128 + c[None, :], u)


# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16:16", num_warps=4, target="cuda:120")
@gluon.jit
def transposed_store(x, y):
    M: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [2, 2], [16, 8])
    r = gl.arange(0, 64, gl.SliceLayout(1, M))
    c = gl.arange(0, 128, gl.SliceLayout(0, M))
    v = gl.load(x + r[:, None] * 128 + c[None, :])
    s = gl.allocate_shared_memory(x.dtype.element_ty, [64, 128], gl.SwizzledSharedLayout(8, 1, 8, [0, 1]))
    s.store(v)
    t = gl.allocate_shared_memory(x.dtype.element_ty, [128, 64], gl.NVMMASharedLayout(128, 16, 2, transposed=True))
    t.permute((1, 0)).store(v)
    u = t.permute((1, 0)).load(M)
    w = s.load(M)
    gl.store(y + r[:, None] * 128 + c[None, :], u + w)


# gluond: launch(x="*fp32:16", y="*fp32:16", KW=1, num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", y="*i32:16", KW=4, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp8e4nv:16", y="*fp32:16", KW=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*fp32:16", KW=4, num_warps=4, target="cuda:90")
@gluon.jit
def operands(x, y, KW: gl.constexpr):
    M: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    A: gl.constexpr = gl.DotOperandLayout(0, M, KW)
    B: gl.constexpr = gl.DotOperandLayout(1, M, KW)
    R: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    V: gl.constexpr = 128 // x.dtype.element_ty.primitive_bitwidth
    s = gl.allocate_shared_memory(x.dtype.element_ty, [2, 64, 64], gl.SwizzledSharedLayout(V, 1, 4, [1, 0]))
    t = gl.allocate_shared_memory(x.dtype.element_ty, [64, 64], gl.SwizzledSharedLayout(V, 1, 4, [0, 1]))
    v = gl.load(x + r[:, None] * 64 + c[None, :])
    s.index(0).store(v)
    s.index(1).store(v)
    t.store(v)
    p = gl.program_id(0) % 2
    a = s.index(p).load(A)
    b = s.index(1 - p).permute((1, 0)).load(B)
    b2 = t.load(B)
    a2 = t.load(A)
    r3 = gl.arange(0, 64, gl.SliceLayout(1, A))
    c3 = gl.arange(0, 64, gl.SliceLayout(0, A))
    gl.store(y + r3[:, None] * 64 + c3[None, :], (a.to(gl.float32) + a2.to(gl.float32)).to(y.dtype.element_ty))
    r4 = gl.arange(0, 64, gl.SliceLayout(1, B))
    c4 = gl.arange(0, 64, gl.SliceLayout(0, B))
    gl.store(y + r4[:, None] * 64 + c4[None, :], (b.to(gl.float32) + b2.to(gl.float32)).to(y.dtype.element_ty))


# gluond: launch(x=desc([4096], [256]), y=desc([4096], [256]), num_warps=4, target="cuda:90")
@gluon.jit
def tma_1d(x, y):
    s = gl.allocate_shared_memory(gl.float16, [256], x.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, x.block_type.nbytes)
    tma.async_load(x, [gl.program_id(0) * 256], bar, s)
    mbarrier.wait(bar, 0)
    v = s.load(gl.BlockedLayout([2], [32], [4], [0]))
    s.store(v + v)
    fence_async_shared()
    tma.async_store(y, [gl.program_id(0) * 256], s)
    tma.store_wait(0)


# gluond: launch(x=desc([16, 256, 256], [1, 64, 64]), y="*fp16:16", num_warps=4, target="cuda:90")
# gluond: launch(x=desc([16, 256, 256], [2, 32, 128], torch.bfloat16, gl.bfloat16), y="*bf16:16", num_warps=4, target="cuda:100")
@gluon.jit
def tma_3d(x, y):
    B: gl.constexpr = x.block_shape
    ring = gl.allocate_shared_memory(x.dtype, [2] + B, x.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 2 * x.block_type.nbytes)
    for i in gl.static_range(2):
        tma.async_load(x, [gl.program_id(0), i * 64, 64], bar, ring.index(i))
    mbarrier.wait(bar, 0)
    L: gl.constexpr = gl.BlockedLayout([1, 1, 8], [1, 4, 8], [1, 4, 1], [2, 1, 0])
    v = ring.index(1).load(L)
    a = gl.arange(0, B[0], gl.SliceLayout(1, gl.SliceLayout(2, L)))
    b = gl.arange(0, B[1], gl.SliceLayout(0, gl.SliceLayout(2, L)))
    c = gl.arange(0, B[2], gl.SliceLayout(0, gl.SliceLayout(1, L)))
    at = a[:, None, None] * (B[1] * B[2]) + b[None, :, None] * B[2] + c[None, None, :]
    gl.store(y + at, v)


# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", y="*i8:16", num_warps=4, target="cuda:80")
@gluon.jit
def conversions(x, y):
    R: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    M: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    A: gl.constexpr = gl.DotOperandLayout(0, M, 2)
    N: gl.constexpr = gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0])
    W: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [1, 4], [1, 0])
    r = gl.arange(0, 64, gl.SliceLayout(1, R))
    c = gl.arange(0, 64, gl.SliceLayout(0, R))
    v = gl.load(x + r[:, None] * 64 + c[None, :])
    a = gl.convert_layout(v, C)
    b = gl.convert_layout(a, M)
    d = gl.convert_layout(b, A)
    e = gl.convert_layout(d, N)
    f = gl.convert_layout(e, W)
    g = gl.convert_layout(f, R)
    gl.store(y + r[:, None] * 64 + c[None, :], g)


# gluond: launch(x="*fp16:16", idx="*i32:16", y="*fp16:16", num_warps=4, target="cuda:90")
@gluon.jit
def shared_gathers(x, idx, y):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, L)
    s = gl.allocate_shared_memory(gl.float16, [512], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    s.store(gl.load(x + i))
    at = gl.load(idx + i)
    v = s.gather(at, 0)
    w = s.gather((i * 2) % 512, 0)
    s.scatter(v, at, 0)
    u = s.load(L)
    gl.store(y + i, v + w + u)


# gluond: launch(x="*i64:16", y="*i64:16", num_warps=4, target="cuda:80")
# gluond: launch(x="*i8:16", y="*i8:16", num_warps=4, target="cuda:90")
@gluon.jit
def gathers_of_other_sizes(x, y):
    L: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, L)
    s = gl.allocate_shared_memory(x.dtype.element_ty, [512], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    s.scatter(gl.load(x + i), i ^ 6, 0)
    v = s.gather(i ^ 9, 0)
    w = s.gather(511 - i, 0)
    gl.store(y + i, v)
    gl.store(y + 512 + i, w)


# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="cuda:100")
# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="cuda:100")
@gluon.jit
def tensor_memory(x, y):
    T: gl.constexpr = blackwell.TensorMemoryLayout([128, 64], col_stride=32 // x.dtype.element_ty.primitive_bitwidth)
    t = blackwell.allocate_tensor_memory(x.dtype.element_ty, [2, 128, 64], T)
    reg: gl.constexpr = t.index(0).get_reg_layout()
    r = gl.arange(0, 128, gl.SliceLayout(1, reg))
    c = gl.arange(0, 64, gl.SliceLayout(0, reg))
    v = gl.load(x + r[:, None] * 64 + c[None, :])
    t.index(1).store(v)
    w = t.index(1).load(reg)
    gl.store(y + r[:, None] * 64 + c[None, :], w)


# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="cuda:90")
@gluon.jit
def views(x, y):
    L: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    F: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    s = gl.allocate_shared_memory(gl.float16, [4, 64, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    r = gl.arange(0, 64, gl.SliceLayout(1, L))
    c = gl.arange(0, 64, gl.SliceLayout(0, L))
    v = gl.load(x + r[:, None] * 64 + c[None, :])
    for i in gl.static_range(4):
        s.index(i).store(v)
    f = s.index(2).reshape([4096])
    w = f.load(F)
    q = s.index(1).slice(32, 32, 0).load(L)
    z = s.index(3).slice(0, 32, 1).load(L)
    gl.store(y + gl.arange(0, 4096, F), w)
    r2 = gl.arange(0, 32, gl.SliceLayout(1, L))
    gl.store(y + r2[:, None] * 64 + c[None, :], q)
    c2 = gl.arange(0, 32, gl.SliceLayout(0, L))
    gl.store(y + r[:, None] * 64 + c2[None, :], z)


# gluond: launch(a=desc([1024, 1024], [128, 64]), b=desc([1024, 1024], [64, 256]), c=desc([1024, 1024], [128, 256]), K=1024, num_warps=8, target="cuda:90")
# gluond: launch(a=desc([1024, 1024], [64, 64], torch.bfloat16, gl.bfloat16), b=desc([1024, 1024], [64, 64], torch.bfloat16, gl.bfloat16), c=desc([1024, 1024], [64, 64], torch.bfloat16, gl.bfloat16), K=256, num_warps=4, target="cuda:90")
@gluon.jit
def ring_gemm(a, b, c, K):
    BM: gl.constexpr = a.block_shape[0]
    BK: gl.constexpr = a.block_shape[1]
    BN: gl.constexpr = b.block_shape[1]
    M: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [gl.num_warps(), 1], [16, BN, 16])
    sa = gl.allocate_shared_memory(a.dtype, [3, BM, BK], a.layout)
    sb = gl.allocate_shared_memory(a.dtype, [3, BK, BN], b.layout)
    sc = gl.allocate_shared_memory(a.dtype, [BM, BN], c.layout)
    bars = gl.allocate_shared_memory(gl.int64, [3, 1], mbarrier.MBarrierLayout())
    for j in gl.static_range(3):
        mbarrier.init(bars.index(j), count=1)
    acc = gl.zeros([BM, BN], gl.float32, M)
    n = 0
    for k in range(0, K, BK):
        i = n % 3
        mbarrier.expect(bars.index(i), a.block_type.nbytes + b.block_type.nbytes)
        tma.async_load(a, [gl.program_id(0) * BM, k], bars.index(i), sa.index(i))
        tma.async_load(b, [k, gl.program_id(1) * BN], bars.index(i), sb.index(i))
        mbarrier.wait(bars.index(i), (n // 3) & 1)
        acc = warpgroup_mma(sa.index(i), sb.index(i), acc, is_async=False)
        n += 1
    sc.store(acc.to(a.dtype))
    fence_async_shared()
    tma.async_store(c, [gl.program_id(0) * BM, gl.program_id(1) * BN], sc)
    tma.store_wait(0)
