"""Mistakes in kernels for AMD: the tables MISTAKES and CLEAN of test_mistakes.py. Each mistake stands in one place of a kernel that is right without it: the text
between `<<` and `>>` is `wrong || right`."""
import re

GFX9 = """
from triton.experimental.gluon.language.amd import cdna3, cdna4
from triton.experimental.gluon.language.amd.cdna4 import async_copy as copies

W: gl.constexpr = gl.constexpr(gl.BlockedLayout([4], [64], [4], [0]))
FLAT: gl.constexpr = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))

"""
GFX1250 = """
from triton.experimental.gluon.language.amd import cdna5
from triton.experimental.gluon.language.amd.cdna5 import async_copy as copies, mbarrier as lds_barrier, tdm

W: gl.constexpr = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
ONE: gl.constexpr = gl.constexpr(gl.BlockedLayout([4], [32], [1], [0]))
B: gl.constexpr = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))
FLAT: gl.constexpr = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
ROWS: gl.constexpr = gl.constexpr(gl.PaddedSharedLayout.with_identity_for([[64, 4]], [32, 64], [1, 0]))


@gluon.jit
def rows_of(p, m):
    return tdm.make_tensor_descriptor(p, shape=[m, 64], strides=[64, 1], block_shape=[32, 64], layout=ROWS)


@gluon.jit
def block(out, value):
    rows = gl.arange(0, 32, gl.SliceLayout(1, B))
    columns = gl.arange(0, 64, gl.SliceLayout(0, B))
    gl.store(out + rows[:, None] * 64 + columns[None, :], value)


@gluon.jit
def lds_barriers(n: gl.constexpr, count: gl.constexpr):
    bars = gl.allocate_shared_memory(gl.int64, [n, 1], lds_barrier.MBarrierLayout())
    for i in gl.static_range(n):
        lds_barrier.init(bars.index(i), count=count)
    return bars
"""
FLAT_TENSORS = """
x, out = torch.empty(8192, device="cuda"), torch.empty(8192, device="cuda")
"""
ROW_TENSORS = """
x, out = torch.empty((128, 64), device="cuda", dtype=torch.float16), torch.empty((128, 64), device="cuda", dtype=torch.float16)
"""
GFX942, GFX950, CDNA5 = ("hip:gfx942", GFX9), ("hip:gfx950", GFX9), ("hip:gfx1250", GFX1250)
ONCE = FLAT_TENSORS + "kernel[(1, )](x, out)"
LOOP = FLAT_TENSORS + "kernel[(1, )](x, out, 5)"
ISSUE = """
@gluon.jit
def issue(smem, x, k):
    copies.buffer_load_to_shared(smem.index(k % 3), x, k * 1024 + gl.arange(0, 1024, W))  # first
    copies.commit_group()

"""
ROWS_ONCE = ROW_TENSORS + "kernel[(1, )](x, out)"
ROWS_LOOP = ROW_TENSORS + "kernel[(1, )](x, out, 4)"

# name: (code, target, source, launch)
PAIRS = {
    "copy_is_not_waited_for": ("run-race", GFX950, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    smem = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    copies.buffer_load_to_shared(smem, x, i)  # first
    copies.commit_group()
    <<pass||copies.wait_group(0)>>
    gl.store(out + i, smem.load(W))  # here
""", ONCE),
    "copy_by_pointers_is_not_waited_for": ("run-race", GFX950, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    smem = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    copies.global_load_to_shared(smem, x + i)  # first
    copies.commit_group()
    copies.wait_group(<<1||0>>)
    gl.store(out + i, copies.load_shared_relaxed(smem, W))  # here
""", ONCE),
    "wait_leaves_one_group_too_many": ("run-race", GFX950, ISSUE + """
@gluon.jit
def kernel(x, out, n):
    i = gl.arange(0, 1024, W)
    smem = gl.allocate_shared_memory(gl.float32, [3, 1024], FLAT)
    issue(smem, x, 0)
    issue(smem, x, 1)
    for k in range(n):
        copies.wait_group(<<2||1>>)
        value = smem.index(k % 3).load(W)  # here
        issue(smem, x, k + 2)
        gl.store(out + k * 1024 + i, value)
    copies.wait_group(0)
""", LOOP),
    "wait_counts_copies_instead_of_groups": ("run-race", GFX950, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    a = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    b = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    copies.buffer_load_to_shared(a, x, i)  # first
    <<pass||copies.commit_group()>>
    copies.buffer_load_to_shared(b, x, 1024 + i)
    copies.commit_group()
    copies.wait_group(1)
    value = a.load(W)  # here
    copies.wait_group(0)
    gl.store(out + i, value + b.load(W))
""", ONCE),
    "slot_is_filled_before_it_is_read": ("run-race", GFX950, ISSUE + """
@gluon.jit
def kernel(x, out, n):
    i = gl.arange(0, 1024, W)
    smem = gl.allocate_shared_memory(gl.float32, [3, 1024], FLAT)
    issue(smem, x, 0)
    issue(smem, x, 1)
    for k in range(n):
        issue(smem, x, k + <<3||2>>)
        copies.wait_group(2)
        gl.store(out + k * 1024 + i, smem.index(k % 3).load(W))  # here
    copies.wait_group(0)
""", LOOP),
    "overwritten_by_a_store_under_a_copy": ("run-race", GFX950, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    smem = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    copies.buffer_load_to_shared(smem, x, i)  # first
    copies.commit_group()
    <<pass||copies.wait_group(0)>>
    smem.store(gl.full([1024], 1.0, gl.float32, W))  # here
    copies.wait_group(0)
    gl.store(out + i, smem.load(W))
""", ONCE),
    "copy_out_of_bounds": ("run-out-of-bounds", GFX950, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    smem = gl.allocate_shared_memory(gl.float32, [1024], FLAT)
    copies.buffer_load_to_shared(smem, x, <<7680||7168>> + i)  # here
    copies.wait_group(0)
    gl.store(out + i, smem.load(W))
""", ONCE),
    "tail_of_a_buffer_load": ("run-out-of-bounds", GFX942, """
@gluon.jit
def kernel(x, out, n):
    i = gl.program_id(0) * 1024 + gl.arange(0, 1024, W)
    value = cdna3.buffer_load(x, i, mask=i < <<n + 24||n>>)  # here
    cdna3.buffer_store(value, out, i, mask=i < n)
""", 'kernel[(8, )](torch.empty(8000, device="cuda"), torch.empty(8000, device="cuda"), 8000)'),
    "tail_of_a_buffer_store": ("run-out-of-bounds", GFX942, """
@gluon.jit
def kernel(x, out, n):
    i = gl.program_id(0) * 1024 + gl.arange(0, 1024, W)
    value = cdna3.buffer_load(x, i, mask=i < n)
    cdna3.buffer_store(value, out, i<<||, mask=i < n>>)  # here
""", 'kernel[(8, )](torch.empty(8000, device="cuda"), torch.empty(8000, device="cuda"), 8000)'),
    "offset_below_the_tensor": ("run-out-of-bounds", GFX942, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    left = cdna3.buffer_load(x, i - 1<<||, mask=i > 0>>)  # here
    cdna3.buffer_store(left, out, i)
""", ONCE),
    "row_offset_overflows": ("run-address-overflow", GFX942, """
@gluon.jit
def kernel(x, out, stride):
    i = gl.arange(0, 1024, W)
    row = gl.program_id(0) * stride<<||.to(gl.int64)>>  # here
    value = gl.load(x + row + i, mask=(row >= 0) & (row < 4096))
    cdna3.buffer_store(value, out, gl.program_id(0) * 1024 + i)
""", FLAT_TENSORS + "kernel[(3, )](x, out, 1 << 30)"),
    "offsets_meet_in_a_store": ("run-overlapping-store", GFX942, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    cdna3.buffer_store(cdna3.buffer_load(x, i), out, i // <<2||1>>)  # here
""", ONCE),
    "programs_meet_in_a_store": ("run-program-race", GFX942, """
@gluon.jit
def kernel(x, out):
    i = gl.program_id(0) * 1024 + gl.arange(0, 1024, W)
    cdna3.buffer_store(cdna3.buffer_load(x, i), out, i - gl.program_id(0) * <<512||0>>)  # here
""", FLAT_TENSORS + "kernel[(4, )](x, out)"),
    "sum_is_read_while_others_add": ("run-program-race", GFX942, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    pid = gl.program_id(0)
    if pid > 0:
        cdna3.buffer_atomic_add(out, i, cdna3.buffer_load(x, pid * 1024 + i))  # here first
    else:
        total = cdna3.buffer_load(out, <<i||2048 + i>>)  # here first
        cdna3.buffer_store(total, out, 4096 + i)
""", FLAT_TENSORS + "kernel[(3, )](x, out)"),
    "half_of_the_lds_is_written": ("run-read-before-write", GFX942, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 1024, W)
    smem = gl.allocate_shared_memory(gl.float32, [2, 1024], FLAT)
    smem.index(0).store(cdna3.buffer_load(x, i))
    cdna3.buffer_store(smem.index(<<1||0>>).load(W), out, i)  # here
""", ONCE),
    "row_without_any_number": ("run-first-nan", GFX942, """
@gluon.jit
def kernel(x, out, n):
    i = gl.arange(0, 1024, W)
    value = cdna3.buffer_load(x, i, mask=i < n, other=float("-inf"))
    value = value - gl.max(value, 0)  # here
    value = gl.exp(value)
    cdna3.buffer_store(value / gl.sum(value, 0), out, i)  # first
""", FLAT_TENSORS + "kernel[(1, )](x, out, <<0||1000>>)"),
    "product_leaves_half_precision": ("run-first-infinity", GFX942, """
@gluon.jit
def kernel(x, out):
    M: gl.constexpr = gl.amd.AMDMFMALayout(version=3, instr_shape=[16, 16, 16], transposed=True, warps_per_cta=[4, 1])
    a = gl.full([64, 32], <<200.0||20.0>>, gl.float16, gl.DotOperandLayout(0, M, 4))
    b = gl.full([32, 64], 20.0, gl.float16, gl.DotOperandLayout(1, M, 4))
    acc = cdna3.mfma(a, b, gl.zeros([64, 64], gl.float32, M))
    rows = gl.arange(0, 64, gl.SliceLayout(1, M))
    columns = gl.arange(0, 64, gl.SliceLayout(0, M))
    short = acc.to(gl.float16)  # here
    cdna3.buffer_store(short.to(gl.float32), out, rows[:, None] * 64 + columns[None, :])  # first
""", ONCE),
    "tdm_load_is_not_waited_for": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    tdm.async_load(desc, [0, 0], smem)  # first
    <<pass||tdm.async_wait(0)>>
    block(out, smem.load(B))  # here
""", ROWS_ONCE),
    "copies_wait_is_none_for_tdm": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    tdm.async_load(desc, [0, 0], smem)  # first
    <<copies.wait_group(0)||tdm.async_wait(0)>>
    block(out, smem.load(B))  # here
""", ROWS_ONCE),
    "tdm_wait_leaves_one_too_many": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out, n):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [2, 32, 64], ROWS)
    tdm.async_load(desc, [0, 0], smem.index(0))  # first
    for k in range(n):
        tdm.async_load(desc, [(k + 1) % 4 * 32, 0], smem.index((k + 1) % 2))
        tdm.async_wait(<<2||1>>)
        block(out, smem.index(k % 2).load(B))  # here
    tdm.async_wait(0)
""", ROWS_LOOP),
    "lds_is_written_under_a_tdm_store": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(out, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    smem.store(gl.full([32, 64], 1.0, gl.float16, B))
    tdm.async_store(desc, [0, 0], smem)  # first
    <<pass||tdm.async_wait(0)>>
    smem.store(gl.full([32, 64], 2.0, gl.float16, B))  # here
    tdm.async_store(desc, [32, 0], smem)
    tdm.async_wait(0)
""", ROWS_ONCE),
    "tdm_store_is_read_back": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    smem.store(gl.full([32, 64], 1.0, gl.float16, B))
    tdm.async_store(desc, [0, 0], smem)  # first
    <<pass||tdm.async_wait(0)>>
    i = gl.arange(0, 1024, W)
    value = gl.load(x + i)  # here
    tdm.async_wait(0)
    gl.store(out + i, value)
""", ROWS_ONCE),
    "descriptor_is_longer_than_its_tensor": ("run-out-of-bounds", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, <<160||128>>)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    tdm.async_load(desc, [128, 0], smem)  # here
    tdm.async_wait(0)
    block(out, smem.load(B))
""", ROWS_ONCE),
    "moved_without_its_bounds": ("run-out-of-bounds", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    last = tdm.update_tensor_descriptor(desc, add_offsets=[112, 0]<<||, clamp_bounds=True>>)
    tdm.async_load(last, dest=smem)  # here
    tdm.async_wait(0)
    block(out, smem.load(B))
""", ROWS_ONCE),
    "gathered_rows_are_not_waited_for": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    indices = gl.arange(0, 32, gl.SliceLayout(1, gl.BlockedLayout([32, 1], [1, 32], [1, 4], [1, 0]))) * 3
    tdm.async_gather(desc, indices, smem)  # first
    <<pass||tdm.async_wait(0)>>
    block(out, smem.load(B))  # here
""", ROWS_ONCE),
    "one_of_two_fused_loads": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    a = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    b = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    low = tdm.update_tensor_descriptor(desc, add_offsets=[32, 0], clamp_bounds=True)
    tdm.async_load_fused([(desc, a, 3), (low, b, 12)])  # first
    tdm.async_load(desc, [64, 0], a) if False else None
    tdm.async_wait(<<1||0>>)
    block(out, a.load(B) + b.load(B))  # here
""", ROWS_ONCE),
    "lds_copy_is_not_waited_for": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 512, W)
    smem = gl.allocate_shared_memory(gl.float32, [512], FLAT)
    copies.global_to_shared(smem, x + i)  # first
    copies.commit_group()
    <<tdm.async_wait(0)||copies.wait_group(0)>>
    gl.store(out + i, smem.load(W))  # here
""", ONCE),
    "lds_is_written_under_a_copy_out": ("run-race", CDNA5, """
@gluon.jit
def kernel(x, out):
    i = gl.arange(0, 512, W)
    smem = gl.allocate_shared_memory(gl.float32, [512], FLAT)
    smem.store(gl.load(x + i))
    copies.shared_to_global(out + i, smem)  # first
    copies.commit_group()
    <<pass||copies.wait_group(0)>>
    smem.store(gl.load(x + 512 + i))  # here
    copies.wait_group(0)
    gl.store(out + 512 + i, smem.load(W))
""", ONCE),
    "barrier_counts_one_warp": ("run-too-many-arrivals", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    bars = lds_barriers(1, <<1||4>>)
    tdm.async_load(desc, [0, 0], smem, mbarrier=bars.index(0))  # here
    lds_barrier.wait(bars.index(0), 0)
    block(out, smem.load(B))
""", ROWS_ONCE),
    "barrier_waits_for_another_arrival": ("run-deadlock", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    bars = gl.allocate_shared_memory(gl.int64, [1, 1], lds_barrier.MBarrierLayout())
    lds_barrier.init(bars.index(0), count=<<8||4>>)  # first
    tdm.async_load(desc, [0, 0], smem, mbarrier=bars.index(0))
    lds_barrier.wait(bars.index(0), 0)  # here
    block(out, smem.load(B))
""", ROWS_ONCE),
    "wait_for_the_phase_before": ("run-wrong-phase", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    bars = lds_barriers(1, 4)
    tdm.async_load(desc, [0, 0], smem, mbarrier=bars.index(0))  # first
    lds_barrier.wait(bars.index(0), <<1||0>>)  # here
    block(out, smem.load(B))
""", ROWS_ONCE),
    "phase_does_not_alternate": ("run-wrong-phase", CDNA5, """
@gluon.jit
def kernel(x, out, n):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    bars = lds_barriers(1, 4)
    for k in range(n):
        tdm.async_load(desc, [k * 32, 0], smem, mbarrier=bars.index(0))  # first
        lds_barrier.wait(bars.index(0), <<0||k & 1>>)  # here
        block(out, smem.load(B))
""", ROW_TENSORS + "kernel[(1, )](x, out, 2)"),
    "barrier_is_used_before_it_is_one": ("run-uninitialized-barrier", CDNA5, """
@gluon.jit
def kernel(x, out):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    bars = gl.allocate_shared_memory(gl.int64, [1, 1], lds_barrier.MBarrierLayout())
    <<pass||lds_barrier.init(bars.index(0), count=4)>>
    tdm.async_load(desc, [0, 0], smem, mbarrier=bars.index(0))  # here
    lds_barrier.wait(bars.index(0), 0)
    block(out, smem.load(B))
""", ROWS_ONCE),
    "producer_does_not_wait_for_the_reader": ("run-race", CDNA5, """
@gluon.jit
def consume(out, smem, full, empty, n):
    for k in range(n):
        lds_barrier.wait(full, k & 1)
        <<lds_barrier.arrive(empty, count=1)||pass>>
        block(out, smem.load(B))  # here first
        <<pass||lds_barrier.arrive(empty, count=1)>>


@gluon.jit
def produce(desc, smem, full, empty, n):
    for k in range(n):
        lds_barrier.wait(empty, (k & 1) ^ 1)
        tdm.async_load(desc, [k * 32, 0], smem, mbarrier=full)  # here first


@gluon.jit
def kernel(x, out, n):
    desc = rows_of(x, 128)
    smem = gl.allocate_shared_memory(gl.float16, [32, 64], ROWS)
    full, empty = lds_barriers(1, 4).index(0), lds_barriers(1, 128).index(0)
    gl.warp_specialize([(consume, (out, smem, full, empty, n)), (produce, (desc, smem, full, empty, n))], [4], [24])
""", ROWS_LOOP),
    "partitions_meet_in_the_lds": ("run-race", CDNA5, """
@gluon.jit
def one(smem, out):
    smem.index(0).store(gl.full([512], 1.0, gl.float32, W))  # here first


@gluon.jit
def two(smem, out):
    i = gl.arange(0, 512, W)
    smem.index(1).store(gl.full([512], 2.0, gl.float32, W))
    gl.store(out + i, smem.index(<<0||1>>).load(W))  # here first


@gluon.jit
def kernel(x, out):
    smem = gl.allocate_shared_memory(gl.float32, [2, 512], FLAT)
    gl.warp_specialize([(one, (smem, out)), (two, (smem, out))], [4], [24])
""", ONCE),
}


def choose(text, side):
    return re.sub(r"<<(.*?)\|\|(.*?)>>", lambda match: match.group(side), text)


MISTAKES, CLEAN = {}, {}
for name, (code, (target, header), source, launch) in PAIRS.items():
    MISTAKES[f"amd_{name}"] = (code, header + choose(source, 1), choose(launch, 1) + f"  # {target}")
    CLEAN[f"amd_{name}"] = (header + choose(source, 2), choose(launch, 2) + f"  # {target}")
