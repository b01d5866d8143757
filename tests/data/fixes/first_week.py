"""What first programs are made of: a command line, a tuned kernel, and a copy through shared memory."""
import argparse

import pytest
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@triton.autotune(configs=[triton.Config({"BLOCK": 256}, num_warps=4)], key=["n"])
@gluon.jit
def scale(x, y, n, alpha, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([2], [32], [4], [0])
    offsets = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    inside = (offsets < n) & (offsets >= 0)
    value = gl.load(x + offsets, mask=inside, other=0.0)
    value = gl.where(value > 0.0, value * alpha, value)
    gl.store(y + offsets, value, mask=inside)


@gluon.jit
def through_shared(x, y, count, ROWS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(vec=1, per_phase=1, max_phase=1, order=[0])
    buffer = gl.allocate_shared_memory(gl.float32, [ROWS, 512], shared)
    offsets = gl.arange(0, 512, layout=layout)
    for i in range(count):
        buffer.index(0).store(gl.load(x + i * 512 + offsets))
        gl.barrier()
        gl.store(y + i * 512 + offsets, buffer.index(0).load(layout) * 2.0)
        gl.barrier()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=8192)
    parser.add_argument("--count", type=int, default=16)
    args = parser.parse_args()
    x = torch.randn(args.size, device="cuda")
    y = torch.empty_like(x)
    grid = lambda meta: (triton.cdiv(args.size, meta["BLOCK"]),)
    scale[grid](x, y, args.size, 0.1)
    split = 2
    through_shared[(1,)](x, y, args.count, split)


@pytest.mark.parametrize("count", [2, 4])
def test_through_shared(count):
    x = torch.randn(count * 512, device="cuda")
    through_shared[(1,)](x, torch.empty_like(x), count, 2)


if __name__ == "__main__":
    main()
