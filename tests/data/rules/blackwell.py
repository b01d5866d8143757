from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, TensorMemoryScalesLayout, allocate_tensor_memory, clc,
                                                                 mbarrier, tcgen05_commit, tcgen05_copy, tcgen05_mma, tcgen05_mma_scaled, tma)


@gluon.jit
def tensor_memory(p, n):
    layout: gl.constexpr = TensorMemoryLayout([128, 64], col_stride=1)
    flat: gl.constexpr = gl.BlockedLayout([1, 64], [32, 1], [4, 1], [0, 1])
    x = gl.full([128, 64], 1.0, gl.float32, flat)
    t = allocate_tensor_memory(gl.float32, [128, 64], layout, x)
    u = allocate_tensor_memory(gl.float32, [2, 128, 64], layout)
    y = t.load(t.get_reg_layout())
    y += t.load()
    u.index(n).store(y)
    u.index(0).store(y, pred=n > 0)
    s = t.slice(0, 32)
    z = s.load(s.get_reg_layout(num_warps=4, instr_variant="32x32b"))
    v = t.reinterpret(gl.int32, [128, 64], layout)
    w = v.load()
    gl.store(p, gl.sum(gl.sum(z, 0), 0) + gl.sum(gl.sum(w, 0), 0))


@gluon.jit
def products(p, n):
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16)
    layout: gl.constexpr = TensorMemoryLayout([128, 64], col_stride=1)
    a = gl.allocate_shared_memory(gl.float16, [128, 64], sa)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], sa)
    acc = allocate_tensor_memory(gl.float32, [128, 64], layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=blackwell.tcgen05_mma_barrier_count([a, b], True, False))
    tcgen05_mma(a, b, acc)
    tcgen05_mma(a, b, acc, use_acc=False, pred=n > 1)
    tcgen05_mma(a, b, acc, use_acc=n > 0, mbarriers=[bar])
    tcgen05_mma(a, b, acc, mbarriers=[bar, bar], mbarrier_preds=[True, n > 2])
    tcgen05_commit(bar)
    tcgen05_commit(bar, pred=n > 3, descs=[a, b])
    mbarrier.wait(bar, 0)
    gl.store(p, gl.sum(gl.sum(acc.load(), 0), 0))


@gluon.jit
def scaled(p):
    sa: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, 128], gl.float8e5)
    layout: gl.constexpr = TensorMemoryLayout([128, 128], col_stride=1)
    scales: gl.constexpr = TensorMemoryScalesLayout()
    a = gl.allocate_shared_memory(gl.float8e5, [128, 128], sa)
    b = gl.allocate_shared_memory(gl.float8e5, [128, 128], sa)
    sx = allocate_tensor_memory(gl.uint8, [128, 4], scales)
    sy = allocate_tensor_memory(gl.uint8, [128, 4], scales)
    acc = allocate_tensor_memory(gl.float32, [128, 128], layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    tcgen05_mma_scaled(a, b.permute((1, 0)), acc, sx, sy, "e5m2", "e5m2", use_acc=False, mbarriers=[bar])
    gl.store(p, gl.sum(gl.sum(acc.load(), 0), 0))


@gluon.jit
def gather(p, m, n):
    layout: gl.constexpr = gl.NVMMASharedLayout.get_default_for([1, 64], gl.float16) if False else gl.NVMMASharedLayout(128, 16, 2)
    desc = tma.make_tensor_descriptor(p, [m, n], [n, 1], [1, 64], layout)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], layout)
    bar = mbarrier.allocate_mbarrier()
    rows = gl.arange(0, 32, gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0])))
    tma.async_gather(desc, rows, 0, bar, smem)
    tma.async_gather(desc, rows, n, bar, smem, pred=n > 3)
    tma.async_scatter(desc, rows, 0, smem)


@gluon.jit
def launch_control(p):
    result = gl.allocate_shared_memory(gl.int64, [2], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    clc.try_cancel(result, bar)
    mbarrier.wait(bar, 0)
    r = clc.load_result(result)
    if r.is_canceled():
        gl.store(p, r.program_id(0) + r.program_id(1))


@gluon.jit
def packed(p):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    x = gl.full([512], 1.0, gl.float32, layout)
    y = blackwell.add2(x, x)
    y = blackwell.mul2(y, 2.0)
    y = blackwell.fma2(x, y, x)
    y = blackwell.sub2(y, x)
    gl.store(p + gl.arange(0, 512, layout), y)


@gluon.jit
def gather_alone(p, m):
    shared: gl.constexpr = gl.NVMMASharedLayout(64, 16, 2)
    desc = tma.make_tensor_descriptor(p, [m, 32], [32, 1], [1, 32], shared)
    smem = gl.allocate_shared_memory(gl.float16, [32, 32], shared)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, smem.nbytes_per_cta)
    rows = gl.arange(0, 32, gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0])))
    tma.async_gather(desc, rows, 0, bar, smem)
    mbarrier.wait(bar, 0)
