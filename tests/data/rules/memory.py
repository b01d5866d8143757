from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def loads(p, q, n):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    a = gl.load(p + i)
    a += gl.load(p + i, mask=i < n)
    a += gl.load(p + i, mask=i < n, other=1)
    a += gl.load(p + i, cache_modifier=".ca")
    a += gl.load(p + i, cache_modifier=".cg", eviction_policy="evict_last")
    a += gl.load(p + i, eviction_policy="evict_first", volatile=True)
    a += gl.load(p)
    a += gl.load(p + n, mask=n > 3)
    gl.store(q + i, a)
    gl.store(q + i, a, mask=i < n)
    gl.store(q + i, 1)
    gl.store(q + i, a, cache_modifier=".wt")
    gl.store(q + i, a, eviction_policy="evict_last")
    gl.store(q, 1.0)
    gl.store(q, n, n > 4)


@gluon.jit
def atomics(p, q, u, n):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    x = i.to(gl.float32)
    gl.atomic_add(p + i, x)
    gl.atomic_add(p + i, x, mask=i < n, sem="relaxed", scope="cta")
    a = gl.atomic_add(q + i, i)
    gl.atomic_max(q + i, a)
    gl.atomic_min(q + i, a)
    gl.atomic_max(u + i, i.to(gl.uint32))
    gl.atomic_max(p + i, x)
    gl.atomic_min(p + i, x, mask=i < n)
    gl.atomic_and(q + i, a)
    gl.atomic_or(q + i, a)
    gl.atomic_xor(q + i, a)
    gl.atomic_xchg(q + i, a, sem="release")
    gl.atomic_cas(q + i, a, i)
    gl.atomic_add(q, 1)
    gl.atomic_cas(q, 1, 2, sem="acquire", scope="sys")
    gl.atomic_xchg(q, 0)


@gluon.jit
def shared(p, q, n):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    swizzled: gl.constexpr = gl.SwizzledSharedLayout(4, 2, 4, order=[1, 0])
    nvmma: gl.constexpr = gl.NVMMASharedLayout.get_default_for([32, 64], gl.float32)
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 4]], [32, 64], [1, 0])
    rows = gl.arange(0, 32, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    at = rows[:, None] * 64 + cols[None, :]
    x = gl.load(p + at)
    a = gl.allocate_shared_memory(gl.float32, [32, 64], swizzled, x)
    b = gl.allocate_shared_memory(gl.float32, [2, 32, 64], nvmma)
    c = gl.allocate_shared_memory(gl.float32, [32, 64], padded)
    b.index(n).store(x)
    y = b.index(0).load(layout)
    y += a.load(layout)
    c.store(y)
    y += c.load(layout)
    s = a.slice(0, 16)
    t = a.slice(32, 32, dim=1)
    z = t.load(layout)
    gl.store(p + rows[:, None] * 64 + gl.arange(0, 32, gl.SliceLayout(0, layout))[None, :], z)
    v = a.reinterpret(gl.int32, [32, 64], swizzled)
    gl.store(p + at, y + v.load(layout))


@gluon.jit
def copies(p, n):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    flat: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, order=[0])
    i = gl.arange(0, 512, layout)
    s = gl.allocate_shared_memory(gl.float32, [512], flat)
    gl.nvidia.ampere.async_copy.async_load(s, p + i, mask=i < n, cache_modifier=".cg", eviction_policy="evict_first")
    gl.nvidia.ampere.async_copy.commit_group()
    gl.nvidia.ampere.async_copy.wait_group(0)
    gl.store(p + i, s.load(layout))
