"""Kernels that are played (test_played.py): products by every generation's tensor cores, copies by descriptors, launch control,
conversions, sums, maxima."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2
from triton.experimental.gluon.language.nvidia.blackwell import (TensorMemoryLayout, TensorMemoryScalesLayout, allocate_tensor_memory, clc, mbarrier,
                                                                 tcgen05_commit, tcgen05_copy, tcgen05_mma, tcgen05_mma_scaled, tma)
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.hopper import cluster, fence_async_shared, warpgroup_mma, warpgroup_mma_wait


@gluon.jit
def _at(pointer, R: gl.constexpr, C: gl.constexpr, layout: gl.constexpr):
    rows = gl.arange(0, R, gl.SliceLayout(1, layout))
    columns = gl.arange(0, C, gl.SliceLayout(0, layout))
    return pointer + rows[:, None] * C + columns[None, :]


@gluon.jit
def ampere(a, b, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, KWIDTH: gl.constexpr):
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[2, 2], instr_shape=[8 if a.dtype.element_ty == gl.float64 else 16, 8])
    acc_type: gl.constexpr = out.dtype.element_ty
    x = gl.load(_at(a, M, K, flat))
    y = gl.load(_at(b, K, N, flat))
    x = gl.convert_layout(x, gl.DotOperandLayout(0, acc_layout, KWIDTH))
    y = gl.convert_layout(y, gl.DotOperandLayout(1, acc_layout, KWIDTH))
    acc = mma_v2(x, y, gl.zeros([M, N], acc_type, acc_layout))
    gl.store(_at(out, M, N, acc_layout), acc)


@gluon.jit
def hopper(a, b, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, KI: gl.constexpr, REGISTERS: gl.constexpr, TRANSPOSED: gl.constexpr):
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, N, KI])
    dtype: gl.constexpr = a.dtype.element_ty
    x = gl.load(_at(a, M, K, flat))
    if TRANSPOSED:
        y = gl.allocate_shared_memory(dtype, [N, K], gl.NVMMASharedLayout.get_default_for([N, K], dtype), gl.load(_at(b, N, K, flat))).permute((1, 0))
    else:
        y = gl.allocate_shared_memory(dtype, [K, N], gl.NVMMASharedLayout.get_default_for([K, N], dtype), gl.load(_at(b, K, N, flat)))
    acc = gl.zeros([M, N], gl.float32, acc_layout)
    if REGISTERS:
        fence_async_shared()
        acc = warpgroup_mma(gl.convert_layout(x, gl.DotOperandLayout(0, acc_layout, 32 // dtype.primitive_bitwidth)), y, acc)
    else:
        xs = gl.allocate_shared_memory(dtype, [M, K], gl.NVMMASharedLayout.get_default_for([M, K], dtype), x)
        fence_async_shared()
        acc = warpgroup_mma(xs, y, acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    gl.store(_at(out, M, N, acc_layout), acc)


@gluon.jit
def product(a, b, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, BLOCK_M: gl.constexpr, TENSOR: gl.constexpr, TRANSPOSED: gl.constexpr):
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    dtype: gl.constexpr = a.dtype.element_ty
    acc_type: gl.constexpr = out.dtype.element_ty
    acc = allocate_tensor_memory(acc_type, [M, N], TensorMemoryLayout([BLOCK_M, N], col_stride=32 // acc_type.primitive_bitwidth))
    x = gl.load(_at(a, M, K, flat))
    if TRANSPOSED:
        y = gl.allocate_shared_memory(dtype, [N, K], gl.NVMMASharedLayout.get_default_for([N, K], dtype), gl.load(_at(b, N, K, flat))).permute((1, 0))
    else:
        y = gl.allocate_shared_memory(dtype, [K, N], gl.NVMMASharedLayout.get_default_for([K, N], dtype), gl.load(_at(b, K, N, flat)))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    if TENSOR:
        xt = allocate_tensor_memory(dtype, [M, K], TensorMemoryLayout([BLOCK_M, K], col_stride=1))
        xt.store(gl.convert_layout(x, xt.get_reg_layout()))
        fence_async_shared()
        tcgen05_mma(xt, y, acc, use_acc=False)
    else:
        xs = gl.allocate_shared_memory(dtype, [M, K], gl.NVMMASharedLayout.get_default_for([M, K], dtype), x)
        fence_async_shared()
        tcgen05_mma(xs, y, acc, use_acc=False)
    tcgen05_commit(bar)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    result = acc.load()
    gl.store(_at(out, M, N, flat), gl.convert_layout(result, flat))


@gluon.jit
def scaled(a, b, sa, sb, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr, A: gl.constexpr, B: gl.constexpr, BLOCK: gl.constexpr):
    """K counts bytes of A's and B's rows."""
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    KE: gl.constexpr = 2 * K if A == "e2m1" else K
    KS: gl.constexpr = KE // BLOCK
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([M, N], col_stride=1))
    x = gl.allocate_shared_memory(a.dtype.element_ty, [M, K], gl.NVMMASharedLayout(128, 8, 2), gl.load(_at(a, M, K, flat)))
    y = gl.allocate_shared_memory(b.dtype.element_ty, [N, K], gl.NVMMASharedLayout(128, 8, 2), gl.load(_at(b, N, K, flat)))
    layout: gl.constexpr = TensorMemoryScalesLayout()
    xs = allocate_tensor_memory(sa.dtype.element_ty, [M, KS], layout)
    ys = allocate_tensor_memory(sb.dtype.element_ty, [N, KS], layout)
    small: gl.constexpr = gl.BlockedLayout([1, KS], [32, 1], [4, 1], [1, 0])
    xs.store(gl.convert_layout(gl.load(_at(sa, M, KS, small)), xs.get_reg_layout()))
    ys.store(gl.convert_layout(gl.load(_at(sb, N, KS, small)), ys.get_reg_layout()))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fence_async_shared()
    tcgen05_mma_scaled(x, y.permute((1, 0)), acc, xs, ys, A, B, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    gl.store(_at(out, M, N, flat), gl.convert_layout(acc.load(), flat))


@gluon.jit
def gather(desc, rows, out, COUNT: gl.constexpr, C: gl.constexpr):
    flat: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    index: gl.constexpr = gl.SliceLayout(0, gl.BlockedLayout([1, 4], [32, 1], [1, 4], [1, 0]))
    buffer = gl.allocate_shared_memory(desc.dtype, [COUNT, C], desc.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, COUNT * C * 2)
    tma.async_gather(desc, gl.load(rows + gl.arange(0, COUNT, index)), 0, bar, buffer)
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    gl.store(_at(out, COUNT, C, flat), buffer.load(flat))


@gluon.jit
def cancelled(out, N: gl.constexpr):
    """Programs take over those that were not launched yet."""
    result = gl.allocate_shared_memory(gl.int64, [2], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    tile = gl.program_id(0)
    phase = 0
    more = True
    while more:
        mbarrier.expect(bar, 16)
        clc.try_cancel(result, bar)
        gl.atomic_add(out + tile, 1 + phase)
        mbarrier.wait(bar, phase)
        phase ^= 1
        taken = clc.load_result(result)
        more = taken.is_canceled()
        if more:
            tile = taken.program_id(0)
    mbarrier.invalidate(bar)


@gluon.jit
def packed(a, out, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    at = gl.arange(0, N, layout)
    x = gl.load(a + at)
    y = blackwell.add2(x, x)
    y = blackwell.fma2(y, x, x)
    gl.store(out + at, blackwell.sub2(blackwell.mul2(y, x), x))


@gluon.jit
def narrowed(a, out, N: gl.constexpr):
    """A copy into a buffer of narrower elements takes the first bytes of each."""
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    at = gl.arange(0, N, layout)
    buffer = gl.allocate_shared_memory(gl.float32, [N], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    async_copy.async_load(buffer, a + at)
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(out + at, buffer.load(layout))


@gluon.jit
def paired(a, b, out, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    """Two CTAs with half of the rows of A and of the columns of B each."""
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[1, 0]])
    columns: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[0, 1]])
    x = gl.allocate_shared_memory(gl.float16, [M, K], gl.NVMMASharedLayout(64, 16, 2, cga_layout=[[1, 0]]), gl.load(_at(a, M, K, rows)))
    y = gl.allocate_shared_memory(gl.float16, [K, N], gl.NVMMASharedLayout(64, 16, 2, cga_layout=[[0, 1]]), gl.load(_at(b, K, N, columns)))
    acc = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout([128, N], col_stride=1, cga_layout=[[1, 0]], two_ctas=True))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    fence_async_shared(cluster=True)
    cluster.barrier()
    tcgen05_mma(x, y, acc, use_acc=False, mbarriers=[bar])
    mbarrier.wait(bar, 0)
    mbarrier.invalidate(bar)
    gl.store(_at(out, M, N, rows), gl.convert_layout(acc.load(), rows))


@gluon.jit
def shared_out(a, out, M: gl.constexpr, N: gl.constexpr):
    """A conversion between layouts that two CTAs share differently."""
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[1, 0]])
    columns: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[0, 1]])
    x = gl.load(_at(a, M, N, rows))
    total = gl.sum(x, 0)
    gl.store(_at(out, M, N, columns), gl.convert_layout(x, columns) + gl.convert_layout(total, gl.SliceLayout(0, columns))[None, :])


@gluon.jit
def to_fp8e5(a, out, N: gl.constexpr, ROUNDING: gl.constexpr):
    index = gl.arange(0, N, gl.BlockedLayout([4], [32], [4], [0]))
    gl.store(out + index, gl.load(a + index).to(gl.float8e5, fp_downcast_rounding=ROUNDING))


@gluon.jit
def bytes_to_floats(a, out, N: gl.constexpr, TOGETHER: gl.constexpr):
    index = gl.arange(0, N, gl.BlockedLayout([TOGETHER], [32], [4], [0]))
    gl.store(out + index, gl.load(a + index).to(out.dtype.element_ty))


@gluon.jit
def picked(a, out, N: gl.constexpr, MASK: gl.constexpr):
    index = gl.arange(0, N, gl.BlockedLayout([8], [32], [4], [0]))
    gl.store(out + index, gl.gather(gl.load(a + index), index ^ MASK, 0))


@gluon.jit
def _plus(a, b):
    return a + b


@gluon.jit
def summed(a, out, TURNED: gl.constexpr):
    """Each thread sums the eight numbers of a row; TURNED: its registers hold them in the order 0, 4, 2, 6, 1, 5, 3, 7."""
    straight: gl.constexpr = gl.BlockedLayout([1, 8], [32, 1], [4, 1], [1, 0])
    turned: gl.constexpr = gl.DistributedLinearLayout(reg_bases=[[0, 4], [0, 2], [0, 1]], lane_bases=[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]],
                                                      warp_bases=[[32, 0], [64, 0]], block_bases=[], shape=[128, 8])
    layout: gl.constexpr = turned if TURNED else straight
    total = gl.reduce(gl.load(_at(a, 128, 8, layout)), 1, _plus)
    gl.store(out + gl.arange(0, 128, gl.SliceLayout(1, layout)), total)


@gluon.jit
def largest(a, out, ROWS: gl.constexpr):
    """Of rows that half a warp holds, or of all that the CTA holds, for each of its threads."""
    if ROWS:
        halves: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0])
        rows = gl.max(gl.load(_at(a, 16, 64, halves)), 1)
        gl.store(out + gl.arange(0, 16, gl.SliceLayout(1, halves)), rows)
    else:
        flat: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
        index = gl.arange(0, 1024, flat)
        numbers = gl.load(a + index)
        gl.store(out + index, numbers - gl.max(numbers, 0))


@gluon.jit
def extreme(a, out, LARGEST: gl.constexpr):
    """Of all the integers that the CTA holds, for each of its threads."""
    flat: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    index = gl.arange(0, 1024, flat)
    numbers = gl.load(a + index)
    if LARGEST:
        gl.store(out + index, numbers - gl.max(numbers, 0))
    else:
        gl.store(out + index, numbers - gl.min(numbers, 0))


@gluon.jit
def remainders(a, b, out, N: gl.constexpr):
    index = gl.arange(0, N, gl.BlockedLayout([4], [32], [4], [0]))
    gl.store(out + index, gl.load(a + index) % gl.load(b + index))


@gluon.jit
def carried(a, b, out, N: gl.constexpr):
    """The upper words of a * b + b."""
    index = gl.arange(0, N, gl.BlockedLayout([4], [32], [4], [0]))
    gl.store(out + index, gl.inline_asm_elementwise("mad.lo.cc.u32 $0, $1, $2, $2; madc.hi.u32 $0, $1, $2, 0;", "=&r,r,r",
                                                    [gl.load(a + index), gl.load(b + index)], gl.int32, True, 1))


@gluon.jit
def bounded(bounds, out, KIND: gl.constexpr):
    """Where masks of several comparisons hold, for other bounds in each program: bounds that rows or all elements share."""
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    own = bounds + 4 * gl.program_id(0)
    first, most, n = gl.load(own), gl.load(own + 1), gl.load(own + 2)
    r = gl.arange(0, 16, gl.SliceLayout(1, tile))
    c = gl.arange(0, 64, gl.SliceLayout(0, tile))
    if KIND == "near":
        mask = (c[None, :] <= (r + most)[:, None]) & (c < n)[None, :] & (c < first)[None, :]
    elif KIND == "far":
        mask = ((c + first)[None, :] <= (r + most)[:, None]) & (c + first < n)[None, :]
    elif KIND == "image":
        x, y = (c + first)[None, :], (r + most)[:, None]
        mask = (x >= 0) & (x < n) & (y >= 0) & (y < n)
    else:
        x = r[:, None] * n + c[None, :] * 2 + first
        mask = (x >= 0) & (x < most)
    gl.store(out + gl.program_id(0) * 1024 + r[:, None] * 64 + c[None, :], mask.to(gl.int32))
