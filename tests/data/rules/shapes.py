from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def indexing(p, n):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 32, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    at = rows[:, None] * n + cols[None, :]
    x = gl.load(p + at, mask=(rows[:, None] < n) & (cols[None, :] < n), other=0.0)
    gl.store(p + at, x + 1)
    y = gl.expand_dims(rows, 1)
    z = rows.expand_dims(1)
    gl.store(p + y + cols[None, :], x)
    gl.store(p + z.broadcast_to([32, 64]), x)
    a, b = gl.broadcast(rows[:, None], cols[None, :])
    gl.store(p + a, (a + b).to(gl.float32))


@gluon.jit
def reshapes(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    x = gl.full([32, 64], 1.5, gl.float32, layout)
    y = x.reshape([64, 32])
    z = gl.reshape(x, 2048)
    t = gl.permute(x, (1, 0))
    u = x.trans()
    u = x.permute(1, 0)
    s = x.T
    v = gl.join(x, x * 2)
    a, b = gl.split(v)
    c = gl.convert_layout(a, gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1]))
    r = gl.ravel(x)
    m = gl.zeros([32, 64], gl.int32, layout)
    k = gl.zeros_like(x)
    f = gl.full_like(x, 3)
    auto = gl.set_auto_layout(gl.full([32], 1, gl.int32, gl.AutoLayout()), gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(p, gl.sum(gl.sum(c, 0), 0) + gl.sum(gl.sum(b, 0), 0) + gl.sum(gl.sum(k, 0), 0) + gl.sum(auto, 0))
    gl.store(p, gl.sum(r, 0))
    gl.store(p, gl.sum(gl.sum(m + f, 1), 0))


@gluon.jit
def more_shapes(p, q):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    flat: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 128, flat)
    x = gl.load(p + i)
    g = gl.gather(x, i // 2, 0)
    h = gl.histogram(i % 16, 16, layout=flat)
    h2 = gl.histogram(i % 16, 16, i < 64, layout=flat)
    gl.store(q + i, g)
    gl.store(q + gl.arange(0, 16, flat), h + h2)
    gl.static_assert(x.shape[0] == 128)
    gl.static_print("shape", x.shape)
    d: gl.constexpr = x.dtype
    gl.store(q + i, x.to(d))
    gl.store(q, x.numel)
    l: gl.constexpr = gl.to_linear_layout(layout, [32, 64])
    y = gl.full([32, 64], 0, gl.int32, l)
    gl.store(q, gl.sum(gl.sum(y, 1), 0))
    gl.store(q, gl.num_warps() + gl.num_ctas() + gl.program_id(0) + gl.num_programs(1))
    gl.assume(gl.program_id(0) >= 0)
    j = gl.multiple_of(i, 4)
    j = gl.max_contiguous(j, 4)
    j = gl.max_constancy(j, 4)
    gl.store(q + j, j)
    gl.barrier()


@gluon.jit
def debugging(p, n):
    flat: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    i = gl.arange(0, 128, flat)
    gl.device_print("x", i, hex=True)
    print("n is", n)
    gl.device_assert(i < n, "too large")
    gl.device_assert(n > 0)
    assert n > 1, "n"
    gl.store(p + i, i)
