"""`gluond run --device cpu`: kernels of many kinds run in the simulator, against references computed here in plain Python. Run by ctest; argv: gluond."""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

GLUOND = os.path.abspath(sys.argv.pop(1))

HEADER = """import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import ampere, hopper
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

"""

ADD = HEADER + """
@gluon.jit
def add(x, y, out, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([4], [32], [4], [0]))
    gl.store(out + i, gl.load(x + i, mask=i < n) + gl.load(y + i, mask=i < n), mask=i < n)


@gluon.jit
def add_unmasked(x, y, out, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([4], [32], [4], [0]))
    gl.store(out + i, gl.load(x + i) + gl.load(y + i, mask=i < n), mask=i < n)


x, y, out = torch.empty(1000, device="cuda"), torch.empty(1000, device="cuda"), torch.empty(1000, device="cuda")
add[(4, )](x, y, out, 1000, 256)
add_unmasked[(4, )](x, y, out, 1000, 256)
"""

ROWS = HEADER + """
@gluon.jit
def softmax(x, out, rows, columns, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, BLOCK, layout)
    for row in range(gl.program_id(0), rows, gl.num_programs(0)):
        s = gl.load(x + row * columns + i, mask=i < columns, other=float("-inf"))
        e = gl.exp(s - gl.max(s, 0))
        gl.store(out + row * columns + i, e / gl.sum(e, 0), mask=i < columns)


@gluon.jit
def overflow(x, out, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    e = gl.exp(gl.load(x + i) * 1000.0)
    gl.store(out + i, e / gl.sum(e, 0))


@gluon.jit
def running(x, out, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))

    gl.store(out + i, gl.associative_scan(gl.load(x + i), 0, add_pair))


@gluon.jit
def add_pair(a, b):
    return a + b


@gluon.jit
def histogram(x, counts, n, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    bins = gl.load(x + i, mask=i < n, other=0)
    gl.atomic_add(counts + bins, 1, mask=i < n)


x, out = torch.empty((20, 100), device="cuda"), torch.empty((20, 100), device="cuda")
softmax[(3, )](x, out, 20, 100, 128)
overflow[(1, )](torch.empty(128, device="cuda"), torch.empty(128, device="cuda"), 128)
running[(1, )](torch.empty(128, device="cuda", dtype=torch.int32), torch.empty(128, device="cuda", dtype=torch.int32), 128)
histogram[(4, )](torch.empty(1000, device="cuda", dtype=torch.int32), torch.zeros(16, device="cuda", dtype=torch.int32), 1000, 256)
"""

MATMUL = HEADER + """
@gluon.jit
def matmul_wgmma(a_desc, b_desc, c_desc, K, num_warps: gl.constexpr):
    BM: gl.constexpr = a_desc.block_type.shape[0]
    BN: gl.constexpr = b_desc.block_type.shape[1]
    BK: gl.constexpr = a_desc.block_type.shape[1]
    a = gl.allocate_shared_memory(a_desc.dtype, [2] + a_desc.block_type.shape, a_desc.layout)
    b = gl.allocate_shared_memory(b_desc.dtype, [2] + b_desc.block_type.shape, b_desc.layout)
    bars = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [num_warps, 1], [16, BN, 16])
    acc = gl.zeros((BM, BN), gl.float32, layout)
    row = gl.program_id(0) * BM
    column = gl.program_id(1) * BN
    for k in range(0, K, BK):
        stage = k // BK % 2
        bar = bars.index(stage)
        mbarrier.expect(bar, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [row, k], bar, a.index(stage))
        tma.async_load(b_desc, [k, column], bar, b.index(stage))
        mbarrier.wait(bar, k // BK // 2 & 1)
        acc = hopper.warpgroup_mma(a.index(stage), b.index(stage), acc, is_async=True)
        acc = hopper.warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    for i in gl.static_range(2):
        mbarrier.invalidate(bars.index(i))
    c = gl.allocate_shared_memory(c_desc.dtype, c_desc.block_type.shape, c_desc.layout)
    c.store(acc.to(c_desc.dtype))
    hopper.fence_async_shared()
    tma.async_store(c_desc, [row, column], c)
    tma.store_wait(pendings=0)


a = torch.empty((100, 72), device="cuda", dtype=torch.float16)
b = torch.empty((72, 80), device="cuda", dtype=torch.float16)
c = torch.empty((100, 80), device="cuda", dtype=torch.float16)
layout = gl.NVMMASharedLayout.get_default_for([64, 32], gl.float16)
a_desc = TensorDescriptor.from_tensor(a, [64, 32], layout)
b_desc = TensorDescriptor.from_tensor(b, [32, 64], gl.NVMMASharedLayout.get_default_for([32, 64], gl.float16))
c_desc = TensorDescriptor.from_tensor(c, [64, 64], gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16))
matmul_wgmma[(2, 2)](a_desc, b_desc, c_desc, 72, num_warps=4)
"""

PIPELINE = HEADER + """
@gluon.jit
def copy_pipeline(x, out, n, BLOCK: gl.constexpr, STAGES: gl.constexpr, WAITS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    smem = gl.allocate_shared_memory(gl.float32, [STAGES, BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    i = gl.arange(0, BLOCK, layout)
    blocks = n // BLOCK
    for s in gl.static_range(STAGES - 1):
        async_copy.async_load(smem.index(s), x + s * BLOCK + i, mask=s < blocks)
        async_copy.commit_group()
    for k in range(blocks):
        ahead = k + STAGES - 1
        async_copy.async_load(smem.index(ahead % STAGES), x + ahead * BLOCK + i, mask=ahead < blocks)
        async_copy.commit_group()
        if WAITS:
            async_copy.wait_group(STAGES - 1)
        gl.store(out + k * BLOCK + i, smem.index(k % STAGES).load(layout) * 2.0)


copy_pipeline[(1, )](torch.empty(2048, device="cuda"), torch.empty(2048, device="cuda"), 2048, 256, 3, True)
copy_pipeline[(1, )](torch.empty(2048, device="cuda"), torch.empty(2048, device="cuda"), 2048, 256, 3, False)
"""

PARTITIONS = HEADER + """
@gluon.jit
def produce(x_desc, smem, full, empty, blocks):
    for k in range(blocks):
        mbarrier.wait(empty, (k & 1) ^ 1)
        mbarrier.expect(full, x_desc.block_type.nbytes)
        tma.async_load(x_desc, [k * x_desc.block_type.shape[0], 0], full, smem)


@gluon.jit
def consume(out, smem, full, empty, blocks, RELEASES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    acc = gl.zeros((16, 32), gl.float32, layout)
    for k in range(blocks):
        mbarrier.wait(full, k & 1)
        acc += smem.load(layout)
        if RELEASES:
            mbarrier.arrive(empty, count=1)
    rows = gl.arange(0, 16, gl.SliceLayout(1, layout))
    columns = gl.arange(0, 32, gl.SliceLayout(0, layout))
    gl.store(out + rows[:, None] * 32 + columns[None, :], acc)


@gluon.jit
def sum_blocks(x_desc, out, blocks, RELEASES: gl.constexpr):
    smem = gl.allocate_shared_memory(gl.float32, [16, 32], x_desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(full, count=1)
    mbarrier.init(empty, count=1)
    gl.warp_specialize([(consume, (out, smem, full, empty, blocks, RELEASES)), (produce, (x_desc, smem, full, empty, blocks))], [1], [24])


x, out = torch.empty((80, 32), device="cuda"), torch.empty((16, 32), device="cuda")
x_desc = TensorDescriptor.from_tensor(x, [16, 32], gl.NVMMASharedLayout.get_default_for([16, 32], gl.float32))
sum_blocks[(1, )](x_desc, out, 5, True)
sum_blocks[(1, )](x_desc, out, 5, False)
"""


SCALARS = HEADER + """
@gluon.jit
def row_sums(x, y):
    row = gl.program_id(0)
    columns = gl.arange(0, 64, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(y + row, gl.sum(gl.load(x + row * 64 + columns), 0))


row_sums[(10, )](torch.empty((10, 64), device="cuda"), torch.empty(10, device="cuda"))
"""


# The producer does not wait until the consumer has read.
OVERTAKEN = HEADER + """
@gluon.jit
def produce(x, smem, full):
    at = gl.arange(0, 512, gl.BlockedLayout([4], [32], [4], [0]))
    for t in range(4):
        smem.index(t % 2).store(gl.load(x + t * 512 + at))
        mbarrier.arrive(full.index(t % 2), count=1)


@gluon.jit
def consume(y, smem, full):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    for t in range(4):
        mbarrier.wait(full.index(t % 2), (t // 2) & 1)
        gl.store(y + t * 512 + gl.arange(0, 512, layout), smem.index(t % 2).load(layout) * 2.0)


@gluon.jit
def twice(x, y):
    smem = gl.allocate_shared_memory(gl.float32, [2, 512], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for s in gl.static_range(2):
        mbarrier.init(full.index(s), count=1)
    gl.warp_specialize([(consume, (y, smem, full)), (produce, (x, smem, full))], [4], [64])


twice[(1, )](torch.empty(2048, device="cuda"), torch.empty(2048, device="cuda"))
"""


BLACKWELL = HEADER + """from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, allocate_tensor_memory, fence_async_shared, tcgen05_commit, tcgen05_mma


@gluon.jit
def matmul_tcgen05(a_desc, b_desc, out, K, N: gl.constexpr):
    BM: gl.constexpr = a_desc.block_type.shape[0]
    BK: gl.constexpr = a_desc.block_type.shape[1]
    a = gl.allocate_shared_memory(a_desc.dtype, a_desc.block_type.shape, a_desc.layout)
    b = gl.allocate_shared_memory(b_desc.dtype, b_desc.block_type.shape, b_desc.layout)
    loaded = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    done = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(loaded, count=1)
    mbarrier.init(done, count=1)
    acc = allocate_tensor_memory(gl.float32, [BM, N], TensorMemoryLayout([BM, N], col_stride=1))
    for k in range(0, K, BK):
        phase = k // BK & 1
        mbarrier.expect(loaded, a_desc.block_type.nbytes + b_desc.block_type.nbytes)
        tma.async_load(a_desc, [0, k], loaded, a)
        tma.async_load(b_desc, [k, 0], loaded, b)
        mbarrier.wait(loaded, phase)
        tcgen05_mma(a, b, acc, use_acc=k != 0)
        tcgen05_commit(done)
        mbarrier.wait(done, phase)
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0])
    c = gl.convert_layout(acc.load(acc.get_reg_layout()), layout)
    rows = gl.arange(0, BM, gl.SliceLayout(1, layout))
    columns = gl.arange(0, N, gl.SliceLayout(0, layout))
    gl.store(out + rows[:, None] * N + columns[None, :], c)


a = torch.empty((64, 96), device="cuda", dtype=torch.float16)
b = torch.empty((96, 64), device="cuda", dtype=torch.float16)
a_desc = TensorDescriptor.from_tensor(a, [64, 32], gl.NVMMASharedLayout.get_default_for([64, 32], gl.float16))
b_desc = TensorDescriptor.from_tensor(b, [32, 64], gl.NVMMASharedLayout.get_default_for([32, 64], gl.float16))
matmul_tcgen05[(1, )](a_desc, b_desc, torch.empty((64, 64), device="cuda"), 96, 64)
"""

THREADS = HEADER + """
@gluon.jit
def matmul_fma(a, b, c):
    layout: gl.constexpr = gl.BlockedLayout([2, 2], [4, 8], [2, 2], [1, 0])
    m = gl.arange(0, 32, gl.SliceLayout(1, layout))
    n = gl.arange(0, 32, gl.SliceLayout(0, layout))
    at = m[:, None] * 32 + n[None, :]
    x = gl.convert_layout(gl.load(a + at), gl.DotOperandLayout(0, layout, 0))
    y = gl.convert_layout(gl.load(b + at), gl.DotOperandLayout(1, layout, 0))
    gl.store(c + at, gl.dot_fma(x, y, gl.zeros([32, 32], gl.float32, layout)))


matmul_fma[(1, )](torch.empty((32, 32), device="cuda"), torch.empty((32, 32), device="cuda"), torch.empty((32, 32), device="cuda"))
"""

AMD = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def matmul_mfma(a, b, out):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [8, 8], [4, 1], [1, 0])
    mfma: gl.constexpr = gl.amd.AMDMFMALayout(3, [32, 32, 8], True, [4, 1])
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    columns = gl.arange(0, 64, gl.SliceLayout(0, layout))
    offsets = rows[:, None] * 64 + columns[None, :]
    x = gl.convert_layout(gl.amd.cdna3.buffer_load(a, offsets), gl.DotOperandLayout(0, mfma, 4))
    y = gl.convert_layout(gl.amd.cdna3.buffer_load(b, offsets), gl.DotOperandLayout(1, mfma, 4))
    acc = gl.amd.cdna3.mfma(x, y, gl.zeros([64, 64], gl.float32, mfma))
    gl.amd.cdna3.buffer_store(gl.convert_layout(acc, layout), out, offsets)


matmul_mfma[(1, )](torch.empty((64, 64), device="cuda", dtype=torch.float16), torch.empty((64, 64), device="cuda", dtype=torch.float16), torch.empty((64, 64), device="cuda"))
"""


CLUSTERS = HEADER + """from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout, allocate_tensor_memory, clc, fence_async_shared
from triton.experimental.gluon.language.nvidia.blackwell import tcgen05_commit, tcgen05_mma, tcgen05_mma_scaled


@gluon.jit
def copy_multicast(x_desc, y_desc):
    smem = gl.allocate_shared_memory(x_desc.dtype, x_desc.block_type.shape, x_desc.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, x_desc.nbytes_per_cta)
    tma.async_load(x_desc, [0, 0], bar, smem, multicast=True)
    mbarrier.wait(bar, 0, deps=[smem])
    tma.async_store(y_desc, [0, 0], smem)
    tma.store_wait(0)


@gluon.jit
def exchange(x, y):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[1, 0]])
    columns: gl.constexpr = gl.SwizzledSharedLayout(4, 2, 4, [1, 0], [[0, 1]])
    m = gl.arange(0, 32, gl.SliceLayout(1, rows))
    n = gl.arange(0, 64, gl.SliceLayout(0, rows))
    at = m[:, None] * 64 + n[None, :]
    smem = gl.allocate_shared_memory(gl.float32, [32, 64], columns)
    smem.store(gl.load(x + at))
    hopper.cluster.barrier()
    gl.store(y + at, smem.load(rows) * 2.0)


@gluon.jit
def swapped_copies(y, CTAS: gl.constexpr):
    L: gl.constexpr = gl.BlockedLayout([1], [32], [1], [0], [[1], [2]])
    i = gl.arange(0, 128, L)
    seed = gl.allocate_shared_memory(gl.int32, [128], gl.SwizzledSharedLayout(1, 1, 1, [0], [[1], [2]]), i)
    halves = seed.reinterpret(shape=[64], layout=gl.SwizzledSharedLayout(1, 1, 1, [0], [[1], [0]]))
    gl.barrier(cluster=True)
    gl.store(y + i, halves.gather((i // 32 % 2 ^ 1) * 32 + i % 32, axis=0))


@gluon.jit
def matmul_of_two(a_desc, b_desc, c, K: gl.constexpr):
    a = gl.allocate_shared_memory(a_desc.dtype, a_desc.block_type.shape, a_desc.layout)
    b = gl.allocate_shared_memory(b_desc.dtype, b_desc.block_type.shape, b_desc.layout)
    bar = mbarrier.allocate_mbarrier(two_ctas=True)
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.init(done, count=1)
    acc = allocate_tensor_memory(gl.float32, [256, 64], TensorMemoryLayout([128, 64], col_stride=1, cga_layout=[[1, 0]], two_ctas=True))
    phase = 0
    for k in range(0, K, 32):
        mbarrier.expect(bar, a_desc.nbytes_per_cta + b_desc.nbytes_per_cta)
        tma.async_load(a_desc, [0, k], bar, a)
        tma.async_load(b_desc, [k, 0], bar, b)
        mbarrier.wait(bar, phase)
        tcgen05_mma(a, b, acc, use_acc=k != 0)
        tcgen05_commit(done)
        mbarrier.wait(done, phase)
        phase ^= 1
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0], [[1, 0]])
    m = gl.arange(0, 256, gl.SliceLayout(1, layout))
    n = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(c + m[:, None] * 64 + n[None, :], gl.convert_layout(acc.load(acc.get_reg_layout()), layout))


@gluon.jit
def matmul_padded(a, b, scales, c):
    lanes: gl.constexpr = TensorMemoryLayout([128, 128], col_stride=1)
    x = allocate_tensor_memory(gl.uint8, [128, 128], lanes)
    put: gl.constexpr = x.get_reg_layout()
    m = gl.arange(0, 128, gl.SliceLayout(1, put))
    k = gl.arange(0, 128, gl.SliceLayout(0, put))
    pairs = gl.load(a + m[:, None] * 64 + k[None, :] // 2)
    x.store(gl.where(k[None, :] % 2 == 0, pairs << 2 & 60, pairs >> 2 & 60).to(gl.uint8))
    pairs_of_x = x.reinterpret(gl.uint8, [128, 64], TensorMemoryLayout([128, 64], col_stride=1, fp4_padded=True))
    rows: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [4, 1], [1, 0])
    i = gl.arange(0, 128, gl.SliceLayout(1, rows))[:, None] * 128 + gl.arange(0, 128, gl.SliceLayout(0, rows))[None, :]
    tile: gl.constexpr = gl.NVMMASharedLayout(128, 8, 2)
    y = gl.allocate_shared_memory(gl.float8e4nv, [128, 128], tile, gl.load(b + i).to(gl.float8e4nv, bitcast=True))
    s = allocate_tensor_memory(gl.uint8, [128, 4], TensorMemoryScalesLayout())
    each: gl.constexpr = s.get_reg_layout()
    at = gl.arange(0, 128, gl.SliceLayout(1, each))[:, None] * 4 + gl.arange(0, 4, gl.SliceLayout(0, each))[None, :]
    s.store(gl.load(scales + at))
    fence_async_shared()
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(done, count=1)
    acc = allocate_tensor_memory(gl.float32, [128, 128], lanes)
    tcgen05_mma_scaled(pairs_of_x, y.permute((1, 0)), acc, s, s, "e2m1", "e4m3", use_acc=False)
    tcgen05_commit(done)
    mbarrier.wait(done, 0)
    gl.store(c + i, gl.convert_layout(acc.load(acc.get_reg_layout()), rows))


@gluon.jit
def take_over(counts):
    answer = gl.allocate_shared_memory(gl.int64, [2], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    i, j, phase = gl.program_id(0), gl.program_id(1), 0
    goes_on = i >= 0
    while goes_on:
        gl.atomic_add(counts + i * 3 + j, 1)
        mbarrier.expect(bar, 16)
        clc.try_cancel(answer, bar)
        mbarrier.wait(bar, phase)
        phase ^= 1
        result = clc.load_result(answer)
        goes_on = result.is_canceled()
        if goes_on:
            i = result.program_id(0)
            j = result.program_id(1)


def half_layout(shape, cga):
    return gl.NVMMASharedLayout.get_default_for(shape, gl.float16, cga_layout=cga)


x, y = torch.empty((64, 32), device="cuda", dtype=torch.float16), torch.empty((64, 32), device="cuda", dtype=torch.float16)
copies = half_layout([64, 32], [[0, 0]])
copy_multicast[(1, )](TensorDescriptor.from_tensor(x, [64, 32], copies), TensorDescriptor.from_tensor(y, [64, 32], copies), num_ctas=2)
exchange[(1, )](torch.empty((32, 64), device="cuda"), torch.empty((32, 64), device="cuda"), num_ctas=2)
swapped_copies[(1, )](torch.empty(128, device="cuda", dtype=torch.int32), 4, num_ctas=4, num_warps=1)
a = torch.empty((256, 64), device="cuda", dtype=torch.float16)
b = torch.empty((64, 64), device="cuda", dtype=torch.float16)
a_desc = TensorDescriptor.from_tensor(a, [256, 32], half_layout([256, 32], [[1, 0]]))
b_desc = TensorDescriptor.from_tensor(b, [32, 64], half_layout([32, 64], [[0, 1]]))
matmul_of_two[(1, )](a_desc, b_desc, torch.empty((256, 64), device="cuda"), 64, num_ctas=2)
take_over[(10, 3)](torch.zeros((10, 3), device="cuda", dtype=torch.int32))
bytes_of = lambda *shape: torch.empty(shape, device="cuda", dtype=torch.uint8)
matmul_padded[(1, )](bytes_of(128, 64), bytes_of(128, 128), bytes_of(128, 4), torch.empty((128, 128), device="cuda"))
"""

PIXELS = HEADER + """from triton.experimental.gluon.nvidia.hopper import TensorDescriptorIm2Col


@gluon.jit
def pixels(x_desc, y):
    smem = gl.allocate_shared_memory(x_desc.dtype, x_desc.block_type.shape, x_desc.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 4], [4, 1], [1, 0])
    m = gl.arange(0, 32, gl.SliceLayout(1, layout))
    n = gl.arange(0, 32, gl.SliceLayout(0, layout))
    for f in range(9):
        mbarrier.expect(bar, x_desc.nbytes_per_cta)
        tma.async_load_im2col(x_desc, [0, -1, -1, 0], [(f // 3).to(gl.int16), (f % 3).to(gl.int16)], bar, smem)
        mbarrier.wait(bar, f & 1)
        gl.store(y + f * 32 * 32 + m[:, None] * 32 + n[None, :], smem.load(layout))


x = torch.empty((2, 4, 4, 32), device="cuda", dtype=torch.float16)
layout = gl.NVMMASharedLayout.get_default_for([32, 32], gl.float16)
x_desc = TensorDescriptorIm2Col.from_tensor(x, [32, 32], layout, element_strides=[1, 1, 1, 1], pixel_box_lower_corner=[-1, -1], pixel_box_upper_corner=[-1, -1])
pixels[(1, )](x_desc, torch.empty((9, 32, 32), device="cuda", dtype=torch.float16))
"""

DATA_MOVER = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna5


@gluon.jit
def matmul_wmma(a, b, c, K):
    a_layout: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[32, 8]], [64, 32], [1, 0])
    b_layout: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [32, 64], [1, 0])
    wmma: gl.constexpr = gl.amd.AMDWMMALayout(3, True, [[1, 0], [2, 0]], [], [16, 16, 32])
    a_desc = cdna5.tdm.make_tensor_descriptor(a, shape=[64, K], strides=[K, 1], block_shape=[64, 32], layout=a_layout)
    b_desc = cdna5.tdm.make_tensor_descriptor(b, shape=[K, 64], strides=[64, 1], block_shape=[32, 64], layout=b_layout)
    x = gl.allocate_shared_memory(gl.float16, [2, 64, 32], a_layout)
    y = gl.allocate_shared_memory(gl.float16, [2, 32, 64], b_layout)
    acc = gl.zeros([64, 64], gl.float32, wmma)
    cdna5.tdm.async_load(a_desc, [0, 0], x.index(0))
    cdna5.tdm.async_load(b_desc, [0, 0], y.index(0))
    for i in range(K // 32):
        ahead = i + 1
        cdna5.tdm.async_load(a_desc, [0, ahead * 32], x.index(ahead % 2), pred=ahead < K // 32)
        cdna5.tdm.async_load(b_desc, [ahead * 32, 0], y.index(ahead % 2), pred=ahead < K // 32)
        cdna5.tdm.async_wait(2)
        left = x.index(i % 2).load(gl.DotOperandLayout(0, wmma, 8))
        acc = cdna5.wmma(left, y.index(i % 2).load(gl.DotOperandLayout(1, wmma, 8)), acc)
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    m = gl.arange(0, 64, gl.SliceLayout(1, layout))
    n = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(c + m[:, None] * 64 + n[None, :], gl.convert_layout(acc, layout))


def f16(*shape):
    return torch.empty(shape, device="cuda", dtype=torch.float16)


matmul_wmma[(1, )](f16(64, 96), f16(96, 64), torch.empty((64, 64), device="cuda"), 96)
"""

ASSEMBLY = HEADER + """from triton.experimental.gluon.language.extra import libdevice


@gluon.jit
def squares(x, y):
    i = gl.arange(0, 512, gl.BlockedLayout([4], [32], [4], [0]))
    v = gl.load(x + i)
    w = gl.inline_asm_elementwise('''{
        .reg .b64 a, b;
        mov.b64 a, { $2, $3 };
        mov.b64 b, { $4, $5 };
        mul.f32x2 a, a, b;
        mov.b64 { $0, $1 }, a;
    }''', "=r,=r,r,r,r,r", [v, v], dtype=gl.float32, is_pure=True, pack=2)
    gl.store(y + i, libdevice.floor(w))


@gluon.jit
def shuffled(x):
    i = gl.arange(0, 32, gl.BlockedLayout([1], [32], [4], [0]))
    v = gl.load(x + i)
    gl.store(x + i, gl.inline_asm_elementwise("shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", "=r,r", [v], dtype=gl.float32, is_pure=True, pack=1))


squares[(1, )](torch.empty(512, device="cuda"), torch.empty(512, device="cuda"))
shuffled[(1, )](torch.empty(32, device="cuda"))
"""


def half(value):
    return struct.unpack("e", struct.pack("e", value))[0]


def write_npy(path, shape, values, dtype="<f4"):
    header = repr({"descr": dtype, "fortran_order": False, "shape": tuple(shape)}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    code = {"<f4": "f", "<f2": "e", "<i4": "i", "|u1": "B"}[dtype]
    data = struct.pack(f"<{len(values)}{code}", *values)
    Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)


def numbers(count, seed):
    """Small multiples of 1/16, which no sum here rounds."""
    return [((i * 7919 + seed * 104729) % 61 - 30) / 16 for i in range(count)]


class Simulate(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)
        self.file = self.path / "kernels.py"

    def gluond(self, *arguments):
        result = subprocess.run([GLUOND, *map(str, arguments)], capture_output=True, timeout=300, cwd=self.path,
                                env={**os.environ, "GLUOND_CACHE_DIR": "off", "GLUOND_RUNNER": "exec /nowhere/gluond-runner"})
        return result.returncode, result.stdout.decode(), result.stderr.decode()

    def run_kernel(self, kernel, inputs, references, *more, code=0, device=("--device", "cpu")):
        arguments = ["run", self.file, "--kernel", kernel, *device, "--format", "json", *more]
        for name, (shape, values, dtype) in inputs.items():
            write_npy(self.path / f"{name}.npy", shape, values, dtype)
            arguments += ["--arg", f"{name}={self.path / f'{name}.npy'}"]
        for name, (shape, values, dtype) in references.items():
            write_npy(self.path / f"{name}.expected.npy", shape, values, dtype)
            arguments += ["--reference", f"{name}={self.path / f'{name}.expected.npy'}"]
        got, out, err = self.gluond(*arguments)
        self.assertEqual(got, code, out + err)
        result = json.loads(out)
        if code == 0:
            self.assertEqual([each["isEqual"] for each in result["comparisons"]], [True] * len(references), out)
            self.assertEqual(result["findings"], [])
        return result

    def codes(self, result):
        return [finding["code"] for finding in result["findings"]]

    def test_vector_add_with_masks(self):
        self.file.write_text(ADD)
        x, y = numbers(1000, 1), numbers(1000, 2)
        inputs = {"x": ([1000], x, "<f4"), "y": ([1000], y, "<f4")}
        result = self.run_kernel("add", inputs, {"out": ([1000], [a + b for a, b in zip(x, y)], "<f4")})
        self.assertEqual((result["device"], result["grid"], result["programs"]), ("cpu", [4, 1, 1], 4))

    def test_an_access_out_of_bounds_is_told_at_its_line(self):
        self.file.write_text(ADD)
        result = self.run_kernel("add_unmasked", {}, {}, code=1)
        self.assertEqual(self.codes(result), ["run-out-of-bounds"])
        finding = result["findings"][0]
        self.assertIn("this access reads out of bounds: byte 4000 of 'x', which has 4000 bytes", finding["message"])
        self.assertIn("in program (3, 0, 0)", finding["message"])
        line = ADD.split("\n")[finding["range"]["start"]["line"]]
        self.assertIn("gl.load(x + i)", line)

    def test_one_program(self):
        self.file.write_text(ADD)
        ones = [1.0] * 1000
        expected = [2.0 if 256 <= i < 512 else 0.0 for i in range(1000)]
        inputs = {"x": ([1000], ones, "<f4"), "y": ([1000], ones, "<f4")}
        self.run_kernel("add", inputs, {"out": ([1000], expected, "<f4")}, "--program", "1")
        code, _, err = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu", "--program", "4,0,0")
        self.assertEqual(code, 2)
        self.assertIn("--program: the grid has 4 programs along dimension 0, and so no program with number 4", err)
        # A number is one that its type can hold.
        for value, does_fit in (("2147483647", True), ("-1", True), ("0x10", True), ("2147483648", False), ("99999999999999999999", False)):
            code, _, err = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu", "--program", "0", "--arg", f"n={value}")
            self.assertEqual(code == 2, not does_fit, (value, err))
            self.assertEqual("does not fit" in err, not does_fit, err)
        # A file that could not be written is not said to be there.
        code, out, err = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu", "--out", "y=/no/such/folder/y.npy")
        self.assertEqual(code, 1)
        self.assertIn("cannot write", err)
        self.assertNotIn("y is in", out)

    def test_where_there_is_no_gpu(self):
        self.file.write_text(ADD)
        code, out, err = self.gluond("run", self.file, "--kernel", "add")
        self.assertEqual(code, 0, err)
        self.assertIn("simulated on the CPU", out)
        self.assertEqual(len(err.strip().split("\n")), 1, err)
        self.assertIn("no GPU here runs the launch, so the kernel is simulated on the CPU", err)
        code, out, err = self.gluond("run", self.file, "--kernel", "add", "--device", "0")
        self.assertEqual((code, out), (1, ""))

    def test_softmax(self):
        self.file.write_text(ROWS)
        x = numbers(2000, 3)
        expected = []
        for row in range(20):
            values = x[row * 100:row * 100 + 100]
            powers = [math.exp(value - max(values)) for value in values]
            expected += [power / sum(powers) for power in powers]
        self.run_kernel("softmax", {"x": ([20, 100], x, "<f4")}, {"out": ([20, 100], expected, "<f4")})

    def test_the_first_nan_is_found(self):
        self.file.write_text(ROWS)
        result = self.run_kernel("overflow", {"x": ([128], [1.0] * 128, "<f4")}, {}, code=1)
        self.assertEqual(self.codes(result), ["run-first-nan"])
        line = ROWS.split("\n")[result["findings"][0]["range"]["start"]["line"]]
        self.assertIn("e / gl.sum(e, 0)", line)

    def test_scan_and_histogram(self):
        self.file.write_text(ROWS)
        x = [i % 5 - 2 for i in range(128)]
        sums = [sum(x[:i + 1]) for i in range(128)]
        self.run_kernel("running", {"x": ([128], x, "<i4")}, {"out": ([128], sums, "<i4")})
        bins = [i * i % 16 for i in range(1000)]
        self.run_kernel("histogram", {"x": ([1000], bins, "<i4")}, {"counts": ([16], [bins.count(b) for b in range(16)], "<i4")})

    def test_matmul_with_tma_and_wgmma(self):
        self.file.write_text(MATMUL)
        a, b = numbers(100 * 72, 4), numbers(72 * 80, 5)
        c = [half(sum(a[i * 72 + k] * b[k * 80 + j] for k in range(72))) for i in range(100) for j in range(80)]
        inputs = {"a_desc": ([100, 72], a, "<f2"), "b_desc": ([72, 80], b, "<f2")}
        self.run_kernel("matmul_wgmma", inputs, {"c_desc": ([100, 80], c, "<f2")}, "--relative", "0", "--absolute", "0")

    def test_matmul_with_tensor_memory(self):
        self.file.write_text(BLACKWELL)
        a, b = numbers(64 * 96, 8), numbers(96 * 64, 9)
        c = [sum(a[i * 96 + k] * b[k * 64 + j] for k in range(96)) for i in range(64) for j in range(64)]
        inputs = {"a_desc": ([64, 96], a, "<f2"), "b_desc": ([96, 64], b, "<f2")}
        self.run_kernel("matmul_tcgen05", inputs, {"out": ([64, 64], c, "<f4")}, "--target", "cuda:100", "--absolute", "0")

    def test_a_product_by_threads_reads_all_of_fp32(self):
        self.file.write_text(THREADS)
        a = [1 + value / 2**20 for value in numbers(32 * 32, 19)]  # more digits than tf32 has
        identity = [float(i % 33 == 0) for i in range(32 * 32)]
        self.run_kernel("matmul_fma", {"a": ([32, 32], a, "<f4"), "b": ([32, 32], identity, "<f4")}, {"c": ([32, 32], a, "<f4")}, "--relative", "0", "--absolute", "0")

    def test_matmul_with_mfma(self):
        self.file.write_text(AMD)
        a, b = numbers(64 * 64, 10), numbers(64 * 64, 11)
        c = [sum(a[i * 64 + k] * b[k * 64 + j] for k in range(64)) for i in range(64) for j in range(64)]
        inputs = {"a": ([64, 64], a, "<f2"), "b": ([64, 64], b, "<f2")}
        self.run_kernel("matmul_mfma", inputs, {"out": ([64, 64], c, "<f4")}, "--target", "hip:gfx942", "--absolute", "0")

    def test_clusters(self):
        self.file.write_text(CLUSTERS)
        x = numbers(64 * 32, 12)
        self.run_kernel("copy_multicast", {"x_desc": ([64, 32], x, "<f2")}, {"y_desc": ([64, 32], x, "<f2")})
        self.run_kernel("exchange", {"x": ([32, 64], x, "<f4")}, {"y": ([32, 64], [2 * v for v in x], "<f4")})
        # A buffer with copies in CTAs of its own: each CTA reads the copy that it has.
        self.run_kernel("swapped_copies", {}, {"y": ([128], [(i // 32 ^ 1) * 32 + i % 32 for i in range(128)], "<i4")})
        a, b = numbers(256 * 64, 13), numbers(64 * 64, 14)
        c = [sum(a[i * 64 + k] * b[k * 64 + j] for k in range(64)) for i in range(256) for j in range(64)]
        inputs = {"a_desc": ([256, 64], a, "<f2"), "b_desc": ([64, 64], b, "<f2")}
        self.run_kernel("matmul_of_two", inputs, {"c": ([256, 64], c, "<f4")}, "--target", "cuda:100", "--absolute", "0")

    def test_fp4_in_tensor_memory_beside_fp8(self):
        self.file.write_text(CLUSTERS)
        codes = [i * 7 % 16 for i in range(128 * 128)]
        values = [(-1.0 if code & 8 else 1.0) * [0, 0.5, 1, 1.5, 2, 3, 4, 6][code & 7] for code in codes]
        identity = [0x38 if i % 129 == 0 else 0 for i in range(128 * 128)]  # 1 in e4m3
        inputs = {
            "a": ([128, 64], [codes[2 * i] | codes[2 * i + 1] << 4 for i in range(128 * 64)], "|u1"),
            "b": ([128, 128], identity, "|u1"),
            "scales": ([128, 4], [128] * 512, "|u1"),  # 2
        }
        self.run_kernel("matmul_padded", inputs, {"c": ([128, 128], [4 * v for v in values], "<f4")}, "--target", "cuda:100", "--absolute", "0")

    def test_programs_take_over_work(self):
        self.file.write_text(CLUSTERS)
        result = self.run_kernel("take_over", {}, {"counts": ([10, 3], [1] * 30, "<i4")}, "--target", "cuda:100")
        self.assertEqual(result["programs"], 30)

    def test_im2col(self):
        self.file.write_text(PIXELS)
        x = numbers(2 * 4 * 4 * 32, 15)

        def pixel(n, h, w):
            return x[((n * 4 + h) * 4 + w) * 32:][:32] if 0 <= h < 4 and 0 <= w < 4 else [0.0] * 32

        y = [v for f in range(9) for n in range(2) for h in range(4) for w in range(4) for v in pixel(n, h + f // 3 - 1, w + f % 3 - 1)]
        self.run_kernel("pixels", {"x_desc": ([2, 4, 4, 32], x, "<f2")}, {"y": ([9, 32, 32], y, "<f2")})

    def test_matmul_with_the_data_mover(self):
        self.file.write_text(DATA_MOVER)
        a, b = numbers(64 * 96, 16), numbers(96 * 64, 17)
        c = [sum(a[i * 96 + k] * b[k * 64 + j] for k in range(96)) for i in range(64) for j in range(64)]
        inputs = {"a": ([64, 96], a, "<f2"), "b": ([96, 64], b, "<f2")}
        self.run_kernel("matmul_wmma", inputs, {"c": ([64, 64], c, "<f4")}, "--target", "hip:gfx1250", "--absolute", "0")

    def test_assembly(self):
        self.file.write_text(ASSEMBLY)
        x = numbers(512, 18)
        self.run_kernel("squares", {"x": ([512], x, "<f4")}, {"y": ([512], [float(math.floor(v * v)) for v in x], "<f4")}, "--target", "cuda:100")
        result = self.run_kernel("shuffled", {}, {}, code=1)
        self.assertEqual(self.codes(result), ["run-unsupported"])
        self.assertIn("shfl.sync.bfly.b32", result["findings"][0]["message"])

    def test_a_pipeline_of_copies(self):
        self.file.write_text(PIPELINE)
        x = numbers(2048, 6)
        launches = json.loads(self.gluond("launches", self.file, "--format", "json")[1])
        ids = [launch["id"] for launch in launches]
        self.run_kernel("copy_pipeline", {"x": ([2048], x, "<f4")}, {"out": ([2048], [2 * v for v in x], "<f4")}, "--launch", ids[0])
        result = self.run_kernel("copy_pipeline", {"x": ([2048], x, "<f4")}, {}, "--launch", ids[1], code=1)
        self.assertEqual(self.codes(result), ["run-race"])

    def test_partitions_and_a_hang(self):
        self.file.write_text(PARTITIONS)
        x = numbers(80 * 32, 7)
        expected = [sum(x[(block * 16 + row) * 32 + column] for block in range(5)) for row in range(16) for column in range(32)]
        launches = json.loads(self.gluond("launches", self.file, "--format", "json")[1])
        ids = [launch["id"] for launch in launches]
        self.run_kernel("sum_blocks", {"x_desc": ([80, 32], x, "<f4")}, {"out": ([16, 32], expected, "<f4")}, "--launch", ids[0])
        result = self.run_kernel("sum_blocks", {"x_desc": ([80, 32], x, "<f4")}, {}, "--launch", ids[1], code=1)
        self.assertEqual(self.codes(result), ["run-deadlock"])
        finding = result["findings"][0]
        self.assertIn("mbarrier.wait(full", PARTITIONS.split("\n")[finding["range"]["start"]["line"]])
        self.assertTrue(any("partition 0 waits here" in related["message"] for related in finding["related"]), finding)

    def test_what_a_wrong_scalar_was_written_by(self):
        self.file.write_text(SCALARS)
        x = [1.0] * 640
        expected = [64.0] * 10
        expected[7] = float("nan")
        result = self.run_kernel("row_sums", {"x": ([10, 64], x, "<f4")}, {"y": ([10], expected, "<f4")}, code=1)
        compared = result["comparisons"][0]
        self.assertEqual((compared["differing"], compared["notFinite"], compared["mostAbsolute"]), (1, 1, 0))
        line = 1 + SCALARS.split("\n").index("    gl.store(y + row, gl.sum(gl.load(x + row * 64 + columns), 0))")
        self.assertEqual(compared["first"]["owner"], f"program (7, 0, 0), line {line}")

    def test_a_hang_after_a_missed_phase(self):
        self.file.write_text(OVERTAKEN)
        result = self.run_kernel("twice", {"x": ([2048], numbers(2048, 8), "<f4")}, {}, code=1)
        self.assertEqual(self.codes(result), ["run-deadlock"])
        self.assertIn("phases 0 to 1 completed before the partition waited for the first of them", result["findings"][0]["message"])

    def test_what_does_not_compile_is_told_with_its_line(self):
        self.file.write_text(ADD.replace("n, BLOCK: gl.constexpr):", "n, BLOCK: gl.constexpr):\n    nothing = gl.aranged(0, BLOCK)", 1))
        code, _, err = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu")
        self.assertEqual(code, 1)
        line = 1 + self.file.read_text().split("\n").index("    nothing = gl.aranged(0, BLOCK)")
        self.assertIn(f"kernels.py:{line}: module 'triton.experimental.gluon.language' has no attribute 'aranged'", err)

    def test_types_that_are_not_known_are_no_mistake_and_can_be_given(self):
        """Of tensors that come from a module which gluond cannot evaluate: a pointer is taken for *fp32, a number for int32."""
        self.file.write_text(HEADER + """
from somewhere import inputs


@gluon.jit
def take(x, index, out, n, scale, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    j = gl.load(index + i, mask=i < n, other=0)
    gl.store(out + i, gl.load(x + j, mask=i < n) * scale, mask=i < n)


def run(x, index, out, scale):
    take[(1, )](x, index, out, x.numel(), scale, BLOCK=128)


run(*inputs())
""")
        for command in (("run", "--device", "cpu"), ("emit", "--stage", "ttgir")):
            code, out, err = self.gluond(command[0], self.file, "--kernel", "take", *command[1:])
            self.assertEqual(code, 1, out)
            self.assertIn("with the types that gluond assumes for unknown ones (*fp32 for x, index and out, i32 for n and scale)", err)
            self.assertIn("kernels.py:18: *fp32 and float32 cannot be combined", err)
            self.assertIn("# gluond: launch(x=\"*i64\", ...)", err)
            self.assertNotIn("error:", err)
        # The types are those of the arguments, however they are given.
        x, index, ones = numbers(100, 5), [(i * 37) % 100 for i in range(100)], [1.0] * 100
        expected = {"out": ([100], [x[j] * 0.5 for j in index], "<f4")}
        inputs = {"x": ([100], x, "<f4"), "out": ([100], ones, "<f4"), "index": ([100], index, "<i4")}
        result = self.run_kernel("take", inputs, expected, "--arg", "n=100", "--arg", "scale=0.5")
        self.assertEqual({each["name"]: each["dtype"] for each in result["tensors"]}, {"x": "fp32", "index": "i32", "out": "fp32"})
        code, out, err = self.gluond("run", self.file, "--kernel", "take", "--device", "cpu", "--arg", "index=zeros:i32[100]", "--arg", "x=ones:f16[100]", "--arg", "n=100")
        self.assertEqual(code, 0, err)
        self.assertIn("out: assumed a tensor of shape [16777216] and type fp32", out)
        self.assertEqual(self.gluond("run", self.file, "--kernel", "take", "--device", "cpu", "--arg", "index=i64", "--arg", "n=100")[0], 0)
        # Types that the host code gives stay.
        self.file.write_text(ADD)
        code, _, err = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu", "--arg", "x=f16")
        self.assertEqual(code, 2)
        self.assertIn("this launch is compiled for fp32", err)

    def test_limits(self):
        self.file.write_text(ADD)
        code, _, err = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu", "--arg", "x=random:f32[25000000000]")
        self.assertEqual(code, 1)
        self.assertRegex(err, "argument 'x': the launch's tensors take more than [0-9]+ MiB")
        code, out, _ = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu", "--arg", "n=0", "--grid", "1000000000", "--time-limit", "1")
        self.assertEqual(code, 1)
        self.assertIn("the run was stopped after 1 s", out)
        self.assertIn("change the limit with --time-limit", out)
        self.assertNotIn("run-unfinished", out)  # each program is short
        # A program that never ends, and what it did before.
        self.file.write_text(ADD.replace("    i =", "    gl.device_print(\"began\", n)\n    while n > 0:\n        gl.store(out, 0.0)\n    i =", 1))
        code, out, _ = self.gluond("run", self.file, "--kernel", "add", "--device", "cpu", "--time-limit", "1")
        self.assertEqual(code, 1)
        line = 1 + self.file.read_text().split("\n").index("        gl.store(out, 0.0)")
        self.assertRegex(out, f"kernels.py:({line}|{line - 1}):.*the run was stopped while the program was here, after [0-9]+ steps")
        self.assertIn("began", out)
        code, _, err = self.gluond("run", self.file, "--kernel", "add", "--device", "tpu")
        self.assertEqual(code, 2)
        self.assertIn("neither 'cpu' nor the number of a GPU", err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
