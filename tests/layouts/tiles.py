"""What all layouts are made of: numbers written in several digits, sums of bases, tiles that repeat over a tensor."""
from math import prod


def digits(number, sizes, order):
    """`number` over the dimensions, the one that is first in `order` fastest."""
    out = [0] * len(sizes)
    for dim in order:
        out[dim] = number % sizes[dim]
        number //= sizes[dim]
    return out


def spread(number, bits):
    """`number` with its bits at the places `bits`."""
    return sum((number >> i & 1) << bit for i, bit in enumerate(bits))


def log2(number):
    return number.bit_length() - 1


def moved(bases, number, rank):
    """The sum (without carry) of the bases whose bits are set."""
    out = [0] * rank
    for bit, basis in enumerate(bases):
        if number >> bit & 1:
            out = [a ^ b for a, b in zip(out, basis)]
    return out


def clusters(cga, shape):
    """The CTAs of a cluster: the shape of one CTA's part, and where the part of each begins."""
    rank = len(shape)
    count = [1] * rank
    for basis in cga:
        for dim, step in enumerate(basis):
            count[dim] = max(count[dim], 2 * step)
    count = [min(c, s) for c, s in zip(count, shape)]
    part = [s // c for s, c in zip(shape, count)]
    return part, 1 << len(cga), lambda block: [c % n * p for c, n, p in zip(moved(cga, block, rank), count, part)]


def distributed(tile, shape, cga, order, registers, lanes, warps, at, keep_all=True):
    """A tile of registers, lanes and warps (`at` gives an element's coordinates in it), repeated in further registers over
    the CTA's part of the tensor in `order`, and wrapped around where it is larger."""
    part, blocks, start = clusters(cga, shape)
    repeats = [max(1, p // t) for p, t in zip(part, tile)]

    # Registers of a blocked layout that would only wrap around are not there; an instruction's always are.
    kept = [bit for bit in range(log2(registers)) if keep_all or all(a < p for a, p in zip(at(1 << bit, 0, 0), part))]
    own = 1 << len(kept)

    def place(register, lane, warp, block):
        inner = spread(register % own, kept)
        repeat = digits(register // own, repeats, order)
        return [(a + t * r) % p + s for a, t, r, p, s in zip(at(inner, lane, warp), tile, repeat, part, start(block))]

    return {"register": own * prod(repeats), "lane": lanes, "warp": warps, "block": blocks}, place


def without_k(cga, k):
    """Of an operand: CTAs along K all hold the same."""
    return [[0 if dim == k else step for dim, step in enumerate(basis)] for basis in cga]
