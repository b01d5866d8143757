# A statement that names a function and does not call it does nothing, in Triton as in Python.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared


@gluon.jit
def helper(x):
    return x


@gluon.jit
def kernel(p, SIZE: gl.constexpr):
    """A docstring is no name."""
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, SIZE, layout)
    buffer = gl.allocate_shared_memory(gl.float32, [SIZE], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    buffer.store(gl.load(p + offsets))
    gl.barrier  # warning: [uncalled-function] "names the function 'gl.barrier' and does not call it"
    fence_async_shared  # warning: [uncalled-function]
    async_copy.commit_group  # warning: [uncalled-function]
    buffer.load  # warning: [uncalled-function] "names the function 'buffer.load'"
    helper  # warning: [uncalled-function]
    ...
    gl.barrier()
    gl.store(p + offsets, helper(buffer.load(layout)))


kernel[(1, )](torch.empty(128, device="cuda"), 128)
