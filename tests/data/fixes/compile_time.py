# What is known at compile time: layouts of helpers and parameters, programs, dtypes.
from dataclasses import dataclass

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@dataclass
class Options:
    block: int


@gluon.aggregate
class Span:
    first: gl.tensor
    bound: gl.tensor

    @gluon.constexpr_function
    def __init__(self, first, bound):
        self.first = first
        self.bound = bound


@gluon.constexpr_function
def layout_of(block, warps):
    return gl.BlockedLayout([max(1, min(4, block // (32 * warps)))], [32], [warps], [0])


@gluon.jit
def halves(x, y, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    row = gl.program_id(0)
    made: gl.constexpr = layout_of(BLOCK, gl.num_warps())
    span = Span(row * BLOCK, n)
    at = span.first + gl.arange(0, BLOCK, layout)
    value = gl.load(x + at, mask=at < span.bound)
    value = gl.convert_layout(value, made).to(gl.int8)
    at = span.first + gl.arange(0, BLOCK, made)
    gl.store(y + at, value, mask=at < span.bound)


def main():
    options = Options(256)
    x = torch.empty(1000, dtype=torch.int32, device="cuda")
    y = torch.empty(1000, dtype=torch.int8, device="cuda")
    layout = gl.BlockedLayout([1], [32], [4], [0])
    halves[(triton.cdiv(1000, options.block), )](x, y, 1000, options.block, layout, num_warps=4)


main()
