# A device as a context, or as the default, is where torch creates tensors.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

DEVICE = torch.device("cuda")


# gluond: launch(p="*fp32")
@gluon.jit
def stores(p):
    gl.store(p, 1.0)


stores[(1, )](torch.empty(32))  # warning: [cpu-tensor]
with DEVICE:
    stores[(1, )](torch.empty(64))
