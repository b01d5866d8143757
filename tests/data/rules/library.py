"""Functions of Triton's own language, tl, in Gluon kernels: Triton compiles some of them and rejects the others."""
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

ROWS: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
TILE: gl.constexpr = gl.BlockedLayout([1, 2], [4, 8], [4, 1], [1, 0])


@gluon.jit
def elementwise(p):
    i = gl.arange(0, 256, ROWS)
    x = gl.load(p + i)
    gl.store(p + i, tl.sigmoid(x) + x.sigmoid())


@gluon.jit
def softmaxes(p):
    x = gl.full([16, 32], 1.0, gl.float32, TILE)
    y = tl.softmax(x, 1)
    gl.store(p, gl.sum(gl.sum(y + tl.softmax(x, 1, ieee_rounding=True), 0), 0))


@gluon.jit
def sums_so_far(p):
    x = gl.full([16, 32], 1.0, gl.float32, TILE)
    y = gl.cumsum(x, 1) + tl.cumsum(x, 0, reverse=True) + x.cumprod(0) + tl.cumprod(x, axis=1, dtype=gl.float32)
    gl.store(p, gl.sum(gl.sum(y, 0), 0))


@gluon.jit
def position_of_most(p, q):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    gl.store(q, tl.argmax(x, 0))


@gluon.jit
def position_of_least(p, q):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    gl.store(q, x.argmin(0))


@gluon.jit
def smaller(a, i, b, j):
    keep = a < b
    return gl.where(keep, a, b), gl.where(keep, i, j)


@gluon.jit
def with_positions(p, q):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    _, i = tl.core._reduce_with_indices(x, 0, smaller)
    gl.store(q, i)


@gluon.jit
def flipped(p):
    i = gl.arange(0, 256, ROWS)
    gl.store(p + i, tl.flip(gl.load(p + i), 0))


@gluon.jit
def sorted_rows(p):
    i = gl.arange(0, 256, ROWS)
    gl.store(p + i, tl.sort(gl.load(p + i)))


@gluon.jit
def largest(p):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    gl.store(p, gl.sum(tl.topk(x, 4), 0))


@gluon.jit
def merged(p):
    i = gl.arange(0, 256, ROWS)
    gl.store(p + i, tl.bitonic_merge(gl.load(p + i)))


@gluon.jit
def interleaved(p):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    gl.store(p, gl.sum(tl.interleave(x, x), 0))


@gluon.jit
def dimensions(p):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    y = tl.unsqueeze(x, 1)
    gl.store(p, gl.sum(tl.squeeze(y, 1), 0))


@gluon.jit
def viewed(p):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    gl.store(p, gl.sum(gl.sum(x.view(16, 16), 0), 0))


@gluon.jit
def one_item(p):
    x = gl.full([1], 1.0, gl.float32, ROWS)
    gl.store(p, x.item())


@gluon.jit
def concatenated(p):
    x = gl.load(p + gl.arange(0, 256, ROWS))
    gl.store(p, gl.sum(tl.cat(x, x, can_reorder=True), 0))


@gluon.jit
def block_pointer(p, n):
    b = tl.make_block_ptr(p, [n], [1], [0], [256], [0])
    gl.store(p, gl.load(b))


@gluon.jit
def advanced(p):
    gl.store(p.advance([1]), 1.0)


@gluon.jit
def logarithm(p, N: gl.constexpr):
    gl.store(p, tl.standard._log2(N))


@gluon.jit
def by_multiplications(p):
    a = gl.full([32, 16], 1.0, gl.float32, gl.DotOperandLayout(0, TILE, 0))
    b = gl.full([16, 32], 1.0, gl.float32, gl.DotOperandLayout(1, TILE, 0))
    c = gl.dot_fma(a, b, gl.zeros([32, 32], gl.float32, TILE))
    gl.store(p, gl.sum(gl.sum(c, 0), 0))


@gluon.jit
def polled(p, q, n):
    x = gl.atomic_load(p, sem="acquire", scope="gpu")
    i = gl.arange(0, 256, ROWS)
    y = gl.atomic_load(q + i, mask=i < n)
    gl.atomic_poll(p, n, sem="acquire", scope="sys")
    gl.store(q + i, x + y)


FACTOR: gl.constexpr = gl.DotOperandLayout(0, TILE, 0)
OTHER_FACTOR: gl.constexpr = gl.DotOperandLayout(1, TILE, 0)


@gluon.jit
def product_alone(p):
    x = gl.full([32, 32], 1.0, gl.float32, TILE)
    gl.store(p, gl.sum(gl.sum(tl.dot(x, x), 0), 0))


@gluon.jit
def product_of_others(p):
    x = gl.full([32, 32], 1.0, gl.float32, TILE)
    gl.store(p, gl.sum(gl.sum(tl.dot(x, x, x), 0), 0))


@gluon.jit
def product_of_factors(p):
    a = gl.full([32, 32], 1.0, gl.float32, FACTOR)
    b = gl.full([32, 32], 1.0, gl.float32, OTHER_FACTOR)
    tl.dot(a, b)
    gl.store(p, 1.0)


@gluon.jit
def made_descriptor(p):
    d = tl.make_tensor_descriptor(p, [64, 64], [64, 1], [32, 32])


@gluon.jit
def loaded_descriptor(d):
    x = tl.load_tensor_descriptor(d, [0, 0])


@gluon.jit
def stored_descriptor(d):
    tl.store_tensor_descriptor(d, [0, 0], 1.0)


@gluon.jit
def scaled_product(p):
    gl.store(p, tl.dot_scaled(1, None, "e5m2", 1, None, "e5m2"))
