"""A program without torch whose launches test_record.py records. What is launched, and how often, the test knows."""
import sys

import numpy
import triton
from tiles import WIDTH, doubled
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


class Array:
    """As much of a tensor as Triton's host side asks for."""

    def __init__(self, *shape, dtype="float32", offset=0):
        self.content = numpy.zeros(shape, dtype)
        self.shape, self.dtype, self.offset = shape, self.content.dtype, offset

    def data_ptr(self):
        return (1 << 32) + self.offset

    def stride(self):
        return tuple(step // self.content.itemsize for step in self.content.strides)


@gluon.jit
def scale(src, dst, count, factor, BLOCK: gl.constexpr, layout: gl.constexpr, fn: gl.constexpr = doubled):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(dst + i, fn(gl.load(src + i, mask=i < count, other=0.0)) * factor * WIDTH, mask=i < count)


@triton.autotune(configs=[triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in ((128, 1), (256, 2))], key=["count"])
@gluon.jit
def fill(dst, count, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(dst + i, 1.0, mask=i < count)


@gluon.jit
def through_shared(desc, pair):
    tile = gl.allocate_shared_memory(desc.dtype, desc.block_type.shape, desc.layout)
    tile._keep_alive()


@triton.jit
def not_gluon(dst):
    triton.language.store(dst, 0.0)


def nested(step):
    @gluon.jit
    def inner(dst):
        gl.store(dst, step)

    return inner


def main():
    layout = gl.BlockedLayout([2], [32], [4], [0])
    grid = lambda meta: (triton.cdiv(meta["count"], meta["BLOCK"]), )
    src, dst = Array(1000), Array(1000)
    for _ in range(3):  # one specialization, however often
        scale[grid](src, dst, 1000, 2.0, 256, layout)
    scale[grid](Array(1008), Array(1008), 1008, 3.0, 256, layout)  # another: divisible by 16
    scale[(4, )](Array(1000, dtype="float16"), Array(1000, offset=8), 1, float("inf"), 256, gl.BlockedLayout([1], [32], [8], [0]), num_warps=8)
    fill[grid](Array(4096), 4096)
    shared = gl.NVMMASharedLayout.get_default_for([32, 64], gl.float16)
    matrix = Array(256, 512, dtype="float16")
    through_shared[(1, 2)](TensorDescriptor(matrix, list(matrix.shape), list(matrix.stride()), [32, 64], shared), (7, dst))
    nested(gl.constexpr(5))[(1, )](dst)
    not_gluon[(1, )](dst)
    scale.warmup(src, dst, 1000, 2.0, 512, layout, grid=(1, ))


if __name__ == "__main__":
    main()
    sys.exit(int(sys.argv[1]) if len(sys.argv) > 1 else 0)


def test_main():
    main()
