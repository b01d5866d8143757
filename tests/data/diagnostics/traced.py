"""Kernels that a decorator runs on the CPU, beside others that the GPU runs."""
import torch
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

import interpreters


@interpreters.trace(client=None)
@triton.jit
def traced(p):
    tl.store(p, 1.0)


@interpreters.trace(client=None)
@gluon.jit
def traced_gluon(p):
    gl.store(p, 1.0)


@gluon.jit
def plain(p):
    gl.store(p, 1.0)


traced[(1, )](torch.empty(64))
traced_gluon[(1, )](torch.empty(64))
plain[(1, )](torch.empty(64, device="cuda"))
plain[(1, )](torch.empty(64))  # warning: [cpu-tensor]
