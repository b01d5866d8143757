# What Triton warns of, and classes, calls and coordinates that are told in words.
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))


# gluond: launch(p="*fp32:16", n="i32")
@gluon.jit
def warned_of_by_triton(p, n):
    i = gl.arange(0, 128, layout=LINE)
    mask = (i < n) and (i > 3)  # warning: [deprecated] "use '&'"
    x = gl.load(p + i, mask=i < n or i > 3)  # warning: [deprecated] "'or' of tensors"
    y = max(x, 0.0)  # warning: [deprecated] "use gl.maximum"
    z = gl.where(i, min(x, y), y)  # warning: [deprecated] "of type int32" # warning: [deprecated] "use gl.minimum"
    w = i << 40  # warning: [shift-too-far] "int32 has 32 bits"
    one = gl.zeros([1], gl.int32, LINE)
    if one:  # warning: [deprecated] "(one).item()"
        gl.store(p + i, w.to(gl.float32), mask=mask)
    gl.store(p + i, z, mask=mask)


# gluond: launch(p="*fp32:16", n="i32")
@gluon.jit
def not_warned_of(p, n):
    i = gl.arange(0, 128, layout=LINE)
    x = gl.load(p + i, mask=(i < n) & (i > 3))
    if n > 3 and n < 9:
        x = gl.maximum(x, 0.0)
    one = gl.zeros([1], gl.int32, LINE)
    if one.item():
        x += max(n, 3)
    gl.store(p + i, gl.where(x > 0, x, (i >> 31).to(gl.float32)), mask=i < min(n, 128))


# gluond: launch(p="*fp32:16")
@gluon.jit
def large_product(p):
    a = gl.zeros([128, 64], gl.float32, gl.DotOperandLayout(0, TILE, 0))
    b = gl.zeros([64, 128], gl.float32, gl.DotOperandLayout(1, TILE, 0))
    acc = gl.dot_fma(a, b, gl.zeros([128, 128], gl.float32, TILE))  # warning: [large-fma] "1048576"
    rows = gl.arange(0, 128, gl.SliceLayout(1, TILE))[:, None]
    gl.store(p + rows * 128 + gl.arange(0, 128, gl.SliceLayout(0, TILE))[None, :], acc)


class Plain:

    def __init__(self, x):
        self.x = x


@gluon.aggregate
class Pair:
    x: gl.tensor
    size: gl.constexpr

    @gluon.constexpr_function
    def __init__(self, x, size):
        self.x = x
        self.size = size


# gluond: launch(p="*fp32:16")
@gluon.jit
def plain_class(p):
    made = Plain(p)  # error: [host-class] "'Plain' is a Python class"
    gl.store(made.x, 1.0)


# gluond: launch(p="*fp32:16")
@gluon.jit
def wrong_attributes(p):
    made = Pair(3, gl.constexpr(4))  # error: [python-exception] "convert the value with gl.to_tensor"
    gl.store(p, made.x)


# gluond: launch(p="*fp32:16")
@gluon.jit
def unwrapped_constexpr(p):
    made = Pair(gl.load(p), 4)  # error: [python-exception] "wrap the value in gl.constexpr"
    gl.store(p, made.x)


# gluond: launch(p="*fp32:16")
@gluon.jit
def called_values(p):
    exp = gl.load(p)
    gl.store(p, exp(exp))  # error: [not-callable] "'exp', a value of type float32, cannot be called"


# gluond: launch(p="*fp32:16")
@gluon.jit
def called_module(p):
    gl.store(p, gl(p))  # error: [not-callable] "'gl', a module, cannot be called"


@gluon.jit
def values_and_positions(a, i, b, j):
    return a + b, i


# gluond: launch(p="*fp32:16")
@gluon.jit
def texts_of_verifiers(p):
    swizzled: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    buffer = gl.allocate_shared_memory(gl.float32, [64, 64], swizzled)
    late = buffer.slice(48, 32)  # error: [invalid-operation] "the slice ends after the end of the buffer"
    buffer.store(gl.zeros([64, 64], gl.float32, TILE))


# gluond: launch(p="*fp32:16")
@gluon.jit
def calls_within_the_library(p):
    x = gl.load(p + gl.arange(0, 128, LINE))
    a = tl.sort(x)  # error: [no-such-operation] "Gluon has no 'tl.sort': it calls tl.arange, which Gluon does not have"
    b = tl.softmax(x)  # error: [not-a-tensor] "in tl.softmax: 'input' must be a tensor"
    gl.store(p + gl.arange(0, 128, LINE), a + b)


# gluond: launch(p="*fp32:16")
@gluon.jit
def only_elements(p):
    x = gl.load(p + gl.arange(0, 128, LINE))
    a = x.item()  # error: [bad-argument] "item needs a tensor of one element, but got float32[128]"
    b = x.reshape([])  # error: [bad-argument] "reshape to [] needs a tensor of one element"
    gl.store(p, a + b)


# gluond: launch(p="*fp8e4nv:16")
@gluon.jit
def format_without_its_ending(p):
    gl.store(p, gl.zeros([], gl.float8e4))  # error: [no-such-operation] "use gl.float8e4nv"


# gluond: launch(p="*fp32:16", n="i32")
@gluon.jit
def products_of_a_loop(p, n):
    x = gl.full([32, 32], 1.0, gl.bfloat16, TILE)
    scale = gl.full([32, 1], 1, gl.uint8, TILE)
    acc = gl.full([32, 32], 0.0, gl.float32, TILE)
    for i in range(n):
        acc = tl.dot_scaled(x, scale, "bf16", x, scale, "bf16", acc)  # error: [no-such-operation] "Gluon has no 'tl.dot_scaled'"
    gl.store(p + gl.full([32, 32], 0, gl.int32, TILE), acc)


# gluond: launch(p="*fp32:16")
@gluon.jit
def product_that_is_stored(p):
    a = gl.full([32, 32], 1.0, gl.float16, gl.DotOperandLayout(0, TILE, 0))
    b = gl.full([32, 32], 1.0, gl.float16, gl.DotOperandLayout(1, TILE, 0))
    product = tl.dot(a, b, gl.full([32, 32], 0.0, gl.float32, TILE))  # error: [no-such-operation] "Gluon has no 'tl.dot'"
    gl.store(p + gl.full([32, 32], 0, gl.int32, TILE), product)


# gluond: launch(p="*fp32:16")
@gluon.jit
def product_that_is_added(p):
    a = gl.full([32, 32], 1.0, gl.float16, gl.DotOperandLayout(0, TILE, 0))
    b = gl.full([32, 32], 1.0, gl.float16, gl.DotOperandLayout(1, TILE, 0))
    acc = gl.full([32, 32], 0.0, gl.float32, TILE)
    for i in range(4):
        acc += tl.dot(a, b, gl.full([32, 32], 0.0, gl.float32, TILE))  # error: [no-such-operation] "Gluon has no 'tl.dot'"
    gl.store(p + gl.full([32, 32], 0, gl.int32, TILE), acc)
