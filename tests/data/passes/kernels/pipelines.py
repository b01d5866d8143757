# AMD's warp pipelines: stages in loops and in straight code.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def two_stages(x_ptr, y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.arange(0, BLOCK, layout)
    total = gl.zeros([BLOCK], gl.float32, layout)
    for i in range(n):
        with gl.amd.warp_pipeline_stage("load", priority=1):
            value = gl.load(x_ptr + offsets + i * BLOCK)
        with gl.amd.warp_pipeline_stage("compute"):
            total += value * 2.0
    gl.store(y_ptr + offsets, total)


@gluon.jit
def unrolled(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.arange(0, BLOCK, layout)
    total = gl.zeros([BLOCK], gl.float32, layout)
    for i in gl.static_range(2):
        with gl.amd.warp_pipeline_stage("load"):
            value = gl.load(x_ptr + offsets + i * BLOCK)
        with gl.amd.warp_pipeline_stage("compute", priority=2):
            total += value
    gl.store(y_ptr + offsets, total)


@gluon.jit
def one_stage(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.arange(0, BLOCK, layout)
    with gl.amd.warp_pipeline_stage("only"):
        value = gl.load(x_ptr + offsets)
    gl.store(y_ptr + offsets, value)
