# Names and calls: what a kernel may mention, and how functions are called.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.ampere.async_copy import async_copy_global_to_shared as old_copy
from triton.experimental.gluon.language.nvidia import blackwell, hopper

PLAIN = 64
FLAT = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
SHARED = gl.constexpr(gl.SwizzledSharedLayout(1, 1, 1, [0]))


def on_the_host(x):
    return x + 1


@gluon.jit
def add(x, y):
    return x + y


@gluon.jit
def doubled(x):
    return x * twice  # error: [undefined-name]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def misspelt_names(out, n):
    offsets = gl.arnge(0, 64, layout=FLAT)  # error: [unknown-attribute]
    gl.store(out, nn)  # error: [undefined-name]
    gl.store(out, n.dtpye)  # error: [unknown-attribute]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def plain_global(out, n):
    gl.store(out, n + PLAIN)  # error: [global-not-constexpr]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def defined_in_a_branch(out, n):
    if n > 2:
        v = 1.0
    gl.store(out, v)  # error: [conditionally-defined]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def defined_in_a_loop(out, n):
    for i in range(n):
        last = i
    gl.store(out, last)  # error: [conditionally-defined]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def arguments(out, n):
    gl.store(out, add(n))  # error: [missing-argument]
    gl.store(out, add(n, n, n))  # error: [too-many-arguments]
    gl.store(out, add(n, z=n))  # error: [unexpected-keyword]
    gl.store(out, add(n, x=n))  # error: [duplicate-argument]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def arguments_of_builtins(out, n):
    a = gl.arange(0, 64, layuot=FLAT)  # error: [unexpected-keyword]
    gl.store(out)  # error: [missing-argument]
    b = gl.program_id(0, axis=0)  # error: [duplicate-argument]
    c = gl.program_id(0, 1)  # error: [too-many-arguments]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def calls(out, n):
    gl.store(out, n(1))  # error: [not-callable]
    gl.store(out, doubled(n))
    gl.store(out, add(*n))  # error: [starred-non-tuple]


# The second mistake is found although its argument is unknown because of the first.
# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def past_a_mistake(out, n):
    gl.store(out, beyond(nothing))  # error: [undefined-name]
    gl.load(nothing, msk=n > 0)  # error: [unexpected-keyword]


@gluon.jit
def beyond(x):
    return x + nowhere  # error: [undefined-name]


# gluond: launch(out="*fp16", n="i32")
@gluon.jit
def earlier_versions(out, n):
    smem = gl.allocate_shared_memory(gl.float16, [64], SHARED)
    async_copy.async_copy_global_to_shared(smem, out)  # error: [removed-name]
    old_copy(smem, out)  # error: [removed-name]
    gl.thread_barrier()  # error: [removed-name]
    smem.subslice(0)  # error: [removed-without-replacement]


# gluond: launch(out="*fp16", n="i32", target="cuda:90")
@gluon.jit
def elsewhere(out, n):
    gl.dot(n, n)  # error: [no-such-operation]
    items = [1, 2]
    items.append(3)  # error: [no-such-operation]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def host_functions(out, n):
    gl.store(out, on_the_host(n))  # error: [host-function]


@gluon.must_use_result
@gluon.jit
def important(x):
    return x + 1


@gluon.jit(noinline=True)
def kept(x):
    return x


@gluon.jit
def again(x):
    return again(x)  # error: [recursive-kernel]


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def functions(out, n):
    important(n)  # error: [must-use-result]
    kept(gl.arange(0, 64, layout=FLAT))  # error: [noinline-tensor-argument]
    again(n)


# gluond: launch(out="*fp32", n="i32")
@gluon.jit
def compile_time_only(out, n):
    a = gl.arange(0, n, layout=FLAT)  # error: [not-constexpr]
    gl.static_assert(n > 0)  # error: [static-assert-not-constexpr]
    gl.static_assert()  # error: [static-assert-arguments]
    gl.static_assert(1 > 2, "never")  # error: [static-assert]
    gl.static_assert()


# ---------------------------------------------------------------- never launched


@gluon.jit
def never_launched(src, out, n, BLOCK: gl.constexpr):
    pid = gl.program_id(0)
    offs = pid * BLOCK + gl.arange(0, BLOCK, layout=FLAT)
    x = gl.load(src + offs, msk=offs < n)  # error: [unexpected-keyword]
    y = gl.arange(0, 100, layout=FLAT)  # error: [not-power-of-two]
    gl.stoer(out + offs, x)  # error: [unknown-attribute]
    if BLOCK > 64:
        gl.store(out + gl.arange(0, 100, layout=FLAT), 1.0)  # not compiled, perhaps
    z = gl.zeros([32], gl.float32, FLAT) + gl.zeros([64], gl.float32, FLAT)  # error: [shape-mismatch]
    w = gl.zeros([64], gl.float32, gl.BlockedLayout([1], [32], [8], [0]))  # of a launch with 8 warps
