# A program for several releases of Triton that gives Triton's modules what some of them lack.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import hopper
from triton.experimental.gluon.language.nvidia.hopper import mbarrier
import triton.experimental.gluon.language.nvidia.hopper.tma as tma


@gluon.jit
def new_barriers(COUNT: gl.constexpr):
    return gl.allocate_shared_memory(gl.int64, [COUNT, gl.num_ctas()], mbarrier.MBarrierLayout())


@gl._core.builtin
def own_load(desc, coord, barrier, result, pred=True, _semantic=None):
    return tma.async_load(desc, coord, barrier, result, pred=pred, _semantic=_semantic)


@gluon.jit
def own_swizzle(pid, columns, GROUP: gl.constexpr):
    return pid % columns, pid // columns * GROUP


if not hasattr(mbarrier, "new_barriers"):
    setattr(mbarrier, "new_barriers", new_barriers)
if not hasattr(tma, "own_load"):
    tma.own_load = own_load
if not hasattr(gl, "own_swizzle"):
    gl.own_swizzle = own_swizzle
if not hasattr(gl, "load"):
    gl.load = None


@gluon.jit
def calls_what_was_added(desc, out_ptr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [4, 1], [1, 0])
    bars = mbarrier.new_barriers(2)
    tile = gl.allocate_shared_memory(desc.dtype, desc.block_type.shape, desc.layout)
    for i in gl.static_range(2):
        mbarrier.init(bars.index(i), count=1)
        mbarrier.expect(bars.index(i), desc.block_type.nbytes)
    tma.own_load(desc, [0, 0], bars.index(0), tile)
    mbarrier.wait(bars.index(0), phase=0)
    hopper.tma.own_load(desc, [32, 0], bars.index(1), tile)
    mbarrier.wait(bars.index(1), phase=0)
    row, column = gl.own_swizzle(gl.program_id(0), 4, 2)
    rows = row * 32 + gl.arange(0, 32, gl.SliceLayout(1, layout))
    columns = column * 128 + gl.arange(0, 128, gl.SliceLayout(0, layout))
    gl.store(out_ptr + rows[:, None] * 512 + columns[None, :], tile.load(layout))
