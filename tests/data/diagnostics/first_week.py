"""What people meet in their first week: results that are none, constants that cannot be constants."""
import argparse

import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))


@gluon.jit
def returns_a_store(x, y):
    at = gl.arange(0, 128, layout=LINE)
    return gl.store(y + at, gl.load(x + at))  # error: [return-not-a-value] "the result of gl.store, which returns nothing"


@gluon.jit
def returns_a_name(x, n):
    done = gl.store(x, n)
    return done  # error: [return-not-a-value]


@gluon.jit
def prints(x, n):
    return print("n", n)  # error: [return-not-a-value] "the result of print"


@gluon.jit
def waits(x, n):
    return gl.barrier()  # error: [return-not-a-value]


@gluon.jit
def store_one(x, n):
    return gl.store(x, n)  # error: [return-not-a-value]


@gluon.jit
def calls(x, n):
    store_one(x, n)


@gluon.jit
def keeps_the_result(x, n):
    done = gl.store(x, n)
    gl.static_print(n)


@gluon.jit
def returns_one_of_two(x, n, KEEP: gl.constexpr):
    if KEEP:
        done = None
        gl.store(x, n)
    else:
        done = gl.store(x, n)
    return done


@gluon.jit
def returns_none(x, n):
    gl.store(x, n)
    return None


@gluon.jit
def stores_a_result(x, n):
    done = gl.store(x, n)
    gl.store(x, done)  # error: [bad-argument]


# gluond: launch(x="*i32", n="i32")
@gluon.jit
def loops_over_a_number(x, n):
    for i in n:  # error: [bad-iterator]
        gl.store(x, i)


# gluond: launch(x="*i32", n="i32")
@gluon.jit
def loops_over_dots(x, n):
    for i in 0..n:  # error: [bad-iterator]
        gl.store(x, i)


@gluon.jit
def fill(x, shape: gl.constexpr):
    gl.store(x, shape[0])


@gluon.jit
def fill_each(x, shape):
    gl.store(x, shape[0])


x = torch.empty(128, device="cuda")
y = torch.empty(128, device="cuda")
returns_a_store[(1,)](x, y)
n = torch.empty(1, device="cuda", dtype=torch.int32)
returns_a_name[(1,)](n, 5)
prints[(1,)](n, 5)
waits[(1,)](n, 5)
calls[(1,)](n, 5)
keeps_the_result[(1,)](n, 5)
returns_none[(1,)](n, 5)
returns_one_of_two[(1,)](n, 5, True)
stores_a_result[(1,)](n, 5)
fill[(1,)](n, (1, 2))
fill[(1,)](n, [1, 2])  # error: [launch-argument] "a constexpr must be hashable, but this one is a list or contains one: pass a tuple"
fill[(1,)](n, (2, [1]))  # error: [launch-argument]
fill[(1,)](n, shape={0: 2})  # error: [launch-argument] "a dict or contains one"
fill_each[(1,)](n, (3, 2))
fill_each[(1,)](n, [3, 2])  # error: [launch-argument] "a list cannot be passed to a kernel: pass a tuple"

parser = argparse.ArgumentParser()
parser.add_argument("--block-size", type=int, default=128)
args = parser.parse_args()
print(args.block_size)
print(args.blok_size)  # warning: [module-exception] "'Namespace' object has no attribute 'blok_size'"
