# What programs ask of the Triton and the GPU that they have.
import inspect

import torch
import triton
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy

DEVICE = triton.runtime.driver.active.get_active_torch_device()
x = torch.rand(8, device=DEVICE)
assert x.device == DEVICE and torch.empty_like(x).device == DEVICE
assert DEVICE == torch.device("cuda:0") and DEVICE != torch.device("cpu") and DEVICE.type == "cuda"

assert "cga_layout" in inspect.signature(gl.BlockedLayout.__init__).parameters
assert "cga_layout" in inspect.signature(gl.BlockedLayout).parameters
assert "ctas_per_cga" not in inspect.signature(gl.BlockedLayout).parameters
assert list(inspect.signature(gl.BlockedLayout.__init__).parameters)[0] == "self"
assert "mask" in inspect.signature(gl.load).parameters
assert "_semantic" in inspect.signature(async_copy.wait_group).parameters
assert "nothing" not in inspect.signature(gl.store).parameters
