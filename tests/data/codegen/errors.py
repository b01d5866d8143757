# One mistake in each kernel; Triton stops at it, gluond goes on.
from collections import namedtuple

from triton.experimental import gluon
from triton.experimental.gluon import language as gl

PLAIN = 128
WRAPPED = gl.constexpr(4)
Point = namedtuple("Point", ["x", "y"])


def host_function(x):
    return x + 1


@gluon.jit
def callee(x, y):
    return x + y


@gluon.jit
def broken_callee(x):
    return x + undefined_here


@gluon.jit
def branch_returns(x):
    if x > 0:
        return 1.0
    return x


@gluon.jit(noinline=True)
def kept(x):
    return x


@gluon.must_use_result
@gluon.jit
def important(x):
    return x + 1


@gluon.jit
def undefined_name(x_ptr, n):
    gl.store(x_ptr, n + nothing)


@gluon.jit
def plain_global(x_ptr, n):
    gl.store(x_ptr, n + PLAIN)


@gluon.jit
def missing_argument(x_ptr, n):
    gl.store(x_ptr, callee(n))


@gluon.jit
def too_many_arguments(x_ptr, n):
    gl.store(x_ptr, callee(n, n, n))


@gluon.jit
def unexpected_keyword(x_ptr, n):
    gl.store(x_ptr, callee(n, z=n))


@gluon.jit
def in_callee(x_ptr, n):
    gl.store(x_ptr, broken_callee(n))


@gluon.jit
def carried_type(x_ptr, n):
    acc = 0
    for i in range(n):
        acc = acc + 1.0
    gl.store(x_ptr, acc)


@gluon.jit
def carried_none(x_ptr, n):
    acc = None
    for i in range(n):
        acc = i
    gl.store(x_ptr, n)


@gluon.jit
def carried_constexpr(x_ptr, n, K: gl.constexpr):
    for i in range(n):
        K = K + 1
    gl.store(x_ptr, n)


@gluon.jit
def branch_type(x_ptr, n):
    x = 0
    if n > 0:
        x = 1.0
    gl.store(x_ptr, x)


@gluon.jit
def branches_differ(x_ptr, n):
    if n > 0:
        x = 1.0
    else:
        x = 1
    gl.store(x_ptr, x)


@gluon.jit
def one_branch_only(x_ptr, n):
    if n > 0:
        x = 1.0
    gl.store(x_ptr, x)


@gluon.jit
def return_types(x_ptr, n):
    gl.store(x_ptr, branch_returns(n))


@gluon.jit
def return_in_loop(x_ptr, n):
    for i in range(n):
        if i > 3:
            return
    gl.store(x_ptr, n)


@gluon.jit
def while_true(x_ptr, n):
    while True:
        gl.store(x_ptr, n)


@gluon.jit
def loop_over_floats(x_ptr, n):
    for i in range(0, 1.5):
        gl.store(x_ptr, i)


@gluon.jit
def loop_over_tuple(x_ptr, n):
    for i in (1, 2, 3):
        gl.store(x_ptr, i)


@gluon.jit
def dynamic_static_range(x_ptr, n):
    for i in gl.static_range(n):
        gl.store(x_ptr, i)


@gluon.jit
def break_statement(x_ptr, n):
    for i in range(n):
        break


@gluon.jit
def lambda_expression(x_ptr, n):
    f = lambda x: x + 1
    gl.store(x_ptr, f(n))


@gluon.jit
def dictionary(x_ptr, n):
    d = {"a": n}
    gl.store(x_ptr, n)


@gluon.jit
def multiple_targets(x_ptr, n):
    a = b = n
    gl.store(x_ptr, a + b)


@gluon.jit
def unpack_count(x_ptr, n):
    a, b = (n, 1, 2)
    gl.store(x_ptr, a + b)


@gluon.jit
def unpack_scalar(x_ptr, n):
    a, b = n
    gl.store(x_ptr, a)


@gluon.jit
def item_assignment(x_ptr, n):
    t = (1, 2)
    t[0] = n
    gl.store(x_ptr, n)


@gluon.jit
def attribute_assignment(x_ptr, n):
    n.value = 3
    gl.store(x_ptr, n)


@gluon.jit
def string_variable(x_ptr, n):
    mode = "fast"
    gl.store(x_ptr, n)


@gluon.jit
def constexpr_twice(x_ptr, n):
    k: gl.constexpr = 1
    k: gl.constexpr = 2
    gl.store(x_ptr, k)


@gluon.jit
def static_assert_fails(x_ptr, N: gl.constexpr):
    gl.static_assert(N > 100, "N is too small")
    gl.store(x_ptr, N)


@gluon.jit
def static_assert_dynamic(x_ptr, n):
    gl.static_assert(n > 100)
    gl.store(x_ptr, n)


@gluon.jit
def unused_result(x_ptr, n):
    important(n)
    gl.store(x_ptr, n)


@gluon.jit
def noinline_tensor(x_ptr, n, L: gl.constexpr):
    gl.store(x_ptr, gl.sum(kept(gl.arange(0, 64, layout=L)), axis=0))


@gluon.jit
def division_by_zero(x_ptr, N: gl.constexpr):
    gl.store(x_ptr, N // 0)


@gluon.jit
def no_such_attribute(x_ptr, n):
    gl.store(x_ptr, n.nothing)


@gluon.jit
def no_such_builtin(x_ptr, n):
    gl.storee(x_ptr, n)


@gluon.jit
def ambiguous_if(x_ptr, n, L: gl.constexpr):
    x = gl.arange(0, 64, layout=L)
    if x > 3:
        gl.store(x_ptr, n)


@gluon.jit
def call_a_number(x_ptr, n):
    gl.store(x_ptr, WRAPPED(n))


@gluon.jit
def tuple_operands(x_ptr, n):
    gl.store(x_ptr, (n, 1) - n)


@gluon.jit
def dynamic_f_string(x_ptr, n):
    gl.device_print(f"{n}", n)


@gluon.jit
def tuple_index(x_ptr, n):
    t = (n, 1)
    gl.store(x_ptr, t[2])


@gluon.jit
def condition_is_tuple(x_ptr, n):
    if (1, 2):
        gl.store(x_ptr, n)


@gluon.jit
def matrix_product(x_ptr, n):
    gl.store(x_ptr, n @ n)


@gluon.jit
def membership(x_ptr, N: gl.constexpr):
    if N in (1, 2):
        gl.store(x_ptr, N)


@gluon.jit
def nested_function(x_ptr, n):
    def inner(x):
        return x
    gl.store(x_ptr, inner(n))


@gluon.jit
def generator_expression(x_ptr, n):
    gl.store(x_ptr, gl.sum(x for x in (1, 2)))


@gluon.jit
def mixed_conditional(x_ptr, n):
    gl.store(x_ptr, 1.0 if n > 0 else n)
