"""Kernels that go wrong on the GPU, each in its own way. run.py launches them through gluond and expects a clear report."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def hangs(flag):
    rounds = 0
    while gl.atomic_add(flag, 0) == 0:
        rounds += 1
    gl.store(flag, rounds)


@gluon.jit
def waits_for_ever(dst):
    bar = gl.allocate_shared_memory(gl.int64, [1], gl.nvidia.hopper.mbarrier.MBarrierLayout())
    gl.nvidia.hopper.mbarrier.init(bar, count=1)
    gl.nvidia.hopper.mbarrier.wait(bar, 0)
    gl.store(dst, 1)


@gluon.jit
def reads_far(src, dst, far):
    gl.store(dst, gl.load(src + far))


@gluon.jit
def writes_beside(dst, count):
    gl.store(dst + count, 1.0)


@gluon.jit
def misaligned(src, dst):
    gl.store(dst, gl.load((src + 1).to(gl.pointer_type(gl.int32), bitcast=True)))


@gluon.jit
def traps(dst):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    index = gl.arange(0, 128, layout)
    gl.store(dst + index, gl.inline_asm_elementwise("trap; mov.u32 $0, $1;", "=r,r", [index], dtype=gl.int32, is_pure=False, pack=1))


@gluon.jit
def asserts(src, dst):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    value = gl.load(src + gl.arange(0, 128, layout))
    gl.device_assert(value < 100, "value in range")
    gl.store(dst + gl.arange(0, 128, layout), value)


@gluon.jit
def too_much_shared(dst, SIZE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    buffer = gl.allocate_shared_memory(gl.float32, [SIZE], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    buffer.store(gl.full([SIZE], 1.0, gl.float32, layout))
    gl.store(dst + gl.arange(0, SIZE, layout), buffer.load(layout))


def main():
    numbers = torch.arange(128, device="cuda", dtype=torch.int32)
    out = torch.empty(128, device="cuda", dtype=torch.int32)
    flag = torch.zeros(1, device="cuda", dtype=torch.int32)
    floats = torch.empty(256, device="cuda")
    hangs[(1, )](flag, num_warps=1)
    waits_for_ever[(1, )](flag, num_warps=1)
    reads_far[(1, )](numbers, out, 200000, num_warps=1)
    writes_beside[(1, )](floats, 256, num_warps=1)
    misaligned[(1, )](torch.zeros(64, device="cuda", dtype=torch.int8), out, num_warps=1)
    traps[(1, )](out)
    asserts[(1, )](numbers, out, debug=True)
    too_much_shared[(1, )](torch.empty(1 << 17, device="cuda"), 1 << 17)


if __name__ == "__main__":
    main()
