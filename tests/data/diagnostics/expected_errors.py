# Tests that a kernel refuses some arguments: what they expect is no mistake of the kernel.
import pytest
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def checked(pointer, N: gl.constexpr):
    gl.static_assert(N % 32 == 0, "N must be a multiple of 32")
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, N, layout)
    gl.store(pointer + offsets, offsets)


def run(n):
    checked[(1, )](torch.empty(256, dtype=torch.int32, device="cuda"), n)


def test_checked():
    run(128)
    with pytest.raises(Exception, match="multiple of 32"):
        run(48)


@gluon.jit
def wrong(pointer, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    offsets = gl.arange(0, N, layout)  # error: [not-power-of-two]
    gl.store(pointer + offsets, offsets)


# What is expected to fail in one place and to work in another one is a mistake.
def test_wrong():
    out = torch.empty(256, dtype=torch.int32, device="cuda")
    with pytest.raises(Exception):
        wrong[(1, )](out, 48)
    wrong[(1, )](out, 48)
