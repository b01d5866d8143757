# Loops and branches: what is carried, in which order, and what they leave behind.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def carried_order(x_ptr, y_ptr, n):
    total = 0.0
    last = 0
    unchanged = gl.load(y_ptr)
    for i in range(n):
        value = gl.load(x_ptr + i)
        last = i
        total += value
        total = total * unchanged
    gl.store(y_ptr, total + last)


@gluon.jit
def nested_loops(x_ptr, n, m):
    acc = 0
    for i in range(0, n):
        row = 0
        for j in range(i, m, 2):
            row += j
            acc += i
        acc += row
    gl.store(x_ptr, acc)


@gluon.jit
def backwards(x_ptr, n):
    acc = 0
    for i in range(n, 0, -2):
        acc += i
    for j in range(10, -1, -1):
        acc -= j
    gl.store(x_ptr, acc)


@gluon.jit
def wide_bounds(x_ptr, n: gl.int64, m):
    acc = 0
    for i in range(m, n):
        acc += 1
    gl.store(x_ptr, acc)


@gluon.jit
def after_the_loop(x_ptr, n):
    i = 5
    for i in range(n):
        gl.store(x_ptr + i, i)
    gl.store(x_ptr, i)


@gluon.jit
def while_loop(x_ptr, n):
    i = 0
    acc = 1.0
    while (i < n) & (acc < 1000.0):
        acc *= 2.0
        i += 1
    gl.store(x_ptr, acc)


@gluon.jit
def while_in_for(x_ptr, n):
    steps = 0
    for i in range(n):
        k = i
        while k > 1:
            if k % 2 == 0:
                k = k // 2
            else:
                k = 3 * k + 1
            steps += 1
    gl.store(x_ptr, steps)


@gluon.jit
def static_loops(x_ptr, N: gl.constexpr):
    acc = 0
    for i in gl.static_range(N):
        acc += i
        if i == 2:
            acc *= 2
    for i in gl.static_range(N, 0, -1):
        gl.store(x_ptr + i, acc)


@gluon.jit
def tuple_carried(x_ptr, n):
    pair = (0, 1.0)
    a, b = pair
    for i in range(n):
        a, b = b.to(gl.int32), a.to(gl.float32)
        pair = (a, b)
    gl.store(x_ptr, pair[0])


@gluon.jit
def branches(x_ptr, n, FLAG: gl.constexpr):
    a = n
    b = 0
    if n > 3:
        a = n + 1
        c = 2 * n
    else:
        b = n - 1
        c = n
    if FLAG:
        d = c
    else:
        d = "never made a tensor"
    if n == 7:
        b = a
    elif n == 8:
        b = c
    gl.store(x_ptr, a + b + c + d)


@gluon.jit
def early_return(x_ptr, n):
    if n < 0:
        return
    gl.store(x_ptr, n)
    if n > 10:
        gl.store(x_ptr + 1, n)
        return
    else:
        n += 1
    gl.store(x_ptr + 2, n)


@gluon.jit
def static_return(x_ptr, n, DONE: gl.constexpr):
    gl.store(x_ptr, n)
    if DONE:
        return
    gl.store(x_ptr + 1, n)


@gluon.jit
def conditional_expressions(x_ptr, n, FLAG: gl.constexpr):
    a = n if FLAG else -n
    b = a + 1 if n > 4 else n
    c = 1.0 if n == 2 else 2.0
    gl.store(x_ptr, a + b + c)


@gluon.jit
def branch_in_loop(x_ptr, n):
    best = -1
    where = 0
    for i in range(n):
        value = gl.load(x_ptr + i)
        if value > best:
            best = value
            where = i
    gl.store(x_ptr, where)


@gluon.jit
def condition_of_block(x_ptr, n, L: gl.constexpr):
    x = gl.load(x_ptr + gl.arange(0, 128, layout=L))
    s = gl.sum(x, 0)
    if s > n:
        gl.store(x_ptr, s)


@gluon.jit
def nested_branches(x_ptr, n):
    r = 0
    if n > 0:
        if n > 1:
            r = 1
            if n > 2:
                r = r + n
        else:
            r = 2
    gl.store(x_ptr, r)


@gluon.jit
def loop_of_loops_of_loops(x_ptr, n):
    a = 0
    for i in range(n):
        for j in range(n):
            for k in range(n):
                a += i * j * k
    gl.store(x_ptr, a)
