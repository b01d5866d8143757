from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier, fence_async_shared, warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait, cluster
from triton.experimental.gluon.language.nvidia import hopper
from triton.experimental.gluon.language.extra import libdevice


@gluon.jit
def barriers(p, n):
    bar = mbarrier.allocate_mbarrier()
    bars = mbarrier.allocate_mbarrier(batch=2)
    mbarrier.init(bar, count=1)
    mbarrier.init(bars.index(0), count=2)
    mbarrier.expect(bar, 1024)
    mbarrier.expect(bar, 1024, pred=n > 0)
    mbarrier.arrive(bar)
    mbarrier.arrive(bar, count=2, pred=n > 1)
    mbarrier.wait(bar, 0)
    mbarrier.wait(bar, n, pred=n > 2, deps=[bar])
    mbarrier.invalidate(bar)
    fence_async_shared()
    fence_async_shared(cluster=True)
    gl.nvidia.ampere.async_copy.mbarrier_arrive(bar)
    gl.nvidia.ampere.async_copy.mbarrier_arrive(bar, increment_count=False)


@gluon.jit
def descriptors(p, m, n):
    layout: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    desc = tma.make_tensor_descriptor(p, [m, n], [n, 1], [64, 64], layout)
    smem = gl.allocate_shared_memory(desc.dtype, desc.block_shape, desc.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.nbytes_per_cta)
    tma.async_load(desc, [0, n], bar, smem)
    tma.async_load(desc, [m, 64], bar, smem, pred=n > 3, multicast=True, cache_policy=hopper.CachePolicy(l2=hopper.FractionalEvictionPolicy("evict_last", 0.5)))
    mbarrier.wait(bar, 0)
    tma.async_store(desc, [0, 0], smem)
    tma.async_atomic_add(desc, [0, 0], smem)
    tma.async_atomic_max(desc, [0, 0], smem)
    tma.store_wait(0)
    tma.store_wait(pendings=1, read_only=False)
    gl.store(p, desc.shape[0] + desc.strides[0])


@gluon.jit
def products(p):
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    a = gl.allocate_shared_memory(gl.float16, [64, 64], sa)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], sa)
    acc = gl.zeros([64, 64], gl.float32, mma)
    acc = warpgroup_mma(a, b, acc)
    t = warpgroup_mma(a, b, acc, use_acc=False, is_async=True)
    t = warpgroup_mma_wait(0, deps=[t])
    t = warpgroup_mma_init(t)
    t = warpgroup_mma(a, b.permute((1, 0)), t, precision="tf32", is_async=True)
    t, x, y = warpgroup_mma_wait(num_outstanding=0, deps=(t, a, b))
    gl.store(p, gl.sum(gl.sum(t, 0), 0))


@gluon.jit
def worker(p, n, K: gl.constexpr):
    gl.store(p + K, n + gl.num_warps())


@gluon.jit
def leader(p, n):
    gl.store(p, n)
    return n + 1, n


@gluon.jit
def nothing(p):
    gl.store(p, 3)


@gluon.jit
def specialized(p, n):
    a, b = gl.warp_specialize([(leader, (p, n)), (worker, (p, n, 4)), (worker, (p, b_of(n), 5))], [4, 2], [24, 24])
    gl.store(p + 1, a + b)
    gl.warp_specialize([(nothing, (p, )), (worker, (p, n, 7))], [4])


@gluon.jit
def b_of(n):
    return n * 2


@gluon.jit
def device_library(p, q):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    x = gl.load(p + i)
    gl.store(p + i, libdevice.abs(x))
    gl.store(p + i, libdevice.tanh(x))
    gl.store(p + i, libdevice.pow(x, 2.0))
    gl.store(p + i, libdevice.fma(x, x, x) if False else libdevice.floor(x))
    gl.store(q + i, libdevice.clz(i))
    gl.store(q + i, gl.bank_conflicts(x.type, gl.shared_memory_descriptor_type(gl.float32, [512], gl.SwizzledSharedLayout(1, 1, 1, [0]), [512])) if False else 1)


@gluon.jit
def windows(desc, p):
    smem = gl.allocate_shared_memory(gl.float16, desc.block_type.shape, desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load_im2col(desc, [0, -1, -1, 0], [p.to(gl.int64).to(gl.int16), 1], bar, smem)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
