"""What people write in their first kernels."""
import math

import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import warpgroup_mma, warpgroup_mma_wait

SIZE = 128
LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0]))
PRODUCT = gl.constexpr(gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]))


# gluond: launch(x="*fp32:16", y="*fp32:16")
@gluon.jit
def layout_without_constexpr(x, y):
    layout = gl.BlockedLayout([1], [32], [4], [0])  # error: [unannotated-constant]
    places = gl.arange(0, 128, layout=layout)
    gl.store(y + places, gl.load(x + places))


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def layout_in_a_loop(x, y, n):
    for i in range(n):
        layout = gl.BlockedLayout([1], [32], [4], [0])  # error: [unannotated-constant]
        places = gl.arange(0, 128, layout=layout)
        gl.store(y + places, gl.load(x + places) + i)


# gluond: launch(x="*fp32:16", y="*fp32:16")
@gluon.jit
def plain_global(x, y):
    places = gl.arange(0, SIZE, layout=LINE)  # error: [global-not-constexpr]
    gl.store(y + places, gl.load(x + places))


# gluond: launch(x="*fp32:16", y="*fp32:16")
@gluon.jit
def functions_of_python(x, y):
    places = gl.arange(0, 128, layout=LINE)
    value = gl.load(x + places)
    gl.store(y + places, abs(value))  # error: [undefined-name]
    gl.store(y + places, value / len(value))  # error: [python-exception]
    gl.store(y + places, float(places))  # error: [python-exception]
    gl.store(y + places, math.sqrt(value))  # error: [python-exception]
    gl.store(y + places, value.astype(gl.float32))  # error: [unknown-attribute]
    gl.store(y + places, value.to("float32"))  # error: [not-a-dtype]


# gluond: launch(x="*fp32:16", y="*fp32:16")
@gluon.jit
def rows_and_columns(x, y):
    rows = gl.arange(0, 64, layout=ROWS)  # error: [layout-rank-mismatch]
    cols = gl.arange(0, 128, layout=gl.SliceLayout(0, ROWS))
    places = rows[:, None] * 128 + cols[None, :]
    gl.store(y + places, gl.load(x + places))


# gluond: launch(x="*fp32:16", y="*fp32:16")
@gluon.jit
def reduced_and_not_expanded(x, y):
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, ROWS))
    cols = gl.arange(0, 128, layout=gl.SliceLayout(0, ROWS))
    places = rows[:, None] * 128 + cols[None, :]
    value = gl.load(x + places)
    top = gl.max(value, axis=1)
    gl.store(y + places, value - top)  # error: [rank-mismatch]


# gluond: launch(y="*fp32:16", n="i32")
@gluon.jit
def accumulator_not_made(y, n):
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    a = gl.allocate_shared_memory(gl.float16, [64, 64], shared)
    sums = gl.zeros([64, 64], gl.float32, layout=PRODUCT)
    for _ in range(n):
        sums = warpgroup_mma(a, a, sums, is_async=True)  # error: [loop-carried-kind]


# gluond: launch(y="*fp32:16")
@gluon.jit
def accumulator_not_awaited(y):
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    a = gl.allocate_shared_memory(gl.float16, [64, 64], shared)
    sums = warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, layout=PRODUCT), is_async=True)
    gl.store(y + gl.zeros([64, 64], gl.int32, layout=PRODUCT), sums)  # error: [accumulator-not-waited]


# gluond: launch(y="*fp16:16")
@gluon.jit
def accumulator_not_awaited_before_its_method(y):
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    a = gl.allocate_shared_memory(gl.float16, [64, 64], shared)
    sums = warpgroup_mma(a, a, gl.zeros([64, 64], gl.float32, layout=PRODUCT), is_async=True)
    gl.store(y + gl.zeros([64, 64], gl.int32, layout=PRODUCT), sums.to(gl.float16))  # error: [accumulator-not-waited]
    warpgroup_mma_wait(num_outstanding=0, deps=sums)  # error: [bad-argument]
