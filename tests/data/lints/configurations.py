"""What is slow in some configurations of an autotuner says in which ones; what is slow in all of them does not."""
import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@triton.autotune(configs=[triton.Config({"VEC": vec}, num_warps=warps) for vec in (4, 8) for warps in (4, 8)], key=["n"])
@gluon.jit
def copy(x, y, n, BLOCK: gl.constexpr, VEC: gl.constexpr, num_warps: gl.constexpr):
    line: gl.constexpr = gl.BlockedLayout([VEC], [32], [num_warps], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, line)  # hint: [replicated-layout] "every element is held 2 times (in 1 of the 4 configurations that are tried: VEC=8 num_warps=8)"
    v = gl.load(x + i, mask=i < n)
    buffer = gl.allocate_shared_memory(gl.float32, [BLOCK], gl.SwizzledSharedLayout(1, 1, 1, [0]), v)
    gl.store(y + i, buffer.load(line), mask=i < n)  # hint: [shared-round-trip] "returns in the same layout"


@triton.autotune(configs=[triton.Config({"VEC": 1}), triton.Config({"VEC": 8})], key=["n"])
@gluon.jit
def wide(x, y, n, VEC: gl.constexpr):
    line: gl.constexpr = gl.BlockedLayout([VEC], [32], [4], [0])
    i = gl.arange(0, 512, line)  # hint: [replicated-layout] "(in 1 of the 2 configurations that are tried: VEC=8"
    gl.store(y + i, gl.load(x + i))


x = torch.empty(1 << 20, device="cuda")
copy[(1024, )](x, x, 1 << 20, BLOCK=1024)
wide[(1, )](x, x, 512)
