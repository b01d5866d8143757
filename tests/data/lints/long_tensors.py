"""AMD's buffer instructions and tensors of more than 2 GB, of launches whose sizes are known."""
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna3

LINE = gl.constexpr(gl.BlockedLayout([8], [64], [4], [0]))
ROWS = gl.constexpr(gl.BlockedLayout([1, 8], [8, 8], [4, 1], [1, 0]))


@gluon.jit
def too_long(src, dst, n):
    at = gl.program_id(0) * 2048 + gl.arange(0, 2048, LINE)
    x = cdna3.buffer_load(src, at, mask=at < n)  # warning: [buffer-limit] "goes to byte 2999999998 of a tensor in this launch, but a buffer instruction reaches 2 GB: beyond, it gives zeros"
    cdna3.buffer_store(x, dst, at, mask=at < n)  # warning: [buffer-limit] "beyond, it does nothing"


@gluon.jit
def just_short_enough(src, dst, n):
    at = gl.program_id(0) * 2048 + gl.arange(0, 2048, LINE)
    cdna3.buffer_store(cdna3.buffer_load(src, at, mask=at < n), dst, at, mask=at < n)


@gluon.jit
def first_rows(src, dst):
    at = gl.arange(0, 2048, LINE)
    cdna3.buffer_store(cdna3.buffer_load(src, at), dst, at)


@gluon.jit
def part_of_each_program(src, dst, n):
    start = gl.program_id(0).to(gl.int64) * 2048
    at = gl.arange(0, 2048, LINE)
    cdna3.buffer_store(cdna3.buffer_load(src + start, at, mask=at < n - start), dst + start, at, mask=at < n - start)


@gluon.jit
def rows_too_far(src, dst, stride):
    rows = gl.program_id(0) * 32 + gl.arange(0, 32, gl.SliceLayout(1, ROWS))
    at = rows[:, None] * stride + gl.arange(0, 64, gl.SliceLayout(0, ROWS))[None, :]
    x = cdna3.buffer_load(src, at)  # warning: [buffer-limit]
    gl.store(dst + gl.program_id(0).to(gl.int64) * 32 * stride + gl.arange(0, 64, gl.SliceLayout(0, ROWS)), gl.max(x, 0))


@gluon.jit
def pointers_in_a_loop(src, dst, n):
    offs = gl.program_id(0) * 65536 + gl.arange(0, 2048, LINE)
    for k in range(0, 65536, 2048):
        gl.store(dst + (k + offs), gl.load(src + (k + offs), mask=k + offs < n), mask=k + offs < n)


def run():
    long, short = torch.empty(1500000000, dtype=torch.float16, device="cuda"), torch.empty(1 << 30, dtype=torch.float16, device="cuda")
    too_long[(732422, )](long, long, 1500000000)
    just_short_enough[(524288, )](short, short, 1 << 30)
    first_rows[(1, )](long, long)
    part_of_each_program[(732422, )](long, long, 1500000000)
    table = torch.empty((32768, 65536), dtype=torch.float16, device="cuda")
    rows_too_far[(1024, )](table, table, 65536)
    pointers_in_a_loop[(22889, )](long, long, 1500000000)


run()
