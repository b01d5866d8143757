# Rarer refusals, and what is none: what Triton's back end finds out, what gluond does not see through.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language import fpsan
import triton.profiler.language as pl
from triton.experimental.gluon.language.amd import warp_pipeline
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, allocate_tensor_memory
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
WIDE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
NVMMA = gl.constexpr(gl.NVMMASharedLayout(128, 16, 2))


# gluond: launch(out="*fp32", n="i32", u="u32")
@gluon.jit
def types(out, n, u):
    a = out & 1  # error: [unexpected-type]
    b = u + (-1)  # error: [unsigned-with-negative]
    c = gl.arange(0, 128, layout=FLAT)
    d = gl.convert_layout(c, WIDE, assert_trivial=True)  # error: [convert-not-trivial]
    s = gl.allocate_shared_memory(gl.int32, [128], SHARED)
    s.index(u)  # error: [dtype-mismatch]


# gluond: launch(out="*fp16", n="i32", target="cuda:90")
@gluon.jit
def barriers(out, n):
    bar = gl.allocate_shared_memory(gl.int32, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)  # error: [invalid-operation]
    desc = tma.make_tensor_descriptor(out, [n, n], [n, 1], [64, 64], NVMMA)
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    good = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    tma.async_load(desc, [0], good, smem)  # error: [invalid-operation]
    bad = tma.make_tensor_descriptor(out, [n, n], [n, 1], [64], NVMMA)  # error: [bad-argument]


# gluond: launch(out="*fp16", n="i32", target="cuda:90")
@gluon.jit
def other_chips(out, n):
    t = allocate_tensor_memory(gl.float32, [128, 64], TensorMemoryLayout([128, 64], 1))  # error: [unsupported-on-target]


# gluond: launch(out="*fp16", n="i32", target="cuda:80")
@gluon.jit
def found_out_late(out, n):
    smem = gl.allocate_shared_memory(gl.float16, [128], SHARED)
    async_copy.async_load(smem, out + gl.arange(0, 128, layout=FLAT))  # warning: [async-copy-width]
    desc = tma.make_tensor_descriptor(out, [n, n], [n, 1], [64, 64], NVMMA)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    tma.async_load(desc, [0, 0], bar, buffer)  # warning: [unsupported-on-target], warning: [barrier-not-initialized]


# gluond: launch(out="*fp16", n="i32")
@gluon.jit
def views(out, n):
    smem = gl.allocate_shared_memory(gl.float16, [128], SHARED)
    smem.gather(gl.full([32, 32], 0, gl.int32, layout=TILE), axis=0)  # error: [shared-rank]


# gluond: launch(out="*fp16", n="i32")
@gluon.jit
def too_large(out, n):
    items = (1, 2, 3) * 30000  # warning: [too-large]


@gluon.jit
def leaves_a_stage(out):
    with warp_pipeline.warp_pipeline_stage("load"):  # error: [return-in-with]
        return


# gluond: launch(out="*fp16", n="i32", target="hip:gfx942")
@gluon.jit
def stages(out, n):
    leaves_a_stage(out)


# gluond: launch(out="*fp16", n="i32")
@gluon.jit
def not_seen_through(out, n):
    gl.full([128], 1, gl.int32, FLAT).reshape([1] * 12 + [128])  # information: [not-supported]


# gluond: launch(out="*fp16", n="i32", target="cuda:90")
@gluon.jit
def instrumentation(out, n):
    a = fpsan.embed(n)  # error: [unexpected-type]
    b = fpsan.unembed(1.5, gl.float32)  # error: [unexpected-type]
    c = fpsan.unembed(n, gl.int32)  # error: [unexpected-type]
    d = fpsan.unembed(n, "fp32")  # error: [not-a-dtype]
    with pl.scope("stores"):
        gl.store(out, msk=n)  # error: [unexpected-keyword]
    with n:  # error: [not-a-context-manager]
        pass


# gluond: launch(out="*fp16", n="i32")
@gluon.jit
def written_none(out, n):
    a = gl.allocate_shared_memory(gl.float16, [128], SHARED, None)  # error: [bad-argument]
    b = gl.histogram(gl.arange(0, 128, layout=FLAT), 32, mask=None, layout=FLAT)  # error: [bad-argument]
    gl.warp_specialize([(leaves_nothing, (n,)), (leaves_nothing, (n,))], [4], worker_num_regs=None)  # error: [bad-argument]
    gl.store(out, gl.load(out, mask=None, other=None), mask=None)


@gluon.jit
def leaves_nothing(n):
    gl.assume(n > 0)


# gluond: launch(out="*fp16", n="i32")
@gluon.jit
def open_layout(out, n):
    a = gl.arange(0, 128, layout=gl.AutoLayout())
    gl.inline_asm(moves, "=r,r", [a], [gl.int32], True)  # error: [auto-layout-here]


@gluon.constexpr_function
def moves(results, operands):
    return "mov.b32 " + results[0][0] + ", " + operands[0][0] + ";"


@gluon.jit
def arrive_all(bars, N: gl.constexpr):
    for i in gl.static_range(N):
        mbarrier.arrive(bars.index(i), count=1)


# A buffer that is made wrongly is told once, not in each operation that uses a part of it.
# gluond: launch(out="*fp32")
@gluon.jit
def barriers_of_int32(out):
    bars = gl.allocate_shared_memory(gl.int32, [2, 1], mbarrier.MBarrierLayout())
    others = gl.allocate_shared_memory(gl.int32, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)  # error: [invalid-operation] "a barrier must be a buffer of int64"
    arrive_all(bars, 2)
    mbarrier.init(others.index(0), count=1)  # error: [invalid-operation] "a barrier must be a buffer of int64"
    for i in range(2):
        mbarrier.wait(bars.index(i), 0)
        mbarrier.wait(others.index(i), 0)
    mbarrier.invalidate(bars.index(0))


@gluon.jit
def has_as_many_warps_as_the_kernel(n):
    ones = gl.full([128], 1, gl.int32, gl.BlockedLayout([1], [32], [4], [0]))  # error: [layout-warps]
    return ones + n


@gluon.jit
def leaves_its_sum(n):
    has_as_many_warps_as_the_kernel(n)


# gluond: launch(n="i32")
@gluon.jit
def layout_of_another_partition(n):
    gl.warp_specialize([(leaves_nothing, (n,)), (leaves_its_sum, (n,))], [1])
