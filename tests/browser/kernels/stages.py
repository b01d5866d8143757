"""A product over buffers with several slots."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import warpgroup_mma, warpgroup_mma_init, warpgroup_mma_wait


# gluond: launch(out="*fp32:16", n="i32", STAGES=3)
@gluon.jit
def product(out, n, STAGES: gl.constexpr):
    result: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16])
    shared: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    tiles = gl.allocate_shared_memory(gl.float16, [STAGES, 64, 64], shared)
    other = gl.allocate_shared_memory(gl.float16, [STAGES, 64, 64], shared)
    acc = warpgroup_mma_init(gl.zeros([64, 64], gl.float32, result))
    for i in range(n):
        acc = warpgroup_mma(tiles.index(0), other.index(1), acc, is_async=True)
    done = warpgroup_mma_wait(0, deps=[acc])
    half = other.index(n % STAGES).slice(32, 32, dim=0)
    rows = gl.arange(0, 64, layout=gl.SliceLayout(1, result))
    columns = gl.arange(0, 64, layout=gl.SliceLayout(0, result))
    gl.store(out + rows[:, None] * 64 + columns[None, :], done)
