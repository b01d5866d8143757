# module: triton.language.random
# Philox counter-based random numbers (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
from triton.language import core as tl, math
from triton.runtime.jit import jit

N_ROUNDS_DEFAULT = tl.constexpr(10)


@jit
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    if c0.dtype == tl.uint32:
        weyl_0: tl.constexpr = 0x9E3779B9
        weyl_1: tl.constexpr = 0xBB67AE85
        multiplier_0: tl.constexpr = 0xD2511F53
        multiplier_1: tl.constexpr = 0xCD9E8D57
    else:
        tl.static_assert(c0.dtype == tl.uint64, "dtype not supported in philox_impl")
        weyl_0: tl.constexpr = 0x9E3779B97F4A7C15
        weyl_1: tl.constexpr = 0xBB67AE8584CAA73B
        multiplier_0: tl.constexpr = 0xD2E7470EE14C6C93
        multiplier_1: tl.constexpr = 0xCA5A826395121157

    for _ in tl.static_range(n_rounds):
        a = multiplier_0
        b = multiplier_1
        old_c0, old_c2 = c0, c2
        c0 = math.umulhi(b, old_c2) ^ c1 ^ k0
        c2 = math.umulhi(a, old_c0) ^ c3 ^ k1
        c1 = tl.mul(b, old_c2, sanitize_overflow=False)
        c3 = tl.mul(a, old_c0, sanitize_overflow=False)
        k0 = tl.add(k0, weyl_0, sanitize_overflow=False)
        k1 = tl.add(k1, weyl_1, sanitize_overflow=False)
    return c0, c1, c2, c3


@jit
def philox(seed, c0, c1, c2, c3, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    seed = tl.to_tensor(seed)
    tl.static_assert(seed.dtype.is_int())
    seed = seed.to(tl.uint64)
    c0 = tl.to_tensor(c0)
    c1 = tl.to_tensor(c1)
    c2 = tl.to_tensor(c2)
    c3 = tl.to_tensor(c3)

    if tl.constexpr(c0.dtype.primitive_bitwidth) == 32:
        word = tl.uint32
        high = ((seed >> 32) & 0xffffffff).to(tl.uint32)
        low = (seed & 0xffffffff).to(tl.uint32)
    else:
        tl.static_assert(tl.constexpr(c0.dtype.primitive_bitwidth) == 64, "bitwidth not supported in philox")
        word = tl.uint64
        high = tl.full((1, ), 0, dtype=word)
        low = seed

    c0 = c0.to(word, bitcast=True)
    c1 = c1.to(word, bitcast=True)
    c2 = c2.to(word, bitcast=True)
    c3 = c3.to(word, bitcast=True)
    return philox_impl(c0, c1, c2, c3, low, high, n_rounds)


@jit
def randint(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    first, _, _, _ = randint4x(seed, offset, n_rounds)
    return first


@jit
def randint4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    low = offset.to(tl.uint32)
    nothing = low * 0
    if tl.constexpr(offset.dtype.primitive_bitwidth) > 32:
        high = (offset >> 32).to(tl.uint32)
    else:
        high = nothing
    return philox(seed, low, high, nothing, nothing, n_rounds)


# To [0, 1): the scale keeps the largest integer below 1 after rounding.
@jit
def uint_to_uniform_float(x):
    if tl.constexpr(x.dtype == tl.uint32) or tl.constexpr(x.dtype == tl.int32):
        x = x.to(tl.int32, bitcast=True)
        scale = 4.6566127342e-10
    else:
        tl.static_assert(tl.constexpr(x.dtype == tl.uint64) or tl.constexpr(x.dtype == tl.int64))
        x = x.to(tl.int64, bitcast=True)
        scale = 1.0842020432385337e-19
    x = tl.where(x < 0, ~x, x)
    return x * scale


@jit
def rand(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    bits = randint(seed, offset, n_rounds)
    return uint_to_uniform_float(bits)


@jit
def rand4x(seed, offsets, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    b1, b2, b3, b4 = randint4x(seed, offsets, n_rounds)
    u1 = uint_to_uniform_float(b1)
    u2 = uint_to_uniform_float(b2)
    u3 = uint_to_uniform_float(b3)
    u4 = uint_to_uniform_float(b4)
    return u1, u2, u3, u4


# Box and Muller's transform.
@jit
def pair_uniform_to_normal(u1, u2):
    u1 = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = math.sqrt(-2.0 * math.log(u1))
    return radius * math.cos(angle), radius * math.sin(angle)


@jit
def randn(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    b1, b2, _, _ = randint4x(seed, offset, n_rounds)
    u1 = uint_to_uniform_float(b1)
    u2 = uint_to_uniform_float(b2)
    n1, _ = pair_uniform_to_normal(u1, u2)
    return n1


@jit
def randn4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    u1, u2, u3, u4 = rand4x(seed, offset, n_rounds)
    n1, n2 = pair_uniform_to_normal(u1, u2)
    n3, n4 = pair_uniform_to_normal(u3, u4)
    return n1, n2, n3, n4
