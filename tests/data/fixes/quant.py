"""Quantization to 8 bits, a histogram of magnitudes, and a product on CDNA 3."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LEVELS = gl.constexpr(127)


@gluon.jit
def scale_of(value, levels: gl.constexpr):
    return gl.max(gl.abs(value), axis=1) / levels


# gluond: launch(x="*fp32:16", q="*i8:16", scales="*fp32:16", ld="i32:16", ROWS=16, COLS=256)
# gluond: launch(x="*fp32:16", q="*i8:16", scales="*fp32:16", ld="i32:16", ROWS=32, COLS=128, num_warps=8)
@gluon.jit
def quantize(x, q, scales, ld, ROWS: gl.constexpr, COLS: gl.constexpr):
    tile: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [gl.num_warps(), 1], [1, 0])
    row: gl.constexpr = gl.SliceLayout(1, tile)
    rows = gl.program_id(0) * ROWS + gl.arange(0, ROWS, layout=row)
    cols = gl.arange(0, COLS, layout=gl.SliceLayout(0, tile))
    places = rows[:, None] * ld + cols[None, :]
    value = gl.load(x + places)
    scale = scale_of(value, levels=LEVELS)
    scaled = value / scale[:, None]
    rounded = gl.floor(scaled + 0.5)
    gl.store(q + places, rounded.to(gl.int8))
    gl.store(scales + rows, scale)


# gluond: launch(q="*i8:16", scales="*fp32:16", y="*fp16:16", ld="i32:16")
@gluon.jit
def dequantize(q, scales, y, ld):
    tile: gl.constexpr = gl.BlockedLayout([1, 16], [4, 8], [4, 1], [1, 0])
    rows = gl.program_id(0) * 16 + gl.arange(0, 16, layout=gl.SliceLayout(1, tile))
    cols = gl.arange(0, 128, layout=gl.SliceLayout(0, tile))
    places = rows[:, None] * ld + cols[None, :]
    scale = gl.load(scales + rows)
    value = gl.load(q + places).to(gl.float32) * scale[:, None]
    wide = gl.convert_layout(value.to(gl.float16), gl.BlockedLayout([1, 8], [2, 16], [4, 1], [1, 0]))  # gluond: ignore[converted-back]
    gl.static_assert(wide.shape[1] == 128)
    back = gl.convert_layout(wide, tile)
    gl.store(y + places, back)
