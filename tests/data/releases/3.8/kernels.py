"""Kernels of which Triton 3.8 makes something else than later releases."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3, cdna4
from triton.experimental.gluon.language.nvidia import blackwell
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma




@gluon.jit
def numbers(x_ptr, y_ptr, n, f, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i, mask=5 < i, other=-0.0)
    y = x * 2 + 1.5 - 0.0
    z = gl.where(3 >= i, y, 0)
    z = gl.where(i != 7, z, -0.0)
    w = (i & 3) | (i ^ 12)
    w = w << 2
    w = w >> 1
    z = z / 3
    z = 1 / z
    k = w // 4 + w % 3
    gl.store(y_ptr + i, z + k, mask=i <= n)
    gl.store(y_ptr, f * 0 + -f)


@gluon.jit
def functions(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    y = gl.minimum(x, 1.0)
    y = gl.maximum(2.0, y)
    y = gl.fma(y, 2.0, 1.0)
    y = gl.fdiv(y, 3.0)
    y = gl.clamp(y, 0.0, 6.0)
    y = gl.exp(y) + gl.abs(y)
    y = gl.div_rn(y, y)
    k = gl.umulhi(i.to(gl.uint32), i.to(gl.uint32))
    gl.store(y_ptr + i, y + k)


@gluon.jit
def halves(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    y = gl.minimum(x, 1.0)
    y = gl.maximum(y, x)
    y = gl.clamp(y, 0.0, x)
    z = x / 2 + x % 3
    z = x * 2 + z
    m = gl.max(x, axis=0)
    s = gl.sum(x, axis=0)
    gl.store(y_ptr + i, (y + z + m + s).to(gl.float16))
    gl.store(y_ptr + i, y.to(gl.bfloat16))
    gl.store(y_ptr + i, x.to(gl.float16))


@gluon.jit
def bytes_(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    y = x.to(gl.float8e5).to(gl.float32)
    z = gl.full([BLOCK], 0, gl.float8e4nv, layout)
    z1 = gl.full([BLOCK], 1.5, gl.float8e4nv, layout)
    zz = gl.zeros([BLOCK], gl.bfloat16, layout)
    gl.store(y_ptr + i, y + z.to(gl.float32) + z1.to(gl.float32) + zz)


@gluon.jit
def bools(x_ptr, b_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    gl.store(b_ptr + i, x > 0)
    gl.store(b_ptr + i, i)
    gl.store(b_ptr, x_ptr.to(gl.int64))


@gluon.jit
def loops_(x_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    acc = gl.zeros([BLOCK], gl.float32, layout)
    k = n
    while k > 0:
        acc += gl.load(x_ptr + i + k)
        k -= 1
    for j in range(0, n, 2):
        if j > 3 and n < 100 or not (j == 4):
            acc += j
        else:
            acc = acc - 1
    a, b = (1, 2)
    gl.store(x_ptr + i, acc + a + b)


@gluon.jit
def while_int(x_ptr, n):
    k = n
    while k:
        gl.store(x_ptr + k, 1.0)
        k -= 1


@gluon.jit
def chained(x_ptr, n):
    if 0 < n < 10:
        gl.store(x_ptr, 1.0)


@gluon.jit
def filtered(x_ptr):
    t: gl.constexpr = (1, 2, 3)
    s = [v for v in t if v > 1]
    gl.store(x_ptr, s[0] + 0.0)


@gluon.jit
def unpack_more(x_ptr):
    a, b = (1.0, 2.0, 3.0)
    gl.store(x_ptr, a + b)


@gluon.jit
def atomics(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    gl.atomic_add(y_ptr + i, x, mask=i < 5)
    gl.atomic_max(y_ptr + i, 2.0)
    gl.atomic_min(y_ptr, 2.0)
    gl.atomic_xchg(y_ptr + i, 1)


@gluon.jit
def int_cas(x_ptr):
    gl.atomic_cas(x_ptr, 0, 1)
    gl.atomic_and(x_ptr, 3)


@gluon.jit
def splits(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr, l2: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    both = gl.join(x, x + 1)
    a, b = gl.split(both)
    c = gl.join(a, b)
    gl.store(y_ptr + i, gl.sum(c, axis=1))


@gluon.jit
def resplit(x_ptr, y_ptr, l2: gl.constexpr, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.SliceLayout(1, l2))
    j = gl.arange(0, 2, gl.SliceLayout(0, l2))
    x = gl.load(x_ptr + i[:, None] * 2 + j[None, :])
    a, b = gl.split(x)
    c = gl.join(a, b)
    gl.store(y_ptr + i[:, None] * 2 + j[None, :], gl.convert_layout(c, l2))


@gluon.jit
def hints(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i, cache_modifier=".cg", eviction_policy="evict_first", volatile=True)
    gl.store(y_ptr + i, x, cache_modifier=".wt", eviction_policy="evict_last")


@gluon.jit
def softer(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    gl.store(y_ptr + i, x.softmax() + x.sigmoid())


@gluon.jit
def scans(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    gl.store(y_ptr + i, x.cumsum(0) + x.cumprod(0))


@gluon.jit
def quotients(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    gl.store(y_ptr + i, x / 3.0 + gl.cdiv(i, 7))


@gluon.jit
def reshapes(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    x = gl.load(x_ptr + i)
    gl.store(y_ptr, gl.sum(x.reshape([BLOCK, 1]).reshape([BLOCK]), 0))
    pairs = x.reshape([BLOCK // 2, 2])
    gl.store(y_ptr, gl.sum(pairs.reshape([2, BLOCK // 2]), 0).sum(0))
    splat = gl.full([BLOCK], gl.load(x_ptr), gl.float32, layout)
    gl.store(y_ptr, gl.sum(splat.reshape([BLOCK // 4, 4]).reshape([BLOCK]), 0))


@gluon.jit
def idle(desc):
    barrier = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    block = gl.allocate_shared_memory(gl.float16, desc.block_type.shape, desc.layout)
    mbarrier.init(barrier, count=1)
    mbarrier.expect(barrier, 128, pred=False)
    tma.async_copy_global_to_shared(desc, [0, 0], barrier, block, pred=False)
    mbarrier.arrive(barrier, pred=False)
    mbarrier.wait(barrier, 0, pred=False)
    mbarrier.wait(barrier, 0, deps=[block], pred=False)
    mbarrier.invalidate(barrier)


@gluon.jit
def halves_of_tensor_memory(TMEM: gl.constexpr):
    memory = blackwell.allocate_tensor_memory(gl.float32, [128, 128], TMEM)
    left = memory.slice(0, 64)
    right = memory.slice(64, 64)
    x = left.load(left.get_reg_layout())
    right.store(x)
    right.store(x, pred=False)
    barrier = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(barrier, count=1)
    blackwell.tcgen05_commit(barrier, pred=False)


@gluon.jit
def upcast(x_ptr, y_ptr, layout: gl.constexpr):
    i = gl.arange(0, 16, gl.SliceLayout(1, layout))[:, None]
    j = gl.arange(0, 64, gl.SliceLayout(0, layout))[None, :]
    scales = gl.full([16, 64], 127, gl.uint8, layout)
    signed = gl.full([16, 64], 126, gl.int8, layout)
    small = gl.load(x_ptr + i * 64 + j).to(gl.float8e5)
    gl.store(y_ptr + i * 64 + j, cdna3.scaled_upcast(small, scales, gl.bfloat16))
    gl.store(y_ptr + i * 64 + j, cdna3.scaled_upcast(small, signed, gl.float16).to(gl.bfloat16))


@gluon.jit
def compact_scales(y_ptr, layout: gl.constexpr):
    packed = gl.full([16, 64], 17, gl.uint8, layout)
    scales = gl.full([16, 4], 127, gl.uint8, layout)
    gl.store(y_ptr, gl.max(gl.max(cdna3.scaled_upcast(packed, scales, gl.bfloat16, axis=1), 0), 0))


@gluon.jit
def to_shared(x_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    i = gl.arange(0, BLOCK, layout)
    block = gl.allocate_shared_memory(gl.float32, [BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    cdna4.async_copy.buffer_load_to_shared(block, x_ptr, i, mask=i < n, other=0.0)
    cdna4.async_copy.commit_group()
    cdna4.async_copy.wait_group(0)
