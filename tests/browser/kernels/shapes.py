"""Layouts beyond two dimensions and beyond registers, for the pictures."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, allocate_tensor_memory


# gluond: launch(src="*fp16:16", target="cuda:100")
@gluon.jit
def cubes(src):
    cube: gl.constexpr = gl.BlockedLayout([1, 1, 8], [2, 4, 4], [2, 2, 1], [2, 1, 0])
    ones = gl.full([8, 16, 64], 1.0, gl.float16, cube)
    padded: gl.constexpr = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
    swizzled: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    accumulator = allocate_tensor_memory(gl.float32, [128, 64], TensorMemoryLayout([128, 64], col_stride=1))
    buffer = gl.allocate_shared_memory(gl.float16, [64, 64], padded)
    other = gl.allocate_shared_memory(gl.float16, [64, 64], swizzled)
    rows: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0])
    columns: gl.constexpr = gl.BlockedLayout([8, 1], [8, 4], [1, 4], [0, 1])
    buffer.store(gl.full([64, 64], 1.0, gl.float16, columns))
    other.store(buffer.load(rows))
    accumulator.store(gl.full([128, 64], 0.0, gl.float32, accumulator.get_reg_layout()))
    i = gl.arange(0, 64, layout=gl.SliceLayout(1, rows))
    j = gl.arange(0, 64, layout=gl.SliceLayout(0, rows))
    gl.store(src + i[:, None] * 64 + j[None, :], other.load(rows))
    k = gl.arange(0, 8, layout=gl.SliceLayout(1, gl.SliceLayout(2, cube)))
    gl.store(src + k[:, None, None] + gl.full([8, 16, 64], 0, gl.int32, cube), ones)
