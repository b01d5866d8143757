"""Widths, masks, strides, orders, hints, cache modifiers, atomics."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy


# gluond: launch(x="*i8:16", y="*i8:16", N=1024, V=1, num_warps=4, target="cuda:90")
# gluond: launch(x="*i8:16", y="*i8:16", N=4096, V=16, num_warps=4, target="cuda:90")
# gluond: launch(x="*i16:16", y="*i16:16", N=1024, V=2, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16", y="*fp16:16", N=1024, V=8, num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16", N=1024, V=4, num_warps=2, target="cuda:80")
# gluond: launch(x="*fp64:16", y="*fp64:16", N=1024, V=2, num_warps=4, target="cuda:90")
# gluond: launch(x="*i64:16", y="*i64:16", N=1024, V=4, num_warps=4, target="cuda:100")
# gluond: launch(x="*fp8e4nv:16", y="*fp8e4nv:16", N=2048, V=8, num_warps=4, target="cuda:90")
# gluond: launch(x="*i1:16", y="*i1:16", N=1024, V=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", N=2048, V=8, num_warps=4, target="cuda:100")
@gluon.jit
def widths(x, y, N: gl.constexpr, V: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * N + gl.arange(0, N, T)
    v = gl.load(x + i)
    gl.store(y + i, v)


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", m="i32", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", m="i32", num_warps=4, target="cuda:80")
# gluond: launch(x="*i8:16", y="*i8:16", n="i32:16", m="i32", num_warps=4, target="cuda:120")
@gluon.jit
def masks(x, y, n, m):
    T: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.program_id(0) * 1024 + gl.arange(0, 1024, T)
    a = gl.load(x + i, mask=i < n)
    b = gl.load(x + i, mask=i < m, other=0)
    c = gl.load(x + i, mask=i < n - 2)
    d = gl.load(x + i, mask=(i // 4) % 2 == 0)
    e = gl.load(x + i, mask=i % 2 == 0)
    f = gl.load(x + i, mask=i >= 512)
    g = gl.load(x + i, mask=(i < n) & (i >= 128))
    gl.store(y + i, a, mask=i < n)
    gl.store(y + 1024 + i, b, mask=i < m)
    gl.store(y + 2048 + i, c, mask=i < 1000)
    gl.store(y + 4096 + i, d, mask=i < 1022)
    gl.store(y + i + n, e)
    gl.store(y + i + m, f)
    gl.store(y + i * 1 + 8192, g, mask=(i < n) | (i > m))


# gluond: launch(x="*fp32:16", y="*fp32:16", s="i32:16", r="i32", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", s="i32:16", r="i32", num_warps=4, target="cuda:90")
# gluond: launch(x="*i64:16", y="*i64:16", s="i64:16", r="i64", num_warps=4, target="cuda:90")
@gluon.jit
def strides(x, y, s, r):
    T: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, T)
    a = gl.load(x + i * 2)
    b = gl.load(x + i * 3)
    c = gl.load(x + (511 - i))
    d = gl.load(x + i // 4)
    e = gl.load(x + i % 16)
    f = gl.load(x + i * s)
    g = gl.load(x + i * r)
    h = gl.load(x + i + 16385)
    j = gl.load(x + i + 32770)
    k = gl.load(x + (i ^ 4))
    l = gl.load(x + (i // 8) * 16 + i % 8)
    gl.store(y + i, a + b)
    gl.store(y + i * 2 + 1024, c + d)
    gl.store(y + i // 2, e + f)
    gl.store(y + i + 3, g + h)
    gl.store(y + (i ^ 4) + 4096, j + k)
    gl.store(y + i + s, l)
    gl.store(y + i + r, l)


@gluon.jit
def both_ways(x, y, s, T: gl.constexpr):
    r = gl.arange(0, 64, gl.SliceLayout(1, T))
    c = gl.arange(0, 64, gl.SliceLayout(0, T))
    v = gl.load(x + r[:, None] * s + c[None, :])
    w = gl.load(x + r[:, None] + c[None, :] * s)
    gl.store(y + r[:, None] * s + c[None, :], v)
    gl.store(y + r[:, None] + c[None, :] * s, w)


# gluond: launch(x="*fp32:16", y="*fp32:16", s="i32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", s="i32:16", num_warps=8, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", s="i32", num_warps=4, target="cuda:80")
@gluon.jit
def orders(x, y, s):
    R: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [gl.num_warps(), 1], [1, 0])
    C: gl.constexpr = gl.BlockedLayout([8, 1], [8, 4], [1, gl.num_warps()], [0, 1])
    B: gl.constexpr = gl.BlockedLayout([4, 4], [8, 4], [gl.num_warps(), 1], [1, 0])
    W: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [gl.num_warps(), 1], [1, 0])
    Z: gl.constexpr = gl.BlockedLayout([2, 2], [32, 1], [1, gl.num_warps()], [0, 1])
    both_ways(x, y, s, R)
    both_ways(x, y, s, C)
    both_ways(x, y, s, B)
    both_ways(x, y, s, W)
    both_ways(x, y, s, Z)


# gluond: launch(x="*fp16", y="*fp16", n="i32", s="i32", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32", y="*fp32", n="i32", s="i32", num_warps=4, target="cuda:90")
@gluon.jit
def hints(x, y, n, s):
    T: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    i = gl.arange(0, 1024, T)
    s8 = gl.multiple_of(s, 8)
    a = gl.load(x + i)
    b = gl.load(gl.multiple_of(x, 16) + i)
    c = gl.load(gl.multiple_of(x, 8) + i + s8)
    d = gl.load(gl.multiple_of(x + i * s, [16]))
    e = gl.load(x + gl.max_contiguous(gl.multiple_of(i * n, 8), 8))
    gl.assume(n % 16 == 0)
    f = gl.load(x + i + n)
    gl.store(y + i, a)
    gl.store(gl.multiple_of(y, 16) + i, b + c)
    gl.store(gl.multiple_of(y, 4) + i, d + e)
    gl.store(y + n + i, f)


# gluond: launch(x="*fp32:16", y="*fp32:16", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", num_warps=4, target="cuda:100")
# gluond: launch(x="*i64:16", y="*i64:16", num_warps=4, target="cuda:80")
@gluon.jit
def modifiers(x, y):
    T: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, T)
    a = gl.load(x + i, cache_modifier=".ca")
    b = gl.load(x + i, cache_modifier=".cg")
    c = gl.load(x + i, eviction_policy="evict_first")
    d = gl.load(x + i, eviction_policy="evict_last", cache_modifier=".cg")
    e = gl.load(x + i, volatile=True)
    f = gl.load(x + i, cache_modifier=".cv")
    gl.store(y + i, a + b, cache_modifier=".wb")
    gl.store(y + i + 512, c + d, cache_modifier=".cs")
    gl.store(y + i + 1024, e + f, cache_modifier=".wt", eviction_policy="evict_first")
    gl.store(y + i + 2048, e + f, cache_modifier=".cg")


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=2, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=8, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=2, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=1, num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16:16", n="i32:16", V=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*bf16:16", y="*bf16:16", n="i32:16", V=4, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp64:16", y="*fp64:16", n="i32:16", V=2, num_warps=4, target="cuda:90")
@gluon.jit
def float_atomics(x, y, n, V: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [32], [4], [0])
    i = gl.arange(0, 1024, T)
    v = gl.load(x + i)
    gl.atomic_add(y + i, v)
    gl.atomic_add(y + i, v, mask=i < n)
    gl.atomic_add(y + i * 2, v)
    gl.atomic_add(y + i // 2, v)
    old = gl.atomic_add(y + i + 4096, v, sem="relaxed", scope="cta")
    gl.store(y + 8192 + i, old)
    old2 = gl.atomic_xchg(y + i, v) if y.dtype.element_ty.primitive_bitwidth >= 32 else v
    gl.store(y + 16384 + i, old2)


# gluond: launch(x="*i32:16", y="*i32:16", V=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*i64:16", y="*i64:16", V=2, num_warps=4, target="cuda:80")
# gluond: launch(x="*u32:16", y="*u32:16", V=1, num_warps=2, target="cuda:100")
@gluon.jit
def int_atomics(x, y, V: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [32], [gl.num_warps()], [0])
    i = gl.arange(0, 512, T)
    v = gl.load(x + i)
    gl.atomic_add(y + i, v)
    gl.atomic_max(y + i, v)
    gl.atomic_min(y + i, v, mask=i < 300)
    gl.atomic_and(y + i, v)
    gl.atomic_or(y + i, v)
    gl.atomic_xor(y + i, v)
    a = gl.atomic_xchg(y + i, v)
    b = gl.atomic_cas(y + i, v, a)
    gl.store(y + 1024 + i, b)
    gl.atomic_add(y + gl.program_id(0), 1)


# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=8, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=4, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32:16", V=2, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=1, num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32:16", V=4, num_warps=4, target="cuda:120")
# gluond: launch(x="*i8:16", y="*i8:16", n="i32:16", V=16, num_warps=4, target="cuda:80")
# gluond: launch(x="*fp64:16", y="*fp64:16", n="i32:16", V=1, num_warps=4, target="cuda:100")
@gluon.jit
def cp_async_widths(x, y, n, V: gl.constexpr):
    T: gl.constexpr = gl.BlockedLayout([V], [32], [4], [0])
    ring = gl.allocate_shared_memory(x.dtype.element_ty, [3, 128 * V], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    i = gl.arange(0, 128 * V, T)
    async_copy.async_load(ring.index(0), x + i)
    async_copy.async_load(ring.index(1), x + i + 128 * V, mask=i < n)
    async_copy.async_load(ring.index(2), x + i + 256 * V, mask=i < n, cache_modifier=".cg" if V * x.dtype.element_ty.primitive_bitwidth == 128 else ".ca")
    async_copy.commit_group()
    async_copy.wait_group(0)
    for s in range(3):
        gl.store(y + s * 128 * V + i, ring.index(s).load(T))


# gluond: launch(p="*i64:16", y="*fp32:16", num_warps=4, target="cuda:90")
# gluond: launch(p="*i64:16", y="*fp16:16", num_warps=4, target="cuda:90")
@gluon.jit
def pointers_in_memory(p, y):
    T: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    i = gl.arange(0, 256, T)
    q = gl.load(p + i).to(gl.pointer_type(y.dtype.element_ty))
    v = gl.load(q)
    one = gl.load(p).to(gl.pointer_type(y.dtype.element_ty))
    w = gl.load(one + i)
    gl.store(q, v + w)
    gl.store(y + i, v)


# gluond: launch(x="*fp16:16", idx="*i32:16", y="*fp16:16", s="i32:16", num_warps=4, target="cuda:90")
@gluon.jit
def gather_rows(x, idx, y, s):
    T: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    r = gl.arange(0, 64, gl.SliceLayout(1, T))
    c = gl.arange(0, 64, gl.SliceLayout(0, T))
    rows = gl.load(idx + r)
    v = gl.load(x + rows[:, None] * s + c[None, :])
    w = gl.load(x + r[:, None] * s + gl.load(idx + c)[None, :])
    gl.store(y + rows[:, None] * s + c[None, :], v + w)


# gluond: launch(x="*i8:16", y="*i8:16", n="i32", num_warps=4, target="cuda:80")
# gluond: launch(x="*fp16:16", y="*fp16:16", n="i32", num_warps=4, target="cuda:90")
# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32", num_warps=4, target="cuda:100")
@gluon.jit
def row_ends(x, y, n):
    T: gl.constexpr = gl.BlockedLayout([8], [32], [4], [0])
    i = gl.program_id(0) * 2048 + gl.arange(0, 2048, T)
    v = gl.load(x + i, mask=i < n)
    w = gl.load(x + i, mask=(i < n) & (i > 8))
    gl.store(y + i, v + w, mask=i < n)
