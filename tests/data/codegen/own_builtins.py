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


# Tuples that such functions get are Triton's, with the values and the type of each; operators are methods of tensors.
@gl._core.builtin
def combine(values: gl.tuple, last: gl.tensor, _semantic=None) -> gl.tuple:
    return gl.tuple([*values.values, last])


@builtin
def load_all(pointer, stride, count: int, _semantic=None) -> gl.tuple:
    pointers = [pointer.__add__(i * stride, _semantic=_semantic) for i in range(count)]
    return gl.tuple([gl.load(each, _semantic=_semantic) for each in pointers])


@builtin
def convolve(total, states, weights, new, _semantic=None):
    taps = [*states.values, new]
    for tap, weight in zip(taps, weights.values):
        total = total.__add__(tap.__mul__(weight, _semantic=_semantic), _semantic=_semantic)
    return total, gl.tuple(taps[1:])


@builtin
def same_layouts(values, _semantic=None):
    kinds = values.type
    return gl.constexpr(len(kinds.types) == len(values) and all(each.layout == kinds[0].layout for each in kinds.types))


@gluon.jit
def gets_tuples(x_ptr, TAPS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    at = gl.arange(0, 64, layout)
    states = ()
    for i in gl.static_range(TAPS - 1):
        states = combine(states, gl.load(x_ptr + at + i))
    weights = load_all(x_ptr + at, 64, TAPS)
    gl.static_assert(same_layouts(weights))
    total = gl.zeros([64], gl.float32, layout)
    for i in gl.static_range(2):
        total, states = convolve(total, states, weights, gl.load(x_ptr + at + 64 * i))
    gl.store(x_ptr + at, total + states.values[0])


# A constexpr function that another builtin calls takes `_semantic`, and gives it a constexpr.
@gluon.constexpr_function
def lanes():
    return gl.constexpr(32)


@builtin
def lanes_of_program(_semantic=None, _generator=None):
    return gl.num_warps(_semantic=_semantic, _generator=_generator) * lanes(_semantic=_semantic)


@gluon.jit
def asks_a_constexpr_function(x_ptr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    at = gl.arange(0, lanes_of_program(), layout)
    gl.store(x_ptr + at, at)


# Context managers of a program: the class is made with `_semantic`, and its methods are called around the body.
class nothing:
    __triton_builtin__ = True
    __slots__ = ()

    def __init__(self, *arguments, **keywords):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        return False


class added:
    __triton_builtin__ = True

    def __init__(self, pointer, value, _semantic=None):
        self.pointer, self.value, self.semantic = pointer, value, _semantic

    def __enter__(self):
        return gl.load(self.pointer, _semantic=self.semantic)

    def __exit__(self, kind, raised, trace):
        gl.store(self.pointer, self.value, _semantic=self.semantic)


@gluon.constexpr_function
def chosen(stores):
    return added if stores else nothing


@gluon.jit
def enters_contexts(x_ptr, STORES: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [gl.num_warps()], [0])
    at = gl.arange(0, 64, layout)
    for i in range(2):
        with chosen(STORES)(x_ptr + at, at + i) as first, nothing("second", priority=1):
            value = gl.load(x_ptr + at + 64)
            if STORES:
                value += first
            gl.store(x_ptr + at + 128, value)


# The warps of the caller: a partition's own, else those of the launch.
@builtin
def own_warps(_semantic=None, _generator=None):
    if _generator.caller_context is not None:
        return gl.constexpr(_generator.caller_context.num_warps)
    return gl.constexpr(_semantic.builder.options.num_warps)


@gluon.jit
def stores_warps(x_ptr):
    layout: gl.constexpr = gl.BlockedLayout([1], [32], [own_warps()], [0])
    gl.store(x_ptr + gl.arange(0, 64, layout), own_warps())


@gluon.jit
def asks_for_warps(x_ptr):
    gl.static_assert(own_warps() == 4)
    gl.warp_specialize([(stores_warps, (x_ptr, )), (stores_warps, (x_ptr, ))], [2], [24])
