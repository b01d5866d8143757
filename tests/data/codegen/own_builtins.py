# @builtin functions of a program that use Triton's code generator themselves: options of the launch, attributes of the
# module, calls of jit functions, and the semantic's conversions.
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language._core import builtin
from triton.language import core


@builtin
def threads(_semantic=None):
    options = _semantic.builder.options
    return gl.constexpr(options.num_warps * options.warp_size)


@core.extern
def clock(_semantic=None):
    options = _semantic.builder.options
    read = "mov.u64 $0, %clock64;" if options.backend_name == "cuda" and options.arch.startswith("sm") else "none"
    return core.inline_asm_elementwise(read, "=l", [], dtype=core.int64, is_pure=False, pack=1, _semantic=_semantic)


@builtin
def mark(name, value, _semantic=None, _generator=None):
    builder, module = _semantic.builder, _generator.module
    module.set_attr("mine." + core._unwrap_if_constexpr(name), builder.get_int32_attr(core._unwrap_if_constexpr(value)))
    module.set_attr("mine.flag", builder.get_bool_attr(True))
    module.set_attr("mine.text", builder.get_string_attr("some text"))
    module.set_attr("mine.unit", builder.get_unit_attr())


@gluon.jit
def scaled(x, by: gl.constexpr):
    return x * by


@builtin
def apply(function, x, by, _generator=None, _semantic=None):
    return _generator.call_JitFunction(function, [x], kwargs={"by": by})


@builtin
def as_float(x, _semantic=None):
    return _semantic.cast(_semantic.to_tensor(x), gl.float32)


@gluon.jit
def asks_the_compiler(x_ptr, n, COUNT: gl.constexpr):
    mark("count", COUNT)
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    at = gl.arange(0, threads(), layout)
    gl.store(x_ptr + at, apply(scaled, gl.load(x_ptr + at), 3) + as_float(n))
    gl.store(x_ptr, clock().to(gl.float32))
