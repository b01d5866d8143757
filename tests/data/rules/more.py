"""Builtins that kernels rarely call."""
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import ampere, blackwell, hopper, rubin
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout, allocate_tensor_memory, mbarrier

ROWS: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
PLAIN: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])


@gluon.jit
def functions(p):
    i = gl.arange(0, 256, ROWS)
    x = gl.to_tensor(2)
    y = gl.mul(gl.sub(gl.add(i, x), 1), i)
    gl.store(p + i, y)


@gluon.jit
def conflicts(p):
    x = gl.load(p + gl.arange(0, 512, ROWS))
    shared: gl.constexpr = gl.shared_memory_descriptor_type(gl.int32, [512], PLAIN, [512])
    n: gl.constexpr = gl.bank_conflicts(x.type, shared)
    gl.store(p, n)


@gluon.jit
def of_triton(p):
    tl.store(p, tl.load(p) + 1)


@gluon.jit
def full_of_triton(p):
    gl.store(p, gl.sum(tl.full([256], 1, gl.int32), 0))


@gluon.jit
def zeros_of_triton(p):
    gl.store(p, gl.sum(tl.zeros([256], gl.int32), 0))


@gluon.jit
def zeros_like_of_triton(p):
    gl.store(p, gl.sum(tl.zeros_like(gl.arange(0, 256, ROWS)), 0))


@gluon.jit
def histogram_of_triton(p):
    gl.store(p, gl.sum(tl.histogram(gl.arange(0, 256, ROWS), 64), 0))


@gluon.jit
def least(p):
    gl.store(p, tl.argmin(gl.arange(0, 256, ROWS), 0))


@gluon.jit
def random_numbers(p):
    i = gl.arange(0, 256, ROWS)
    a = tl.random.randint(7, i) + tl.random.randint4x(7, i)[1]
    b = tl.random.rand(7, i) + tl.random.rand4x(7, i)[2] + tl.random.randn(7, i) + tl.random.randn4x(7, i)[3]
    gl.store(p + i, a + b.to(gl.int32))


@gluon.jit
def random_parts(p):
    i = gl.arange(0, 256, ROWS).to(gl.uint32)
    c = tl.random.philox_impl(i, i, i, i, i, i, 10)
    e = tl.random.philox(7, i, i, i, i)
    f = tl.random.uint_to_uniform_float(c[0] + e[1])
    g, _ = tl.random.pair_uniform_to_normal(f, f)
    gl.store(p + gl.arange(0, 256, ROWS), g.to(gl.int32))


@gluon.jit
def shared_memory(p):
    i = gl.arange(0, 256, ROWS)
    smem = gl.allocate_shared_memory(gl.int32, [256], PLAIN, i)
    x = smem.gather(i, 0)
    smem.atomic_scatter_add(x, i, 0)
    smem.atomic_scatter_max(x, i, 0)
    smem.atomic_scatter_min(x, i, 0, mask=i < 9)
    smem.atomic_scatter_and(x, i, 0)
    smem.atomic_scatter_or(x, i, 0)
    smem.atomic_scatter_xor(x, i, 0)
    smem.atomic_scatter_xchg(x, i, 0)
    smem.reshape([2, 128])._keep_alive()
    smem._keep_alive()
    gl.store(p + i, smem.load(ROWS))


@gluon.jit
def barriers(p):
    bar = ampere.mbarrier.allocate_mbarrier()
    ampere.mbarrier.init(bar, count=1)
    ampere.mbarrier.arrive(bar)
    ampere.mbarrier.arrive(bar, pred=False)
    ampere.mbarrier.wait(bar, 0)
    ampere.mbarrier.invalidate(bar)
    gl.store(p, 1)


@gluon.jit
def clusters(p):
    rows: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0], [[1]])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0], [[1]])
    i = gl.arange(0, 256, rows)
    smem = gl.allocate_shared_memory(gl.int32, [256], shared)
    bar = hopper.mbarrier.allocate_mbarrier()
    hopper.mbarrier.init(bar, count=1)
    hopper.cluster.barrier()
    hopper.cluster.barrier(relaxed=True)
    hopper.async_store(smem, i, bar)
    hopper.mbarrier.wait(bar, 0)
    gl.store(p + i, smem.load(rows))


@gluon.jit
def reductions(p, n):
    layout: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 32], gl.int32)
    desc = hopper.tma.make_tensor_descriptor(p, [n, n], [n, 1], [64, 32], layout)
    smem = gl.allocate_shared_memory(gl.int32, [64, 32], layout)
    hopper.tma.async_atomic_and(desc, [0, 0], smem)
    hopper.tma.async_atomic_or(desc, [0, n], smem)
    hopper.tma.async_atomic_xor(desc, [n, 0], smem)
    hopper.tma.store_wait(0)


@gluon.jit
def tensor_memory(p):
    layout: gl.constexpr = TensorMemoryLayout([128, 64], col_stride=1)
    t = allocate_tensor_memory(gl.float32, [128, 64], layout)
    a, least = t.load_min()
    b, most = t.load_max(abs=True)
    gl.store(p, gl.sum(gl.sum(a + b, 0), 0) + gl.sum(least + most, 0))


@gluon.jit
def scale_copies(p):
    shared: gl.constexpr = gl.SharedLinearLayout([[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 4], [0, 8]])
    smem = gl.allocate_shared_memory(gl.uint8, [128, 16], shared)
    t = allocate_tensor_memory(gl.uint8, [128, 16], TensorMemoryScalesLayout())
    blackwell.tcgen05_copy(smem, t)
    gl.store(p, 1.0)


@gluon.jit
def packed_halves(p):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    x = gl.full([512], 1.0, gl.float16, layout)
    y = blackwell.max2(blackwell.min2(x, x), x)
    gl.store(p + gl.arange(0, 512, layout), y.to(gl.float32))


@gluon.jit
def packed_fours(p):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    x = gl.full([512], 1.0, gl.float8e4nv, layout)
    y = rubin.add4(x, x)
    y = rubin.sub4(rubin.mul4(y, x), x)
    y = rubin.fma4(x, y, x)
    gl.store(p + gl.arange(0, 512, layout), y.to(gl.float32))


@gluon.jit
def rubin_barriers(p):
    bar = rubin.mbarrier.allocate_mbarrier()
    rubin.mbarrier.init(bar, count=2)
    rubin.mbarrier.arrive(bar)
    rubin.mbarrier.arrive(bar, count=1, pred=False)
    rubin.mbarrier.wait(bar, 0)
    gl.store(p, 1.0)


@gluon.jit
def arrivals_of_several(p, n):
    bar = rubin.mbarrier.allocate_mbarrier()
    rubin.mbarrier.init(bar, count=4)
    rubin.mbarrier.arrive(bar, count=2, multicast_cta=2, pred=n > 2)
    rubin.mbarrier.arrive(bar, multicast_cta=3)
    gl.store(p, 1.0)
