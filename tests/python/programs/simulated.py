"""Kernels and host code without torch that test_simulation.py runs on the CPU: `python -m gluond --device cpu simulated.py WHAT`."""
import sys

import numpy
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor


@gluon.jit
def add(x, y, out, n, factor, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + i, gl.load(x + i, mask=i < n) + factor * gl.load(y + i, mask=i < n), mask=i < n)


@gluon.jit
def first(x, i):
    return gl.load(x + i)


@gluon.jit
def unmasked(x, out, BLOCK: gl.constexpr):
    i = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + i, 1.0)
    gl.store(out + i, first(x, i))


@gluon.jit
def through_tma(source, out, M: gl.constexpr, N: gl.constexpr):
    smem = gl.allocate_shared_memory(source.dtype, source.block_type.shape, source.layout)
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, source.block_type.nbytes)
    tma.async_load(source, [0, 0], bar, smem)
    mbarrier.wait(bar, 0)
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    i, j = gl.arange(0, M, gl.SliceLayout(1, layout)), gl.arange(0, N, gl.SliceLayout(0, layout))
    gl.store(out + i[:, None] * N + j[None, :], smem.load(layout))


@gluon.jit
def waits(out):
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    mbarrier.wait(bar, 0)
    gl.store(out, 1.0)


@gluon.jit
def endless(out, n):
    while gl.load(out) < n:
        gl.store(out, 1.0)


@gluon.jit
def fill(out, value):
    gl.store(out + gl.arange(0, 128, gl.BlockedLayout([1], [32], [4], [0])), value)


@gluon.jit
def halves_by_partitions(out):
    gl.warp_specialize([(fill, (out, 1.0)), (fill, (out + 128, 2.0))], [4], [24])


@gluon.jit
def roots(x, out, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.store(out + i, gl.sqrt(gl.load(x + i)))


@gluon.jit
def checked(x, BLOCK: gl.constexpr):
    i = gl.arange(0, BLOCK, gl.BlockedLayout([1], [32], [4], [0]))
    gl.device_print("x", gl.load(x + i))
    gl.device_assert(gl.load(x + i) > 0, "not positive")


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 256})], key=["n"])
@triton.jit
def plain(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def main(what):
    import gluond
    x, y = numpy.arange(1000, dtype=numpy.float32), numpy.ones((1000, ), numpy.float32)
    out = numpy.full(1024, -1, numpy.float32)
    if what == "fine":
        add[(4, )](x, y, out, 1000, 3, 256)
        assert numpy.array_equal(out[:1000], x + 3) and (out[1000:] == -1).all()
        halves = numpy.full(2000, -1, numpy.float32)  # a view: half of an allocation
        add[(4, )](x, y, halves[1000:], 1000, 0.5, 256)
        assert numpy.array_equal(halves[1000:], x + 0.5) and (halves[:1000] == -1).all()
        a = numpy.arange(64 * 32, dtype=numpy.float16).reshape(64, 32)
        b = numpy.zeros_like(a)
        layout = gl.NVMMASharedLayout.get_default_for([64, 32], gl.float16)
        through_tma[(1, )](TensorDescriptor.from_tensor(gluond.tensor(a), [64, 32], layout), b, 64, 32)
        assert numpy.array_equal(a, b)
        plain[lambda meta: (triton.cdiv(1000, meta["BLOCK"]), )](x, out, 1000)
        assert numpy.array_equal(out[:1000], x * 2)
        plain[lambda meta: (triton.cdiv(1000, meta["BLOCK"]), )](x, x, 1000)  # in place: both are one memory
        assert numpy.array_equal(x, out[:1000])
        kernel = add.warmup(x, y, out, 1000, 3, 256, grid=(1, ))
        assert "tt.func" in kernel.asm["ttgir"] and ".entry" in kernel.asm["ptx"]
        kernel = halves_by_partitions[(1, )](out)
        assert (out[:128] == 1).all() and (out[128:256] == 2).all()
        assert kernel.metadata.num_warps == 8 and ".entry" in kernel.asm["ptx"]
        checked[(1, )](y, 128)
        print("fine")
    elif what == "bounds":
        try:
            unmasked[(4, )](x, out, 256)
        except gluond.SimulationError as error:
            print(error)
            assert (out[:768] == x[:768]).all() and (out[768:] == 1).all()
    elif what == "again":  # every finding leaves a simulator that works
        for kernel, arguments in ((waits, (out, )), (unmasked, (x, out, 256)), (checked, (x - 5, 128))):
            try:
                kernel[(4, )](*arguments, debug=True)
                print("no error")
            except gluond.SimulationError as error:
                print(error.findings[0].code, error.findings[0].place)
            add[(4, )](x, y, out, 1000, 3, 256)
            assert numpy.array_equal(out[:1000], x + 3)
    elif what == "endless":
        endless[(1, )](out, 1000)
    elif what == "nan":
        roots[(1, )](x - 5, out, 128)
        print(numpy.isnan(out[:5]).sum())
    elif what == "record":
        for values in (x + 1, x + 2, x - 7, x - 9):
            checked[(1, )](values, 256, debug=True)
    elif what == "large":
        class Large:  # 100 GB that are nowhere
            shape, dtype = (25_000_000_000, ), numpy.dtype("float32")
            data_ptr, stride, element_size = (lambda self: 1 << 32), (lambda self: (1, )), (lambda self: 4)

        add[(1, )](Large(), y, out, 1000, 3, 256)
    elif what == "wrong":
        read_only = numpy.zeros(1000, numpy.float32)
        read_only.flags.writeable = False
        for arguments in ((x, y, read_only, 1000, 3, 256), (x, y, out, 1 << 70, 3, 256), (x, y, None, 1000, 3, 256)):
            try:
                add[(4, )](*arguments)
                print("no error")
            except Exception as error:
                print(type(error).__name__, str(error).splitlines()[0])


if __name__ == "__main__":
    main(sys.argv[1])
