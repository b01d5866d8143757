"""What looks like a mistake and is none: Triton 3.9 puts the fence or the barrier there, clamps the box, passes the tensor."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import (tma, mbarrier, warpgroup_mma, warpgroup_mma_init,
                                                              warpgroup_mma_wait)

HALVES = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
ACC = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))
SHARED = gl.NVMMASharedLayout(128, 16, 2)
NVMMA = gl.constexpr(SHARED)
HALF_TENSOR = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
DESC = TensorDescriptor.from_tensor(HALF_TENSOR, [64, 64], SHARED)
TALL = TensorDescriptor.from_tensor(HALF_TENSOR, [512, 64], SHARED)


@gluon.jit
def put(dst, x, layout: gl.constexpr):
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(dst + rows[:, None] * 64 + cols[None, :], x)


# ---------------------------------------------------------------- a fence within one partition


# gluond: launch(desc=DESC)
@gluon.jit
def stored_and_sent(desc):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    smem.store(gl.full([64, 64], 1.0, gl.float16, HALVES))
    tma.async_store(desc, [0, 0], smem)
    tma.store_wait(0)


# gluond: launch(desc=DESC, n="i32")
@gluon.jit
def stored_and_sent_in_a_loop(desc, n):
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 64], desc.layout)
    for k in range(n):
        tma.store_wait(1)
        smem.index(k & 1).store(gl.full([64, 64], 1.0, gl.float16, HALVES))
        tma.async_store(desc, [k * 64, 0], smem.index(k & 1))
    tma.store_wait(0)


@gluon.jit
def store_and_send(desc, smem):
    smem.store(gl.full([64, 64], 1.0, gl.float16, HALVES))
    tma.async_store(desc, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def idle(desc, smem):
    pass


# gluond: launch(desc=DESC)
@gluon.jit
def stored_and_sent_by_one_worker(desc):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    gl.warp_specialize([(idle, (desc, smem)), (store_and_send, (desc, smem))], [4], [64])


# gluond: launch(out="*fp32:16")
@gluon.jit
def operand_stored_here(out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    smem.store(gl.full([64, 64], 1.0, gl.float16, HALVES))
    acc = warpgroup_mma(smem, smem.permute((1, 0)), gl.zeros([64, 64], gl.float32, ACC), use_acc=False)
    put(out, acc, ACC)


# gluond: launch(out="*fp32:16")
@gluon.jit
def operand_allocated_with_contents(out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA, gl.full([64, 64], 1.0, gl.float16, HALVES))
    acc = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, ACC))
    acc = warpgroup_mma(smem, smem.permute((1, 0)), acc, is_async=True)
    put(out, warpgroup_mma_wait(num_outstanding=0, deps=(acc, )), ACC)


# ---------------------------------------------------------------- one buffer, read and loaded again


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def one_buffer_in_turn(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    for k in range(n):
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [k * 64, 0], bar, smem)
        mbarrier.wait(bar, k & 1)
        put(out + k * 4096, smem.load(HALVES), HALVES)


# gluond: launch(desc=DESC, out="*fp16:16", n="i32")
@gluon.jit
def one_buffer_in_turn_by_while(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    phase = 0
    while n > 0:
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [n * 64, 0], bar, smem)
        mbarrier.wait(bar, phase)
        put(out, smem.load(HALVES), HALVES)
        phase = 1 - phase
        n -= 1


# ---------------------------------------------------------------- a box of more than 256 rows


# gluond: launch(desc=TALL, out="*fp16:16")
@gluon.jit
def tall_box(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [512, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, 0)
    put(out, smem.slice(64, 64).load(HALVES), HALVES)


# ---------------------------------------------------------------- tensors for workers


@gluon.jit
def add_one(dst, x):
    put(dst, x + 1, HALVES)


@gluon.jit
def add_two(dst, x):
    put(dst + 4096, x + 2, HALVES)


# gluond: launch(dst="*fp16:16")
@gluon.jit
def tensor_for_both(dst):
    x = gl.full([64, 64], 1.0, gl.float16, HALVES)
    gl.warp_specialize([(add_one, (dst, x)), (add_two, (dst, x))], [4], [64])
