# Programs that ask values for their classes, and builtins that ask who calls them: `__class__`, isinstance with classes
# of Triton's own language, and the operators of the code generator's semantic.
import typing

import triton.experimental.gluon.language._semantic
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language._core import builtin
from triton.language.semantic import TritonSemantic


class Pair(typing.NamedTuple):
    first: object
    second: object


@gluon.aggregate
class Held:
    value: gl.tensor | tl.tensor_descriptor

    @gluon.constexpr_function
    def __init__(self, value):
        self.value = value


@gluon.jit
def total(x):
    if x.__class__ is gl.tuple:
        result = x[0] + x[1]
    else:
        result = x
    return result


@gluon.jit
def asks_values(x_ptr, n, N: gl.constexpr):
    gl.static_assert(n.__class__ is gl.tensor and x_ptr.__class__ is tl.tensor)
    gl.static_assert(N.__class__ is int)
    gl.static_assert(Held(n).__class__ is Held)
    gl.static_assert(n.dtype.__class__ is gl.dtype)
    buffer = gl.allocate_shared_memory(gl.int32, [128], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    gl.static_assert(buffer.__class__ is gl.shared_memory_descriptor)
    gl.static_assert(n.__class__.__name__ == "tensor")
    gl.store(x_ptr, total(n) + total((n, N)) + total(Pair(n, 3)))


@gluon.constexpr_function
def is_constant(x):
    return not isinstance(x, tl.tensor) and not isinstance(x, (tl.tensor_descriptor, tl.core.tensor_descriptor_base))


@gluon.jit
def asks_for_descriptors(x_ptr, KIND: gl.constexpr):
    gl.static_assert(is_constant(KIND))
    if is_constant(x_ptr):
        gl.store(x_ptr, 1)
    else:
        gl.store(x_ptr, 2)


@builtin
def is_of_gluon(_semantic=None):
    return isinstance(_semantic, triton.experimental.gluon.language._semantic.GluonSemantic)


@builtin
def mixed(a, b, _semantic: TritonSemantic = None):
    assert isinstance(_semantic, TritonSemantic)
    a, b = _semantic.to_tensor(a), _semantic.to_tensor(b)
    is_less = _semantic.less_than(a, b)
    differs = _semantic.or_(is_less, _semantic.not_(_semantic.equal(a, b)))
    _semantic.device_assert(is_less, "not less", _semantic.not_equal(a, b))
    chosen = _semantic.where(differs, _semantic.minus(a), _semantic.xor_(a, _semantic.invert(b)))
    parts = _semantic.floordiv(_semantic.and_(chosen, _semantic.shl(b, a)), b)
    rest = _semantic.mod(parts, _semantic.program_id(0))
    more = _semantic.where(_semantic.greater_equal(rest, a), rest, _semantic.num_programs(1))
    return _semantic.truediv(more, b)


@gluon.jit
def asks_the_caller(x_ptr, n):
    if is_of_gluon():
        gl.store(x_ptr, mixed(n, 7).to(gl.int32))
