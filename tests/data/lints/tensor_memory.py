"""tcgen05 on Blackwell: accumulators read too early, commits that nobody waits for; each beside the kernel that is right."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier, fence_async_shared
from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, allocate_tensor_memory, tcgen05_mma,
                                                                 tcgen05_commit)

NVMMA = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16)
NVMMA_B = gl.NVMMASharedLayout.get_default_for([64, 128], gl.float16)
NVMMA_C = gl.NVMMASharedLayout.get_default_for([128, 128], gl.float16)


@gluon.jit
def write_out(acc, out):
    c = gl.allocate_shared_memory(gl.float16, [128, 128], out.layout)
    c.store(acc.load().to(gl.float16))
    fence_async_shared()
    tma.async_store(out, [0, 0], c)
    tma.store_wait(0)


@gluon.jit
def committed(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 128], b_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(bars.index(0), count=1)
    mbarrier.init(bars.index(1), count=1)
    acc = allocate_tensor_memory(gl.float32, [128, 128], TensorMemoryLayout([128, 128], col_stride=1))
    phase = 0
    use_acc = False
    for k in range(0, a_desc.shape[1], 64):
        mbarrier.expect(bars.index(0), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [0, k], bars.index(0), a)
        tma.async_load(b_desc, [k, 0], bars.index(0), b)
        mbarrier.wait(bars.index(0), phase)
        tcgen05_mma(a, b, acc, use_acc=use_acc)
        tcgen05_commit(bars.index(1))
        mbarrier.wait(bars.index(1), phase)
        use_acc = True
        phase ^= 1
    write_out(acc, out)


@gluon.jit
def product_in_pieces(a_desc, b_desc, out, layout: gl.constexpr):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 128], b_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(bars.index(0), count=1)
    mbarrier.init(bars.index(1), count=1)
    acc = allocate_tensor_memory(gl.float32, [128, 128], layout)
    mbarrier.expect(bars.index(0), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
    tma.async_load(a_desc, [0, 0], bars.index(0), a)
    tma.async_load(b_desc, [0, 0], bars.index(0), b)
    mbarrier.wait(bars.index(0), 0)
    tcgen05_mma(a, b, acc, use_acc=False)  # hint: [slow-mma]
    tcgen05_commit(bars.index(1))
    mbarrier.wait(bars.index(1), 0)
    write_out(acc, out)


@gluon.jit
def sixteen_columns_at_a_time(a_desc, b_desc, out):
    product_in_pieces(a_desc, b_desc, out, TensorMemoryLayout([128, 16], col_stride=1))


@gluon.jit
def half_the_rows_at_a_time(a_desc, b_desc, out):
    product_in_pieces(a_desc, b_desc, out, TensorMemoryLayout([64, 128], col_stride=1))


@gluon.jit
def not_committed(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 128], b_desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    acc = allocate_tensor_memory(gl.float32, [128, 128], TensorMemoryLayout([128, 128], col_stride=1))
    mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
    tma.async_load(a_desc, [0, 0], bar, a)
    tma.async_load(b_desc, [0, 0], bar, b)
    mbarrier.wait(bar, 0)
    tcgen05_mma(a, b, acc, use_acc=False)
    c = gl.allocate_shared_memory(gl.float16, [128, 128], out.layout)
    x = acc.load()  # warning: [mma-not-awaited]
    c.store(x.to(gl.float16))
    fence_async_shared()
    tma.async_store(out, [0, 0], c)
    tma.store_wait(0)


@gluon.jit
def operands_overwritten(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 128], b_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    mbarrier.init(bars.index(0), count=1)
    mbarrier.init(bars.index(1), count=1)
    acc = allocate_tensor_memory(gl.float32, [128, 128], TensorMemoryLayout([128, 128], col_stride=1))
    phase = 0
    use_acc = False
    for k in range(0, a_desc.shape[1], 64):
        mbarrier.expect(bars.index(0), a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [0, k], bars.index(0), a)  # warning: [overwritten-in-flight]
        tma.async_load(b_desc, [k, 0], bars.index(0), b)  # warning: [overwritten-in-flight]
        mbarrier.wait(bars.index(0), phase)
        tcgen05_mma(a, b, acc, use_acc=use_acc)
        use_acc = True
        phase ^= 1
    tcgen05_commit(bars.index(1))
    mbarrier.wait(bars.index(1), 0)
    write_out(acc, out)


@gluon.jit
def too_many_columns(out):
    acc = allocate_tensor_memory(gl.float32, [128, 256], TensorMemoryLayout([128, 256], col_stride=1))
    more = allocate_tensor_memory(  # warning: [tensor-memory-exceeded]
        gl.float32, [2, 128, 256], TensorMemoryLayout([128, 256], col_stride=1))
    zeros = gl.zeros([128, 256], gl.float32, acc.get_reg_layout())
    acc.store(zeros)
    more.index(0).store(zeros)
    acc.store(more.index(0).load())


def main():
    a = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
    a_desc = TensorDescriptor.from_tensor(a, [128, 64], NVMMA)
    b_desc = TensorDescriptor.from_tensor(a, [64, 128], NVMMA_B)
    out = TensorDescriptor.from_tensor(a, [128, 128], NVMMA_C)
    for kernel in (committed, not_committed, operands_overwritten, sixteen_columns_at_a_time, half_the_rows_at_a_time):
        kernel[(1, )](a_desc, b_desc, out)
    too_many_columns[(1, )](out)


if __name__ == "__main__":
    main()
