"""A program for gluond's simulator, which takes arrays of numpy and tensors on the CPU: its launches are launches."""
import numpy as np
import torch
import gluond
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def doubled(x, y, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(y + at, gl.load(x + at, mask=at < n) * 2.0, mask=at < n)


@gluon.jit
def doubled_by_an_odd_block(x, y, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)  # error: [not-power-of-two]
    gl.store(y + at, gl.load(x + at, mask=at < n) * 2.0, mask=at < n)


def main():
    x = np.arange(1000, dtype=np.float32)
    y = np.zeros_like(x)
    with gluond.simulating("cuda:90"):
        doubled[(4, )](x, y, 1000, BLOCK=256)
        doubled[(4, )](torch.ones(1000), torch.zeros(1000), 1000, BLOCK=256)
        doubled_by_an_odd_block[(4, )](x, y, 1000, BLOCK=250)


main()
