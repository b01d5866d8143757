# module: triton.language.standard
from triton.language import core, math
from triton import __version__
from triton.runtime.jit import constexpr_function, jit

# The release of Triton whose library this is.
_release = tuple([int(part) for part in __version__.split(".")[:2]])
# Since 3.9 scans do not widen bfloat16; sort and topk check k, and reduce for k = 1.
_scans_in_float32 = core.constexpr(_release < (3, 9))
_checks_top = core.constexpr(_release >= (3, 9))

# ---------------------------------------------------------------- compile time


@constexpr_function
def _log2(i):
    return i.bit_length() - 1 if i > 1 else 0


@constexpr_function
def _is_power_of_two(i):
    return i != 0 and i & (i - 1) == 0


@constexpr_function
def get_int_dtype(bitwidth, signed):
    return core.get_int_dtype(bitwidth, signed)


_get_int_dtype = get_int_dtype


# Sums of integers narrower than 32 bits are taken in 32 bits of the same sign.
@constexpr_function
def _pick_sum_dtype(in_dtype, dtype):
    if dtype is not None:
        return dtype
    if in_dtype.is_int_signed():
        return core.int32 if in_dtype.int_bitwidth < 32 else in_dtype
    if in_dtype.is_int_unsigned():
        return core.uint32 if in_dtype.int_bitwidth < 32 else in_dtype
    return in_dtype


@constexpr_function
def _get_flip_dim(dim, shape):
    rank = len(shape)
    if dim is None:
        return rank - 1
    return dim + rank if dim < 0 else dim


@constexpr_function
def _softmax_keep_dims_warning():
    return None


# ---------------------------------------------------------------- elementwise and shapes


@jit
def cdiv(x, div):
    return (x + (div - 1)) // div


@jit
def sigmoid(x):
    return 1 / (1 + math.exp(-x))


if _release < (3, 9):

    @jit
    def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
        if dim is None:
            axis: core.constexpr = 0
        else:
            axis: core.constexpr = dim
        shifted = x - max(x, axis, keep_dims=keep_dims)
        powers = math.exp(shifted)
        total = sum(powers, axis, keep_dims=keep_dims)
        return math.fdiv(powers, total, ieee_rounding)

else:

    @jit
    def softmax(x, dim=None, *, keep_dims=None, ieee_rounding=False):
        if keep_dims is not None:
            _softmax_keep_dims_warning()
        if dim is None:
            axis: core.constexpr = 0
        else:
            axis: core.constexpr = dim
        shifted = x - max(x, axis, keep_dims=True)
        powers = math.exp(shifted)
        total = sum(powers, axis, keep_dims=True)
        return math.fdiv(powers, total, ieee_rounding)


@jit
def ravel(x, can_reorder=False):
    return core.reshape(x, [x.numel], can_reorder=can_reorder)


@jit
def swizzle2d(i, j, size_i, size_j, size_g):
    linear = i * size_j + j
    per_group = size_g * size_j
    group = linear // per_group
    first_row = group * size_g
    rows = core.minimum(size_i - first_row, size_g)
    within = linear % per_group
    new_i = first_row + within % rows
    new_j = within // rows
    return new_i, new_j


@jit
def zeros(shape, dtype):
    return core.full(shape, 0, dtype)


@jit
def zeros_like(input):
    return zeros(input.shape, input.dtype)


@jit
def interleave(a, b):
    pairs = core.join(a, b)
    if len(pairs.shape) == 1:
        return pairs
    else:
        return core.reshape(pairs, pairs.shape[:-2] + [2 * pairs.shape[-2]])


if _release < (3, 9):

    @jit
    def squeeze(x, dim: core.constexpr):
        core.static_assert(x.shape[dim] == 1)
        return x.reshape(x.shape[:dim] + x.shape[dim + 1:])

    @jit
    def unsqueeze(x, dim: core.constexpr):
        return x.reshape(x.shape[:dim] + (1, ) + x.shape[dim:])

else:

    @jit
    def squeeze(x, dim: core.constexpr):
        core.static_assert(-len(x.shape) <= dim and dim < len(x.shape))
        axis: core.constexpr = dim + len(x.shape) if dim < 0 else dim
        core.static_assert(x.shape[axis] == 1)
        return x.reshape(x.shape[:axis] + x.shape[axis + 1:])

    @jit
    def unsqueeze(x, dim: core.constexpr):
        rank: core.constexpr = len(x.shape) + 1
        core.static_assert(-rank <= dim and dim < rank)
        axis: core.constexpr = dim + rank if dim < 0 else dim
        return x.reshape(x.shape[:axis] + (1, ) + x.shape[axis:])


# ---------------------------------------------------------------- largest and smallest


@jit
def _argmax_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        first_wins = value1 == value2 and index1 < index2
    else:
        first_wins = False
    take_first = value1 > value2 or first_wins
    value = core.where(take_first, value1, value2)
    index = core.where(take_first, index1, index2)
    return value, index


@jit
def _argmax_combine_tie_break_left(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, True)


@jit
def _argmax_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmax_combine(value1, index1, value2, index2, False)


@jit
def _elementwise_max(a, b):
    return core.maximum(a, b)


@jit
def max(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        if return_indices_tie_break_left:
            return core._reduce_with_indices(input, axis, _argmax_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return core._reduce_with_indices(input, axis, _argmax_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        if core.constexpr(input.dtype.primitive_bitwidth) < core.constexpr(32):
            if core.constexpr(input.dtype.is_floating()):
                input = input.to(core.float32)
            else:
                assert input.dtype.is_int(), "Expecting input to be integer type"
                input = input.to(core.int32)
        return core.reduce(input, axis, _elementwise_max, keep_dims=keep_dims)


@jit
def argmax(input, axis, tie_break_left=True, keep_dims=False):
    (_, index) = max(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left,
                     keep_dims=keep_dims)
    return index


@jit
def _argmin_combine(value1, index1, value2, index2, tie_break_left):
    if tie_break_left:
        first_wins = value1 == value2 and index1 < index2
    else:
        first_wins = False
    take_first = value1 < value2 or first_wins
    value = core.where(take_first, value1, value2)
    index = core.where(take_first, index1, index2)
    return value, index


@jit
def _argmin_combine_tie_break_left(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, True)


@jit
def _argmin_combine_tie_break_fast(value1, index1, value2, index2):
    return _argmin_combine(value1, index1, value2, index2, False)


@jit
def _elementwise_min(a, b):
    return core.minimum(a, b)


@jit
def min(input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False):
    if return_indices:
        if return_indices_tie_break_left:
            return core._reduce_with_indices(input, axis, _argmin_combine_tie_break_left, keep_dims=keep_dims)
        else:
            return core._reduce_with_indices(input, axis, _argmin_combine_tie_break_fast, keep_dims=keep_dims)
    else:
        if core.constexpr(input.dtype.primitive_bitwidth) < 32:
            if core.constexpr(input.dtype.is_floating()):
                input = input.to(core.float32)
            else:
                assert input.dtype.is_int(), "Expecting input to be integer type"
                input = input.to(core.int32)
        return core.reduce(input, axis, _elementwise_min, keep_dims=keep_dims)


@jit
def argmin(input, axis, tie_break_left=True, keep_dims=False):
    _, index = min(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left,
                   keep_dims=keep_dims)
    return index


# ---------------------------------------------------------------- sums and scans


@jit
def _sum_combine(a, b):
    return a + b


@jit
def sum(input, axis=None, keep_dims=False, dtype: core.constexpr = None):
    sum_dtype: core.constexpr = _pick_sum_dtype(input.dtype, dtype)
    input = input.to(sum_dtype)
    return core.reduce(input, axis, _sum_combine, keep_dims=keep_dims)


@jit
def _xor_combine(a, b):
    return a ^ b


@jit
def xor_sum(input, axis=None, keep_dims=False):
    core.static_assert(input.type.scalar.is_int(), "the elements must be integers")
    return core.reduce(input, axis, _xor_combine, keep_dims=keep_dims)


@jit
def _or_combine(x, y):
    return x | y


@jit
def reduce_or(input, axis, keep_dims=False):
    core.static_assert(input.type.scalar.is_int(), "the elements must be integers")
    return core.reduce(input, axis, _or_combine, keep_dims=keep_dims)


@jit
def cumsum(input, axis=0, reverse=False, dtype: core.constexpr = None):
    if _scans_in_float32 and input.dtype.is_bf16():
        input = input.to(core.float32)
    sum_dtype: core.constexpr = _pick_sum_dtype(input.dtype, dtype)
    input = input.to(sum_dtype)
    return core.associative_scan(input, axis, _sum_combine, reverse)


@jit
def _prod_combine(a, b):
    return a * b


if _release < (3, 9):

    @jit
    def cumprod(input, axis=0, reverse=False):
        if input.dtype.is_bf16():
            input = input.to(core.float32)
        return core.associative_scan(input, axis, _prod_combine, reverse)

else:

    @jit
    def cumprod(input, axis=0, reverse=False, dtype: core.constexpr = None):
        product_dtype: core.constexpr = _pick_sum_dtype(input.dtype, dtype)
        input = input.to(product_dtype)
        return core.associative_scan(input, axis, _prod_combine, reverse)


# ---------------------------------------------------------------- sorting
# A tensor of 2**n elements is seen as a hypercube of n dimensions of size 2; one compare-and-swap works along one of them.


# 0 and 1 along the j-th innermost dimension of the hypercube.
@jit
def _indicator(n_dims: core.constexpr, j: core.constexpr):
    bit = core.arange(0, 2)
    bit = core.reshape(bit, [1] * (n_dims - j - 1) + [2] + [1] * j)
    return bit


# The neighbour of an element along a dimension of size 2 is the xor of both with itself.
@jit
def _compare_and_swap(x, flip, i: core.constexpr):
    n_dims: core.constexpr = _log2(x.numel)
    as_int = _get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    bits = x.to(as_int, bitcast=True)
    other_bits = bits ^ xor_sum(bits, n_dims - 1 - i, True)
    other = other_bits.to(x.dtype, bitcast=True)
    on_the_right = _indicator(n_dims, i)
    turned = flip ^ on_the_right
    if _checks_top:
        turned = turned.to(core.int1)
    return core.where((x > other) != turned, other, x)


# order: 0 ascending, 1 descending, 2 alternating runs of 2**stage.
@jit
def _bitonic_merge_hypercube(x, stage: core.constexpr, order: core.constexpr):
    if order == 2:
        flip = _indicator(_log2(x.numel), stage)
    else:
        flip = order
    for i in core.static_range(stage):
        x = _compare_and_swap(x, flip, stage - 1 - i)
    return x


@jit
def _bitonic_merge(x, stage: core.constexpr, order: core.constexpr, n_dims: core.constexpr):
    cube = core.reshape(x, [2] * _log2(x.numel))
    cube = _bitonic_merge_hypercube(cube, stage, order)
    x = core.reshape(cube, x.shape)
    return x


@jit
def sort_impl(x, k: core.constexpr = None, dim: core.constexpr = None, descending: core.constexpr = core.constexpr(0)):
    axis: core.constexpr = len(x.shape) - 1 if dim is None else dim
    core.static_assert(axis == len(x.shape) - 1, "only the last dimension is supported")

    if _checks_top and k is not None:
        core.static_assert(k > 0, "k must be greater than 0")
        core.static_assert(_is_power_of_two(k), "k must be a power of two")
        core.static_assert(k <= x.shape[axis], "k must not exceed the size of the dimension")

    log_n: core.constexpr = _log2(x.shape[axis])
    log_k: core.constexpr = log_n if k is None else _log2(k)

    if _checks_top and log_k == 0:
        x = max(x, axis=axis, keep_dims=True) if descending else min(x, axis=axis, keep_dims=True)
    else:
        n_dims: core.constexpr = _log2(x.numel)
        cube = core.reshape(x, [2] * n_dims if n_dims else [1])
        for i in core.static_range(1, log_k + 1):
            cube = _bitonic_merge_hypercube(cube, i, 2 if i < log_n else descending)
        # Halve what is left, keeping the better of each pair, until k remain.
        for i in core.static_range(log_k + 1, log_n + 1):
            cube = max(cube, axis=(_log2(cube.numel) - 1 - log_k)) if descending else min(
                cube, axis=(_log2(cube.numel) - 1 - log_k))
            cube = _bitonic_merge_hypercube(cube, log_k, 2 if i < log_n else descending)
        x = core.reshape(cube, x.shape[:-1] + [2**log_k])
    return x


@jit
def sort(x, dim: core.constexpr = None, descending: core.constexpr = core.constexpr(0)):
    return sort_impl(x, dim=dim, descending=descending)


@jit
def topk(x, k: core.constexpr, dim: core.constexpr = None, descending: core.constexpr = True):
    return sort_impl(x, k=k, dim=dim, descending=descending)


@jit
def bitonic_merge(x, dim: core.constexpr = None, descending: core.constexpr = core.constexpr(0)):
    axis: core.constexpr = len(x.shape) - 1 if dim is None else dim
    core.static_assert(axis == len(x.shape) - 1, "only the last dimension is supported")
    n_dims: core.constexpr = _log2(x.shape[-1])
    return _bitonic_merge(x, n_dims, descending, n_dims)


@jit
def flip(x, dim=None):
    axis: core.constexpr = _get_flip_dim(dim, x.shape)
    core.static_assert(0 <= axis and axis < len(x.shape), "dim must be None or a dimension of the tensor")
    core.static_assert(_is_power_of_two(x.shape[axis]))
    steps: core.constexpr = _log2(x.shape[axis])
    as_int = _get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    y = core.reshape(x.to(as_int, bitcast=True), x.shape[:axis] + [2] * steps + x.shape[axis + 1:])
    for i in core.static_range(steps):
        y = y ^ xor_sum(y, axis + i, True)
    x = core.reshape(y, x.shape).to(x.dtype, bitcast=True)
    return x
