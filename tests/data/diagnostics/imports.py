# Imports that Python refuses, and a kernel that needs a module that is nowhere.
import torch
import triton.experimental.gluonn  # error: [missing-module]
from not_installed import helper
from triton.experimental import gluon
from triton.experimental import gluonn  # error: [unknown-attribute]
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hoper import tma  # error: [missing-module]
from unlaunched import no_such_kernel  # warning: [missing-import]

# Other back ends install their packages into Triton.
import triton.backends.cpu.driver
import triton.backends.amdd.driver  # error: [missing-module]
from triton.language.extra import cann
from triton.language.extra import libdevic  # error: [unknown-attribute]
from triton.language.extra.cann import libdevice
from triton.language.extra.cuda import libdevic  # error: [unknown-attribute]

try:
    import triton.experimental.glun
except ImportError:
    pass


@gluon.jit
def k(p):  # information: [not-analyzed]
    gl.store(p, helper(p))


k[(1,)](torch.empty(64))
RATIO = 1 // 0  # warning: [module-exception]
