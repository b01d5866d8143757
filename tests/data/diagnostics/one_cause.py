# One mistake with several consequences is one error, at its cause.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import (
    TensorMemoryLayout, allocate_tensor_memory, mbarrier, tcgen05_commit, tcgen05_mma)
from triton.experimental.gluon.language.nvidia import hopper
from triton.experimental.gluon.language.nvidia.hopper import fence_async_share, tma  # error: [unknown-attribute]
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


@gluon.jit
def rows_of_the_wrong_slice(p, stride, M):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    cols = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    offsets = rows[:, None] * stride + cols[None, :]  # error: [slice-dim-mismatch]
    mask = rows[:, None] < M
    gl.store(p + offsets, 0.0, mask=mask)


rows_of_the_wrong_slice[(1,)](torch.empty(32, 32, device="cuda"), 32, 32)


@gluon.jit
def two_values_of_wrong_slices(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    rows = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    more = gl.arange(0, 32, layout=gl.SliceLayout(0, layout))
    gl.store(p + rows[:, None], 0.0)  # error: [slice-dim-mismatch]
    gl.store(p + more[:, None], 0.0)  # error: [slice-dim-mismatch]


two_values_of_wrong_slices[(1,)](torch.empty(32, 32, device="cuda"))


@gluon.jit
def name_of_a_misspelt_import(p):
    fence_async_shared()
    gl.store(p, gl.laod(p))  # error: [unknown-attribute]
    gl.store(p, gl.laod(p))  # error: [unknown-attribute]


name_of_a_misspelt_import[(1,)](torch.empty(1, device="cuda"))


# gluond: launch(p="*fp32", target="cuda:100")
@gluon.jit
def registers_as_accumulator(p):
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16)
    a = gl.allocate_shared_memory(gl.float16, [128, 64], shared)
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    acc = gl.zeros([128, 128], gl.float32, layout)
    tcgen05_mma(a, a.permute((1, 0)), acc, use_acc=False)  # error: [wrong-argument]
    out = acc.load(acc.get_reg_layout())
    gl.store(p, 1.0)


# gluond: launch(p="*fp32", target="cuda:90")
@gluon.jit
def chip_without_tensor_memory(p):
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16)
    a = gl.allocate_shared_memory(gl.float16, [128, 64], shared)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    acc = allocate_tensor_memory(gl.float32, [128, 128], TensorMemoryLayout([128, 128], col_stride=1))  # error: [unsupported-on-target]
    tcgen05_mma(a, a.permute((1, 0)), acc, use_acc=False)
    tcgen05_commit(bar)
    mbarrier.wait(bar, 0)


# gluond: launch(p="*fp32", target="cuda:80")
@gluon.jit
def layout_and_its_slice(p):
    product: gl.constexpr = gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[4, 1], instr_shape=[16, 8, 16])  # error: [invalid-layout]
    gl.store(p + gl.zeros([64, 64], gl.int32, product), 0.0)
    gl.store(p + gl.zeros([64], gl.int32, gl.SliceLayout(1, product)), 0.0)


# gluond: launch(p="*fp32", n="i32")
@gluon.jit
def name_that_is_never_set_before(p, n):
    for _ in range(n):
        total = total + 1.0  # error: [undefined-name]
    gl.store(p, total)


# gluond: launch(p="*fp32", target="cuda:90")
@gluon.jit
def layouts_of_another_warp_size(p):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0])  # error: [layout-threads]
    tile = gl.zeros([64, 64], gl.int32, layout)
    gl.store(p + tile.trans(1, 0), 0.0)


# gluond: launch(p="*fp32", target="cuda:90")
@gluon.jit
def tensor_in_place_of_a_buffer(p):
    bars = gl.zeros([4], gl.int64, gl.BlockedLayout([1], [32], [4], [0]))
    mbarrier.init(bars.index(0), count=1)  # error: [unknown-attribute]
    mbarrier.init(bars.index(1), count=1)
    gl.store(p, 0.0)


# gluond: launch(p="*fp32", n="i32", size="i32")
@gluon.jit
def parameter_without_constexpr(p, n, size):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, size, layout=layout)  # error: [not-constexpr]
    zeros = gl.zeros([size], gl.float32, layout)
    gl.store(p + offsets, zeros)
    gl.store(p + gl.arange(0, n, layout=layout), 0.0)  # error: [not-constexpr]


# gluond: launch(p="*fp32", BLOCK=128)
@gluon.jit
def range_from_the_program(p, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    start = gl.program_id(0) * BLOCK
    gl.store(p + gl.arange(start, start + BLOCK, layout=layout), 0.0)  # error: [not-constexpr]


# gluond: launch(p="*fp32", n="i32")
@gluon.jit
def assigned_in_one_branch(p, n):
    if n > 3:
        value = gl.load(p)
    gl.store(p + 1, value)  # error: [conditionally-defined]
    gl.store(p + 2, value)


# gluond: launch(p="*fp32")
@gluon.jit
def buffer_of_the_wrong_shape(p):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, 128, layout=layout)
    buffer = gl.allocate_shared_memory(gl.float32, [256], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    buffer.store(gl.load(p + offsets))  # error: [shared-shape-mismatch]
    gl.store(p + offsets, buffer.load(layout))


narrow = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=32, rank=2)
TensorDescriptor.from_tensor(torch.empty(256, 64, dtype=torch.float16, device="cuda"), [64, 64], narrow)  # error: [invalid-descriptor]
TensorDescriptor.from_tensor(torch.empty(128, 64, dtype=torch.float16, device="cuda"), [64, 64], layout=narrow)


# gluond: launch(p="*fp32", n="i32")
@gluon.jit
def returns_a_value_on_one_path(p, n):
    if n > 3:
        return n  # error: [invalid-operation] "a kernel cannot return a value"
    gl.store(p, n)


# gluond: launch(p="*fp32", n="i32")
@gluon.jit
def passes_generators_and_mappings(p, n):
    a = sum(i for i in (1, 2))  # error: [undefined-name]
    b = gl.maximum(**{"x": n, "y": n})  # error: [unsupported-expression]
    a.b: int = 3
    n.b: int = 3  # error: [unknown-attribute]


# gluond: launch(p="*fp32", n="i32")
@gluon.jit
def lacks_a_variable(p, n):
    gl.store(p, width)  # error: [undefined-name]
    gl.store(p + width, n * width)


# gluond: launch(p="*fp32", n="i32")
@gluon.jit
def is_no_python(p, n):
    nonlocal other  # error: [invalid-scope-declaration]
    a = *p  # error: [starred-here]
    await n  # error: [outside-async]


@gluon.jit
def gets_a_block_of_text(p, BLOCK: gl.constexpr):
    start = gl.program_id(0) * BLOCK  # error: [unsupported-operands]
    gl.store(p + start + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0])), 1.0)


gets_a_block_of_text[(1,)](torch.empty(256, device="cuda"), "128")


# gluond: launch(p="*fp32:16")
@gluon.jit
def layout_of_too_few_dimensions(p):
    flat: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4], [16, 8])
    a = gl.zeros([64, 64], gl.float16, gl.DotOperandLayout(0, flat, 2))  # error: [layout-rank-mismatch]
    m = gl.zeros([64], gl.float32, gl.SliceLayout(1, flat))
    acc = gl.zeros([64, 64], gl.float32, flat)


# gluond: launch(p="*fp32:16")
@gluon.jit
def keyword_as_an_argument(p):
    gl.store(p, 1.0, async=True)  # error: [reserved-word]


@gluon.jit
def buffer_of_another_layout(desc, out):
    mma: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    a = gl.allocate_shared_memory(gl.float16, [64, 64], gl.SwizzledSharedLayout(8, 1, 8, [1, 0]))
    b = gl.allocate_shared_memory(gl.float16, [64, 64], desc.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, 2 * desc.block_type.nbytes)
    row = gl.program_id(0).to(gl.int64)
    tma.async_load(desc, [0, 0], bar, a)  # error: [invalid-operation] "must have the layout of its descriptor"
    tma.async_load(desc, [row, 0], bar, b)  # error: [dtype-mismatch]
    tma.async_load(desc, [row, row], bar, b)
    mbarrier.wait(bar, 0)
    acc = hopper.warpgroup_mma(a, b, gl.zeros([64, 64], gl.float32, mma))
    rows = gl.arange(0, 64, gl.SliceLayout(1, mma))[:, None]
    gl.store(out + rows * 64 + gl.arange(0, 64, gl.SliceLayout(0, mma))[None, :], acc)


buffer_of_another_layout[(1,)](
    TensorDescriptor.from_tensor(torch.empty(64, 64, dtype=torch.float16, device="cuda"), [64, 64],
                                 gl.NVMMASharedLayout(128, 16, 2)), torch.empty(64, 64, device="cuda"))


# gluond: launch(p="*fp32:16")
@gluon.jit
def order_of_arguments(p):
    i = gl.program_id(0)
    gl.store(p + i, mask=i < 9, i)  # error: [invalid-arguments]
    gl.store(p + i + 9, mask=i < 9, i)  # error: [invalid-arguments]


def takes_one_twice(x, x):  # error: [duplicate-parameter]
    return x


def takes_it_twice_too(x, x):  # error: [duplicate-parameter]
    return x


# What is carried after a value that became another type has its own type.
# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def row_maximum(out, n):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    m = gl.full([32], -1.0, gl.float32, gl.SliceLayout(1, layout))
    total = gl.full([32], 0.0, gl.float32, gl.SliceLayout(1, layout))
    phase = 0
    for i in range(n):
        s = gl.full([32, 32], 1.0, gl.float32, layout)
        total += gl.exp(m - gl.max(s, 1))
        phase ^= 1
        m = gl.max(s)  # error: [loop-carried-type] 'm' enters the loop as float32[32]
    gl.store(out + gl.arange(0, 32, gl.SliceLayout(1, layout)), m + total + phase)
