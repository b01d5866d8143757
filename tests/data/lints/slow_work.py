"""Work done again and again, or for nothing, each kernel beside the one that does it once."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

WIDE = gl.constexpr(gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0]))
SQUARE = gl.constexpr(gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0]))
TURNED = gl.constexpr(gl.BlockedLayout([4, 1], [16, 2], [1, 4], [0, 1]))


@gluon.jit
def tile(rows: gl.constexpr, cols: gl.constexpr, step, layout: gl.constexpr):
    r = gl.arange(0, rows, layout=gl.SliceLayout(1, layout))
    c = gl.arange(0, cols, layout=gl.SliceLayout(0, layout))
    return r[:, None] * step + c[None, :]


# ---------------------------------------------------------------- conversions taken back


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def scaled_in_another_layout(src, dst):
    x = gl.load(src + tile(64, 64, 64, SQUARE))
    y = gl.convert_layout(x, TURNED) * 2.0  # hint: [converted-back]
    z = gl.exp(y) + 1.0
    gl.store(dst + tile(64, 64, 64, SQUARE), gl.convert_layout(z, SQUARE))


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def scaled_where_it_is(src, dst):
    z = gl.exp(gl.load(src + tile(64, 64, 64, SQUARE)) * 2.0) + 1.0
    gl.store(dst + tile(64, 64, 64, SQUARE), z)


# A tensor of the other layout is added: the conversion has a purpose.
# gluond: launch(src="*fp32:16", other="*fp32:16", dst="*fp32:16")
@gluon.jit
def added_in_another_layout(src, other, dst):
    x = gl.load(src + tile(64, 64, 64, SQUARE))
    c = gl.arange(0, 64, layout=gl.SliceLayout(0, TURNED))
    r = gl.arange(0, 64, layout=gl.SliceLayout(1, TURNED))
    y = gl.convert_layout(x, TURNED) + gl.load(other + r[:, None] + c[None, :] * 64)
    gl.store(dst + tile(64, 64, 64, SQUARE), gl.convert_layout(y, SQUARE))


# A reduction in between: it is what the other layout is for.
# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def reduced_in_another_layout(src, dst):
    x = gl.load(src + tile(64, 64, 64, SQUARE))
    y = gl.convert_layout(x, TURNED)
    y = y - gl.max(y, axis=0)[None, :]
    gl.store(dst + tile(64, 64, 64, SQUARE), gl.convert_layout(y, SQUARE))


# ---------------------------------------------------------------- reductions


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def rows_spread_over_warps(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [1, 4], [1, 0])
    best = gl.full([16], 0.0, gl.float32, gl.SliceLayout(1, layout))
    for k in range(0, n, 512):
        best = gl.maximum(best, gl.max(gl.load(src + k + tile(16, 512, n, layout)), axis=1))  # hint: [reduction-in-loop]
    gl.store(dst + gl.arange(0, 16, gl.SliceLayout(1, layout)), best)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def rows_within_warps(src, dst, n):
    best = gl.full([16], 0.0, gl.float32, gl.SliceLayout(1, WIDE))
    for k in range(0, n, 512):
        best = gl.maximum(best, gl.max(gl.load(src + k + tile(16, 512, n, WIDE)), axis=1))
    gl.store(dst + gl.arange(0, 16, gl.SliceLayout(1, WIDE)), best)


# One long row: no other dimension could take the warps.
# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def one_row_over_all_warps(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [1, 4], [1, 0])
    best = gl.full([1], 0.0, gl.float32, gl.SliceLayout(1, layout))
    for k in range(0, n, 512):
        best = gl.maximum(best, gl.max(gl.load(src + k + tile(1, 512, n, layout)), axis=1))
    gl.store(dst + gl.arange(0, 1, gl.SliceLayout(1, layout)), best)


@gluon.jit
def plus(a, b):
    return a + b


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def scan_over_warps(src, dst, n):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [1, 4], [1, 0])
    for k in range(0, n, 4):
        x = gl.load(src + k * n + tile(4, 512, n, layout))
        gl.store(dst + k * n + tile(4, 512, n, layout), gl.associative_scan(x, 1, plus))  # hint: [reduction-in-loop]


# ---------------------------------------------------------------- loads


# gluond: launch(src="*fp32:16", bias="*fp32:16", dst="*fp32:16")
@gluon.jit
def bias_for_every_row(src, bias, dst):
    offs = tile(32, 128, 128, WIDE)
    b = gl.load(bias + tile(32, 128, 0, WIDE))  # hint: [repeated-load]
    gl.store(dst + offs, gl.load(src + offs) + b)


# gluond: launch(src="*fp32:16", bias="*fp32:16", dst="*fp32:16")
@gluon.jit
def bias_loaded_once(src, bias, dst):
    offs = tile(32, 128, 128, WIDE)
    b = gl.load(bias + gl.arange(0, 128, gl.SliceLayout(0, WIDE)))
    gl.store(dst + offs, gl.load(src + offs) + b[None, :])


# gluond: launch(src="*fp32:16", scale="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def scale_in_every_iteration(src, scale, dst, n):
    offs = tile(32, 128, n, WIDE)
    for k in range(0, n, 128):
        s = gl.load(scale)  # hint: [invariant-load]
        gl.store(dst + k + offs, gl.load(src + k + offs) * s)


# gluond: launch(src="*fp32:16", scale="*fp32:16", dst="*fp32:16", n="i32:16")
@gluon.jit
def scale_before_the_loop(src, scale, dst, n):
    offs = tile(32, 128, n, WIDE)
    s = gl.load(scale)
    for k in range(0, n, 128):
        gl.store(dst + k + offs, gl.load(src + k + offs) * s)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def past_the_caches(src, dst):
    offs = tile(32, 128, 128, WIDE)
    x = gl.load(src + offs, cache_modifier=".cv")  # hint: [uncached-load]
    y = gl.load(src + 4096 + offs, volatile=True)  # hint: [uncached-load]
    gl.store(dst + offs, x + y)


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def through_the_caches(src, dst):
    offs = tile(32, 128, 128, WIDE)
    gl.store(dst + offs, gl.load(src + offs, cache_modifier=".cg", eviction_policy="evict_first"))


# gluond: launch(flag="*i32:16", dst="*fp32:16")
@gluon.jit
def flag_of_another_program(flag, dst):
    while gl.load(flag, volatile=True) == 0:
        pass
    gl.store(dst + tile(32, 128, 128, WIDE), gl.full([32, 128], 1.0, gl.float32, WIDE))


# ---------------------------------------------------------------- shared memory


# gluond: launch(src="*fp32:16", dst="*fp32:16")
@gluon.jit
def there_and_back(src, dst):
    offs = tile(64, 64, 64, SQUARE)
    x = gl.load(src + offs)
    smem = gl.allocate_shared_memory(gl.float32, [64, 64], gl.SwizzledSharedLayout(4, 1, 8, [1, 0]))
    smem.store(x)
    y = smem.load(SQUARE)  # hint: [shared-round-trip]
    gl.store(dst + offs, y)


# ---------------------------------------------------------------- gathers and atomics


# gluond: launch(ids="*i32:16", table="*fp32:16", out="*fp32:16", step="i32:16")
@gluon.jit
def rows_of_a_table_by_columns(ids, table, out, step):
    r = gl.load(ids + gl.arange(0, 64, gl.SliceLayout(1, TURNED)))
    c = gl.arange(0, 64, gl.SliceLayout(0, TURNED))
    x = gl.load(table + r[:, None] * step + c[None, :])  # warning: [uncoalesced]
    gl.store(out + tile(64, 64, 64, SQUARE), gl.convert_layout(x, SQUARE))


# gluond: launch(ids="*i32:16", table="*fp32:16", out="*fp32:16", step="i32:16")
@gluon.jit
def rows_of_a_table_by_rows(ids, table, out, step):
    r = gl.load(ids + gl.arange(0, 64, gl.SliceLayout(1, SQUARE)))
    c = gl.arange(0, 64, gl.SliceLayout(0, SQUARE))
    gl.store(out + tile(64, 64, 64, SQUARE), gl.load(table + r[:, None] * step + c[None, :]))


# Where the elements of a gather are is up to its indices.
# gluond: launch(ids="*i32:16", table="*fp32:16", out="*fp32:16")
@gluon.jit
def elements_of_a_table(ids, table, out):
    offs = gl.arange(0, 1024, gl.BlockedLayout([4], [32], [4], [0]))
    gl.store(out + offs, gl.load(table + gl.load(ids + offs)))


# gluond: launch(out="*fp32:16", step="i32:16")
@gluon.jit
def sums_by_columns(out, step):
    x = gl.full([64, 64], 1.0, gl.float32, TURNED)
    gl.atomic_add(out + tile(64, 64, step, TURNED), x)  # warning: [uncoalesced]


# gluond: launch(out="*fp32:16", step="i32:16")
@gluon.jit
def sums_by_rows(out, step):
    x = gl.full([64, 64], 1.0, gl.float32, SQUARE)
    gl.atomic_add(out + tile(64, 64, step, SQUARE), x)


# ---------------------------------------------------------------- rings


@gluon.jit
def fetch(smem, src, offs, k, slots: gl.constexpr):
    gl.nvidia.ampere.async_copy.async_load(smem.index(k % slots), src + k * 4096 + offs)
    gl.nvidia.ampere.async_copy.commit_group()


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", target="cuda:80")
@gluon.jit
def next_one_awaited_too(src, dst, n):
    offs = tile(64, 64, 64, SQUARE)
    smem = gl.allocate_shared_memory(gl.float32, [2, 64, 64], gl.SwizzledSharedLayout(4, 1, 8, [1, 0]))
    acc = gl.zeros([64, 64], gl.float32, SQUARE)
    fetch(smem, src, offs, 0, 2)
    for k in range(n):
        fetch(smem, src, offs, k + 1, 2)
        gl.nvidia.ampere.async_copy.wait_group(0)  # hint: [serialized-pipeline]
        acc += smem.index(k % 2).load(SQUARE)
    gl.store(dst + offs, acc)


# gluond: launch(src="*fp32:16", dst="*fp32:16", n="i32:16", target="cuda:80")
@gluon.jit
def next_one_under_way(src, dst, n):
    offs = tile(64, 64, 64, SQUARE)
    smem = gl.allocate_shared_memory(gl.float32, [2, 64, 64], gl.SwizzledSharedLayout(4, 1, 8, [1, 0]))
    acc = gl.zeros([64, 64], gl.float32, SQUARE)
    fetch(smem, src, offs, 0, 2)
    for k in range(n):
        fetch(smem, src, offs, k + 1, 2)
        gl.nvidia.ampere.async_copy.wait_group(1)
        acc += smem.index(k % 2).load(SQUARE)
    gl.nvidia.ampere.async_copy.wait_group(0)
    gl.store(dst + offs, acc)


# ---------------------------------------------------------------- kernels that nobody launches


@gluon.jit
def nobodys_by_columns(src, dst, step, WIDTH: gl.constexpr):  # hint: [typed-defaults]
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [32, 1], [8, 1], [0, 1])
    r = gl.arange(0, 256, gl.SliceLayout(1, layout))
    c = gl.arange(0, WIDTH, gl.SliceLayout(0, layout))
    x = gl.load(src + r[:, None] * step + c[None, :])  # warning: [uncoalesced]
    gl.store(dst + r[:, None] + c[None, :] * step, x)


@gluon.jit
def nobodys_by_rows(src, dst, step, WIDTH: gl.constexpr):  # hint: [typed-defaults]
    layout: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [8, 1], [1, 0])
    r = gl.arange(0, 256, gl.SliceLayout(1, layout))
    c = gl.arange(0, WIDTH, gl.SliceLayout(0, layout))
    gl.store(dst + r[:, None] * step + c[None, :], gl.load(src + r[:, None] * step + c[None, :]))


# The product of what is there overlaps with the copy of what comes next.
# gluond: launch(a="*fp16:16", dst="*fp32:16", n="i32:16", target="hip:gfx950")
@gluon.jit
def product_beside_a_copy(a, dst, n):
    matrix: gl.constexpr = gl.amd.AMDMFMALayout(4, [16, 16, 32], True, [4, 1])
    copy: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])
    offs = tile(64, 64, 64, copy)
    smem = gl.allocate_shared_memory(gl.float16, [2, 64, 64], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    acc = gl.zeros([64, 64], gl.float32, matrix)
    gl.amd.cdna4.async_copy.buffer_load_to_shared(smem.index(0), a, offs)
    gl.amd.cdna4.async_copy.commit_group()
    for k in range(n):
        gl.amd.cdna4.async_copy.wait_group(0)
        x = smem.index(k % 2).load(gl.DotOperandLayout(0, matrix, 8))  # warning: [bank-conflict]
        y = smem.index(k % 2).load(gl.DotOperandLayout(1, matrix, 8))  # warning: [bank-conflict]
        gl.amd.cdna4.async_copy.buffer_load_to_shared(smem.index((k + 1) % 2), a, offs + (k + 1) * 4096)
        gl.amd.cdna4.async_copy.commit_group()
        acc = gl.amd.cdna4.mfma(x, y, acc)
    gl.amd.cdna4.async_copy.wait_group(0)
    gl.amd.cdna4.buffer_store(acc, dst, tile(64, 64, 64, matrix))
