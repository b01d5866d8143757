# What Triton's back ends refuse, after stage ttgir.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import hopper

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


# gluond: launch(src="*fp32:16")
@gluon.jit
def returns_its_values(src):
    return gl.load(src + gl.arange(0, 128, LINE))  # error: [invalid-operation]


# gluond: launch(src="*fp32:16")
@gluon.jit
def returns_nothing(src):
    gl.store(src + gl.arange(0, 128, LINE), 0.0)
    return


@gluon.jit
def product(a, b, out, acc_layout: gl.constexpr, dtype: gl.constexpr = gl.float32):
    shared: gl.constexpr = gl.NVMMASharedLayout(128, 16, 2)
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 64, gl.SliceLayout(1, tile))
    columns = gl.arange(0, 64, gl.SliceLayout(0, tile))
    at = rows[:, None] * 64 + columns[None, :]
    left = gl.allocate_shared_memory(a.dtype.element_ty, [64, 64], shared, gl.load(a + at))
    right = gl.allocate_shared_memory(b.dtype.element_ty, [64, 64], shared, gl.load(b + at))
    hopper.fence_async_shared()
    acc = gl.zeros([64, 64], dtype, acc_layout)
    acc = hopper.warpgroup_mma(left, right, acc)  # error: [invalid-operation] mixed,long,in_bfloat16
    gl.store(out + at, gl.convert_layout(acc, tile).to(gl.float32))


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16")
@gluon.jit
def fits(a, b, out):
    product(a, b, out, gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]))


# gluond: launch(a="*fp16:16", b="*bf16:16", out="*fp32:16")
@gluon.jit
def mixed(a, b, out):
    product(a, b, out, gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]))


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16")
@gluon.jit
def long(a, b, out):
    product(a, b, out, gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 32]))


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16")
@gluon.jit
def in_bfloat16(a, b, out):
    product(a, b, out, gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]), gl.bfloat16)


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16")
@gluon.jit
def in_float16(a, b, out):
    product(a, b, out, gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]), gl.float16)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def scan_of_rows(src, dst):
    tile: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    rows: gl.constexpr = gl.SliceLayout(1, tile)
    index = gl.arange(0, 64, rows)
    gl.store(dst + index, gl.associative_scan(gl.load(src + index), 0, add))  # error: [invalid-operation]
    line: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    blocked = gl.convert_layout(gl.load(src + index), line)
    gl.store(dst + gl.arange(0, 64, line), gl.associative_scan(blocked, 0, add))


@gluon.jit
def add(a, b):
    return a + b


# gluond: launch(p="*i8:16", indices="*i32:16")
# gluond: launch(p="*fp8e5:16", indices="*i32:16")
@gluon.jit
def atomics_on_shared_bytes(p, indices):
    line: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 128, line)
    values = gl.load(p + i)
    buffer = gl.allocate_shared_memory(values.dtype, [128], gl.SwizzledSharedLayout(1, 1, 1, [0]), values)
    buffer.atomic_scatter_add(values, gl.load(indices + i), 0)  # error: [invalid-operation]


# gluond: launch(p="*i16:16", indices="*i32:16")
@gluon.jit
def atomics_on_shared_halves(p, indices):
    line: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 128, line)
    values = gl.load(p + i)
    buffer = gl.allocate_shared_memory(values.dtype, [128], gl.SwizzledSharedLayout(1, 1, 1, [0]), values)
    buffer.atomic_scatter_add(values, gl.load(indices + i), 0)
