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
