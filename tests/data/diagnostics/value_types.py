# Types, shapes and layouts of values.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import warpgroup_mma, warpgroup_mma_init

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
WIDE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))
TILE = gl.constexpr(gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0]))
MMA = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16]))
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))
SHARED_2D = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
NVMMA = gl.constexpr(gl.NVMMASharedLayout(128, 16, 2))


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def layouts_differ(out, n):
    a = gl.arange(0, 128, layout=FLAT)
    b = gl.arange(0, 128, layout=WIDE)
    c = a + b  # error: [layout-mismatch]
    gl.store(out + a, b.to(gl.float32))  # error: [operand-layout-mismatch]
    gl.load(out + a, mask=b < n)  # error: [operand-layout-mismatch]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def shapes(out, n):
    a = gl.arange(0, 128, layout=FLAT)
    b = gl.arange(0, 64, layout=FLAT)
    c = a + b  # error: [shape-mismatch]
    t = gl.full([32, 32], 0, gl.int32, layout=TILE)
    d = a + t  # error: [rank-mismatch]
    e = gl.arange(0, 64, layout=TILE)  # error: [layout-rank-mismatch]
    f = gl.arange(0, 100, layout=FLAT)  # error: [not-power-of-two]
    g = gl.full([1024, 2048], 0, gl.int32, layout=TILE)  # error: [tensor-too-large]
    h = gl.arange(8, 0, layout=FLAT)  # error: [invalid-range]
    i = gl.expand_dims(t, 5)  # error: [invalid-axis]
    j = gl.reshape(a, [64])  # error: [reshape-count]
    k = gl.permute(t, (0, 0))  # error: [bad-permutation]
    m = gl.program_id(3)  # error: [invalid-program-axis]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def indices(out, n):
    a = gl.arange(0, 128, layout=FLAT)
    b = a[:, None]  # error: [slice-layout-expected]
    r = gl.arange(0, 32, layout=gl.SliceLayout(0, TILE))
    c = r[:, None]  # error: [slice-dim-mismatch]
    d = r[:, :, None]  # error: [too-many-indices]
    e = a[0]  # error: [bad-tensor-index]
    f = gl.full([32, 32], 0, gl.int32, layout=TILE)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def broadcasts(out, n):
    t = gl.full([32, 32], 0, gl.int32, layout=TILE)
    u = t.broadcast_to([32, 64])  # error: [bad-broadcast]


# gluond: launch(out="*fp32", p="*kfp32", n="i32", u="u32")
@gluon.jit
def types(out, p, n, u):
    a = gl.arange(0, 128, layout=FLAT)
    b = out + out  # error: [incompatible-types]
    c = out * 2  # error: [unexpected-type]
    d = a.to(gl.int8) + 1000  # error: [non-representable]
    e = n // u  # error: [mixed-sign-division]
    f = gl.exp(a)  # error: [unexpected-type]
    g = gl.full([64], 0, float, layout=FLAT)  # error: [not-a-dtype]
    h = gl.convert_layout(1, FLAT)  # error: [not-a-tensor]
    i = gl.convert_layout(a, SHARED)  # error: [not-a-layout]
    j = n.to(gl.float32).to(gl.float32, bitcast=True).to(gl.float16, bitcast=True)  # error: [invalid-cast]
    k = a.to(gl.float16, fp_downcast_rounding="rtz")  # error: [invalid-rounding]
    gl.store(p, 1.0)  # error: [store-to-const]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def memory(out, n):
    a = gl.arange(0, 128, layout=FLAT)
    gl.load(n)  # error: [not-a-pointer]
    gl.load(out + a, mask=a)  # error: [mask-not-boolean]
    gl.load(out + a, other=0.0)  # error: [other-without-mask]
    gl.store(out, a)  # error: [block-for-scalar-pointer]
    gl.load(out, cache_modifier=".xy")  # error: [unknown-option]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def shared_memory(out, n):
    s = gl.allocate_shared_memory(gl.float16, [64], SHARED)
    s.store(gl.full([128], 1.0, gl.float16, layout=FLAT))  # error: [shared-shape-mismatch]
    s.store(gl.full([64], 1.0, gl.float32, layout=FLAT))  # error: [shared-dtype-mismatch]
    t = gl.allocate_shared_memory(gl.float16, [64], FLAT)  # error: [not-a-layout]
    gl.allocate_shared_memory(gl.float16, n, SHARED)  # error: [not-an-integer]
    m = gl.allocate_shared_memory(gl.float16, [64, 64], SHARED_2D)
    m.permute([0, 0])  # error: [bad-permutation]
    x = m[0]  # error: [not-subscriptable]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def malformed_layouts(out, n):
    a: gl.constexpr = gl.BlockedLayout([1, 1], [32], [4, 1], [1, 0])  # error: [invalid-layout]
    b: gl.constexpr = gl.BlockedLayout(
        size_per_thread=[3],  # error: [invalid-layout]
        threads_per_warp=[32], warps_per_cta=[4], order=[0])
    x = gl.arange(0, 128, layout=b)
    c: gl.constexpr = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 1])  # error: [invalid-layout]
    y = gl.arange(0, 128, layout=gl.SliceLayout(0, c))
    d = gl.NVMMASharedLayout(100, 16, 2)  # error: [invalid-layout]


@gluon.jit
def takes_a_layout(out, layout: gl.constexpr):
    gl.store(out + gl.arange(0, 128, layout=layout), 1.0)


# Found by the verifier only, and all of them although there are other mistakes.
# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def layouts_of_another_launch(out, n):
    a: gl.constexpr = gl.BlockedLayout([1], [32], [8], [0])  # error: [layout-warps]
    x = gl.arange(0, 256, layout=a)
    gl.store(out, nothing)  # error: [undefined-name]
    takes_a_layout(out, gl.BlockedLayout([1], [16], [4], [0]))  # error: [layout-threads]


# gluond: launch(out="*fp32", n="i32", target="cuda:90")
@gluon.jit
def not_waited_for(out, n):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    acc = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, layout=MMA))
    acc = warpgroup_mma(a, b, acc, is_async=True)
    x = acc + 1.0  # error: [accumulator-not-waited]


# gluond: launch(out="*fp32", n="i32", target="cuda:90")
@gluon.jit
def operands_of_wgmma(out, n):
    a = gl.allocate_shared_memory(gl.float16, [64, 64], NVMMA)
    b = gl.allocate_shared_memory(gl.float16, [128, 64], NVMMA)
    acc = gl.zeros([64, 64], gl.float32, layout=MMA)
    c = warpgroup_mma(a, b, acc)  # error: [invalid-operation]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def unresolved(out, n):
    offsets = gl.arange(0, 64, layout=gl.AutoLayout())  # error: [unresolved-auto-layout]
    gl.store(out + offsets, 1.0)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def several_open(out, n):
    a = gl.arange(0, 64, layout=gl.AutoLayout())  # error: [unresolved-auto-layout]
    b = gl.arange(0, 32, layout=gl.AutoLayout())  # error: [unresolved-auto-layout]
    c = b + gl.full([32], 1, gl.int32, layout=gl.AutoLayout())  # what decides b decides it too
    for i in range(n):
        c = c * 2
    gl.device_print("a", a)
    gl.device_print("c", c)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def wrong_order(out, n):
    bad: gl.constexpr = gl.BlockedLayout([1, 1], [4, 8], [4, 1], [1, 1])  # error: [invalid-layout]
    a = gl.zeros([64, 64], gl.float32, layout=bad)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def conflicting(out, n):
    x = gl.arange(0, 128, layout=gl.AutoLayout())  # error: [conflicting-auto-layouts]
    gl.store(out + gl.arange(0, 128, layout=FLAT), gl.set_auto_layout(x, FLAT).to(gl.float32))
    gl.store(out + gl.arange(0, 128, layout=WIDE), gl.set_auto_layout(x, WIDE).to(gl.float32))


# gluond: launch(out="*fp32")
@gluon.jit
def pairs_of_two_threads(out):
    apart: gl.constexpr = gl.BlockedLayout([1, 1], [16, 2], [4, 1], [1, 0])
    together: gl.constexpr = gl.BlockedLayout([1, 2], [32, 1], [4, 1], [1, 0])
    a, b = gl.split(gl.zeros([64, 2], gl.float32, layout=together))
    c, d = gl.split(gl.zeros([64, 2], gl.float32, layout=apart))  # error: [bad-argument]
    gl.device_print("a", a)


# gluond: launch(out="*fp32", n="i32", m="i32")
@gluon.jit
def comparisons_beside_bits(out, n, m):
    rows = gl.arange(0, 128, layout=FLAT)
    cols = rows * 2
    both = rows < n & cols < m  # warning: [comparison-precedence]
    either = rows < n | cols < m  # warning: [comparison-precedence]
    meant = (rows < n) & (cols < m)
    between = 0 < (n & 7) < m
    gl.store(out + rows, 1.0, mask=both & either & meant & between)


# gluond: launch(out="*fp16", n="i32")
@gluon.jit
def operators(out, n):
    p = out + gl.arange(0, 128, layout=FLAT)
    x = gl.load(p)
    a = x << 1  # error: [unexpected-type] "<< does not support float16: convert to integers"
    b = ~x  # error: [unexpected-type] "~ does not support float16"
    c = x // 2  # error: [unexpected-type] "// does not support float16: only integers have a floor division"
    d = p % 16  # error: [unexpected-type] "a pointer can only be added to"
    e = not n  # error: [unexpected-type] "'not' does not support int32"
    f = (x > 0) and x  # error: [unexpected-type] "'and' does not support float16"
    g = gl.exp(x)  # error: [unexpected-type] "the argument must be float32 or float64"
    h = gl.where(x > 0, x, None)  # error: [bad-argument] "expected a tensor or a number, but got None"
    i = gl.fma(x, x, None)
    j = gl.convert_layout(x, gl.SliceLayout(0, FLAT))  # error: [layout-rank-mismatch] "gl.SliceLayout(0, gl.BlockedLayout([1], [32], [4], [0]))"


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def no_tensors(out, n):
    p = out + gl.arange(0, 128, layout=FLAT)
    a = gl.sum(3, axis=0)  # error: [not-a-tensor] "'input' must be a tensor, but it is 3"
    b = gl.max("a", 0)  # error: [not-a-tensor] "'input' must be a tensor, but it is 'a'"
    c = max(gl.load(p))  # error: [bad-argument] "max compares two or more values; gl.max reduces the elements of a tensor"
    d = gl.float16(n)  # error: [not-callable]
    buffer = gl.allocate_shared_memory(gl.float32, [128], SHARED, gl.load(p))
    e = gl.load(buffer, FLAT)  # error: [not-a-pointer] "load needs a pointer, but this is shared memory"
    f = -(1, 2)  # error: [unsupported-operand] "unsupported operand type for unary -: tuple"


# gluond: launch(out="*fp32", BLOCK=128)
@gluon.jit
def extremes_of_numbers(out, BLOCK: gl.constexpr):
    a = max((1, 2))  # error: [bad-argument] "max in a kernel compares numbers, and does not look into (1, 2)"
    b = min([BLOCK, 2])  # error: [bad-argument] "does not look into"
    c = max(BLOCK, 3, default=1)  # error: [python-exception] "max() in a kernel takes no keyword 'default'"
    d = max(float("nan"), 1)  # error: [bad-argument] "max of compile-time values does not take nan"
    e = min(-0.0, 1)  # error: [bad-argument] "min of compile-time values does not take -0.0"
    f = min()  # error: [python-exception] "min() needs at least one value"
    g = max(BLOCK, "a")  # error: [bad-argument] "max compares numbers, but this is 'a'"
    h = int(BLOCK, 2)  # error: [python-exception] "int() can't convert non-string with explicit base"


# gluond: launch(out="*fp32", BLOCK=128)
@gluon.jit
def functions_as_values(out, BLOCK: gl.constexpr):
    a = gl.program_id * BLOCK  # error: [python-exception] "unsupported operand type(s) for *: 'function' and 'int'"
    b = gl.load.eviction(out)  # error: [unknown-attribute] "<function load> has no attribute 'eviction'"
    c = isinstance(BLOCK, (int, float))  # error: [bad-argument] "a tuple in a kernel cannot hold <class 'int'>, which has no type"
    d = (gl.load, 1)  # error: [bad-argument] "a tuple in a kernel cannot hold <function load>"


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def tuples_compared(out, n):
    pid = gl.program_id(0)
    a = (1, pid) == (1, n)  # error: [unsupported-operands]
    b = (1, 2) < (1, 3)  # error: [unsupported-operands] "unsupported operand types for <: tuple and tuple"
    c = (1, pid) == 1  # error: [unsupported-operands] "unsupported operand types for ==: tuple and int"
