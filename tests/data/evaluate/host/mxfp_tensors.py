import torch
import torch.nn.functional as F
from triton.tools.mxfp import MXFP4Tensor, MXScaleTensor

x = MXFP4Tensor(size=(64, 33), device="cuda").random()
assert x.data.shape == (64, 33) and x.data.dtype == torch.uint8
assert x.to(torch.float32).dtype == torch.float32
packed = x.to_packed_tensor(dim=1)
assert packed.shape == (64, 17) and packed.stride(0) == 17
assert x.unpack_packed_tensor(packed, 1, x.data.shape).shape
s = MXScaleTensor(size=(64, 2), device="cuda").random(low=1 / 128, high=2.0)
assert s.data.numel() == 128 and s.size == (64, 2)
y = MXFP4Tensor(data=torch.randn(4, 6))
assert y.data.size(1) == 6
try:
    y.random()
except AttributeError:
    pass
assert isinstance(s, MXScaleTensor)
try:
    MXFP4Tensor()
except ValueError:
    pass
p = F.pad(torch.empty(3, 30, dtype=torch.float16), (0, 2, 1, 0))
assert p.shape == (4, 32) and p.dtype == torch.float16 and p.stride() == (32, 1)
assert torch.nn.functional.pad(p, [-1, 0], mode="constant", value=1).size(1) == 31
