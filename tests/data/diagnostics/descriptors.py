# Layouts that Triton's descriptor classes refuse where the host makes a descriptor.
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.amd.cdna5 import TensorDescriptor as TdmDescriptor
from triton.experimental.gluon.language.nvidia.hopper import tma, mbarrier
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor, TensorDescriptorIm2Col


@gluon.jit
def copy(desc):
    buffer = gl.allocate_shared_memory(desc.dtype, desc.block_type.shape, desc.layout)
    barrier = mbarrier.allocate_mbarrier()
    mbarrier.init(barrier, 1)
    mbarrier.expect(barrier, desc.nbytes_per_cta)
    tma.async_load(desc, [0, 0], barrier, buffer)
    mbarrier.wait(barrier, 0)
    mbarrier.invalidate(barrier)
    tma.async_store(desc, [64, 0], buffer)
    tma.store_wait(0)


x = torch.empty(256, 64, device="cuda", dtype=torch.float16)
swizzled = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])
padded = gl.PaddedSharedLayout.with_identity_for([[64, 8]], [64, 64], [1, 0])
copy[(1, )](TensorDescriptor.from_tensor(x, [64, 64], swizzled))  # error: [invalid-descriptor] "Layout must be NVMMASharedLayout"
copy[(1, )](TensorDescriptor(x, [256, 64], [64, 1], [64, 64], padded))  # error: [invalid-descriptor] "Layout must be NVMMASharedLayout"
copy[(1, )](TensorDescriptor.from_tensor(x, [64, 64], gl.NVMMASharedLayout(128, 16, 2)))
TdmDescriptor.from_tensor(x, [64, 64], swizzled)
TdmDescriptor(x, [256, 64], [64, 1], [64, 64], padded)
