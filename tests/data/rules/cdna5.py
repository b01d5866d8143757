from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna5


@gluon.jit
def copies(p, q, m, n):
    shared: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 4]], [32, 64], [1, 0])
    desc = cdna5.tdm.make_tensor_descriptor(p, shape=[m, n], strides=[n, 1], block_shape=[32, 64], layout=shared)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], shared)
    bar = gl.allocate_shared_memory(gl.int64, [1], cdna5.mbarrier.MBarrierLayout())
    cdna5.mbarrier.init(bar, count=4)
    cdna5.tdm.async_load(desc, [0, 0], smem)
    cdna5.tdm.async_load(desc, [m, 0], smem, pred=n > 2, mbarrier=bar)
    d = cdna5.tdm.update_tensor_descriptor(desc, add_offsets=[0, 64], pred=1)
    cdna5.tdm.async_load(d, dest=smem, warp_used_hint=3)
    cdna5.tdm.prefetch(desc, [0, 64])
    cdna5.tdm.async_wait(0)
    phase = cdna5.mbarrier.arrive(bar)
    cdna5.mbarrier.wait(bar, 0)
    cdna5.tdm.async_store(desc, [0, 0], smem)
    cdna5.tdm.async_store(desc, src=smem)
    gl.store(q, phase)


@gluon.jit
def clusters(p):
    cdna5.cluster.arrive()
    cdna5.cluster.wait()
    gl.barrier(cluster=True) if False else gl.barrier()
    gl.store(p, 1)


@gluon.jit
def products(p):
    wmma: gl.constexpr = gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], instr_shape=[16, 16, 32])
    a = gl.full([64, 32], 1.0, gl.float16, gl.DotOperandLayout(0, wmma, 8))
    b = gl.full([32, 64], 1.0, gl.float16, gl.DotOperandLayout(1, wmma, 8))
    acc = cdna5.wmma(a, b, gl.zeros([64, 64], gl.float32, wmma))
    gl.store(p, gl.sum(gl.sum(acc, 0), 0))


@gluon.jit
def repacked(p):
    wmma: gl.constexpr = gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], instr_shape=[16, 16, 128])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0, 1])
    bytes_along_m = gl.allocate_shared_memory(gl.uint8, [64, 128], shared)
    a = cdna5.load_shared_fp4_repacked(bytes_along_m, gl.DotOperandLayout(0, wmma, 16))
    gl.store(p, gl.max(gl.max(a.to(gl.float32), 0), 0))


@gluon.jit
def fused(p, q, m, n):
    shared: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 4]], [32, 64], [1, 0])
    desc = cdna5.tdm.make_tensor_descriptor(p, shape=[m, n], strides=[n, 1], block_shape=[32, 64], layout=shared)
    first = gl.allocate_shared_memory(gl.float16, [32, 64], shared)
    second = gl.allocate_shared_memory(gl.float16, [32, 64], shared)
    cdna5.tdm.async_load_fused([(desc, first, 3), (desc, second, 12)], cache_modifier=".cg")
    cdna5.tdm.async_wait(0)
    cdna5.tdm._test_prefetch_with_offsets(desc, [0, 64])
    cdna5.tdm._test_prefetch_with_offsets(desc, [0, 64], pred=n > 2, speculative=True)
    rows = gl.arange(0, 8, gl.SliceLayout(1, gl.BlockedLayout([8, 1], [1, 32], [1, 4], [1, 0])))
    cdna5.tdm.async_gather(desc, rows, first)
    cdna5.tdm.async_scatter(desc, rows, second)


@gluon.jit
def plain_copies(p, n):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    smem = gl.allocate_shared_memory(gl.float32, [512], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    bar = gl.allocate_shared_memory(gl.int64, [1], cdna5.mbarrier.MBarrierLayout())
    cdna5.mbarrier.init(bar, count=4)
    cdna5.async_copy.global_to_shared(smem, p + i)
    cdna5.async_copy.global_to_shared(smem, p + i, mask=i < n, other=1.0, cache_modifier=".cg")
    cdna5.async_copy.mbarrier_arrive(bar)
    cdna5.async_copy.commit_group()
    cdna5.async_copy.wait_group(0)
    cdna5.async_copy.shared_to_global(p + i, smem)
    cdna5.async_copy.shared_to_global(p + i, smem, mask=i < n)
