# Nothing says that torch creates tensors on a GPU, so that all of these are on the CPU.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def copy(src, dst, n, BLOCK: gl.constexpr):
    offs = gl.arange(0, BLOCK, layout=LINE)
    gl.store(dst + offs, gl.load(src + offs, mask=offs < n), mask=offs < n)


x = torch.rand(128)
copy[(1, )](x, torch.empty_like(x), 33, BLOCK=128)  # warning: [cpu-tensor] "a tensor on the CPU"


def test_copy():
    src = torch.arange(128)
    copy[(1, )](src, src, 128, BLOCK=128)  # warning: [cpu-tensor]


def run(tensor):  # its callers know where the tensor is
    copy[(1, )](tensor, torch.empty_like(tensor), 128, BLOCK=128)


def others():  # another file may set the default device before it calls this
    copy[(1, )](torch.empty(256), torch.empty(256), 256, BLOCK=256)


def pinned():
    copy[(1, )](torch.empty(512, pin_memory=True), torch.empty(512, device="meta"), 512, BLOCK=512)


def traced(kernel):
    return kernel


@traced
@gluon.jit
def stores(p):
    gl.store(p, 1.0)


stores[(1, )](torch.empty(64))  # what `traced` does with the kernel is its affair


halves = torch.randn(8, 2048)
there = torch.empty(64, device="meta")
copy[(1, )](halves[..., :1024].contiguous(), there, 64, BLOCK=64)  # warning: [cpu-tensor]
copy[(1, )](torch.cat([halves, halves]), there, 64, BLOCK=64)  # warning: [cpu-tensor]
copy[(1, )](halves.half(), there, 64, BLOCK=64)  # warning: [cpu-tensor]
copy[(1, )](halves.sum(0), there, 64, BLOCK=64)  # warning: [cpu-tensor]
copy[(1, )](torch.relu(halves).permute(1, 0).reshape(-1), there, 64, BLOCK=64)  # warning: [cpu-tensor]
copy[(1, )](halves.new_zeros(64), there, 64, BLOCK=64)  # warning: [cpu-tensor]


def moved(device, other):  # where these tensors go is not known
    there = halves.to(device)
    copy[(1, )](there, there.half(), 64, BLOCK=64)
    copy[(1, )](torch.zeros_like(halves, device=device), halves.to(other), 64, BLOCK=64)
    copy[(1, )](halves.to(0), halves.new_empty(64, device=device), 64, BLOCK=64)
