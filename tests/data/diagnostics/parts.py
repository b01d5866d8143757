# Values of which a part gets another type: loops, branches and returns name the part.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

ONE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
TWO = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


@gluon.aggregate
class State:
    acc: gl.tensor
    top: gl.tensor

    @gluon.constexpr_function
    def __init__(self, acc, top):
        self.acc = acc
        self.top = top


@gluon.aggregate
class Outer:
    state: State

    @gluon.constexpr_function
    def __init__(self, state):
        self.state = state


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def in_a_loop(out, n):
    s = gl.zeros([256], gl.float32, ONE)
    state = State(s, s + 1.0)
    pair = (s, s + 2.0)
    outer = Outer(State(s + 3.0, s + 4.0))
    nested = (n, (s + 5.0, n))
    for i in range(n):
        state = State(state.acc, gl.convert_layout(state.top, TWO))  # error: [loop-carried-type] "'state.top' enters the loop as float32[256] gl.BlockedLayout([1], [32], [4], [0]), but is float32[256] gl.BlockedLayout([2], [32], [4], [0])"
    for i in range(n):
        pair = (pair[0], gl.convert_layout(pair[1], TWO))  # error: [loop-carried-type] "'pair[1]' enters the loop as float32[256] gl.BlockedLayout([1]"
    for i in range(n):
        outer = Outer(State(gl.convert_layout(outer.state.acc, TWO), outer.state.top))  # error: [loop-carried-type] "'outer.state.acc' enters"
    for i in range(n):
        nested = (i, (nested[1][0], nested[1][1] + 1.0))  # error: [loop-carried-type] "'nested[1][1]' enters the loop as int32, but is float32 after"
    k = 0
    while k < n:
        k += 1
        state = State(state.acc.to(gl.float16), state.top)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def in_another_loop(out, n):
    s = gl.zeros([256], gl.float32, ONE)
    state = State(s, s + 1.0)
    k = 0
    while k < n:
        k += 1
        state = State(state.acc.to(gl.float16), state.top)  # error: [loop-carried-type] "'state.acc' enters the loop as float32[256]"
    three = (s, s + 1.0)
    for i in range(n):
        three = (s, three[1], s)  # error: [loop-carried-type] "'three' enters the loop as (float32[256]"
    buffers = gl.allocate_shared_memory(gl.float32, [2, 256], SHARED)
    buffer = buffers.index(0)
    one = gl.allocate_shared_memory(gl.float32, [256], SHARED)
    for i in range(n):
        buffer = buffers.index(i % 2)
    gl.store(out + gl.arange(0, 256, layout=ONE), buffer.load(ONE) + one.load(ONE))


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def in_branches(out, n):
    s = gl.zeros([256], gl.float32, ONE)
    state = State(s, s + 1.0)
    if n > 0:
        state = State(s, gl.convert_layout(s, TWO))  # error: [branch-type-mismatch] "'state.top' has type float32[256] gl.BlockedLayout([1], [32], [4], [0]) before"
    if n > 1:
        pair = (s, n)
    else:
        pair = (s, 1.0 * n)  # error: [branch-mismatch] "'pair[1]' has type int32 after one branch, but type float32"


@gluon.jit
def either(n, s):
    if n > 0:
        return State(s, s)
    return State(s, s.to(gl.float16))  # error: [return-type-mismatch] "State with float32[256] gl.BlockedLayout([1], [32], [4], [0]) in '.top' elsewhere, but State with float16[256]"


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def in_returns(out, n):
    state = either(n, gl.zeros([256], gl.float32, ONE))


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def the_same_in_each_turn(out, n):
    s = gl.zeros([256], gl.float32, ONE)
    state = State(s, s + 1.0)
    pair = (s, 1)
    for i in range(n):
        state = State(state.top, state.acc * 2.0)
        pair = (pair[0] + 1.0, 2)
        if i > 2:
            state = State(state.top, state.acc)
    gl.store(out + gl.arange(0, 256, layout=ONE), state.top + pair[0])
