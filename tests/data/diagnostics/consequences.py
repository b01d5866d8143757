# Values whose type follows from a mistake are unknown: each mistake is one error.
import functools

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, allocate_tensor_memory, tcgen05_mma
from triton.experimental.gluon.language.nvidia.hopper import warpgroup_mma, warpgroup_mma_wait

LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))
MMA = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))
SHARED = gl.constexpr(gl.NVMMASharedLayout(128, 16, 2))
MATRIX = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
TENSOR = gl.constexpr(TensorMemoryLayout((128, 128), col_stride=1))


@gluon.jit
def places(rows: gl.constexpr, columns: gl.constexpr, layout: gl.constexpr):
    r = gl.arange(0, rows, layout=gl.SliceLayout(1, layout))
    c = gl.arange(0, columns, layout=gl.SliceLayout(0, layout))
    return r[:, None] * columns + c[None, :]


# gluond: launch(out="*fp32:16", n="i32", target="cuda:90")
@gluon.jit
def wrong_accumulator(out, n):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], SHARED)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], SHARED)
    acc = gl.zeros([64, 128], gl.float32, MMA)
    for _ in range(n):
        acc = warpgroup_mma(a, b, acc, is_async=True)  # error: [invalid-operation] "as many columns"
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc, ))
    gl.store(out + places(64, 64, MMA), acc)


# gluond: launch(out="*fp32:16", n="i32", target="cuda:90")
@gluon.jit
def no_dependencies(out, n):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], SHARED)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], SHARED)
    acc = gl.zeros([64, 64], gl.float32, MMA)
    for _ in range(n):
        acc = warpgroup_mma(a, b, acc, is_async=True)
        acc = warpgroup_mma_wait(num_outstanding=0, deps=())  # error: [invalid-operation]
    gl.store(out + places(64, 64, MMA), acc)


# gluond: launch(out="*fp32:16", target="cuda:100")
@gluon.jit
def wrong_tensor_memory(out):
    a = gl.allocate_shared_memory(gl.float16, [128, 64], SHARED)
    b = gl.allocate_shared_memory(gl.float16, [64, 128], SHARED)
    acc = allocate_tensor_memory(gl.float32, [128, 64], TENSOR)
    tcgen05_mma(a, b, acc, use_acc=False)  # error: [invalid-operation]
    gl.store(out + places(128, 128, TILE), acc.load(TILE))


# gluond: launch(p="*fp32:16", i="i32")
@gluon.jit
def buffer_of_another_rank(p, i):
    offsets = gl.arange(0, 1024, layout=LINE)
    smem = gl.allocate_shared_memory(gl.float32, [2, 1024], MATRIX)
    smem.index(i).store(gl.load(p + offsets))  # error: [invalid-operation]
    gl.store(p + offsets, smem.index(i).load(LINE))


@gluon.jit
def first(a):
    return a


# gluond: launch(p="*fp32:16")
@gluon.jit
def combined_twice(p):
    x = gl.load(p + gl.arange(0, 1024, layout=LINE))
    gl.store(p, gl.reduce(x, 0, first))  # error: [bad-argument] "gets two values of each input, 2 in all, but 'first' takes 1"
    gl.store(p + 1, gl.reduce(x, 0, first))


# gluond: launch(p="*fp32:16", n="i32")
@gluon.jit
def mask_of_another_rank(p, n):
    at = p + places(64, 64, TILE)
    mask = gl.arange(0, 64, layout=gl.SliceLayout(1, TILE)) < n
    x = gl.load(at, mask=mask)  # error: [rank-mismatch]
    gl.store(at, x, mask=mask)


# gluond: launch(p="*fp32:16", n="i32")
@gluon.jit
def order_of_arguments(p, n):
    offsets = gl.arange(0, 1024, layout=LINE)
    gl.store(p + offsets, gl.load(p + offsets, mask=offsets < n, 0.0))  # error: [invalid-arguments]


# gluond: launch(p="*fp32:16")
@gluon.jit
def endless(p):
    while True:
        break  # error: [unsupported-syntax]


@gluon.jit
def add(a, b):
    return a + b


# gluond: launch(p="*fp32:16", combine=add)
@gluon.jit
def combine_by_parameter(p, combine: gl.constexpr):
    x = gl.load(p + gl.arange(0, 1024, layout=LINE))
    gl.store(p, gl.reduce(x, 0, combine))  # error: [bad-argument] "must be named where it is used"


# gluond: launch(p="*i32:16", kind=gl.int32)
@gluon.jit
def assembly_of_parameter(p, kind: gl.constexpr):
    x = gl.load(p + gl.arange(0, 1024, layout=LINE))
    y = gl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [x], kind, True, 1)  # error: [bad-argument]
    gl.store(p + gl.arange(0, 1024, layout=LINE), y)


@functools.lru_cache(maxsize=None)
def cached(n):
    return n // 128


@gluon.constexpr_function
def halves(n):
    return cached(n)  # error: [host-function]


# gluond: launch(p="*fp32:16", N=1024)
@gluon.jit
def cached_function(p, N: gl.constexpr):
    gl.store(p, halves(N))


# gluond: launch(p="*fp32:16", n="i32")
@gluon.jit
def precedence_of_masks(p, n):
    offsets = gl.arange(0, 1024, layout=LINE)
    one = (offsets < n) & offsets >= 0  # warning: [comparison-precedence]
    two = 0 <= offsets & (offsets < n)  # warning: [comparison-precedence]
    three = ((offsets & 1) == 0) & (offsets >= 0)
    four = (offsets & 3) >= 1
    gl.store(p + offsets, 0.0, mask=(one & two) & (three & four))
