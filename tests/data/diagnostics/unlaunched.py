# Kernels that nothing launches: what is wrong with them whatever they are launched with, and nothing else.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier

FLAT: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
WIDE: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
TILE: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
OTHER: gl.constexpr = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
SHARED: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])


@gluon.jit
def layouts(x_ptr, y_ptr, n):
    pid = gl.program_id(0)
    offs = pid * 128 + gl.arange(0, 128, layout=FLAT)
    wide = pid * 128 + gl.arange(0, 128, layout=WIDE)
    x = gl.load(x_ptr + offs, mask=offs < n)
    y = gl.load(y_ptr + wide)
    z = x + y  # error: [layout-mismatch]
    gl.store(y_ptr + wide, x)  # error: [operand-layout-mismatch]
    gl.store(y_ptr + wide, gl.convert_layout(x, WIDE), mask=wide < n)


@gluon.jit
def blocks(x_ptr, stride, M: gl.constexpr, N: gl.constexpr):
    rows = gl.arange(0, M, layout=gl.SliceLayout(1, TILE))
    cols = gl.arange(0, N, layout=gl.SliceLayout(0, TILE))
    x = gl.load(x_ptr + rows[:, None] * stride + cols[None, :])
    total = gl.sum(x, axis=1)
    a = x - total  # error: [rank-mismatch]
    b = x - total[None, :]  # error: [slice-dim-mismatch]
    c = x - total[:, None]
    d = gl.load(x_ptr + gl.arange(0, M, layout=FLAT))[:, None]  # error: [slice-layout-expected]
    e = gl.load(x_ptr + rows, mask=gl.arange(0, M, layout=FLAT) < stride)  # error: [operand-layout-mismatch]
    other = gl.arange(0, N, layout=gl.SliceLayout(0, OTHER))
    f = rows[:, None] + other[None, :]  # error: [layout-mismatch]


@gluon.jit
def kinds(x_ptr, y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr, factor: gl.constexpr):
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, TILE))
    cols = gl.arange(0, BLOCK, layout=gl.SliceLayout(0, TILE))
    x = gl.load(x_ptr + rows[:, None] * n + cols[None, :], mask=cols[None, :] < n, other=0.0)
    a = gl.sum(x, [1])  # error: [not-an-integer]
    b = gl.sum(x, 1, keepdims=True)  # error: [unexpected-keyword]
    c = x[0, 0]  # error: [bad-tensor-index]
    value, index = gl.max(x, 1)  # error: [not-unpackable]
    d = gl.convert_layout(x, 3)  # error: [not-a-layout]
    e = gl.where(x > 0, x, "0")  # error: [bad-argument]
    f = x.T()  # error: [not-callable]
    for i in range(x):  # error: [loop-bound-not-integer]
        gl.store(y_ptr + i, 0.0)
    gl.store(y_ptr + rows, gl.sum(x ** 2, 1))  # error: [no-such-operation]
    # What these are depends on the launch: an argument of 1 is a constant, and a layout may be anything.
    for i in gl.static_range(n * 2):
        gl.store(y_ptr + i, 1.0)
    line = gl.arange(0, BLOCK, layout)
    gl.store(y_ptr + line, gl.full([BLOCK], 2.0, gl.float32, layout) * factor ** 2)


@gluon.jit
def shapes(x_ptr, n):
    offs = gl.arange(0, 128, layout=FLAT)
    x = gl.load(x_ptr + offs)
    a = gl.sum(x, axis=1)  # error: [invalid-axis]
    b = x.reshape([4, 64])  # error: [reshape-count]
    c = gl.where(x > 0, x, gl.zeros([64], gl.float32, layout=FLAT))  # error: [shape-mismatch]
    d = x[0]  # error: [bad-tensor-index]
    gl.store(x_ptr, x)  # error: [block-for-scalar-pointer]
    smem = gl.allocate_shared_memory(gl.float32, [64], SHARED)
    smem.store(x)  # error: [shared-shape-mismatch]
    if x > 0:  # error: [ambiguous-condition]
        gl.store(x_ptr + offs, x)
    total = 0
    for i in range(n):
        total = total + gl.load(x_ptr + offs)  # error: [loop-carried-type]


@gluon.jit
def names(x_ptr, n):
    offs = gl.arange(0, n, layout=FLAT)  # error: [not-constexpr]
    x = gl.load(x_ptr + gl.arange(0, 128, layout=FLAT), other=0.0)  # error: [other-without-mask]
    y = gl.load(x_ptr + gl.arange(0, 128, layout=FLAT))
    y.to_layout(WIDE)  # error: [unknown-attribute]
    z = y.to(float)  # error: [not-a-dtype]


# What may be right, with the launch that it is written for.


@gluon.jit
def by_element_type(x_ptr, y_ptr, smem_dtype: gl.constexpr):
    offs = gl.arange(0, 128, layout=FLAT)
    smem = gl.allocate_shared_memory(gl.float8e5, [128], SHARED)
    smem.store(gl.load(x_ptr + offs))
    x = gl.load(y_ptr + offs).to(gl.float8e4nv, bitcast=True)
    y = gl.load(x_ptr + offs).to(smem_dtype)
    z = gl.load(x_ptr + offs) & 7


@gluon.jit
def by_number(x_ptr, BLOCK: gl.constexpr, K: gl.constexpr):
    one: gl.constexpr = gl.BlockedLayout([BLOCK // 128], [32], [4], [0])
    eight: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    x = gl.load(x_ptr + gl.arange(0, BLOCK, layout=one))
    y = x + gl.load(x_ptr + gl.arange(0, BLOCK, layout=eight))
    a = gl.arange(0, BLOCK, layout=FLAT) + gl.arange(0, K * 2, layout=FLAT)


@gluon.jit
def by_kind(x_ptr, descriptor, parts, dtype, flag, bias_ptr=None):
    offs = gl.arange(0, 128, layout=FLAT)
    x = gl.load(x_ptr + offs + parts[0])
    smem = gl.allocate_shared_memory(descriptor.dtype, descriptor.block_shape, descriptor.layout)
    y = x.to(dtype)
    if bias_ptr is not None:
        y = y + gl.load(bias_ptr + gl.arange(0, 128, layout=WIDE))
    for i in gl.static_range(len(parts)):
        y = y + parts[i]


@gluon.jit
def store_tile(out_ptr, tile, scale, n):
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, TILE))
    scaled = tile * scale
    gl.store(out_ptr + rows[:, None] * n + gl.arange(0, 64, layout=gl.SliceLayout(0, TILE))[None, :], scaled)
    return gl.sum(tile, 1)


@gluon.jit
def of_a_cluster(x_ptr):
    halves: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0], cga_layout=[[1]])  # two CTAs
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0], cga_layout=[[1]])
    offs = gl.arange(0, 256, layout=halves)
    smem = gl.allocate_shared_memory(gl.float32, [256], shared)
    smem.store(gl.load(x_ptr + offs))
    gl.store(x_ptr + offs, smem.load(halves))


@gluon.jit
def from_another_cta():
    bar = mbarrier.allocate_mbarrier()
    mbarrier.expect(bar, 4, from_cta=5)  # six CTAs
    at = gl.arange(0, 64, layout=gl.BlockedLayout([1], [32], [4], [1]))  # error: [invalid-layout]


# Layouts with numbers tell how many warps there are.
EIGHT: gl.constexpr = gl.BlockedLayout([1], [32], [8], [0])
SIXTEEN: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [16, 1], [1, 0])


@gluon.jit
def with_eight_warps(x_ptr, y_ptr, n):
    offs = gl.arange(0, 256, layout=EIGHT)
    x = gl.load(x_ptr + offs)
    total = 0
    for i in range(n):
        total = total + x  # error: [loop-carried-type]
    y = x
    if gl.program_id(0) > 0:
        y = gl.sum(x, 0)  # error: [branch-type-mismatch]
    z = x
    if n > 0:  # a constant, if n is 1
        z = gl.sum(x, 0)
    a = gl.sum(x, axis=1)  # error: [invalid-axis]


@gluon.jit
def with_sixteen_warps(x_ptr, n):
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, SIXTEEN))
    cols = gl.arange(0, 32, layout=gl.SliceLayout(0, SIXTEEN))
    x = gl.load(x_ptr + rows[:, None] * n + cols[None, :])
    gl.static_assert(gl.num_warps() == 16)
    total = gl.zeros([64], gl.float32, gl.SliceLayout(1, SIXTEEN))
    while n > 0:
        total = gl.sum(x, 1)[:, None]  # error: [loop-carried-type]
        n -= 1


@gluon.jit
def with_loops(x_ptr, K, BK: gl.constexpr, TURNS: gl.constexpr):
    for k in range(0, K, BK):
        gl.store(x_ptr + k, gl.laod(x_ptr + k))  # error: [unknown-attribute]
    for k in gl.static_range(TURNS):
        gl.store(x_ptr + k, gl.loda(x_ptr + k))  # error: [unknown-attribute]
    if TURNS > 2:
        gl.store(x_ptr, gl.of_another_release(x_ptr))
