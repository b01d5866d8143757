"""One tile of a matrix product on tensor cores that accumulate in tensor memory. Nothing here names a target."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, allocate_tensor_memory, mbarrier, tcgen05_mma, fence_async_shared


@gluon.jit
def product(a_ptr, b_ptr, c_ptr, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    m = gl.arange(0, M, gl.SliceLayout(1, rows))
    k = gl.arange(0, K, gl.SliceLayout(0, rows))
    a = gl.load(a_ptr + m[:, None] * K + k[None, :])
    l = gl.arange(0, K, gl.SliceLayout(1, rows))
    n = gl.arange(0, N, gl.SliceLayout(0, rows))
    b = gl.load(b_ptr + l[:, None] * N + n[None, :])
    swizzled: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    a_smem = gl.allocate_shared_memory(gl.float16, [M, K], swizzled, a)
    b_smem = gl.allocate_shared_memory(gl.float16, [K, N], swizzled, b)
    sums = allocate_tensor_memory(gl.float32, [M, N], TensorMemoryLayout((128, N), col_stride=1))
    done = mbarrier.allocate_mbarrier()
    mbarrier.init(done, count=1)
    fence_async_shared()
    tcgen05_mma(a_smem, b_smem, sums, use_acc=False, mbarriers=[done])
    mbarrier.wait(done, 0)
    mbarrier.invalidate(done)
    c = sums.load()
    out: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    c = gl.convert_layout(c, out)
    i = gl.arange(0, M, gl.SliceLayout(1, out))
    j = gl.arange(0, N, gl.SliceLayout(0, out))
    gl.store(c_ptr + i[:, None] * N + j[None, :], c)


half = torch.empty(128, 128, device="cuda", dtype=torch.float16)
product[(1, )](half, half, torch.empty(128, 128, device="cuda"), 128, 128, 64)
