# The values that fill a new buffer, and those that tensor memory takes.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia import blackwell as bw

TILE = gl.constexpr(gl.BlockedLayout([1, 4], [2, 16], [4, 1], [1, 0]))
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
TENSOR = gl.constexpr(bw.TensorMemoryLayout((128, 64), col_stride=1))


# gluond: launch(target="cuda:100")
@gluon.jit
def stores_in_another_layout():
    memory = bw.allocate_tensor_memory(gl.float32, [128, 64], TENSOR)
    value = gl.full([128, 64], 0.0, gl.float32, TILE)
    memory.store(value)  # error: [invalid-operation] "convert it to the layout that get_reg_layout() of the buffer returns"
    memory.store(gl.convert_layout(value, memory.get_reg_layout()))


# gluond: launch(target="cuda:100")
@gluon.jit
def starts_in_another_layout():
    value = gl.full([128, 64], 0.0, gl.float32, TILE)
    bw.allocate_tensor_memory(gl.float32, [128, 64], TENSOR, value)  # error: [invalid-operation] "a layout that tensor memory cannot take"


# gluond: launch(target="cuda:100")
@gluon.jit
def starts_with_another_dtype():
    value = gl.full([128, 64], 0.0, gl.float16, TILE)
    bw.allocate_tensor_memory(gl.float32, [128, 64], TENSOR, value)  # error: [shared-dtype-mismatch]
    gl.allocate_shared_memory(gl.bfloat16, [128, 64], SHARED, value)  # error: [shared-dtype-mismatch] "the value has dtype float16"
    gl.allocate_shared_memory(gl.float16, [64, 64], SHARED, value)  # error: [shared-shape-mismatch]
    gl.allocate_shared_memory(gl.float16, [128, 64], SHARED, value)


# Signs are no part of what Triton compares.
# gluond: launch(target="cuda:100")
@gluon.jit
def starts_with_another_sign():
    value = gl.full([128, 64], 0, gl.uint32, TILE)
    gl.allocate_shared_memory(gl.int32, [128, 64], SHARED, value)
