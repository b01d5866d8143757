from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna4


@gluon.jit
def conversions(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    x = gl.full([32, 64], 1, gl.uint8, layout)
    s: gl.constexpr = cdna4.get_scaled_upcast_fp4_scale_layout(x, 1, gl.float16, 1)
    y = cdna4.scaled_upcast(x, gl.full([32, 128], 127, gl.uint8, s), gl.float16, 1)
    f = gl.full([32, 64], 1.0, gl.float8e5, layout)
    z = cdna4.scaled_upcast(f, gl.full([32, 64], 127, gl.uint8, layout), gl.bfloat16)
    gl.store(p, gl.max(gl.max(y, 0), 0).to(gl.float32) + gl.max(gl.max(z, 0), 0).to(gl.float32))
    t: gl.constexpr = cdna4.get_scaled_upcast_fp4_scale_layout(x, 32, gl.float16, 1)
    gl.store(p, gl.max(gl.max(gl.full([32, 4], 1, gl.uint8, t), 0), 0).to(gl.float32))


@gluon.jit
def scaled_products(p):
    mfma: gl.constexpr = gl.amd.AMDMFMALayout(4, [16, 16, 128], True, [2, 2])
    a = gl.full([64, 128], 1.0, gl.float8e5, gl.DotOperandLayout(0, mfma, 16))
    b = gl.full([128, 64], 1.0, gl.float8e5, gl.DotOperandLayout(1, mfma, 16))
    acc = gl.zeros([64, 64], gl.float32, mfma)
    acc = cdna4.mfma_scaled(a, None, "e5m2", b, None, "e5m2", acc)
    l: gl.constexpr = cdna4.get_mfma_scale_layout(a.type.layout, [64, 4])
    s = gl.full([64, 4], 127, gl.uint8, l)
    acc = cdna4.mfma_scaled(a, s, "e5m2", b, 2, "e5m2", acc)
    gl.store(p, gl.sum(gl.sum(acc, 0), 0))


@gluon.jit
def copies(p, n):
    layout: gl.constexpr = gl.BlockedLayout([1], [64], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    i = gl.arange(0, 256, layout)
    smem = gl.allocate_shared_memory(gl.float32, [256], shared)
    cdna4.async_copy.global_load_to_shared(smem, p + i)
    cdna4.async_copy.buffer_load_to_shared(smem, p, i, mask=i < n, other=0.0)
    cdna4.async_copy.commit_group()
    cdna4.async_copy.wait_group(0)
    x = cdna4.async_copy.load_shared_relaxed(smem, layout)
    gl.store(p + i, x)


@gluon.jit
def narrowed(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 32], [32, 2], [4, 1], [1, 0])
    scales: gl.constexpr = gl.BlockedLayout([1, 1], [32, 2], [4, 1], [1, 0])
    x = gl.full([128, 64], 1.0, gl.float32, layout)
    s = gl.full([128, 2], 127, gl.uint8, scales)
    y = cdna4.scaled_downcast(x, s, "e4m3")
    z = cdna4.scaled_downcast(x, gl.full([128, 1], 127, gl.uint8, scales), "e2m1", axis=1)
    gl.store(p, gl.max(gl.max(y.to(gl.float32), 0), 0) + gl.max(gl.max(z.to(gl.float32), 0), 0))


@gluon.jit
def repacked(p):
    mfma: gl.constexpr = gl.amd.AMDMFMALayout(4, [16, 16, 128], True, [2, 2])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0, 1])
    bytes_along_m = gl.allocate_shared_memory(gl.uint8, [64, 128], shared)
    a = cdna4.load_shared_fp4_repacked(bytes_along_m, gl.DotOperandLayout(0, mfma, 16))
    gl.store(p, gl.max(gl.max(a.to(gl.float32), 0), 0))
