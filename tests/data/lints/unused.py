"""Results of calls and operations that nobody uses."""
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([4], [32], [4], [0]))


@gluon.aggregate
class Counter:
    value: gl.tensor
    step: gl.constexpr

    @gluon.jit
    def next(self):
        return Counter(self.value + self.step, self.step)

    @gluon.jit
    def write(self, p):
        gl.store(p, self.value)
        return self


@gluon.jit
def doubled(x):
    return x * 2


@gluon.jit
def summed(p):
    return gl.sum(gl.load(p + gl.arange(0, 512, LINE)), 0)


@gluon.jit
def checked(x):
    gl.static_assert(x.dtype == gl.float32)
    gl.device_print("x", x)
    return x


# gluond: launch(p="*fp32:16", n="i32")
@gluon.jit
def drops(p, n):
    c = Counter(gl.to_tensor(0), 1)
    for i in range(n):
        c.next()  # hint: [unused-result] "the result of this call"
        gl.device_print("i", i)
    x = gl.load(p + gl.arange(0, 512, LINE))
    doubled(x)  # hint: [unused-result]
    summed(p)  # hint: [unused-result]
    x.to(gl.float16)  # hint: [unused-result] "the result of this operation"
    x + 1  # hint: [unused-result]
    checked(x)
    c.write(p)
    x = doubled(x)
    gl.store(p + gl.arange(0, 512, LINE), x)


# The maximum of floats in memory is two operations on integers and a selection of their results.
# gluond: launch(p="*fp32:16")
@gluon.jit
def keeps(p):
    i = gl.arange(0, 512, LINE)
    gl.atomic_max(p + i, 1.0 * i)
    gl.atomic_min(p, 1.0)
    gl.atomic_add(p + i, 1.0 * i)
    1.0 * i  # hint: [unused-result]
