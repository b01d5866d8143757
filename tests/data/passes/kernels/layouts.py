# Auto and coalesced layouts: how they find their way through control flow, reductions, joins and calls.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def coalesced_copy(x_ptr, y_ptr, n, BLOCK: gl.constexpr):
    offsets = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, gl.CoalescedLayout())
    mask = offsets < n
    gl.store(y_ptr + offsets, gl.load(x_ptr + offsets, mask=mask), mask=mask)


@gluon.jit
def coalesced_2d(x_ptr, y_ptr, stride, M: gl.constexpr, N: gl.constexpr):
    layout: gl.constexpr = gl.CoalescedLayout()
    offsets = gl.arange(0, M * N, layout)
    value = gl.load(x_ptr + (offsets // N) * stride + offsets % N)
    gl.store(y_ptr + offsets, value * 2.0)


@gluon.jit
def coalesced_strided(x_ptr, y_ptr, stride, BLOCK: gl.constexpr):
    offsets = gl.arange(0, BLOCK, gl.CoalescedLayout())
    gl.store(y_ptr + offsets, gl.load(x_ptr + offsets * stride))


@gluon.jit
def coalesced_loop(x_ptr, y_ptr, n, BLOCK: gl.constexpr):
    offsets = gl.arange(0, BLOCK, gl.CoalescedLayout())
    pointers = x_ptr + offsets
    total = gl.load(pointers)
    for _ in range(n):
        pointers += BLOCK
        total += gl.load(pointers)
    gl.store(y_ptr + offsets, total)


@gluon.jit
def coalesced_halves(x_ptr, y_ptr, BLOCK: gl.constexpr):
    offsets = gl.arange(0, BLOCK, gl.CoalescedLayout())
    gl.store(y_ptr + offsets, gl.load(x_ptr + offsets).to(gl.float16))


@gluon.jit
def coalesced_atomic(x_ptr, y_ptr, BLOCK: gl.constexpr):
    offsets = gl.arange(0, BLOCK, gl.CoalescedLayout())
    gl.atomic_add(y_ptr + offsets, gl.load(x_ptr + offsets))


@gluon.jit
def auto_copy(x_ptr, y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    offsets = gl.set_auto_layout(gl.arange(0, BLOCK), layout)
    gl.store(y_ptr + offsets, gl.load(x_ptr + offsets))


@gluon.jit
def auto_outer(y_ptr, stride, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    rows = gl.arange(0, M)[:, None]
    columns = gl.arange(0, N)[None, :]
    offsets = gl.set_auto_layout(rows * stride + columns, layout)
    gl.store(y_ptr + offsets, offsets)


@gluon.jit
def auto_loop(x_ptr, y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    total = gl.zeros([BLOCK], gl.float32, gl.AutoLayout())
    step = gl.full([BLOCK], 1.0, gl.float32, gl.AutoLayout())
    for i in range(n):
        if i % 2 == 0:
            total = total + step
        else:
            total = total * 2.0
    offsets = gl.arange(0, BLOCK, layout)
    gl.store(y_ptr + offsets, gl.set_auto_layout(total, layout))


@gluon.jit
def auto_while(x_ptr, y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    value = gl.arange(0, BLOCK)
    i = 0
    while i < n:
        value = value * 3 + i
        i += 1
    offsets = gl.arange(0, BLOCK, layout)
    gl.store(y_ptr + offsets, gl.set_auto_layout(value, layout))


@gluon.jit
def auto_reduce(x_ptr, y_ptr, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    rows = gl.arange(0, M)[:, None]
    columns = gl.arange(0, N)[None, :]
    offsets = gl.set_auto_layout(rows * N + columns, layout)
    total = gl.sum(gl.load(x_ptr + offsets), axis=1)
    where = gl.arange(0, M, gl.SliceLayout(1, layout))
    gl.store(y_ptr + where, total)


@gluon.jit
def auto_join_split(y_ptr, BLOCK: gl.constexpr, layout: gl.constexpr):
    low = gl.arange(0, BLOCK)
    high = gl.arange(BLOCK, 2 * BLOCK)
    both = gl.join(low, high)
    a, b = gl.split(both)
    offsets = gl.arange(0, BLOCK, layout)
    gl.store(y_ptr + offsets, gl.set_auto_layout(a + b, layout))


@gluon.jit
def auto_constants_twice(y_ptr, BLOCK: gl.constexpr, first: gl.constexpr, second: gl.constexpr):
    one = gl.set_auto_layout(gl.full([BLOCK], 1, gl.int32, gl.AutoLayout()), first)
    two = gl.set_auto_layout(gl.full([BLOCK], 1, gl.int32, gl.AutoLayout()), second)
    gl.store(y_ptr + gl.arange(0, BLOCK, first), one)
    gl.store(y_ptr + gl.arange(0, BLOCK, second), two)


@gluon.jit
def scaled(x, by):
    return x * by


@gluon.jit
def auto_through_call(y_ptr, n, BLOCK: gl.constexpr, layout: gl.constexpr):
    value = scaled(gl.arange(0, BLOCK), n)
    offsets = gl.arange(0, BLOCK, layout)
    gl.store(y_ptr + offsets, gl.set_auto_layout(value, layout))


@gluon.jit
def auto_conflict(y_ptr, BLOCK: gl.constexpr, first: gl.constexpr, second: gl.constexpr):
    value = gl.arange(0, BLOCK)
    gl.store(y_ptr + gl.arange(0, BLOCK, first), gl.set_auto_layout(value, first))
    gl.store(y_ptr + gl.arange(0, BLOCK, second), gl.set_auto_layout(value, second))


@gluon.jit
def auto_undetermined(y_ptr, BLOCK: gl.constexpr):
    value = gl.arange(0, BLOCK)
    gl.device_print("value", value)
