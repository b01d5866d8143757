# Directives without effect.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

# gluond: target=cuda:90  # warning: [unknown-directive] "is a setting, and a comment sets none"
# gluond: target gfx950  # warning: [unknown-directive]
# gluond: ignor[bank-conflict]  # warning: [unknown-directive]
# gluond: the prose of a comment is none
TEXT = """
# gluond: target=cuda:90
"""


# gluond: launch(p="*fp32")
@gluon.jit
def stores(p):
    gl.store(p, 1.0)  # gluond: ignore[unused-reslt, bank-conflict]  # warning: [unknown-directive], warning: [unknown-directive] "there is no 'bank-conflict'"


# gluond: launch(p="*fp32")  # warning: [unknown-directive]
def plain(p):
    stores[(1,)](p)


plain(torch.empty(64, device="cuda"))
stores[(1,)](torch.empty(64))  # warning: [cpu-tensor]
stores[(1,)](torch.empty(64).cuda())
stores[(1,)](torch.empty(64, device="cuda").cpu())  # warning: [cpu-tensor]
stores[(1,)](torch.empty(64).to("cuda"))
