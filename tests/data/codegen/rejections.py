# What Triton refuses after Python has had its say: its C++ side's types, its library, options, verifiers.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared, mbarrier, tma

wide = gl.BlockedLayout([4], [32], [4], [0])
warps64 = gl.BlockedLayout([4], [64], [4], [0])
flat = gl.SwizzledSharedLayout(1, 1, 1, [0])


@gluon.constexpr_function
def next_one(x):
    return x + 1


@gluon.jit
def both(a, b):
    return a + b


@gluon.jit
def buffer_size(x_ptr, n):
    buffer = gl.allocate_shared_memory(gl.int64, [29024], flat)
    buffer._keep_alive()


@gluon.jit
def element_width(x_ptr, n):
    gl.allocate_shared_memory(gl.int1, [512], gl.NVMMASharedLayout(0, 8, 1))


@gluon.jit
def order_of_layout(x_ptr, n):
    gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [1]))


@gluon.jit
def order_of_layout_again(x_ptr, n):
    x = gl.full([128, 1], 1, gl.int32, gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 2]))
    gl.store(x_ptr, gl.sum(x.reshape([128]), 0))


@gluon.jit
def number_for_flag(x_ptr, n):
    x = gl.load(x_ptr + gl.arange(0, 512, wide), volatile=1)
    gl.store(x_ptr + gl.arange(0, 512, wide), x)


@gluon.jit
def number_for_read_only(x_ptr, n):
    tma.store_wait(0, 0)


@gluon.jit
def text_for_flag(x_ptr, n):
    fence_async_shared(cluster='x')


@gluon.jit
def number_for_increment(x_ptr, n):
    bar = mbarrier.allocate_mbarrier()
    async_copy.mbarrier_arrive(bar, increment_count=1)


@gluon.jit
def cast_to_itself(x_ptr, s):
    gl.store(x_ptr, s.to(gl.float32, gl.float32))


@gluon.jit
def length_of_tensor(x_ptr, n):
    gl.store(x_ptr, len(n))


@gluon.jit
def float_of_tensor(x_ptr, n):
    gl.store(x_ptr, float(n))


@gluon.jit
def tensor_for_constexpr_function(x_ptr, n):
    gl.store(x_ptr, next_one(n))


@gluon.jit
def axis_of_library_function(x_ptr, n):
    gl.store(x_ptr, gl.sum(gl.arange(0, 512, wide), axis=1))


@gluon.jit
def layout_on_another_line(x_ptr, n):
    x = gl.arange(
        0,
        512,
        layout=n,
    )


@gluon.jit
def reduction_of_wrong_warps(x_ptr, n):
    x = gl.load(x_ptr + gl.arange(0, 512, warps64))
    gl.store(x_ptr, gl.reduce(x, 0, both))


@gluon.jit
def tma_elsewhere(x_ptr, n):
    desc = tma.make_tensor_descriptor(x_ptr, [n, 64], [64, 1], [64, 64], gl.NVMMASharedLayout(128, 32, 2))
    buffer = gl.allocate_shared_memory(gl.float32, [64, 64], gl.NVMMASharedLayout(128, 32, 2))
    tma.async_store(desc, [0, 0], buffer)


@gluon.jit
def clusters(x_ptr, n):
    gl.store(x_ptr, n)


@gluon.jit
def packed_fp4_along_rows(x_ptr, n):
    rows = gl.arange(0, 64, gl.SliceLayout(1, gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])))
    packed = (rows[:, None] + gl.arange(0, 32, gl.SliceLayout(0, gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])))[None, :]).to(gl.uint8)
    x = gl.fp4_to_fp(packed, gl.bfloat16, 0)
