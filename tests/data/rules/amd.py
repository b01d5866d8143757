from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def buffers(p, q, n, u):
    layout: gl.constexpr = gl.BlockedLayout([4], [64], [4], [0])
    i = gl.arange(0, 2048, layout)
    x = gl.amd.cdna3.buffer_load(p, i)
    y = gl.amd.cdna3.buffer_load(p, i, mask=i < n, other=0.0, cache=".cg")
    z = x + y
    gl.amd.cdna3.buffer_store(z, q, i)
    gl.amd.cdna3.buffer_store(z, q, i, mask=i < n, cache=".cs")
    gl.amd.cdna3.buffer_atomic_add(q, i, z, mask=i < n)
    gl.amd.cdna3.buffer_atomic_max(u, i, i, sem="relaxed", scope="cta")
    gl.amd.cdna3.buffer_atomic_xchg(u, i, i)
    s = gl.amd.slice(z, [1024], [1024])
    gl.store(q + gl.arange(0, 1024, layout), s)


@gluon.jit
def mfma(p):
    parent: gl.constexpr = gl.amd.AMDMFMALayout(3, [32, 32, 8], True, [2, 2])
    a = gl.full([64, 32], 1.0, gl.float16, gl.DotOperandLayout(0, parent, 8))
    b = gl.full([32, 64], 1.0, gl.float16, gl.DotOperandLayout(1, parent, 8))
    acc = gl.zeros([64, 64], gl.float32, parent)
    acc = gl.amd.cdna3.mfma(a, b, acc)
    acc = gl.amd.cdna3.mfma(a, b, acc, cd_regclass="a")
    gl.store(p, gl.sum(gl.sum(acc, 0), 0))


@gluon.jit
def stages(p):
    for i in range(0, 4):
        with gl.amd.warp_pipeline_stage("load", priority=1):
            t = gl.load(p + i)
        with gl.amd.warp_pipeline_stage():
            gl.store(p + i, t)
    gl.amd.hint.sched_barrier()


@gluon.jit
def libdevice(p, q):
    layout: gl.constexpr = gl.BlockedLayout([4], [64], [4], [0])
    i = gl.arange(0, 1024, layout)
    x = gl.load(p + i)
    gl.store(p + i, gl.extra.libdevice.abs(x))
    gl.store(p + i, gl.extra.libdevice.tanh(x))
    gl.store(q + i, gl.extra.libdevice.clz(i))
