from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def add(a, b):
    return a + b


@gluon.jit
def add_pair(a, b, c, d):
    return a + c, gl.maximum(b, d)


@gluon.jit
def reductions(p, q):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 32, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    x = gl.load(p + rows[:, None] * 64 + cols[None, :])
    i = gl.load(q + rows[:, None] * 64 + cols[None, :])
    gl.store(p + rows, gl.sum(x, 1))
    gl.store(p + cols, gl.sum(x, axis=0))
    gl.store(p, gl.sum(x))
    gl.store(p + rows, gl.max(x, 1))
    gl.store(p + rows, gl.min(x, 1))
    gl.store(q + rows, gl.max(i, 1))
    gl.store(q + rows, gl.min(i, 1))
    gl.store(q + rows, gl.xor_sum(i, 1))
    gl.store(q + rows, gl.sum(i, 1))
    gl.store(q + rows, gl.sum(i > 0, 1))
    gl.store(p + rows[:, None], gl.sum(x, 1, keep_dims=True))
    gl.store(p + rows, gl.reduce(x, 1, add))
    a, b = gl.reduce((x, i), 1, add_pair)
    gl.store(p + rows, a)
    gl.store(q + rows, b)
    gl.store(p + rows, x.sum(1))
    gl.store(p + rows, x.max(1))


@gluon.jit
def scans(p, q):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 32, gl.SliceLayout(1, layout))
    cols = gl.arange(0, 64, gl.SliceLayout(0, layout))
    at = rows[:, None] * 64 + cols[None, :]
    x = gl.load(p + at)
    i = gl.load(q + at)
    gl.store(p + at, gl.associative_scan(x, 1, add))
    gl.store(p + at, gl.associative_scan(x, 0, add, reverse=True))
    a, b = gl.associative_scan((x, i), 1, add_pair)
    gl.store(p + at, a)
    gl.store(q + at, b)


@gluon.jit
def halve(a):
    return a / 2, a


@gluon.jit
def four(a, b, c, d):
    return a + b, c + d, a - b, c - d


@gluon.jit
def elementwise(p):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    x = gl.load(p + i)
    a, b = gl.map_elementwise(halve, x)
    gl.store(p + i, a + b)
    y = gl.map_elementwise(add, x, a)
    gl.store(p + i, y)
    y = gl.inline_asm_elementwise("add.f32 $0, $1, $2;", "=r,r,r", [x, y], dtype=gl.float32, is_pure=True, pack=1)
    c, d = gl.inline_asm_elementwise("mov.b32 $0, $2; mov.b32 $1, $2;", "=r,=r,r", [x], dtype=(gl.float32, gl.int32), is_pure=False, pack=1)
    gl.store(p + i, y + c + d)


@gluon.constexpr_function
def twice(outputs, inputs):
    return "\n".join(f"add.f32 {o}, {i}, {i};" for o, i in zip(outputs[0], inputs[0]))


@gluon.jit
def assembly(p):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    i = gl.arange(0, 512, layout)
    x = gl.load(p + i)
    y = gl.inline_asm(twice, ("=f", "f"), [x], x.type, is_pure=True)
    gl.store(p + i, y)
    z = gl.inline_asm("mov.u32 $0, %laneid;", "=r", [], gl.int32)
    gl.store(p, z)
    gl.inline_asm("bar.sync 0;")
