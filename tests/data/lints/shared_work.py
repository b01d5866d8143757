"""Programs that take an equal share of all iterations, whatever tile they belong to: a loop without a number of turns around them."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma

ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [4, 8], [4, 1], [1, 0]))


@gluon.jit
def share(src, out, total, per_program, per_tile):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], src.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    start = gl.program_id(0) * per_program
    stop = gl.minimum(start + per_program, total)
    phase = 0
    while start < stop:
        row = start // per_tile
        last = gl.minimum(stop, (row + 1) * per_tile)
        for it in range(start, last):
            mbarrier.expect(bar, src.nbytes_per_cta)
            tma.async_load(src, [row * 64, (it % per_tile) * 64], bar, tile)
            mbarrier.wait(bar, phase)
            phase ^= 1
            gl.atomic_add(out + row, gl.sum(gl.sum(tile.load(ROWS).to(gl.float32), 1), 0))
        start = last


@gluon.jit
def share_of_one_phase(src, out, total, per_program, per_tile):
    tile = gl.allocate_shared_memory(gl.float16, [64, 64], src.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    start = gl.program_id(0) * per_program
    stop = gl.minimum(start + per_program, total)
    while start < stop:
        row = start // per_tile
        last = gl.minimum(stop, (row + 1) * per_tile)
        for it in range(start, last):
            mbarrier.expect(bar, src.nbytes_per_cta)
            tma.async_load(src, [row * 64, (it % per_tile) * 64], bar, tile)
            mbarrier.wait(bar, 0)  # warning: [wrong-phase]
            gl.atomic_add(out + row, gl.sum(gl.sum(tile.load(ROWS).to(gl.float32), 1), 0))
        start = last


LAYOUT = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
SRC = TensorDescriptor.from_tensor(torch.empty((1024, 512), dtype=torch.float16, device="cuda"), [64, 64], LAYOUT)
OUT = torch.zeros(16, device="cuda")
share[(12, )](SRC, OUT, 128, 11, 8)
share_of_one_phase[(12, )](SRC, OUT, 128, 11, 8)
