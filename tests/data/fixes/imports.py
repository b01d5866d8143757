"""Names that are imported, and their uses."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared
from triton.experimental.gluon.language.nvidia.hopper import mbarrier


@gluon.jit
def signal(out):
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    fence_async_shared()
    mbarrier.invalidate(bar)
    gl.store(out, 1)


signal[(1,)](torch.empty(1, dtype=torch.int32, device="cuda"))
