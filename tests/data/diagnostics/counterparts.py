"""Names of CUDA, torch, NumPy and Triton, for which Gluon has another name or another way."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
import numpy

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def of_cuda(x, y, n):
    at = blockIdx.x  # error: [no-such-operation] "a kernel has no 'blockIdx': use gl.program_id(0)"
    lane = threadIdx  # error: [no-such-operation] "whose elements gl.arange numbers"
    __syncthreads()  # error: [no-such-operation] "use gl.barrier()"
    atomicAdd(y, 1.0)  # error: [undefined-name]
    __shfl_xor_sync(0, n, 1)  # error: [no-such-operation] "between threads"
    gl.thread_id(0)  # error: [no-such-operation] "whose elements gl.arange numbers"


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def of_torch_and_numpy(x, y, n):
    places = gl.arange(0, 128, layout=LINE)
    value = gl.load(x + places)
    best = gl.argmax(value, axis=0)  # error: [no-such-operation] "a combine function"
    order = gl.sort(value)  # error: [no-such-operation] "gl.gather"
    a = gl.sign(value)  # error: [no-such-operation] "gl.where"
    b = torch.sigmoid(value)  # error: [no-such-operation] "1 / (1 + gl.exp(-x))"
    c = np.exp(value)  # error: [undefined-name]
    d = value.mean(0)  # error: [no-such-operation] "tensor has no 'mean'"
    e = value.stride(0)  # error: [no-such-operation] "without strides"
    f = softmax(value)  # error: [no-such-operation] "gl.max"
    g = mean + 1  # error: [undefined-name]
    h = value ** 2  # error: [no-such-operation] "multiply"
    i = value @ value  # error: [unsupported-operator] "hopper.warpgroup_mma"
    j = value[0:64]  # error: [bad-tensor-index] "the slice `0:64`"
    k = value.view(64, 2)  # error: [bad-argument] "call reshape"
    gl.device_print(value)  # error: [wrong-argument] "'prefix' must be a string"


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def of_other_modules(x, y, n):
    gluon.load(x)  # error: [unknown-attribute]
    gl.matmul(x, y)  # error: [no-such-operation] "hopper.warpgroup_mma"
    gl.tma  # error: [unknown-attribute]
    gl.reduce(gl.load(x + gl.arange(0, 128, layout=LINE)), 0, gl.maximum)  # error: [bad-argument] "write one that calls it"


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def of_libraries_that_are_imported(x, y, n):
    value = gl.load(x + gl.arange(0, 128, layout=LINE))
    a = numpy.exp(value)  # error: [host-function]
    b = torch.zeros(128)  # error: [host-function] "torch.zeros"
    c = numpy.arange(128)  # error: [host-function] "numpy.arange"
    d = value.type(gl.float16)  # error: [not-callable] "'value.type', a type"
    h = torch.cat((value, value))  # error: [no-such-operation] "gl.join"
    e = value.reshape(-1, 8)  # error: [bad-argument] "a size that is written as -1"
    f = gl.min(3, 4)  # error: [not-a-tensor]
    g = gl.next_power_of_2(100)  # error: [no-such-operation] "use triton.next_power_of_2"


# gluond: launch(x="*fp32:16", y="*fp32:16", n="i32")
@gluon.jit
def of_barriers_and_copies(x, y, n):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.signal(bar)  # error: [unknown-attribute]
    mbarrier.expect_tx(bar, 16)  # error: [unknown-attribute]
    tma.wait_all()  # error: [unknown-attribute]
    size: gl.constexpr = triton.next_pow2(100)  # error: [unknown-attribute]
    wrong = bar.read(LINE)  # error: [unknown-attribute]


@gluon.jit  # warning: [module-exception]
@triton.autotune(configs=[triton.Config({"BLOCK": 128})], key=["n"])
@gluon.jit
def jit_above_the_tuner(x, n, BLOCK: gl.constexpr):
    gl.store(x + gl.arange(0, BLOCK, layout=LINE), n)
