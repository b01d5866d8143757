"""Asynchronous copies and their barriers: mistakes that compile, each beside the kernel that is right.

A comment `warning:` with a slug in brackets marks the line that a lint must name; every other line must be silent."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.ampere import async_copy as cp
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier, fence_async_shared

LAYOUT_1D = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
SHARED_1D = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
NVMMA = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)


# ---------------------------------------------------------------- cp.async


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def copy_awaited(src, dst, n):
    offs = gl.program_id(0) * 128 + gl.arange(0, 128, LAYOUT_1D)
    smem = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    cp.async_load(smem, src + offs, mask=offs < n)
    cp.commit_group()
    cp.wait_group(0)
    gl.store(dst + offs, smem.load(LAYOUT_1D), mask=offs < n)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def copy_without_wait(src, dst, n):
    offs = gl.program_id(0) * 128 + gl.arange(0, 128, LAYOUT_1D)
    smem = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    cp.async_load(smem, src + offs, mask=offs < n)
    cp.commit_group()
    x = smem.load(LAYOUT_1D)  # warning: [copy-not-awaited]
    gl.store(dst + offs, x, mask=offs < n)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def two_copies_without_wait(src, dst, n):
    offs = gl.arange(0, 128, LAYOUT_1D)
    one = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    other = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    for i in range(n):
        cp.async_load(one, src + offs)
        cp.async_load(other, src + offs + 128)
        cp.commit_group()
        x = one.load(LAYOUT_1D)  # warning: [copy-not-awaited]
        gl.store(dst + offs, x + other.load(LAYOUT_1D))
        src += 256


# Of a split of one part, the second program would have nothing to do.
# gluond: launch(src="*fp32:16", dst="*i32:16", n="i32", SPLIT=1)
# gluond: launch(src="*fp32:16", dst="*i32:16", n="i32", SPLIT=4)
@gluon.jit
def part_awaited_in_its_loop(src, dst, n, SPLIT: gl.constexpr):
    part = (n + SPLIT - 1) // SPLIT
    begin = gl.program_id(1) * part
    count = gl.minimum(begin + part, n) - begin
    offs = gl.arange(0, 128, LAYOUT_1D)
    smem = gl.allocate_shared_memory(gl.float32, [2, 128], SHARED_1D)
    cp.async_load(smem.index(0), src + begin * 128 + offs)
    cp.commit_group()
    for i in range(count):
        if i + 1 < count:
            cp.async_load(smem.index((i + 1) % 2), src + (begin + i + 1) * 128 + offs)
            cp.commit_group()
            cp.wait_group(1)
        else:
            cp.wait_group(0)
        gl.barrier()
        gl.store(dst + offs, smem.index(i % 2).load(LAYOUT_1D))
        gl.barrier()


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def copy_without_commit(src, dst, n):
    offs = gl.program_id(0) * 128 + gl.arange(0, 128, LAYOUT_1D)
    smem = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    cp.async_load(smem, src + offs, mask=offs < n)
    cp.wait_group(0)  # warning: [copy-not-committed]
    x = smem.load(LAYOUT_1D)
    gl.store(dst + offs, x, mask=offs < n)


@gluon.jit
def issue(i, smem, src, offs, n, stages: gl.constexpr):
    cp.async_load(smem.index(i % stages), src + i * 128 + offs, mask=i * 128 + offs < n)
    cp.commit_group()
    return i + 1


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", stages=3)
@gluon.jit
def copies_pipelined(src, dst, n, stages: gl.constexpr):
    offs = gl.arange(0, 128, LAYOUT_1D)
    smem = gl.allocate_shared_memory(gl.float32, [stages, 128], SHARED_1D)
    i = 0
    for _ in gl.static_range(stages - 1):
        i = issue(i, smem, src, offs, n, stages)
    read = 0
    for _ in range(gl.cdiv(n, 128) - (stages - 1)):
        i = issue(i, smem, src, offs, n, stages)
        cp.wait_group(stages - 1)
        gl.store(dst + read * 128 + offs, smem.index(read % stages).load(LAYOUT_1D), mask=read * 128 + offs < n)
        read += 1
    for k in gl.static_range(stages - 1):
        cp.wait_group(stages - 2 - k)
        gl.store(dst + read * 128 + offs, smem.index(read % stages).load(LAYOUT_1D), mask=read * 128 + offs < n)
        read += 1


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", stages=3)
@gluon.jit
def copies_one_group_short(src, dst, n, stages: gl.constexpr):
    offs = gl.arange(0, 128, LAYOUT_1D)
    smem = gl.allocate_shared_memory(gl.float32, [stages, 128], SHARED_1D)
    i = 0
    for _ in gl.static_range(stages - 1):
        i = issue(i, smem, src, offs, n, stages)
    read = 0
    for _ in range(gl.cdiv(n, 128) - (stages - 1)):
        i = issue(i, smem, src, offs, n, stages)
        cp.wait_group(stages - 1 + 1)
        x = smem.index(read % stages).load(LAYOUT_1D)  # warning: [copy-not-awaited]
        gl.store(dst + read * 128 + offs, x, mask=read * 128 + offs < n)
        read += 1


# ---------------------------------------------------------------- TMA


@gluon.jit
def tma_awaited(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def tma_into_a_transposed_buffer(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 32], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem.index(1))  # warning: [transposed-copy] "this load moves blocks of 32x64, but the buffer has the shape 64x32"
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    tma.async_store(out, [0, 0], smem.index(1))  # warning: [transposed-copy]
    tma.store_wait(0)


@gluon.jit
def tma_of_a_large_block(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [512, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, 0)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def tma_without_wait(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)
    tma.async_store(out, [0, 0], smem)  # warning: [copy-not-awaited]
    tma.store_wait(0)


@gluon.jit
def tma_wrong_phase(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, 1)  # warning: [wrong-phase]
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def tma_wrong_bytes(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 4096)  # warning: [wrong-expected-bytes]
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, 0)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def tma_two_copies_bytes_of_one(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)  # warning: [wrong-expected-bytes]
    tma.async_load(desc, [0, 0], bar, smem.index(0))
    tma.async_load(desc, [0, 64], bar, smem.index(1))
    mbarrier.wait(bar, 0)
    tma.async_store(out, [0, 0], smem.index(0))
    tma.async_store(out, [0, 64], smem.index(1))
    tma.store_wait(0)


@gluon.jit
def tma_without_expect(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    tma.async_load(desc, [0, 0], bar, smem)  # warning: [missing-expect]
    mbarrier.wait(bar, 0)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def tma_without_init(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.expect(bar, desc.block_type.nbytes)  # warning: [barrier-not-initialized]
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, 0)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def tma_count_of_two(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=2)  # warning: [arrival-count]
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, 0)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def tma_loop(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    phase = 0
    for k in range(0, desc.shape[1], 64):
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [0, k], bar, smem)
        mbarrier.wait(bar, phase)
        phase ^= 1
        x = smem.load(TILE)  # the next load into the buffer is ordered after this read
        smem.store(x + x)
        tma.async_store(out, [0, k], smem)  # so is this store: Triton inserts the fence
        tma.store_wait(0)


@gluon.jit
def tma_loop_phase_never_flips(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    for k in range(0, desc.shape[1], 64):
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [0, k], bar, smem)
        mbarrier.wait(bar, 0)  # warning: [wrong-phase]
        tma.async_store(out, [0, k], smem)
        tma.store_wait(0)


@gluon.jit
def tma_ring(desc, out, stages: gl.constexpr):
    smem = gl.allocate_shared_memory(gl.float16, [stages, 64, 64], desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [stages, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(stages):
        mbarrier.init(bars.index(i), count=1)
    count = gl.cdiv(desc.shape[1], 64)
    for i in gl.static_range(stages - 1):
        mbarrier.expect(bars.index(i), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], bars.index(i), smem.index(i))
    for i in range(count - (stages - 1)):
        ahead = i + stages - 1
        tma.store_wait(0)
        mbarrier.expect(bars.index(ahead % stages), desc.block_type.nbytes)
        tma.async_load(desc, [0, ahead * 64], bars.index(ahead % stages), smem.index(ahead % stages))
        mbarrier.wait(bars.index(i % stages), (i // stages) & 1)
        tma.async_store(out, [0, i * 64], smem.index(i % stages))
    tma.store_wait(0)


@gluon.jit
def tma_ring_phase_of_one_stage_less(desc, out, stages: gl.constexpr):
    smem = gl.allocate_shared_memory(gl.float16, [stages, 64, 64], desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [stages, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(stages):
        mbarrier.init(bars.index(i), count=1)
    count = gl.cdiv(desc.shape[1], 64)
    for i in gl.static_range(stages - 1):
        mbarrier.expect(bars.index(i), desc.block_type.nbytes)
        tma.async_load(desc, [0, i * 64], bars.index(i), smem.index(i))
    for i in range(count - (stages - 1)):
        ahead = i + stages - 1
        tma.store_wait(0)
        mbarrier.expect(bars.index(ahead % stages), desc.block_type.nbytes)
        tma.async_load(desc, [0, ahead * 64], bars.index(ahead % stages), smem.index(ahead % stages))
        mbarrier.wait(bars.index(i % stages), (i // (stages - 1)) & 1)  # warning: [wrong-phase]
        tma.async_store(out, [0, i * 64], smem.index(i % stages))
    tma.store_wait(0)


@gluon.jit
def store_awaited(out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    for k in range(0, out.shape[1], 64):
        tma.store_wait(0)
        smem.store(gl.full([64, 64], 1.0, gl.float16, TILE))
        fence_async_shared()
        tma.async_store(out, [0, k], smem)
    tma.store_wait(0)


@gluon.jit
def store_not_awaited(out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], out.layout)
    for k in range(0, out.shape[1], 64):
        smem.store(gl.full([64, 64], 1.0, gl.float16, TILE))  # warning: [overwritten-in-flight]
        fence_async_shared()
        tma.async_store(out, [0, k], smem)
    tma.store_wait(0)


@gluon.jit
def index_past_the_end(desc, out):
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 64], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem.index(2))  # warning: [shared-out-of-range]
    mbarrier.wait(bar, 0)


@gluon.jit
def index_of_a_ring_past_the_end(out, stages: gl.constexpr):
    smem = gl.allocate_shared_memory(gl.float16, [stages - 1, 64, 64], out.layout)
    i = 0
    for k in range(0, out.shape[1], 64):
        tma.store_wait(0)
        buffer = smem.index(i % stages)  # warning: [shared-out-of-range]
        buffer.store(gl.full([64, 64], 1.0, gl.float16, TILE))
        tma.async_store(out, [0, k], buffer)
        i += 1
    tma.store_wait(0)


# gluond: launch(dst="*fp32:16")
@gluon.jit
def read_before_write(dst):
    smem = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    x = smem.load(LAYOUT_1D)  # warning: [read-before-write]
    gl.store(dst + gl.arange(0, 128, LAYOUT_1D), x)


# gluond: launch(dst="*fp32:16")
@gluon.jit
def silenced(dst):
    smem = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    x = smem.load(LAYOUT_1D)  # gluond: ignore[read-before-write]
    gl.store(dst + gl.arange(0, 128, LAYOUT_1D), x)


# gluond: launch(dst="*fp32:16")
# gluond: ignore[read-before-write]
@gluon.jit
def silenced_altogether(dst):
    smem = gl.allocate_shared_memory(gl.float32, [128], SHARED_1D)
    x = smem.load(LAYOUT_1D)
    gl.store(dst + gl.arange(0, 128, LAYOUT_1D), x)


@gluon.jit
def tma_of_narrow_rows(src, out):
    smem = gl.allocate_shared_memory(gl.float16, [64, 4], src.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, src.block_type.nbytes)
    tma.async_load(src, [0, 0], bar, smem)  # warning: [run-bad-descriptor] "the rows of its block have 8 bytes, but TMA copies rows of a multiple of 16 bytes"
    mbarrier.wait(bar, phase=0)
    tma.async_store(out, [0, 0], smem)
    tma.store_wait(pendings=0)


def main():
    a = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
    b = torch.empty((1024, 1024), dtype=torch.float16, device="cuda")
    desc = TensorDescriptor.from_tensor(a, [64, 64], NVMMA)
    out = TensorDescriptor.from_tensor(b, [64, 64], NVMMA)
    for kernel in (tma_awaited, tma_without_wait, tma_wrong_phase, tma_wrong_bytes, tma_two_copies_bytes_of_one,
                   tma_without_expect, tma_without_init, tma_count_of_two, tma_loop, tma_loop_phase_never_flips,
                   index_past_the_end):
        kernel[(1, )](desc, out)
    large = gl.NVMMASharedLayout.get_default_for([512, 64], gl.float16)
    tma_of_a_large_block[(1, )](TensorDescriptor.from_tensor(a, [512, 64], large),
                                TensorDescriptor.from_tensor(b, [512, 64], large))
    flat = gl.NVMMASharedLayout(swizzle_byte_width=64, element_bitwidth=16, rank=2)
    tma_into_a_transposed_buffer[(1, )](TensorDescriptor.from_tensor(a, [32, 64], flat),
                                        TensorDescriptor.from_tensor(b, [32, 64], flat))
    tma_ring[(1, )](desc, out, 3)
    tma_ring_phase_of_one_stage_less[(1, )](desc, out, 3)
    narrow = gl.NVMMASharedLayout(swizzle_byte_width=0, element_bitwidth=16, rank=2)
    tma_of_narrow_rows[(1, )](TensorDescriptor.from_tensor(a, [64, 4], narrow), TensorDescriptor.from_tensor(b, [64, 4], narrow))
    store_awaited[(1, )](out)
    store_not_awaited[(1, )](out)
    index_of_a_ring_past_the_end[(1, )](out, 3)


if __name__ == "__main__":
    main()
