"""Marks that pytest does not have."""
import pytest
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def fill(x, n):
    gl.store(x, n)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2])
def test_fill(n):
    fill[(1,)](torch.empty(1, device="cuda", dtype=torch.int32), n)


@pytest.parametrize("n", [1, 2])  # warning: [module-exception] "module 'pytest' has no attribute 'parametrize'"
def test_again(n):
    fill[(1,)](torch.empty(1, device="cuda", dtype=torch.int32), n)
