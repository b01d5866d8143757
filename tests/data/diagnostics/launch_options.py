"""Launch options that only one vendor's back end has: the kernels of this file are for NVIDIA's chips."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import fence_async_shared

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def copy(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    fence_async_shared()
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)


@triton.autotune([triton.Config({"waves_per_eu": waves}) for waves in (1, 2)], key=["n"])
@gluon.jit
def tuned(src, dst, n, BLOCK: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, LINE)
    gl.store(dst + at, gl.load(src + at, mask=at < n), mask=at < n)


x = torch.empty(512, device="cuda")
copy[(2, )](x, x, 512, 256, maxnreg=64, num_stages=2, enable_fp_fusion=False)
copy[(2, )](x, x, 512, 256, waves_per_eu=2)  # error: [launch-argument] "has the option waves_per_eu, which only AMD's back end knows: for cuda:90, Triton raises KeyError"
copy[(2, )](x, x, 512, 256, matrix_instr_nonkdim=0)  # error: [launch-argument] "matrix_instr_nonkdim"
copy[(2, )](x, x, 512, 256, kpack=2, maxnreg=32)  # error: [launch-argument] "kpack"
tuned[(2, )](x, x, 512, 256)  # error: [launch-argument] "waves_per_eu"
