"""Names and texts that would do harm where they are taken for markup."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def hostile_kernel(out, TEXT: gl.constexpr):
    offsets = gl.arange(0, 128, layout=gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + offsets, offsets)


def launch(out):
    hostile_kernel[(1, )](out, "$(trash)<img src=x onerror='globalThis.gluondWasHere=1'>", num_warps=4)


def test_launch():
    launch(torch.empty(128, device="cuda", dtype=torch.int32))
