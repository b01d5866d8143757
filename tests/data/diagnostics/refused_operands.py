# Operands that the matrix units cannot read, and 8-bit floats that no chip compares, after stage ttgir.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import hopper

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))


@gluon.jit
def product(x, K: gl.constexpr, dtype: gl.constexpr, swizzle: gl.constexpr, across: gl.constexpr, deep: gl.constexpr):
    shared: gl.constexpr = gl.NVMMASharedLayout(swizzle, dtype.primitive_bitwidth, 2)
    acc_layout: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 256 // dtype.primitive_bitwidth])
    left = gl.allocate_shared_memory(dtype, [64, K], shared, gl.zeros([64, K], dtype, TILE))
    if across:
        right = gl.allocate_shared_memory(dtype, [K, 64], shared, gl.zeros([K, 64], dtype, TILE))
    else:
        right = gl.allocate_shared_memory(dtype, [64, K], shared, gl.zeros([64, K], dtype, TILE)).permute((1, 0))
    hopper.fence_async_shared()
    acc = gl.zeros([64, 64], deep, acc_layout)
    acc = hopper.warpgroup_mma(left, right, acc)  # error: [invalid-operation] float32_across,bytes_across,unswizzled,shallow
    rows = gl.arange(0, 64, gl.SliceLayout(1, acc_layout))
    columns = gl.arange(0, 64, gl.SliceLayout(0, acc_layout))
    gl.store(x + rows[:, None] * 64 + columns[None, :], acc)


# gluond: launch(x="*fp32:16")
@gluon.jit
def float16_across(x):
    product(x, 64, gl.float16, 128, True, gl.float32)


# gluond: launch(x="*fp32:16")
@gluon.jit
def float32_along(x):
    product(x, 32, gl.float32, 128, False, gl.float32)


# gluond: launch(x="*fp32:16")
@gluon.jit
def float32_across(x):
    product(x, 32, gl.float32, 128, True, gl.float32)


# gluond: launch(x="*i32:16")
@gluon.jit
def bytes_across(x):
    product(x, 128, gl.int8, 64, True, gl.int32)


# gluond: launch(x="*fp32:16")
@gluon.jit
def unswizzled(x):
    product(x, 64, gl.float16, 0, False, gl.float32)


# gluond: launch(x="*fp32:16")
@gluon.jit
def shallow(x):
    product(x, 8, gl.float16, 0, False, gl.float32)


# gluond: launch(x="*fp8e4nv:16", y="*fp32:16")
@gluon.jit
def compared(x, y):
    at = gl.arange(0, 256, LINE)
    gl.store(y + at, gl.where(gl.load(x + at) > 0.5, 1.0, 0.0))  # error: [invalid-operation] "no comparison of float8e4nv"


# gluond: launch(x="*fp32:16")
@gluon.jit
def row_of_a_matrix(x):
    buffer = gl.allocate_shared_memory(gl.float32, [256], gl.NVMMASharedLayout(128, 32, 1))  # error: [invalid-operation] "no rows to swizzle"
    at = gl.arange(0, 256, LINE)
    buffer.store(gl.load(x + at))
    gl.store(x + at, buffer.load(LINE))
