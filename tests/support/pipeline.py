"""A ring of two stages between a partition that loads tiles and one that adds them up."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

ROWS: gl.constexpr = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))


@gluon.jit
def produce(desc, tiles, full, empty, n):
    for i in range(n):
        mbarrier.wait(empty.index(i % 2), phase=((i // 2) & 1) ^ 1)
        mbarrier.expect(full.index(i % 2), desc.block_type.nbytes)
        tma.async_load(desc, [i * 16, 0], full.index(i % 2), tiles.index(i % 2))


@gluon.jit
def consume(out, tiles, full, empty, n, EARLY: gl.constexpr):
    total = gl.full([16, 32], 0.0, gl.float32, ROWS)
    for i in range(n):
        mbarrier.wait(full.index(i % 2), phase=(i // 2) & 1)
        if EARLY:
            mbarrier.arrive(empty.index(i % 2), count=1)
        total += tiles.index(i % 2).load(ROWS)
        if not EARLY:
            mbarrier.arrive(empty.index(i % 2), count=1)
    rows = gl.arange(0, 16, gl.SliceLayout(1, ROWS))
    columns = gl.arange(0, 32, gl.SliceLayout(0, ROWS))
    gl.store(out + rows[:, None] * 32 + columns[None, :], total)


@gluon.jit
def ring(desc, out, n, EARLY: gl.constexpr):
    tiles = gl.allocate_shared_memory(gl.float32, [2, 16, 32], desc.layout)
    full = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    empty = gl.allocate_shared_memory(gl.int64, [2, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(2):
        mbarrier.init(full.index(i), count=1)
        mbarrier.init(empty.index(i), count=1)
    gl.warp_specialize([(consume, (out, tiles, full, empty, n, EARLY)), (produce, (desc, tiles, full, empty, n))],
                       [1], [24])


x = torch.ones((96, 32), device="cuda")
desc = TensorDescriptor.from_tensor(x, [16, 32], gl.NVMMASharedLayout.get_default_for([16, 32], gl.float32))
ring[(1, )](desc, torch.empty((16, 32), device="cuda"), 6, True)
ring[(1, )](desc, torch.empty((16, 32), device="cuda"), 6, False)
