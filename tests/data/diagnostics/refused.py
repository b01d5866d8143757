# What Triton's back ends refuse, after stage ttgir.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import hopper
from triton.experimental.gluon.language.nvidia.ampere import async_copy, mma_v2

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


@gluon.jit
def converted(src, dst, rounding: gl.constexpr):
    i = gl.arange(0, 128, LINE)
    gl.store(dst + i, gl.load(src + i).to(dst.dtype.element_ty, fp_downcast_rounding=rounding))  # error: [invalid-operation] cut


# A conversion that rounds towards zero to 8 bits: from float32 to float8e5 only, on AMD's GPUs also from float16.
# gluond: launch(src="*fp32:16", dst="*fp8e5:16")
# gluond: launch(src="*fp16:16", dst="*fp8e5:16")
# gluond: launch(src="*fp32:16", dst="*fp8e4nv:16")
# gluond: launch(src="*fp64:16", dst="*fp16:16")
@gluon.jit
def cut(src, dst):
    converted(src, dst, "rtz")


# gluond: launch(src="*fp16:16", dst="*fp8e5:16", target="hip:gfx942")
# gluond: launch(src="*fp32:16", dst="*fp8e5:16", target="hip:gfx942")
@gluon.jit
def cut_on_amd(src, dst):
    i = gl.arange(0, 256, gl.BlockedLayout([1], [64], [4], [0]))
    gl.store(dst + i, gl.load(src + i).to(gl.float8e5, fp_downcast_rounding="rtz"))


# gluond: launch(src="*fp64:16", dst="*fp8e5:16")
# gluond: launch(src="*fp8e5:16", dst="*fp64:16")
@gluon.jit
def doubles(src, dst):
    i = gl.arange(0, 128, LINE)
    gl.store(dst + i, gl.load(src + i).to(dst.dtype.element_ty))  # error: [invalid-operation]


# gluond: launch(src="*fp8e5:16", dst="*fp8e5:16")
@gluon.jit
def clamped_bytes(src, dst):
    i = gl.arange(0, 128, LINE)
    x = gl.load(src + i)
    gl.store(dst + i, gl.clamp(x, x, x))  # error: [invalid-operation]


# gluond: launch(src="*i8:16", dst="*i32:16")
# gluond: launch(src="*i64:16", dst="*i32:16")
@gluon.jit
def counts_of_bytes(src, dst):
    i = gl.arange(0, 128, LINE)
    gl.store(dst + i, gl.histogram(gl.load(src + i), 128, layout=LINE))  # error: [invalid-operation]


# gluond: launch(src="*u32:16", dst="*i32:16")
@gluon.jit
def counts(src, dst):
    i = gl.arange(0, 128, LINE)
    gl.store(dst + i, gl.histogram(gl.load(src + i), 128, layout=LINE))


@gluon.jit
def product_of_threads(a, b, out, layout: gl.constexpr):
    left: gl.constexpr = gl.DotOperandLayout(0, layout, 0)
    right: gl.constexpr = gl.DotOperandLayout(1, layout, 0)
    i = gl.arange(0, 16, gl.SliceLayout(1, left))[:, None] * 16 + gl.arange(0, 16, gl.SliceLayout(0, left))[None, :]
    j = gl.arange(0, 16, gl.SliceLayout(1, right))[:, None] * 16 + gl.arange(0, 16, gl.SliceLayout(0, right))[None, :]
    acc = gl.dot_fma(gl.load(a + i), gl.load(b + j), gl.zeros([16, 16], out.dtype.element_ty, layout))  # gluond: ignore[unvectorized]  # error: [invalid-operation] widened
    k = gl.arange(0, 16, gl.SliceLayout(1, layout))[:, None] * 16 + gl.arange(0, 16, gl.SliceLayout(0, layout))[None, :]
    gl.store(out + k, acc)  # gluond: ignore[unvectorized]


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16")
# gluond: launch(a="*bf16:16", b="*bf16:16", out="*fp32:16")
@gluon.jit
def widened(a, b, out):
    product_of_threads(a, b, out, gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 0]))


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp16:16")
# gluond: launch(a="*fp64:16", b="*fp64:16", out="*fp64:16")
@gluon.jit
def not_widened(a, b, out):
    product_of_threads(a, b, out, gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 0]))


# AMD's threads widen.
# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16", target="hip:gfx942")
# gluond: launch(a="*i8:16", b="*i8:16", out="*i32:16", target="hip:gfx942")
@gluon.jit
def widened_on_amd(a, b, out):
    product_of_threads(a, b, out, gl.BlockedLayout([1, 1], [4, 16], [4, 1], [1, 0]))


@gluon.jit
def product_by_mma(a, b, out, k_width: gl.constexpr):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    left: gl.constexpr = gl.DotOperandLayout(0, mma, k_width)
    right: gl.constexpr = gl.DotOperandLayout(1, mma, k_width)
    i = gl.arange(0, 64, gl.SliceLayout(1, left))[:, None] * 32 + gl.arange(0, 32, gl.SliceLayout(0, left))[None, :]
    j = gl.arange(0, 32, gl.SliceLayout(1, right))[:, None] * 16 + gl.arange(0, 16, gl.SliceLayout(0, right))[None, :]
    acc = mma_v2(gl.load(a + i), gl.load(b + j), gl.zeros([64, 16], gl.float32, mma))  # gluond: ignore[uncoalesced, unvectorized]  # error: [invalid-operation] narrow
    k = gl.arange(0, 64, gl.SliceLayout(1, mma))[:, None] * 16 + gl.arange(0, 16, gl.SliceLayout(0, mma))[None, :]
    gl.store(out + k, acc)


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16")
@gluon.jit
def narrow(a, b, out):
    product_by_mma(a, b, out, 1)


# gluond: launch(a="*fp16:16", b="*fp16:16", out="*fp32:16")
@gluon.jit
def wide_enough(a, b, out):
    product_by_mma(a, b, out, 2)


@gluon.jit
def copies_tile(src, stride, columns, SHARED: gl.constexpr):
    tile: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    i = gl.arange(0, 64, gl.SliceLayout(1, tile))
    j = gl.arange(0, 64, gl.SliceLayout(0, tile))
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], SHARED)
    async_copy.async_load(smem, src + i[:, None] * stride + j[None, :], mask=(j < columns)[None, :])  # error: [invalid-operation] odd_stride,odd_bound,separated
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(src + i[:, None] * 64 + j[None, :], smem.load(tile), mask=(j < columns)[None, :])  # warning: [unvectorized] separated


# gluond: launch(src="*fp16:16", stride="i32:16", columns="i32:16", target="cuda:80")
@gluon.jit
def whole(src, stride, columns):
    copies_tile(src, stride, columns, gl.SwizzledSharedLayout(8, 1, 8, order=[1, 0]))


# gluond: launch(src="*fp16:16", stride="i32", columns="i32:16", target="cuda:80")
@gluon.jit
def odd_stride(src, stride, columns):
    copies_tile(src, stride, columns, gl.SwizzledSharedLayout(8, 1, 8, order=[1, 0]))


# gluond: launch(src="*fp16:16", stride="i32:16", columns="i32", target="cuda:80")
@gluon.jit
def odd_bound(src, stride, columns):
    copies_tile(src, stride, columns, gl.SwizzledSharedLayout(8, 1, 8, order=[1, 0]))


# gluond: launch(src="*fp16:16", stride="i32:16", columns="i32:16", target="cuda:80")
@gluon.jit
def separated(src, stride, columns):
    copies_tile(src, stride, columns, gl.SwizzledSharedLayout(1, 1, 8, order=[1, 0]))


# gluond: launch(src="*fp16:16", stride="i32:16", columns="i32:16", target="cuda:80")
@gluon.jit
def in_pieces_of_four(src, stride, columns):
    copies_tile(src, stride, columns, gl.SwizzledSharedLayout(2, 1, 8, order=[1, 0]))


# Of any stride, which may be a multiple of 16.
@gluon.jit
def not_launched(src, stride, columns):
    copies_tile(src, stride, columns, gl.SwizzledSharedLayout(8, 1, 8, order=[1, 0]))
