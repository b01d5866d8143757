"""Kernels that Triton compiles up to `ttgir` and whose chip lacks the instruction: each mistake beside the kernel that is
right."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3, cdna4, cdna5, rdna4
from triton.experimental.gluon.language.amd.cdna4 import async_copy
from triton.experimental.gluon.language.amd.cdna5 import tdm
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier

FOUR = gl.constexpr(gl.BlockedLayout([4], [64], [4], [0]))
EIGHT = gl.constexpr(gl.BlockedLayout([8], [64], [4], [0]))
TWO = gl.constexpr(gl.BlockedLayout([2], [64], [4], [0]))
ONE = gl.constexpr(gl.BlockedLayout([1], [64], [4], [0]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0]))
LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
WMMA = gl.constexpr(gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], instr_shape=[16, 16, 32]))
WMMA2 = gl.constexpr(gl.amd.AMDWMMALayout(2, True, [[0, 1], [1, 0]], instr_shape=[16, 16, 16]))


# gluond: launch(src="*fp16:16", layout=EIGHT, target="hip:gfx950")
# gluond: launch(src="*fp16:16", layout=TWO, target="hip:gfx950")
# gluond: launch(src="*fp16:16", layout=TWO, target="hip:gfx942")
@gluon.jit
def copied(src, layout: gl.constexpr):
    buffer = gl.allocate_shared_memory(gl.float16, [4096], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, gl.arange(0, 4096, layout))
    async_copy.commit_group()
    async_copy.wait_group(0)


# gluond: launch(src="*fp16:16", target="hip:gfx950")
@gluon.jit
def copied_by_eight_bytes(src):
    buffer = gl.allocate_shared_memory(gl.float16, [4096], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, gl.arange(0, 4096, FOUR))  # error: [invalid-operation]
    async_copy.commit_group()
    async_copy.wait_group(0)


# gluond: launch(src="*fp16:16", target="hip:gfx942")
@gluon.jit
def copied_by_sixteen_bytes(src):
    buffer = gl.allocate_shared_memory(gl.float16, [4096], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, gl.arange(0, 4096, EIGHT))  # error: [invalid-operation]
    async_copy.commit_group()
    async_copy.wait_group(0)


# gluond: launch(src="*fp16:16", target="hip:gfx950")
@gluon.jit
def copied_by_two_bytes(src):
    buffer = gl.allocate_shared_memory(gl.float16, [4096], FLAT)
    async_copy.global_load_to_shared(buffer, src + gl.arange(0, 4096, ONE))  # error: [invalid-operation]
    async_copy.commit_group()
    async_copy.wait_group(0)


# gluond: launch(src="*fp16:16", n="i32:16", target="hip:gfx950")
@gluon.jit
def copied_with_a_mask(src, n):
    buffer = gl.allocate_shared_memory(gl.float16, [4096], FLAT)
    places = gl.arange(0, 4096, EIGHT)
    async_copy.buffer_load_to_shared(buffer, src, places, mask=places < n)
    async_copy.commit_group()
    async_copy.wait_group(0)


# gluond: launch(src="*fp16:16", n="i32", target="hip:gfx950")
@gluon.jit
def copied_with_any_mask(src, n):
    buffer = gl.allocate_shared_memory(gl.float16, [4096], FLAT)
    places = gl.arange(0, 4096, EIGHT)
    async_copy.buffer_load_to_shared(buffer, src, places, mask=places < n)  # error: [invalid-operation]
    async_copy.commit_group()
    async_copy.wait_group(0)


# gluond: launch(src="*fp16:16", target="hip:gfx950")
@gluon.jit
def copied_across(src):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(1, 1, 1, [0, 1]))
    rows = gl.arange(0, 64, gl.SliceLayout(1, ROWS))
    cols = gl.arange(0, 64, gl.SliceLayout(0, ROWS))
    places = rows[:, None] * 64 + cols[None, :]
    async_copy.buffer_load_to_shared(buffer, src, places)  # error: [invalid-operation]
    async_copy.commit_group()
    async_copy.wait_group(0)


@gluon.jit
def product(out, layout: gl.constexpr, dtype: gl.constexpr, multiply: gl.constexpr):
    a = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(0, layout, 8))
    b = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(1, layout, 8))
    sums = multiply(a, b, gl.zeros([64, 64], dtype, layout))
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums.to(gl.float32))


# gluond: launch(out="*fp32:16", target="hip:gfx1250")
@gluon.jit
def sums_in_float32(out):
    product(out, WMMA, gl.float32, cdna5.wmma)


# gluond: launch(out="*fp32:16", target="hip:gfx1201")
@gluon.jit
def sums_in_float16(out):
    product(out, WMMA2, gl.float16, rdna4.wmma)


# gluond: launch(out="*fp32:16", target="hip:gfx1250")
@gluon.jit
def sums_in_float16_on_cdna5(out):
    a = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(0, WMMA, 8))
    b = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(1, WMMA, 8))
    sums = cdna5.wmma(a, b, gl.zeros([64, 64], gl.float16, WMMA))  # error: [invalid-operation]
    rows = gl.arange(0, 64, gl.SliceLayout(1, WMMA))
    cols = gl.arange(0, 64, gl.SliceLayout(0, WMMA))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums.to(gl.float32))


# gluond: launch(out="*fp32:16", target="hip:gfx1250")
@gluon.jit
def too_little_of_k_for_float8(out):
    a = gl.full([64, 64], 0, gl.float8e4nv, gl.DotOperandLayout(0, WMMA, 8))
    b = gl.full([64, 64], 0, gl.float8e4nv, gl.DotOperandLayout(1, WMMA, 8))
    sums = cdna5.wmma(a, b, gl.zeros([64, 64], gl.float32, WMMA))  # error: [invalid-operation]
    rows = gl.arange(0, 64, gl.SliceLayout(1, WMMA))
    cols = gl.arange(0, 64, gl.SliceLayout(0, WMMA))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums)


WMMA_OF_BYTES = gl.constexpr(gl.amd.AMDWMMALayout(3, True, [[0, 1], [1, 0]], instr_shape=[16, 16, 64]))


# gluond: launch(out="*fp32:16", target="hip:gfx1250")
@gluon.jit
def enough_of_k_for_float8(out):
    a = gl.full([64, 64], 0, gl.float8e4nv, gl.DotOperandLayout(0, WMMA_OF_BYTES, 8))
    b = gl.full([64, 64], 0, gl.float8e4nv, gl.DotOperandLayout(1, WMMA_OF_BYTES, 8))
    sums = cdna5.wmma(a, b, gl.zeros([64, 64], gl.float32, WMMA_OF_BYTES))
    rows = gl.arange(0, 64, gl.SliceLayout(1, WMMA_OF_BYTES))
    cols = gl.arange(0, 64, gl.SliceLayout(0, WMMA_OF_BYTES))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums)


def mfma(version, k):
    return gl.amd.AMDMFMALayout(version, [16, 16, k], True, [2, 2])


# gluond: launch(out="*fp32:16", layout=mfma(3, 16), target="hip:gfx942")
# gluond: launch(out="*fp32:16", layout=mfma(4, 16), target="hip:gfx950")
# gluond: launch(out="*fp32:16", layout=mfma(4, 32), target="hip:gfx950")
@gluon.jit
def shapes_of_mfma(out, layout: gl.constexpr):
    a = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(0, layout, 4))
    b = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(1, layout, 4))
    sums = cdna3.mfma(a, b, gl.zeros([64, 64], gl.float32, layout))
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums)


# gluond: launch(out="*fp32:16", layout=mfma(3, 8), target="hip:gfx942")
@gluon.jit
def shape_that_mfma_lacks(out, layout: gl.constexpr):
    a = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(0, layout, 4))
    b = gl.full([64, 64], 0, gl.float16, gl.DotOperandLayout(1, layout, 4))
    sums = cdna3.mfma(a, b, gl.zeros([64, 64], gl.float32, layout))  # error: [invalid-operation]
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums)


# gluond: launch(out="*fp32:16", target="hip:gfx1100")
@gluon.jit
def layout_of_rdna4_on_rdna3(out):
    a = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(0, WMMA2, 8))
    b = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(1, WMMA2, 8))
    sums = rdna4.wmma(a, b, gl.zeros([64, 64], gl.float32, WMMA2))  # error: [invalid-operation]
    rows = gl.arange(0, 64, gl.SliceLayout(1, WMMA2))
    cols = gl.arange(0, 64, gl.SliceLayout(0, WMMA2))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums)


# gluond: launch(out="*fp32:16", target="hip:gfx1250")
@gluon.jit
def layout_of_rdna4_on_cdna5(out):
    a = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(0, WMMA2, 8))
    b = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(1, WMMA2, 8))
    sums = rdna4.wmma(a, b, gl.zeros([64, 64], gl.float32, WMMA2))  # warning: [slow-mma]
    rows = gl.arange(0, 64, gl.SliceLayout(1, WMMA2))
    cols = gl.arange(0, 64, gl.SliceLayout(0, WMMA2))
    gl.store(out + rows[:, None] * 64 + cols[None, :], sums)


# gluond: launch(target="hip:gfx1201")
@gluon.jit
def operands_the_other_way_round():
    a = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(0, WMMA2, 8))
    b = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(1, WMMA2, 8))
    rdna4.wmma(a, b, gl.zeros([64, 64], gl.float32, WMMA2))
    rdna4.wmma(b, a, gl.zeros([64, 64], gl.float32, WMMA2))  # error: [bad-argument]


# gluond: launch(src="*fp16:16", stride="i32:16", target="hip:gfx1250")
@gluon.jit
def moved(src, stride):
    layout: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
    tile = tdm.make_tensor_descriptor(src, shape=[64, 64], strides=[stride, 1], block_shape=[64, 64], layout=layout)
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], layout)
    tdm.async_load(tile, [0, 0], buffer)
    tdm.async_wait(0)


# gluond: launch(src="*fp16:16", stride="i32:16", target="hip:gfx1250")
@gluon.jit
def moved_across(src, stride):
    layout: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
    tile = tdm.make_tensor_descriptor(src, shape=[64, 64], strides=[1, stride], block_shape=[64, 64], layout=layout)  # error: [invalid-operation]
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], layout)
    tdm.async_load(tile, [0, 0], buffer)
    tdm.async_wait(0)


# gluond: launch(target="hip:gfx942")
@gluon.jit
def barriers_of_another_vendor():
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)  # error: [unsupported-on-target]
    mbarrier.invalidate(bar)
    fence_async_shared()


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="cuda:90")
@gluon.jit
def accesses_of_another_vendor(src, dst):
    places = gl.arange(0, 512, LINE)
    values = cdna3.buffer_load(src, places)  # error: [unsupported-on-target]
    cdna3.buffer_store(values, dst, places)


# gluond: launch(out="*i32:16", target="hip:gfx950")
@gluon.jit
def whole_sums_of_halves(out):
    mfma: gl.constexpr = gl.amd.AMDMFMALayout(4, [16, 16, 16], True, [2, 2])
    a = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(0, mfma, 4))
    b = gl.full([64, 64], 1.0, gl.float16, gl.DotOperandLayout(1, mfma, 4))
    sums = cdna4.mfma(a, b, gl.zeros([64, 64], gl.int32, mfma))  # error: [invalid-operation] "MFMA accumulates products of float16 in float32, but the accumulator is int32"
    gl.store(out, gl.sum(gl.sum(sums, 1), 0))


# gluond: launch(p="*fp32:16", q="*fp16:16", r="*i32:16", target="hip:gfx1100")
@gluon.jit
def bits_of_floats(p, q, r):
    i = gl.arange(0, 512, LINE)
    gl.atomic_and(p + i, gl.load(p + i))  # error: [invalid-operation] "there is no atomic 'and' of float32 values on AMD GPUs"
    gl.atomic_or(p, gl.load(p))  # error: [invalid-operation]
    gl.atomic_xchg(p + i, gl.load(p + i))
    gl.atomic_and(r + i, i)


# gluond: launch(x="*fp8e5:16", y="*fp8e4nv:16", out="*fp32:16", target="cuda:90")
@gluon.jit
def arithmetic_of_float8(x, y, out):
    i = gl.arange(0, 512, LINE)
    a = gl.load(x + i)
    b = gl.load(y + i)
    c = a + a  # error: [invalid-operation]
    d = b * 2.0  # error: [invalid-operation]
    e = -a  # error: [invalid-operation]
    f = b.to(gl.float8e5)  # error: [invalid-operation]
    g = gl.sum(a, axis=0)  # error: [invalid-operation]
    top = gl.maximum(a, a).to(gl.float32) + gl.where(b > b, b, b).to(gl.float32) + (a / a).to(gl.float32)
    wide = a.to(gl.float32) * b.to(gl.float32)
    gl.store(out + i, c.to(gl.float32) + d.to(gl.float32) + e.to(gl.float32) + f.to(gl.float32) + g + top + wide)


@gluon.jit
def plus(a, b):
    return a + b  # error: [invalid-operation]


# gluond: launch(x="*fp8e5:16", target="hip:gfx950")
@gluon.jit
def scanned_float8(x):
    i = gl.arange(0, 1024, FOUR)
    gl.store(x + i, gl.associative_scan(gl.load(x + i), 0, plus))


# gluond: launch(x="*fp16:16", target="hip:gfx942")
@gluon.jit
def buffer_pointers(x):
    i = gl.arange(0, 1024, FOUR)
    value = cdna3.buffer_load(x, i)
    cdna3.buffer_store(value, x + i, i)  # error: [not-a-pointer] "a buffer operation takes the offsets separately: it needs a pointer"
    cdna3.buffer_store(x, value, i)  # error: [not-a-pointer] "a buffer operation needs a pointer, but this is float16[1024]"


# gluond: launch(p="*i32:16", target="hip:gfx942")
# gluond: launch(p="*i32:16", target="hip:gfx950")
@gluon.jit
def buffer_atomics_by_scope(p):
    i = gl.arange(0, 2048, EIGHT)
    cdna3.buffer_atomic_max(p, i, gl.load(p + i), scope="gpu")
    cdna3.buffer_atomic_xchg(p, i, gl.load(p + i), scope="sys", sem="release")  # error: [invalid-operation]
    gl.atomic_xchg(p + i, gl.load(p + i), scope="sys")


# gluond: launch(p="*i8:16", element=gl.float16, target="hip:gfx942")
@gluon.jit
def layout_of_scales_by_dtype(p, element: gl.constexpr):
    x = gl.load(p + gl.arange(0, 64, gl.SliceLayout(1, ROWS))[:, None] * 64 + gl.arange(0, 64, gl.SliceLayout(0, ROWS))[None, :])
    mine: gl.constexpr = cdna3.get_scaled_upcast_fp4_scale_layout(x, 32, gl.float16, 1)
    other: gl.constexpr = cdna3.get_scaled_upcast_fp4_scale_layout(x, 32, element, 1)  # error: [bad-argument]


SWIZZLED = gl.constexpr(gl.SwizzledSharedLayout(4, 2, 8, [1, 0]))
COLUMNS_FIRST = gl.constexpr(gl.SwizzledSharedLayout(4, 2, 8, [0, 1]))
PADDED_ROWS = gl.constexpr(gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0]))
PADDED_WARPS = gl.constexpr(gl.PaddedSharedLayout.with_identity_for([[256, 8]], [64, 64], [1, 0]))


@gluon.jit
def copied_square(src, layout: gl.constexpr, shared: gl.constexpr):
    buffer = gl.allocate_shared_memory(gl.float32, [64, 64], shared)
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    async_copy.global_load_to_shared(buffer, src + rows[:, None] * 64 + cols[None, :])  # error: [invalid-operation] columns_first,padded_rows,without_copies
    async_copy.commit_group()
    async_copy.wait_group(0)


# gluond: launch(src="*fp32:16", layout=gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0]), shared=SWIZZLED, target="hip:gfx950")
# gluond: launch(src="*fp32:16", layout=gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0]), shared=PADDED_WARPS, target="hip:gfx950")
# gluond: launch(src="*fp32:16", layout=gl.BlockedLayout([1, 1], [1, 64], [4, 1], [1, 0]), shared=PADDED_ROWS, target="hip:gfx942")
# gluond: launch(src="*fp32:16", layout=gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0]), shared=PADDED_ROWS, target="hip:gfx1250")
@gluon.jit
def fitting(src, layout: gl.constexpr, shared: gl.constexpr):
    copied_square(src, layout, shared)


# gluond: launch(src="*fp32:16", target="hip:gfx950")
@gluon.jit
def columns_first(src):
    copied_square(src, gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0]), COLUMNS_FIRST)


# gluond: launch(src="*fp32:16", target="hip:gfx950")
@gluon.jit
def padded_rows(src):
    copied_square(src, gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0]), PADDED_ROWS)


# gluond: launch(src="*fp32:16", target="hip:gfx1201")
@gluon.jit
def without_copies(src):
    copied_square(src, gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0]), SWIZZLED)


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def copied_back(src, dst):
    buffer = gl.allocate_shared_memory(gl.float32, [1024], FLAT, gl.load(src + gl.arange(0, 1024, FOUR)))
    cdna5.async_copy.shared_to_global(dst + gl.arange(0, 1024, FOUR), buffer)  # error: [invalid-operation]
    cdna5.async_copy.commit_group()
    cdna5.async_copy.wait_group(0)


@gluon.jit
def scaled_product(dst, layout: gl.constexpr):
    a = gl.full([64, 256], 0, gl.float8e4nv, gl.DotOperandLayout(0, layout, 16))
    b = gl.full([256, 64], 0, gl.float8e4nv, gl.DotOperandLayout(1, layout, 16))
    sums = cdna4.mfma_scaled(a, None, "e4m3", b, None, "e4m3", gl.zeros([64, 64], gl.float32, layout))  # error: [invalid-operation] of_version_3,of_short_k
    gl.store(dst + gl.arange(0, 64, gl.SliceLayout(1, layout))[:, None] * 64 + gl.arange(0, 64, gl.SliceLayout(0, layout))[None, :], sums)


# gluond: launch(dst="*fp32:16", layout=gl.amd.AMDMFMALayout(4, [16, 16, 128], True, [2, 2]), target="hip:gfx950")
# gluond: launch(dst="*fp32:16", layout=gl.amd.AMDMFMALayout(4, [32, 32, 64], True, [2, 2]), target="hip:gfx950")
@gluon.jit
def scaled_products(dst, layout: gl.constexpr):
    scaled_product(dst, layout)


# gluond: launch(dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def of_version_3(dst):
    scaled_product(dst, gl.amd.AMDMFMALayout(3, [16, 16, 128], True, [2, 2]))


# gluond: launch(dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def of_short_k(dst):
    scaled_product(dst, gl.amd.AMDMFMALayout(4, [16, 16, 32], True, [2, 2]))


# gluond: launch(src="*fp32:16", element=gl.float16, target="hip:gfx1250")
@gluon.jit
def padded_block(src, element: gl.constexpr):
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[512, 8]], [1, 512], [1, 0])
    half = src.to(gl.pointer_type(element), bitcast=True)
    short = tdm.make_tensor_descriptor(half, [1, 512], [512, 1], [1, 512], padded)
    long = tdm.make_tensor_descriptor(src, [1, 512], [512, 1], [1, 512], padded)  # error: [invalid-operation]
    tdm.async_load(short, [0, 0], gl.allocate_shared_memory(element, [1, 512], padded))
    tdm.async_load(long, [0, 0], gl.allocate_shared_memory(gl.float32, [1, 512], padded))
    tdm.async_wait(0)


# gluond: launch(src="*i1:16", dst="*i1:16", target="hip:gfx950")
@gluon.jit
def buffers_of_bits(src, dst):
    i = gl.arange(0, 1024, FOUR)
    x = cdna3.buffer_load(src, i)  # error: [invalid-operation]
    cdna3.buffer_store(x, dst, i)  # error: [invalid-operation]


# gluond: launch(src="*i1:16", dst="*i1:16", target="hip:gfx950")
@gluon.jit
def bits_by_pointers(src, dst):
    i = gl.arange(0, 1024, FOUR)
    gl.store(dst + i, gl.load(src + i))


@gluon.jit
def whole_product(out, element: gl.constexpr, sums: gl.constexpr, layout: gl.constexpr):
    a = gl.full([64, 64], 1, element, gl.DotOperandLayout(0, layout, 4))
    b = gl.full([64, 64], 1, element, gl.DotOperandLayout(1, layout, 4))
    made = cdna3.mfma(a, b, gl.zeros([64, 64], sums, layout))  # error: [invalid-operation] floats_of_eight_bits,long_products_of_integers,doubles_of_cdna_1,doubles_in_floats
    gl.store(out, gl.sum(gl.sum(made, 1), 0))


# gluond: launch(out="*fp32:16", target="hip:gfx90a")
@gluon.jit
def floats_of_eight_bits(out):
    whole_product(out, gl.float8e4b8, gl.float32, gl.amd.AMDMFMALayout(2, [16, 16, 32], True, [2, 2]))


# gluond: launch(out="*i32:16", target="hip:gfx90a")
@gluon.jit
def long_products_of_integers(out):
    whole_product(out, gl.int8, gl.int32, gl.amd.AMDMFMALayout(2, [16, 16, 32], True, [2, 2]))


# gluond: launch(out="*i32:16", target="hip:gfx90a")
# gluond: launch(out="*i32:16", target="hip:gfx908")
@gluon.jit
def products_of_integers(out):
    whole_product(out, gl.int8, gl.int32, gl.amd.AMDMFMALayout(1, [16, 16, 16], True, [2, 2]))


# gluond: launch(out="*fp64:16", target="hip:gfx908")
@gluon.jit
def doubles_of_cdna_1(out):
    whole_product(out, gl.float64, gl.float64, gl.amd.AMDMFMALayout(1, [16, 16, 4], True, [2, 2], element_bitwidth=64))


# gluond: launch(out="*fp32:16", target="hip:gfx90a")
@gluon.jit
def doubles_in_floats(out):
    whole_product(out, gl.float64, gl.float32, gl.amd.AMDMFMALayout(2, [16, 16, 4], True, [2, 2]))


# ---------------------------------------------------------------- inline assembly


# gluond: launch(y="*fp32:16")
@gluon.jit
def constraints_that_fit(y):
    at = gl.arange(0, 512, LINE)
    x = gl.zeros([512], gl.float32, LINE)
    gl.store(y + at, gl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [x], dtype=gl.float32, is_pure=True, pack=1))


# gluond: launch(y="*fp16:16")
@gluon.jit
def constraints_that_fit_packed_elements(y):
    at = gl.arange(0, 512, LINE)
    x = gl.zeros([512], gl.float16, LINE)
    gl.store(y + at, gl.inline_asm_elementwise("{ mov.b32 $0, $2; mov.b32 $1, $3; }", "=r,=r,r,r", [x], dtype=gl.float16, is_pure=True, pack=4))


# gluond: launch(y="*fp32:16")
@gluon.jit
def one_input_too_many(y):
    at = gl.arange(0, 512, LINE)
    x = gl.zeros([512], gl.float32, LINE)
    gl.store(y + at, gl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r,r", [x], dtype=gl.float32, is_pure=True, pack=1))  # error: [invalid-operation]


# gluond: launch(y="*fp32:16")
@gluon.jit
def no_output(y):
    at = gl.arange(0, 512, LINE)
    x = gl.zeros([512], gl.float32, LINE)
    gl.store(y + at, gl.inline_asm_elementwise("mov.b32 $0, $1;", "r", [x], dtype=gl.float32, is_pure=True, pack=1))  # error: [invalid-operation]


# gluond: launch(y="*fp16:16")
@gluon.jit
def words_of_packed_elements(y):
    at = gl.arange(0, 512, LINE)
    x = gl.zeros([512], gl.float16, LINE)
    gl.store(y + at, gl.inline_asm_elementwise("mov.b32 $0, $2;", "=r,r", [x], dtype=gl.float16, is_pure=True, pack=4))  # error: [invalid-operation]
