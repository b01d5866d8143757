# Python that kernels do not have.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def statements(out, n):
    for i in range(n):
        if i == 4:
            break  # error: [unsupported-syntax]
    try:  # error: [unsupported-syntax]
        gl.store(out, 1.0)
    except ValueError:
        gl.store(out, 2.0)
    a = b = n  # error: [multiple-targets]
    n.value = 3  # error: [attribute-assignment]
    t = (1, 2)
    t[0] = n  # error: [item-assignment]
    [c, d] = (1, 2)  # error: [unsupported-target]
    with out:  # error: [not-a-context-manager]
        gl.store(out, 1.0)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def starred(out, n):
    first, *rest = (1, 2, 3)  # error: [starred-target]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def inner_function(out, n):
    def helper(x):  # error: [nested-function]
        return x


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def expressions(out, n):
    f = lambda x: x + 1  # error: [unsupported-expression]
    d = {"a": n}  # error: [unsupported-expression]
    m = n @ n  # error: [unsupported-operator]
    u = (n, 1) - n  # error: [unsupported-operands]
    v = -(1, 2)  # error: [unsupported-operand]
    gl.device_print(f"{n}", n)  # error: [format-of-run-time-value]
    q = 1 // 0  # error: [python-exception]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def tuples(out, n):
    a, b = (n, 1, 2)  # error: [too-many-to-unpack]
    a, b, c = (n, 1)  # error: [not-enough-to-unpack]
    a, b = n  # error: [not-unpackable]
    t = (n, 1)
    gl.store(out, t[2])  # error: [tuple-index-out-of-range]
    gl.store(out, t[n])  # error: [bad-tuple-index]
    e = [x for x in n]  # error: [comprehension-of-non-tuple]
    g = [x + y for x in t for y in t]  # error: [nested-comprehension]
    h = [x for x in t if n > x]  # warning: [dynamic-filter]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def loops(out, n):
    for a, b in (1, 2):  # error: [bad-for-loop]
        gl.store(out, a)
    for a in [1, 2]:  # error: [bad-iterator] "a kernel cannot loop over a list"
        gl.store(out, a)
    for i in range(n):
        gl.store(out, i)
    else:
        gl.store(out, n)  # error: [loop-else]
    for i in len((1, 2)):  # error: [bad-iterator]
        gl.store(out, i)
    for i in gl.static_range():  # error: [bad-range-arguments]
        gl.store(out, i)
    for i in gl.static_range(n):  # error: [static-range-bound]
        gl.store(out, i)
    for i in range(0, 1.5):  # error: [loop-bound-not-integer]
        gl.store(out, i)
    while True:  # error: [constant-while-condition]
        gl.store(out, n)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def else_of_static_loops(out, n):
    total = 0
    for i in gl.static_range(3):
        total += i
    else:
        total = n * 2  # warning: [loop-else]
        if n > 3:
            gl.store(out + i, total)
        return
    for i in gl.static_range(3):
        total += i
    else:
        total += n  # error: [loop-else]
    for i in gl.static_range(3):
        total += i
    else:
        gl.store(out, missing)  # error: [undefined-name]
    gl.store(out, total)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def carried_type(out, n):
    acc = 0
    for i in range(n):
        acc = acc + 1.0  # error: [loop-carried-type]


# gluond: launch(out="*fp32", n="i32", K=4)
@gluon.jit
def carried_kinds(out, n, K: gl.constexpr):
    acc = None
    for i in range(n):
        acc = i  # error: [loop-carried-value]
        K = K + 1  # error: [loop-carried-kind]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def branches(out, n):
    x = 0
    if n > 0:
        x = 1.0  # error: [branch-type-mismatch]
    if n > 1:
        y = 1.0
    else:
        y = 1  # error: [branch-mismatch]
    z = 1.0 if n > 0 else n  # error: [conditional-type-mismatch]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def conditions(out, n):
    x = gl.arange(0, 64, layout=FLAT)
    if x > 3:  # error: [ambiguous-condition]
        gl.store(out, 1.0)
    if (1, 2):  # error: [bad-condition]
        gl.store(out, 1.0)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def constexpr_twice(out, n):
    k: gl.constexpr = 1
    k: gl.constexpr = 2  # error: [constexpr-reassigned]


@gluon.jit
def two_types(n):
    if n > 0:
        return 1.0
    return n  # error: [return-type-mismatch]


@gluon.jit
def gives_a_function(n):
    return gl.load  # error: [return-not-a-value]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def returns(out, n):
    a = two_types(n)
    b = gives_a_function(n)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def returns_in_a_loop(out, n):
    for i in range(n):
        if i > 3:  # error: [return-in-loop]
            return
