"""What the lints call slow, timed on a GPU beside what their fixes make of it.

    python3 bench/lints.py [GLUOND]

Needs an NVIDIA GPU of sm_90, torch and triton 3.9.0. Each pair is the same work twice: the slow kernel, which `gluond check` of this
file names (with GLUOND, the line says by which lint, and whether the fast one is left alone), and the fast one. Times are Triton's, not gluond's.
"""
import json
import subprocess
import sys

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy as cp
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, warpgroup_mma, warpgroup_mma_wait


@gluon.jit
def copy_by_columns(src, dst, stride, ROWS: gl.constexpr, COLUMNS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [0, 1])
    rows = gl.program_id(0) * ROWS + gl.arange(0, ROWS, layout=gl.SliceLayout(1, layout))
    columns = gl.program_id(1) * COLUMNS + gl.arange(0, COLUMNS, layout=gl.SliceLayout(0, layout))
    at = rows[:, None] * stride + columns[None, :]
    gl.store(dst + at, gl.load(src + at))


@gluon.jit
def copy_by_rows(src, dst, stride, ROWS: gl.constexpr, COLUMNS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0])
    rows = gl.program_id(0) * ROWS + gl.arange(0, ROWS, layout=gl.SliceLayout(1, layout))
    columns = gl.program_id(1) * COLUMNS + gl.arange(0, COLUMNS, layout=gl.SliceLayout(0, layout))
    at = rows[:, None] * stride + columns[None, :]
    gl.store(dst + at, gl.load(src + at))


@gluon.jit
def async_copy_narrow(src, dst, SIZE: gl.constexpr, STEPS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    smem = gl.allocate_shared_memory(gl.float32, [SIZE], shared)
    for i in range(STEPS):
        at = (gl.program_id(0) * STEPS + i) * SIZE + gl.arange(0, SIZE, layout=layout)
        cp.async_load(smem, src + at)
        cp.commit_group()
        cp.wait_group(0)
        gl.store(dst + at, smem.load(layout))


@gluon.jit
def async_copy_wide(src, dst, SIZE: gl.constexpr, STEPS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    smem = gl.allocate_shared_memory(gl.float32, [SIZE], shared)
    for i in range(STEPS):
        at = (gl.program_id(0) * STEPS + i) * SIZE + gl.arange(0, SIZE, layout=layout)
        cp.async_load(smem, src + at)
        cp.commit_group()
        cp.wait_group(0)
        gl.store(dst + at, smem.load(layout))


@gluon.jit
def transpose_in_conflict(src, dst, SIZE: gl.constexpr, STEPS: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    columns: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    smem = gl.allocate_shared_memory(gl.float32, [SIZE, SIZE], gl.SwizzledSharedLayout(1, 1, 1, order=[1, 0]))
    i = gl.arange(0, SIZE, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, SIZE, layout=gl.SliceLayout(0, rows))
    at = i[:, None] * SIZE + j[None, :]
    tile = gl.convert_layout(gl.load(src + at), columns)
    total = gl.zeros([SIZE, SIZE], gl.float32, layout=rows)
    for _ in range(STEPS):
        smem.store(tile)
        total += smem.load(rows)
    gl.store(dst + at, total)


@gluon.jit
def transpose_swizzled(src, dst, SIZE: gl.constexpr, STEPS: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    columns: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
    smem = gl.allocate_shared_memory(gl.float32, [SIZE, SIZE], gl.SwizzledSharedLayout(4, 4, 8, order=[1, 0]))
    i = gl.arange(0, SIZE, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, SIZE, layout=gl.SliceLayout(0, rows))
    at = i[:, None] * SIZE + j[None, :]
    tile = gl.convert_layout(gl.load(src + at), columns)
    total = gl.zeros([SIZE, SIZE], gl.float32, layout=rows)
    for _ in range(STEPS):
        smem.store(tile)
        total += smem.load(rows)
    gl.store(dst + at, total)


@gluon.jit
def sums_across_warps(src, dst, ROWS: gl.constexpr, COLUMNS: gl.constexpr, STEPS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [1, 4], [1, 0])
    rows = gl.arange(0, ROWS, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, COLUMNS, layout=gl.SliceLayout(0, layout))
    total = gl.zeros([ROWS], gl.float32, layout=gl.SliceLayout(1, layout))
    for i in range(STEPS):
        tile = gl.load(src + i * ROWS * COLUMNS + rows[:, None] * COLUMNS + columns[None, :])
        total += gl.sum(tile, axis=1)
    gl.store(dst + gl.program_id(0) * ROWS + rows, total)


@gluon.jit
def sums_within_warps(src, dst, ROWS: gl.constexpr, COLUMNS: gl.constexpr, STEPS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    rows = gl.arange(0, ROWS, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, COLUMNS, layout=gl.SliceLayout(0, layout))
    total = gl.zeros([ROWS], gl.float32, layout=gl.SliceLayout(1, layout))
    for i in range(STEPS):
        tile = gl.load(src + i * ROWS * COLUMNS + rows[:, None] * COLUMNS + columns[None, :])
        total += gl.sum(tile, axis=1)
    gl.store(dst + gl.program_id(0) * ROWS + rows, total)


@gluon.jit
def product_in_pieces(src, dst, STEPS: gl.constexpr):
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 16, 16])
    loads: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    shared: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    i = gl.arange(0, 64, layout=gl.SliceLayout(1, loads))
    j = gl.arange(0, 64, layout=gl.SliceLayout(0, loads))
    n = gl.arange(0, 128, layout=gl.SliceLayout(0, loads))
    a = gl.allocate_shared_memory(gl.float16, [64, 64], shared, gl.load(src + i[:, None] * 64 + j[None, :]))
    b = gl.allocate_shared_memory(gl.float16, [64, 128], shared, gl.load(src + i[:, None] * 128 + n[None, :]))
    fence_async_shared()
    acc = gl.zeros([64, 128], gl.float32, layout=layout)
    for _ in range(STEPS):
        acc = warpgroup_mma(a, b, acc, is_async=True)
        acc = warpgroup_mma_wait(1, deps=[acc])
    acc = warpgroup_mma_wait(0, deps=[acc])
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, 128, layout=gl.SliceLayout(0, layout))
    gl.store(dst + gl.program_id(0) * 64 * 128 + rows[:, None] * 128 + columns[None, :], acc)


@gluon.jit
def product_in_one(src, dst, STEPS: gl.constexpr):
    layout: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 128, 16])
    loads: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    shared: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    i = gl.arange(0, 64, layout=gl.SliceLayout(1, loads))
    j = gl.arange(0, 64, layout=gl.SliceLayout(0, loads))
    n = gl.arange(0, 128, layout=gl.SliceLayout(0, loads))
    a = gl.allocate_shared_memory(gl.float16, [64, 64], shared, gl.load(src + i[:, None] * 64 + j[None, :]))
    b = gl.allocate_shared_memory(gl.float16, [64, 128], shared, gl.load(src + i[:, None] * 128 + n[None, :]))
    fence_async_shared()
    acc = gl.zeros([64, 128], gl.float32, layout=layout)
    for _ in range(STEPS):
        acc = warpgroup_mma(a, b, acc, is_async=True)
        acc = warpgroup_mma_wait(1, deps=[acc])
    acc = warpgroup_mma_wait(0, deps=[acc])
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, 128, layout=gl.SliceLayout(0, layout))
    gl.store(dst + gl.program_id(0) * 64 * 128 + rows[:, None] * 128 + columns[None, :], acc)


def pairs():
    """(slow, fast, launch): launch(kernel) launches one of them."""
    matrix, out = torch.randn((8192, 8192), device="cuda"), torch.empty((8192, 8192), device="cuda")
    yield copy_by_columns, copy_by_rows, lambda kernel: kernel[(8192 // 128, 8192 // 64)](matrix, out, matrix.stride(0), 128, 64)
    yield async_copy_narrow, async_copy_wide, lambda kernel: kernel[(8192, )](matrix, out, 1024, 8)
    yield transpose_in_conflict, transpose_swizzled, lambda kernel: kernel[(132 * 4, )](matrix, out, 32, 1000)
    yield sums_across_warps, sums_within_warps, lambda kernel: kernel[(132 * 4, )](matrix, out, 16, 512, 64)
    half = torch.randn(64 * 128, device="cuda", dtype=torch.float16)
    yield product_in_pieces, product_in_one, lambda kernel: kernel[(132, )](half, out, 2000)


def findings(program):
    """The lints' codes by kernel, as `gluond check` tells them of this file."""
    told = json.loads(subprocess.run([program, "check", __file__, "--format", "json"], capture_output=True, text=True).stdout)
    lines = open(__file__).read().splitlines()
    by_kernel = {}
    for each in told:
        line = each["range"]["start"]["line"]
        kernel = next(text[4:text.index("(")] for text in reversed(lines[:line + 1]) if text.startswith("def "))
        by_kernel.setdefault(kernel, set()).add(each["code"])
    return by_kernel


def main():
    named = findings(sys.argv[1]) if len(sys.argv) > 1 else {}
    for slow, fast, launch in pairs():
        times = [triton.testing.do_bench(lambda: launch(kernel)) for kernel in (slow, fast)]
        names = [kernel.fn.__name__ for kernel in (slow, fast)]
        codes = [", ".join(sorted(named.get(name, ()))) or "nothing" for name in names]
        print(f"{names[0]:22} {times[0]:8.4f} ms ({codes[0]})   {names[1]:20} {times[1]:8.4f} ms ({codes[1]})   {times[0] / times[1]:5.1f} times as long")


if __name__ == "__main__":
    print(torch.cuda.get_device_name(), "triton", triton.__version__)
    main()
