"""Row reductions: softmax, layer norm, sums."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


# gluond: launch(x="*fp32:16", y="*fp32:16", ld="i32:16", COLS=256, num_warps=4)
# gluond: launch(x="*fp32:16", y="*fp32:16", ld="i32:16", COLS=512, num_warps=8)
@gluon.jit
def softmax(x, y, ld, COLS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    rows = gl.program_id(0) * 16 + gl.arange(0, 16, layout=gl.SliceLayout(1, layout))
    cols = gl.arange(0, COLS, layout=gl.SliceLayout(0, layout))
    places = rows[:, None] * ld + cols[None, :]
    value = gl.load(x + places)
    top = gl.max(value, axis=1)
    shifted = value - top[:, None]
    power = gl.exp(shifted)
    total = gl.sum(power, axis=1)
    gl.store(y + places, power / total[:, None])


# gluond: launch(x="*fp16:16", w="*fp16:16", y="*fp16:16", ld="i32:16", COLS=256)
@gluon.jit
def layer_norm(x, w, y, ld, COLS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [1, 32], [4, 1], [1, 0])
    rows = gl.program_id(0) * 16 + gl.arange(0, 16, layout=gl.SliceLayout(1, layout))
    cols = gl.arange(0, COLS, layout=gl.SliceLayout(0, layout))
    places = rows[:, None] * ld + cols[None, :]
    value = gl.load(x + places).to(gl.float32)
    weight = gl.load(w + cols).to(gl.float32)
    mean = gl.sum(value, axis=1) / COLS
    centred = value - mean[:, None]
    variance = gl.sum(centred * centred, axis=1) / COLS
    result = centred * gl.rsqrt(variance + 1e-5)[:, None] * weight[None, :]
    gl.store(y + places, result.to(gl.float16))


# gluond: launch(x="*fp32:16", out="*fp32:16", n="i32:16")
@gluon.jit
def total(x, out, n):
    line: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    sums = gl.zeros([512], gl.float32, layout=line)
    for start in range(0, n, 512):
        places = start + gl.arange(0, 512, layout=line)
        sums += gl.load(x + places, mask=places < n, other=0.0)
    gl.atomic_add(out, gl.sum(sums, axis=0))
    gl.device_assert(n > 0)
