"""One tile of a matrix product on AMD's matrix cores. Nothing here names a target."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd.cdna3 import buffer_load, buffer_store, mfma


@gluon.jit
def product(a_ptr, b_ptr, c_ptr, M: gl.constexpr, N: gl.constexpr, K: gl.constexpr):
    rows: gl.constexpr = gl.BlockedLayout([1, 4], [4, 16], [4, 1], [1, 0])
    matrix: gl.constexpr = gl.amd.AMDMFMALayout(version=3, instr_shape=[32, 32, 8], transposed=True, warps_per_cta=[2, 2])
    m = gl.arange(0, M, gl.SliceLayout(1, rows))
    k = gl.arange(0, K, gl.SliceLayout(0, rows))
    a = buffer_load(a_ptr, m[:, None] * K + k[None, :])
    l = gl.arange(0, K, gl.SliceLayout(1, rows))
    n = gl.arange(0, N, gl.SliceLayout(0, rows))
    b = buffer_load(b_ptr, l[:, None] * N + n[None, :])
    a_smem = gl.allocate_shared_memory(gl.float16, [M, K], gl.SwizzledSharedLayout(4, 1, 16, [1, 0]), a)
    left = a_smem.load(gl.DotOperandLayout(0, matrix, 4))
    right = gl.convert_layout(b, gl.DotOperandLayout(1, matrix, 4))
    c = mfma(left, right, gl.zeros([M, N], gl.float32, matrix))
    i = gl.arange(0, M, gl.SliceLayout(1, matrix))
    j = gl.arange(0, N, gl.SliceLayout(0, matrix))
    buffer_store(c, c_ptr, i[:, None] * N + j[None, :])


half = torch.empty(64, 64, device="cuda", dtype=torch.float16)
product[(1, )](half, half, torch.empty(64, 64, device="cuda"), 64, 64, 64)
