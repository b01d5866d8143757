"""AMD: buffer accesses and asynchronous copies; each mistake beside the kernel that is right."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd.cdna4 import async_copy

LINE = gl.constexpr(gl.BlockedLayout([4], [64], [4], [0]))
BYTES_16 = gl.constexpr(gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0]))
COLUMNS = gl.constexpr(gl.BlockedLayout([1, 1], [64, 1], [1, 4], [0, 1]))
FLAT = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.jit
def tile_offsets(layout: gl.constexpr):
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    return rows[:, None] * 64 + cols[None, :]


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="hip:gfx942")
@gluon.jit
def buffers_by_rows(src, dst):
    offs = tile_offsets(BYTES_16)
    gl.amd.cdna3.buffer_store(gl.amd.cdna3.buffer_load(src, offs), dst, offs)


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="hip:gfx942")
@gluon.jit
def buffers_by_columns(src, dst):
    offs = tile_offsets(COLUMNS)
    x = gl.amd.cdna3.buffer_load(src, offs)  # warning: [uncoalesced]
    gl.amd.cdna3.buffer_store(x, dst, offs)  # warning: [uncoalesced]


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def copy_awaited(src, dst):
    offs = gl.arange(0, 1024, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, offs)
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.store(dst + offs, buffer.load(LINE))


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def copy_not_awaited(src, dst):
    offs = gl.arange(0, 1024, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, offs)
    async_copy.commit_group()
    gl.store(dst + offs, buffer.load(LINE))  # warning: [copy-not-awaited]
    async_copy.wait_group(0)


# gluond: launch(src="*fp32:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def copy_in_no_group(src, dst):
    offs = gl.arange(0, 1024, LINE)
    buffer = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    async_copy.buffer_load_to_shared(buffer, src, offs)
    async_copy.wait_group(0)  # the hardware counts copies: this waits for all of them
    gl.store(dst + offs, buffer.load(LINE))


# ---------------------------------------------------------------- matrix units


CDNA3 = gl.constexpr(gl.amd.AMDMFMALayout(version=3, instr_shape=[16, 16, 16], transposed=True, warps_per_cta=[2, 2]))
CDNA4 = gl.constexpr(gl.amd.AMDMFMALayout(version=4, instr_shape=[16, 16, 32], transposed=True, warps_per_cta=[2, 2]))
CDNA4_SHORT = gl.constexpr(
    gl.amd.AMDMFMALayout(version=4, instr_shape=[16, 16, 16], transposed=True, warps_per_cta=[2, 2]))


@gluon.jit
def spread(dst, x, layout: gl.constexpr):
    rows = gl.arange(0, 64, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    gl.amd.cdna3.buffer_store(x, dst, rows[:, None] * 64 + cols[None, :])


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="hip:gfx942")
@gluon.jit
def operand_from_plain_rows(src, dst):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    smem.store(gl.amd.cdna3.buffer_load(src, tile_offsets(BYTES_16)))
    a = smem.load(gl.DotOperandLayout(0, CDNA3, 8))  # warning: [bank-conflict]
    b = gl.convert_layout(gl.zeros([64, 64], gl.float16, BYTES_16), gl.DotOperandLayout(1, CDNA3, 8))
    spread(dst, gl.amd.cdna3.mfma(a, b, gl.zeros([64, 64], gl.float32, CDNA3)), CDNA3)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="hip:gfx942")
@gluon.jit
def operand_from_padded_rows(src, dst):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64],
                                     gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0]))
    smem.store(gl.amd.cdna3.buffer_load(src, tile_offsets(BYTES_16)))
    a = smem.load(gl.DotOperandLayout(0, CDNA3, 8))
    b = gl.convert_layout(gl.zeros([64, 64], gl.float16, BYTES_16), gl.DotOperandLayout(1, CDNA3, 8))
    spread(dst, gl.amd.cdna3.mfma(a, b, gl.zeros([64, 64], gl.float32, CDNA3)), CDNA3)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="hip:gfx942")
@gluon.jit
def operand_from_swizzled_rows(src, dst):
    smem = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    smem.store(gl.amd.cdna3.buffer_load(src, tile_offsets(BYTES_16)))
    a = smem.load(gl.DotOperandLayout(0, CDNA3, 8))
    b = gl.convert_layout(gl.zeros([64, 64], gl.float16, BYTES_16), gl.DotOperandLayout(1, CDNA3, 8))
    spread(dst, gl.amd.cdna3.mfma(a, b, gl.zeros([64, 64], gl.float32, CDNA3)), CDNA3)


@gluon.jit
def product(src, layout: gl.constexpr):
    x = gl.amd.cdna3.buffer_load(src, tile_offsets(BYTES_16))
    a = gl.convert_layout(x, gl.DotOperandLayout(0, layout, 8))
    b = gl.convert_layout(x, gl.DotOperandLayout(1, layout, 8))
    return gl.amd.cdna4.mfma(a, b, gl.zeros([64, 64], gl.float32, layout))  # hint: [slow-mma]


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def half_of_the_instruction(src, dst):
    spread(dst, product(src, CDNA4_SHORT), CDNA4_SHORT)


# gluond: launch(src="*fp16:16", dst="*fp32:16", target="hip:gfx950")
@gluon.jit
def whole_instruction(src, dst):
    spread(dst, product(src, CDNA4), CDNA4)


# ---------------------------------------------------------------- rings


@gluon.aggregate
class Ring:
    data: gl.shared_memory_descriptor
    depth: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, data, depth):
        self.data = data
        self.depth = gl.constexpr(depth)

    @gluon.jit
    def issue(self, src, k):
        async_copy.buffer_load_to_shared(self.data.index(k % self.depth), src, k * 1024 + gl.arange(0, 1024, LINE))
        async_copy.commit_group()


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", target="hip:gfx950")
@gluon.jit
def ring_with_one_group_too_many(src, dst, n):
    ring = Ring(gl.allocate_shared_memory(gl.float32, [2, 1024], FLAT), 2)
    ring.issue(src, 0)
    for k in range(n):
        ring.issue(src, k + 1)
        async_copy.wait_group(2)
        x = ring.data.index(k % 2).load(LINE)  # warning: [copy-not-awaited]
        gl.store(dst + k * 1024 + gl.arange(0, 1024, LINE), x)
    async_copy.wait_group(0)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", target="hip:gfx950")
@gluon.jit
def ring_with_its_groups(src, dst, n):
    ring = Ring(gl.allocate_shared_memory(gl.float32, [2, 1024], FLAT), 2)
    ring.issue(src, 0)
    for k in range(n):
        ring.issue(src, k + 1)
        async_copy.wait_group(1)
        x = ring.data.index(k % 2).load(LINE)
        gl.store(dst + k * 1024 + gl.arange(0, 1024, LINE), x)
    async_copy.wait_group(0)


WMMA = gl.constexpr(gl.amd.AMDWMMALayout(3, True, [[1, 0], [2, 0]], [], [16, 16, 32]))
SCALED = gl.constexpr(gl.amd.AMDMFMALayout(version=4, instr_shape=[16, 16, 128], transposed=True, warps_per_cta=[4, 1]))


@gluon.jit
def square_of(tile, acc, layout: gl.constexpr):
    a = tile.load(gl.DotOperandLayout(0, layout, 8))
    return gl.amd.cdna5.wmma(a, tile.permute((1, 0)).load(gl.DotOperandLayout(1, layout, 8)), acc)


# gluond: launch(src="*fp16:16", dst="*fp32:16", n="i32:16", target="hip:gfx1250")
@gluon.jit
def tensor_copies_awaited_at_once(src, dst, n):
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
    blocks = gl.amd.cdna5.tdm.make_tensor_descriptor(src, [64, n], [n, 1], [64, 64], padded)
    ring = gl.allocate_shared_memory(gl.float16, [2, 64, 64], padded)
    acc = gl.zeros([64, 64], gl.float32, WMMA)
    for k in range(0, n // 64):
        gl.amd.cdna5.tdm.async_load(blocks, [0, k * 64], ring.index(k % 2))
        gl.amd.cdna5.tdm.async_wait(0)  # hint: [serialized-pipeline]
        acc = square_of(ring.index(k % 2), acc, WMMA)
    spread(dst, acc, WMMA)


# gluond: launch(src="*fp16:16", dst="*fp32:16", n="i32:16", target="hip:gfx1250")
@gluon.jit
def tensor_copies_ahead(src, dst, n):
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
    blocks = gl.amd.cdna5.tdm.make_tensor_descriptor(src, [64, n], [n, 1], [64, 64], padded)
    ring = gl.allocate_shared_memory(gl.float16, [2, 64, 64], padded)
    acc = gl.zeros([64, 64], gl.float32, WMMA)
    gl.amd.cdna5.tdm.async_load(blocks, [0, 0], ring.index(0))
    for k in range(0, n // 64):
        gl.amd.cdna5.tdm.async_load(blocks, [0, (k + 1) * 64], ring.index((k + 1) % 2))
        gl.amd.cdna5.tdm.async_wait(1)
        acc = square_of(ring.index(k % 2), acc, WMMA)
    gl.amd.cdna5.tdm.async_wait(0)
    spread(dst, acc, WMMA)


# gluond: launch(src="*u8:16", dst="*fp32:16", n="i32:16", target="hip:gfx950")
@gluon.jit
def scaled_products_wait_at_once(src, dst, n):
    wide: gl.constexpr = gl.BlockedLayout([1, 16], [8, 8], [4, 1], [1, 0])
    ring = gl.allocate_shared_memory(gl.uint8, [2, 64, 128], gl.PaddedSharedLayout.with_identity_for([[1024, 16]], [64, 128], [1, 0]))
    left: gl.constexpr = gl.DotOperandLayout(0, SCALED, 16)
    right: gl.constexpr = gl.DotOperandLayout(1, SCALED, 16)
    one_a = gl.full([64, 4], 127, gl.uint8, gl.amd.cdna4.get_mfma_scale_layout(left, [64, 4]))
    one_b = gl.full([64, 4], 127, gl.uint8, gl.amd.cdna4.get_mfma_scale_layout(right, [64, 4]))
    rows = gl.arange(0, 64, gl.SliceLayout(1, wide))
    cols = gl.arange(0, 128, gl.SliceLayout(0, wide))
    acc = gl.zeros([64, 64], gl.float32, SCALED)
    for k in range(n):
        async_copy.buffer_load_to_shared(ring.index(k % 2), src, rows[:, None] * 4096 + k * 128 + cols[None, :])
        async_copy.commit_group()
        async_copy.wait_group(0)  # hint: [serialized-pipeline]
        a = ring.index(k % 2).load(left)  # warning: [bank-conflict]
        b = ring.index(k % 2).permute((1, 0)).load(right)  # warning: [bank-conflict]
        acc = gl.amd.cdna4.mfma_scaled(a, one_a, "e4m3", b, one_b, "e4m3", acc)
    spread(dst, acc, SCALED)


# ---------------------------------------------------------------- pointers and buffers


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", target="hip:gfx942")
@gluon.jit
def tensors_of_pointers_in_a_loop(src, dst, n):
    offs = gl.arange(0, 1024, LINE)
    for k in range(0, n, 1024):
        x = gl.load(src + (k + offs), mask=k + offs < n)  # hint: [pointer-access]
        gl.store(dst + (k + offs), x, mask=k + offs < n)  # hint: [pointer-access]


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", target="hip:gfx942")
@gluon.jit
def buffers_in_a_loop(src, dst, n):
    offs = gl.arange(0, 1024, LINE)
    for k in range(0, n, 1024):
        x = gl.amd.cdna3.buffer_load(src, k + offs, mask=k + offs < n)
        gl.amd.cdna3.buffer_store(x, dst, k + offs, mask=k + offs < n)


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="hip:gfx950")
@gluon.jit
def copy_of_four_bytes_each(src, dst):
    two: gl.constexpr = gl.BlockedLayout([1, 2], [2, 32], [4, 1], [1, 0])
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    async_copy.buffer_load_to_shared(buffer, src, tile_offsets(two))  # hint: [unvectorized]
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.amd.cdna3.buffer_store(buffer.load(BYTES_16), dst, tile_offsets(BYTES_16))


# gluond: launch(src="*fp16:16", dst="*fp16:16", target="hip:gfx950")
@gluon.jit
def copy_of_sixteen_bytes_each(src, dst):
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    async_copy.buffer_load_to_shared(buffer, src, tile_offsets(BYTES_16))
    async_copy.commit_group()
    async_copy.wait_group(0)
    gl.amd.cdna3.buffer_store(buffer.load(BYTES_16), dst, tile_offsets(BYTES_16))


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32", target="hip:gfx942")
@gluon.jit
def joined_neighbors(src, dst, n):
    """LLVM makes one access of neighbors, aligned or not."""
    rows = gl.arange(0, 64, gl.SliceLayout(1, BYTES_16))
    cols = gl.arange(0, 64, gl.SliceLayout(0, BYTES_16))
    x = gl.load(src + rows[:, None] * n + cols[None, :])
    gl.store(dst + rows[:, None] * n + cols[None, :], x)


# gluond: launch(src="*fp16:16", dst="*fp16:16", n="i32", target="hip:gfx942")
@gluon.jit
def masked_neighbors(src, dst, n):
    rows = gl.arange(0, 64, gl.SliceLayout(1, BYTES_16))
    cols = gl.arange(0, 64, gl.SliceLayout(0, BYTES_16))
    mask = cols[None, :] < n
    x = gl.load(src + rows[:, None] * n + cols[None, :], mask=mask)  # hint: [unvectorized]
    gl.store(dst + rows[:, None] * n + cols[None, :], x, mask=mask)  # hint: [unvectorized]
