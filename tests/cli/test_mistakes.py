"""Mistakes that compile: each is caught in a simulated run, at the line marked `# here`, with the events that led to it at lines marked `# first`. And what looks
like a mistake and is none runs clean under many schedules. Run by ctest; argv: gluond."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import amd_mistakes
import unfinished

GLUOND = os.path.abspath(sys.argv.pop(1))

HEADER = """import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import hopper
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, allocate_tensor_memory, tcgen05_commit, tcgen05_mma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

L: gl.constexpr = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
T: gl.constexpr = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))
PLAIN: gl.constexpr = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def put(out, value):
    rows = gl.arange(0, 64, gl.SliceLayout(1, T))
    columns = gl.arange(0, 32, gl.SliceLayout(0, T))
    gl.store(out + rows[:, None] * 32 + columns[None, :], value)


@gluon.jit
def barrier(count: gl.constexpr):
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=count)
    return bar

"""
FLAT = """
x, out = torch.empty(1024, device="cuda"), torch.empty(1024, device="cuda")
"""
BLOCKS = """
x, out = torch.empty((256, 32), device="cuda"), torch.empty((64, 32), device="cuda")
desc = TensorDescriptor.from_tensor(x, [64, 32], gl.NVMMASharedLayout.get_default_for([64, 32], gl.float32))
out_desc = TensorDescriptor.from_tensor(out, [64, 32], gl.NVMMASharedLayout.get_default_for([64, 32], gl.float32))
"""
PRODUCT = """
a, b = torch.empty((64, 64), device="cuda", dtype=torch.float16), torch.empty((64, 64), device="cuda", dtype=torch.float16)
half = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
a_desc, b_desc = TensorDescriptor.from_tensor(a, [64, 64], half), TensorDescriptor.from_tensor(b, [64, 64], half)
"""

# name: (code, source, launch)
MISTAKES = {
    "m34_index_past_the_stages": ("run-index-out-of-bounds", """
@gluon.jit
def kernel(x, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [2, 128], PLAIN)
    i = gl.arange(0, 128, L)
    for k in range(n):
        smem.index(k % 3).store(gl.load(x + i))  # here
        gl.store(out + i, smem.index(0).load(L))
""", FLAT + "kernel[(1, )](x, out, 4)"),
    "m35_load_before_store": ("run-read-before-write", """
@gluon.jit
def kernel(x, out):
    smem = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    i = gl.arange(0, 128, L)
    gl.store(out + i, smem.load(L))  # here
    smem.store(gl.load(x + i))
""", FLAT + "kernel[(1, )](x, out)"),
    "m38_tail_without_mask": ("run-out-of-bounds", """
@gluon.jit
def kernel(x, out, n):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    gl.store(out + i, gl.load(x + i), mask=i < n)  # here
""", 'kernel[(8, )](torch.empty(1000, device="cuda"), torch.empty(1000, device="cuda"), 1000)'),
    "m87_store_without_the_mask_of_the_load": ("run-out-of-bounds", """
@gluon.jit
def kernel(x, out, n):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    value = gl.load(x + i, mask=i < n)
    gl.store(out + i, value)  # here
""", 'kernel[(8, )](torch.empty(1000, device="cuda"), torch.empty(1000, device="cuda"), 1000)'),
    "m86_offset_wraps": ("run-address-overflow", """
@gluon.jit
def kernel(x, out, rows):
    pid = gl.program_id(0)
    start = pid * rows * rows  # here
    i = gl.arange(0, 128, L)
    gl.store(out + pid * 128 + i, gl.load(x + start + i))
""", FLAT + "kernel[(2, )](x, out, 65536)"),
    "m41_copy_without_wait": ("run-race", """
@gluon.jit
def kernel(x, out):
    smem = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    i = gl.arange(0, 128, L)
    async_copy.async_load(smem, x + i)  # first
    async_copy.commit_group()
    gl.store(out + i, smem.load(L))  # here
""", FLAT + "kernel[(1, )](x, out)"),
    "m42_wait_without_commit": ("run-race", """
@gluon.jit
def kernel(x, out):
    smem = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    i = gl.arange(0, 128, L)
    async_copy.async_load(smem, x + i)  # first
    async_copy.wait_group(0)
    gl.store(out + i, smem.load(L))  # here
""", FLAT + "kernel[(1, )](x, out)"),
    "m50_wait_for_the_phase_before": ("run-wrong-phase", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)  # first
    mbarrier.wait(bar, phase=1)  # here
    put(out, smem.load(T))  # first
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "m84_phase_never_flips": ("run-wrong-phase", """
@gluon.jit
def kernel(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    for k in range(n):
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [k * 64, 0], bar, smem)  # first
        mbarrier.wait(bar, phase=0)  # here
        put(out, smem.load(T))  # first
""", BLOCKS + "kernel[(1, )](desc, out, 4)"),
    "m51_too_few_bytes": ("run-wrong-bytes", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, 4096)  # here
    tma.async_load(desc, [0, 0], bar, smem)  # first
    mbarrier.wait(bar, phase=0)
    put(out, smem.load(T))
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "m52_no_expect": ("run-wrong-bytes", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    tma.async_load(desc, [0, 0], bar, smem)  # here
    mbarrier.wait(bar, phase=0)  # first
    put(out, smem.load(T))
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "m53_barrier_not_initialized": ("run-uninitialized-barrier", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.expect(bar, desc.block_type.nbytes)  # here
    tma.async_load(desc, [0, 0], bar, smem)
    mbarrier.wait(bar, phase=0)
    put(out, smem.load(T))
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "m54_load_never_awaited": ("run-race", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)  # first
    put(out, smem.load(T))  # here
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "m56_rewritten_before_store_wait": ("run-race", """
@gluon.jit
def kernel(out_desc, n):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], out_desc.layout)
    for k in range(n):
        smem.store(gl.full([64, 32], k + 1.0, gl.float32, T))  # here
        fence_async_shared()
        tma.async_store(out_desc, [0, 0], smem)  # first
    tma.store_wait(pendings=0)
""", BLOCKS + "kernel[(1, )](out_desc, 2)"),
    "m62_more_arrivals_than_come": ("run-deadlock", """
@gluon.jit
def kernel(out):
    bar = barrier(2)
    mbarrier.arrive(bar, count=1)
    mbarrier.wait(bar, phase=0)  # here
    gl.store(out + gl.arange(0, 128, L), 1.0)
""", FLAT + "kernel[(1, )](out)"),
    "m90_worker_never_arrives": ("run-deadlock", """
@gluon.jit
def work(out, bar):
    gl.store(out + gl.arange(0, 128, L), 1.0)


@gluon.jit
def main(out, bar):
    mbarrier.wait(bar, phase=0)  # here
    gl.store(out + 128 + gl.arange(0, 128, L), 1.0)


@gluon.jit
def kernel(out):
    bar = barrier(1)
    gl.warp_specialize([(main, (out, bar)), (work, (out, bar))], [4], [24])
""", FLAT + "kernel[(1, )](out)"),
    "m76_wgmma_operand_rewritten": ("run-race", """
@gluon.jit
def kernel(a_desc, b_desc, out, num_warps: gl.constexpr):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, 16384)
    tma.async_load(a_desc, [0, 0], bar, a)
    tma.async_load(b_desc, [0, 0], bar, b)
    mbarrier.wait(bar, phase=0)
    layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [num_warps, 1], [16, 64, 16])
    acc = hopper.warpgroup_mma(a, b, gl.zeros((64, 64), gl.float32, layout), is_async=True)  # first
    a.store(gl.zeros((64, 64), gl.float16, T))  # here
    acc = hopper.warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    c = gl.convert_layout(acc, T)
    rows = gl.arange(0, 64, gl.SliceLayout(1, T))
    columns = gl.arange(0, 64, gl.SliceLayout(0, T))
    gl.store(out + rows[:, None] * 64 + columns[None, :], c)
""", PRODUCT + 'kernel[(1, )](a_desc, b_desc, torch.empty((64, 64), device="cuda"), num_warps=4)'),
    "m81_accumulator_without_commit": ("run-race", """
@gluon.jit
def kernel(a_desc, b_desc, out):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], a_desc.layout)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], b_desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, 16384)
    tma.async_load(a_desc, [0, 0], bar, a)
    tma.async_load(b_desc, [0, 0], bar, b)
    mbarrier.wait(bar, phase=0)
    acc = allocate_tensor_memory(gl.float32, [64, 64], TensorMemoryLayout([64, 64], col_stride=1))
    tcgen05_mma(a, b, acc, use_acc=False)  # first
    c = gl.convert_layout(acc.load(acc.get_reg_layout()), T)  # here
    rows = gl.arange(0, 64, gl.SliceLayout(1, T))
    columns = gl.arange(0, 64, gl.SliceLayout(0, T))
    gl.store(out + rows[:, None] * 64 + columns[None, :], c)
""", PRODUCT + 'kernel[(1, )](a_desc, b_desc, torch.empty((64, 64), device="cuda"))  # cuda:100'),
    "xpart_no_fence_between_partitions": ("run-missing-fence", """
@gluon.jit
def fill(smem, ready):
    smem.store(gl.full([64, 32], 1.0, gl.float32, T))  # first
    mbarrier.arrive(ready, count=1)


@gluon.jit
def send(out_desc, smem, ready):
    mbarrier.wait(ready, phase=0)
    tma.async_store(out_desc, [0, 0], smem)  # here
    tma.store_wait(pendings=0)


@gluon.jit
def kernel(out_desc):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], out_desc.layout)
    ready = barrier(1)
    gl.warp_specialize([(fill, (smem, ready)), (send, (out_desc, smem, ready))], [1], [24])
""", BLOCKS + "kernel[(1, )](out_desc)"),
    # ---------------------------------------------------------------- of their kind
    "a_group_too_many_in_flight": ("run-race", """
@gluon.jit
def kernel(x, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [2, 128], PLAIN)
    i = gl.arange(0, 128, L)
    async_copy.async_load(smem.index(0), x + i)  # first
    async_copy.commit_group()
    for k in range(n):
        async_copy.async_load(smem.index((k + 1) % 2), x + (k + 1) * 128 + i)
        async_copy.commit_group()
        async_copy.wait_group(2)
        gl.store(out + k * 128 + i, smem.index(k % 2).load(L))  # here
""", FLAT + "kernel[(1, )](x, out, 6)"),
    "released_before_it_is_read": ("run-race", """
@gluon.jit
def produce(desc, smem, full, empty, n):
    for k in range(n):
        mbarrier.wait(empty, (k & 1) ^ 1)
        mbarrier.expect(full, desc.block_type.nbytes)
        tma.async_load(desc, [k * 64, 0], full, smem)  # here first


@gluon.jit
def consume(out, smem, full, empty, n):
    for k in range(n):
        mbarrier.wait(full, k & 1)
        mbarrier.arrive(empty, count=1)
        put(out, smem.load(T))  # here first


@gluon.jit
def kernel(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    full = barrier(1)
    empty = barrier(1)
    gl.warp_specialize([(consume, (out, smem, full, empty, n)), (produce, (desc, smem, full, empty, n))], [1], [24])
""", BLOCKS + "kernel[(1, )](desc, out, 4)"),
    "two_programs_one_place": ("run-program-race", """
@gluon.jit
def kernel(x, out):
    pid = gl.program_id(0)
    i = gl.arange(0, 128, L)
    gl.store(out + i, gl.load(x + pid * 128 + i))  # here
""", FLAT + "kernel[(4, )](x, out)"),
    "neighbours_in_place": ("run-program-race", """
@gluon.jit
def kernel(x):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    value = gl.load(x + i) + gl.load(x + i + 1, mask=i < 1023, other=0)  # here first
    gl.store(x + i, value)  # here first
""", FLAT + "kernel[(8, )](x)"),
    "elements_of_a_store_meet": ("run-overlapping-store", """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 128, L)
    gl.store(out + i % 64, gl.load(x + i))  # here
""", FLAT + "kernel[(1, )](x, out)"),
    "read_back_before_the_store_is_done": ("run-race", """
@gluon.jit
def kernel(out_desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], out_desc.layout)
    smem.store(gl.full([64, 32], 1.0, gl.float32, T))
    fence_async_shared()
    tma.async_store(out_desc, [0, 0], smem)  # first
    rows = gl.arange(0, 64, gl.SliceLayout(1, T))
    columns = gl.arange(0, 32, gl.SliceLayout(0, T))
    value = gl.load(out + rows[:, None] * 32 + columns[None, :])  # here
    tma.store_wait(pendings=0)
    put(out, value + 1.0)
""", BLOCKS + "kernel[(1, )](out_desc, out)"),
    "an_assumption_that_is_false": ("run-false-promise", """
@gluon.jit
def kernel(x, out, n):
    gl.assume(n > 2000)  # here
    i = gl.arange(0, 128, L)
    gl.store(out + i, gl.load(x + i, mask=i < n), mask=i < n)
""", FLAT + "kernel[(1, )](x, out, 1000)"),
    "bytes_of_one_of_two_loads": ("run-wrong-bytes", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [2, 64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)  # here
    tma.async_load(desc, [0, 0], bar, smem.index(0))
    tma.async_load(desc, [64, 0], bar, smem.index(1))  # first
    mbarrier.wait(bar, phase=0)
    put(out, smem.index(0).load(T) + smem.index(1).load(T))
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "bytes_that_never_come": ("run-wrong-bytes", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, 2 * desc.block_type.nbytes)  # here
    tma.async_load(desc, [0, 0], bar, smem)  # first
    mbarrier.wait(bar, phase=0)  # first
    put(out, smem.load(T))
""", BLOCKS + "kernel[(1, )](desc, out)"),
    "an_arrival_too_many": ("run-too-many-arrivals", """
@gluon.jit
def kernel(out):
    bar = barrier(1)
    mbarrier.arrive(bar, count=2)  # here
    mbarrier.wait(bar, phase=0)
    gl.store(out + gl.arange(0, 128, L), 1.0)
""", FLAT + "kernel[(1, )](out)"),
    "used_after_it_was_invalidated": ("run-uninitialized-barrier", """
@gluon.jit
def kernel(out):
    bar = barrier(1)
    mbarrier.arrive(bar, count=1)
    mbarrier.wait(bar, phase=0)
    mbarrier.invalidate(bar)
    mbarrier.arrive(bar, count=1)  # here
    gl.store(out + gl.arange(0, 128, L), 1.0)
""", FLAT + "kernel[(1, )](out)"),
    "a_phase_that_nobody_completes": ("run-deadlock", """
@gluon.jit
def kernel(out):
    bar = barrier(1)
    mbarrier.arrive(bar, count=1)
    mbarrier.wait(bar, phase=0)
    mbarrier.wait(bar, phase=1)  # here
    gl.store(out + gl.arange(0, 128, L), 1.0)
""", FLAT + "kernel[(1, )](out)"),
    "half_of_a_buffer_is_written": ("run-read-before-write", """
@gluon.jit
def kernel(x, out):
    smem = gl.allocate_shared_memory(gl.float32, [256], PLAIN)
    i = gl.arange(0, 128, L)
    smem.slice(0, 128).store(gl.load(x + i))
    gl.store(out + gl.arange(0, 256, L), smem.load(L))  # here
""", FLAT + "kernel[(1, )](x, out)"),
    "half_overflows": ("run-first-infinity", """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 128, L)
    scaled = (gl.load(x + i) * 0.0 + 300.0).to(gl.float16)
    squared = scaled * scaled  # here
    gl.store(out + i, squared.to(gl.float32))  # first
""", FLAT + "kernel[(1, )](x, out)"),
    "the_nan_that_is_stored": ("run-first-nan", """
@gluon.jit
def kernel(x, out, n):
    i = gl.arange(0, 128, L)
    value = gl.load(x + i, mask=i < n, other=0.0)
    unstored = value / gl.where(i < n, 1.0, 0.0)
    zero = gl.where(i == 5, 0.0, 1.0)
    stored = unstored + zero / zero  # here
    gl.store(out + i, stored, mask=i < n)  # first
""", FLAT + "kernel[(1, )](x, out, 100)"),
    "two_partitions_one_buffer": ("run-race", """
@gluon.jit
def one(smem):
    smem.store(gl.full([128], 1.0, gl.float32, L))  # here first


@gluon.jit
def two(smem):
    smem.store(gl.full([128], 2.0, gl.float32, L))  # here first


@gluon.jit
def kernel(out):
    smem = gl.allocate_shared_memory(gl.float32, [128], PLAIN)
    gl.warp_specialize([(one, (smem, )), (two, (smem, ))], [4], [24])
    gl.store(out + gl.arange(0, 128, L), smem.load(L))
""", FLAT + "kernel[(1, )](out)"),
    "partitions_meet_in_global_memory": ("run-race", """
@gluon.jit
def write(out):
    gl.store(out + gl.arange(0, 128, L), 1.0)  # here first


@gluon.jit
def read(out):
    value = gl.load(out + gl.arange(0, 128, L))  # here first
    gl.store(out + 128 + gl.arange(0, 128, L), value)


@gluon.jit
def kernel(out):
    gl.warp_specialize([(write, (out, )), (read, (out, ))], [4], [24])
""", FLAT + "kernel[(1, )](out)"),
    "loaded_over_what_is_being_stored": ("run-race", """
@gluon.jit
def kernel(desc, out_desc):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    for k in range(2):
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [k * 64, 0], bar, smem)  # here
        mbarrier.wait(bar, k & 1)
        tma.async_store(out_desc, [0, 0], smem)  # first
    tma.store_wait(pendings=0)
""", BLOCKS + "kernel[(1, )](desc, out_desc)"),
    "last_program_after_a_relaxed_atomic": ("run-program-race", """
@gluon.jit
def kernel(x, partial, count, out):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    gl.store(partial + gl.program_id(0), gl.sum(gl.load(x + i), 0))  # first
    done = gl.atomic_add(count, 1, sem="relaxed", scope="gpu")
    if done == gl.num_programs(0) - 1:
        gl.store(out, gl.sum(gl.load(partial + gl.arange(0, 8, L)), 0))  # here
""", FLAT + 'kernel[(8, )](x, torch.empty(8, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda"), out)'),
    "last_program_after_an_atomic_of_its_cta": ("run-program-race", """
@gluon.jit
def kernel(x, partial, count, out):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    gl.store(partial + gl.program_id(0), gl.sum(gl.load(x + i), 0))  # first
    done = gl.atomic_add(count, 1, sem="acq_rel", scope="cta")
    if done == gl.num_programs(0) - 1:
        gl.store(out, gl.sum(gl.load(partial + gl.arange(0, 8, L)), 0))  # here
""", FLAT + 'kernel[(8, )](x, torch.empty(8, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda"), out)'),
    "blocks_with_rows_of_8_bytes": ("run-bad-descriptor", """
@gluon.jit
def kernel(desc, out):
    smem = gl.allocate_shared_memory(gl.float32, [32, 2], desc.layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)  # here
    mbarrier.wait(bar, phase=0)
    S: gl.constexpr = gl.BlockedLayout([1, 1], [16, 2], [4, 1], [1, 0])
    rows, cols = gl.arange(0, 32, gl.SliceLayout(1, S)), gl.arange(0, 2, gl.SliceLayout(0, S))
    gl.store(out + rows[:, None] * 2 + cols[None, :], smem.load(S))
""", 'kernel[(1, )](TensorDescriptor.from_tensor(torch.empty((64, 4), device="cuda"), [32, 2], gl.NVMMASharedLayout(0, 32, 2)), torch.empty((32, 2), device="cuda"))'),
    "rows_of_100_bytes": ("run-bad-descriptor", """
@gluon.jit
def kernel(x, out, n):
    layout: gl.constexpr = gl.NVMMASharedLayout.get_default_for([64, 32], gl.float32)
    desc = tma.make_tensor_descriptor(x, [64, n], [n, 1], [64, 32], layout)
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], layout)
    bar = barrier(1)
    mbarrier.expect(bar, desc.block_type.nbytes)
    tma.async_load(desc, [0, 0], bar, smem)  # here
    mbarrier.wait(bar, phase=0)
    put(out, smem.load(T))
""", 'kernel[(1, )](torch.empty((64, 25), device="cuda"), torch.empty((64, 32), device="cuda"), 25)'),
    "offset_in_a_loop_wraps": ("run-address-overflow", """
@gluon.jit
def kernel(x, out, n):
    i = gl.arange(0, 128, L)
    for k in range(n):
        offset = k * 1500000000  # here
        gl.store(out + i, gl.load(x + i + offset, mask=i < 0))
""", FLAT + "kernel[(1, )](x, out, 3)"),
}

# Correct, although each looks like a mistake of above.
CLEAN = {
    "m55_fence_is_inserted": ("""
@gluon.jit
def kernel(out_desc):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], out_desc.layout)
    smem.store(gl.full([64, 32], 1.0, gl.float32, T))
    tma.async_store(out_desc, [0, 0], smem)
    tma.store_wait(pendings=0)
""", BLOCKS + "kernel[(1, )](out_desc)"),
    "m85_one_buffer_in_a_loop": ("""
@gluon.jit
def kernel(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [64, 32], desc.layout)
    bar = barrier(1)
    for k in range(n):
        mbarrier.expect(bar, desc.block_type.nbytes)
        tma.async_load(desc, [k * 64, 0], bar, smem)
        mbarrier.wait(bar, k & 1)
        put(out, smem.load(T))
""", BLOCKS + "kernel[(1, )](desc, out, 4)"),
    "a_ring_between_partitions": ("""
@gluon.jit
def produce(desc, smem, full, empty, n):
    for k in range(n):
        mbarrier.wait(empty.index(k % 2), (k // 2 & 1) ^ 1)
        mbarrier.expect(full.index(k % 2), desc.block_type.nbytes)
        tma.async_load(desc, [k % 4 * 64, 0], full.index(k % 2), smem.index(k % 2))


@gluon.jit
def consume(out, smem, full, empty, n):
    acc = gl.zeros([64, 32], gl.float32, T)
    for k in range(n):
        mbarrier.wait(full.index(k % 2), k // 2 & 1)
        acc += smem.index(k % 2).load(T)
        mbarrier.arrive(empty.index(k % 2), count=1)
    put(out, acc)


@gluon.jit
def kernel(desc, out, n):
    smem = gl.allocate_shared_memory(gl.float32, [2, 64, 32], desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    gl.warp_specialize([(consume, (out, smem, full, empty, n)), (produce, (desc, smem, full, empty, n))], [1], [24])
""", BLOCKS + "kernel[(1, )](desc, out, 7)"),
    "programs_that_write_the_same": ("""
@gluon.jit
def kernel(x, out, flag):
    pid = gl.program_id(0)
    i = pid * 128 + gl.arange(0, 128, L)
    gl.store(out + i, gl.load(x + i))
    gl.store(flag + gl.arange(0, 128, L), 1.0)
""", FLAT + 'kernel[(8, )](x, out, torch.empty(128, device="cuda"))'),
    "last_program_after_an_atomic": ("""
@gluon.jit
def kernel(x, partial, count, out):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    gl.store(partial + gl.program_id(0), gl.sum(gl.load(x + i), 0))
    done = gl.atomic_add(count, 1, sem="acq_rel", scope="gpu")
    if done == gl.num_programs(0) - 1:
        gl.store(out, gl.sum(gl.load(partial + gl.arange(0, 8, L)), 0))
""", FLAT + 'kernel[(8, )](x, torch.empty(8, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda"), out)'),
    "last_program_after_fences": ("""
@gluon.jit
def kernel(x, partial, count, out):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    gl.store(partial + gl.program_id(0), gl.sum(gl.load(x + i), 0))
    gl.inline_asm_elementwise("membar.gl; mov.u32 $0, 0;", "=r,r", [gl.program_id(0)], gl.int32, is_pure=False, pack=1)
    done = gl.atomic_add(count, 1, sem="relaxed", scope="gpu")
    if done == gl.num_programs(0) - 1:
        gl.inline_asm_elementwise("membar.gl; mov.u32 $0, 0;", "=r,r", [gl.program_id(0)], gl.int32, is_pure=False, pack=1)
        gl.store(out, gl.sum(gl.load(partial + gl.arange(0, 8, L)), 0))
""", FLAT + 'kernel[(8, )](x, torch.empty(8, device="cuda"), torch.zeros(1, dtype=torch.int32, device="cuda"), out)'),
    "sums_by_atomics": ("""
@gluon.jit
def kernel(x, out):
    i = gl.program_id(0) * 128 + gl.arange(0, 128, L)
    gl.atomic_add(out + i % 64, gl.load(x + i))
""", FLAT + "kernel[(8, )](x, out)"),
    "infinity_behind_a_mask": ("""
@gluon.jit
def kernel(x, out, n):
    i = gl.arange(0, 128, L)
    value = gl.load(x + i, mask=i < n, other=1.0) / gl.where(i < n, 1.0, 0.0)
    gl.store(out + i, value, mask=i < n)
""", FLAT + "kernel[(1, )](x, out, 100)"),
}

for others in (unfinished, amd_mistakes):
    MISTAKES.update(others.MISTAKES)
    CLEAN.update(others.CLEAN)


class Mistakes(unittest.TestCase):

    def run_kernel(self, source, launch, *options):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "kernels.py"
            text = HEADER + source + "\n\n" + launch + "\n"
            file.write_text(text)
            named = re.search(r"# ((?:cuda|hip):\w+)", launch)
            target = ["--target", named[1]] if named else []
            result = subprocess.run(
                [GLUOND, "run", file, "--kernel", "kernel", "--device", "cpu", "--format", "json", *target, *options], capture_output=True, timeout=300,
                cwd=folder, env={**os.environ, "GLUOND_CACHE_DIR": "off"})
            try:
                return text.split("\n"), json.loads(result.stdout), result.returncode
            except json.JSONDecodeError:
                self.fail(result.stdout.decode() + result.stderr.decode())

    def check(self, name, *options):
        code, source, launch = MISTAKES[name]
        lines, result, status = self.run_kernel(source, launch, *options)
        self.assertIn("findings", result, result)
        found = [each for each in result["findings"] if each["code"] == code]
        self.assertTrue(found, json.dumps(result["findings"], indent=1))
        finding = found[0]
        at = finding["range"]["start"]["line"]
        self.assertIn("# here", lines[at], (lines[at], finding))
        self.assertEqual(status, 0 if finding["severity"] == "information" else 1)
        related = {each["range"]["start"]["line"] for each in finding.get("related", [])}
        first = {i for i, line in enumerate(lines) if "first" in line.partition("#")[2] and i != at}
        self.assertLessEqual(first, related, [(lines[i]) for i in first - related] + [finding])
        # Nothing else is said of it.
        self.assertEqual({each["code"] for each in result["findings"]} - {code}, set(), result["findings"])
        return finding

    def test_a_schedule_is_named(self):
        finding = self.check("m54_load_never_awaited", "--schedule", "random:17")
        self.assertIn(", with schedule random:17", finding["message"])
        finding = self.check("m41_copy_without_wait", "--schedule", "explore:10")
        self.assertIn(", with schedule latest", finding["message"])

    def test_schedules_that_are_none(self):
        _, source, launch = MISTAKES["m41_copy_without_wait"]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "kernels.py"
            file.write_text(HEADER + source + "\n\n" + launch + "\n")
            for schedule in ["soon", "random:", "explore:0", "random:-1", "explore:1000000"]:
                result = subprocess.run([GLUOND, "run", file, "--kernel", "kernel", "--device", "cpu", "--schedule", schedule], capture_output=True, timeout=100)
                self.assertEqual(result.returncode, 2, schedule)
                self.assertIn("is no schedule: use latest, earliest, random:SEED or explore:N", result.stderr.decode())

    def test_trace(self):
        source, launch = CLEAN["a_ring_between_partitions"]
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder) / "trace.json"
            _, result, _ = self.run_kernel(source, launch, "--trace", trace)
            self.assertEqual(result["findings"], [])
            events = json.loads(trace.read_text())["traceEvents"]
        lanes = {event["args"]["name"]: event["tid"] for event in events if event["ph"] == "M"}
        self.assertLessEqual({"default partition", "partition 0", "TMA"}, set(lanes))
        slices = [event for event in events if event["ph"] == "X"]
        loads = [event for event in slices if event["name"] == "ttng.async_tma_copy_global_to_local" and event["args"].get("what") == "8192 bytes"]
        self.assertEqual(len(loads), 7)
        waits = [event for event in slices if event["name"] == "wait" and event["tid"] == lanes["default partition"]]
        self.assertTrue(waits)
        # Every wait ends with a link from the moment at which its phase completed.
        ends = {(event["tid"], event["ts"]) for event in events if event["ph"] == "f" and event["name"] == "phase"}
        for wait in waits:
            self.assertIn((wait["tid"], wait["ts"] + wait["dur"]), ends)


def mistake(name):
    return lambda self: self.check(name)


def clean(name):

    def test(self):
        source, launch = CLEAN[name]
        _, result, status = self.run_kernel(source, launch, "--schedule", "explore:100")
        self.assertEqual(result.get("findings"), [], result)
        self.assertEqual(status, 0)

    return test


for name in MISTAKES:
    setattr(Mistakes, f"test_{name}", mistake(name))
for name in CLEAN:
    setattr(Mistakes, f"test_clean_{name}", clean(name))

if __name__ == "__main__":
    unittest.main(verbosity=2)
