"""Played kernels whose tiles go through several random layouts: linear ones with mixed and repeated bases, slices, those of
products; by conversions, LDS, reductions, scans, gathers and changes of shape."""
import random

import numpy as np

from beside import wave
from cases import DTYPES, Case, blocked, matrix, noise, shared_layout


def bits_of(number):
    return number.bit_length() - 1


def split(rng, total, rank):
    """A shape of 1 << total elements."""
    over = [0] * rank
    for _ in range(total):
        over[rng.randrange(rank)] += 1
    return tuple(1 << each for each in over)


def linear(rng, arch, shape, warps=4):
    """Bits of coordinates in any order, some repeated by registers, lanes or warps, a few mixed with another of their dimension."""
    zero = [0] * len(shape)
    bases = [[1 << bit if each == axis else 0 for each in range(len(shape))] for axis, size in enumerate(shape) for bit in range(bits_of(size))]
    rng.shuffle(bases)
    if rng.random() < 0.4 and len(bases) > 1:
        # Not the lowest bits: Triton takes registers for neighbors that are not.
        first, second = rng.sample(range(len(bases)), 2)
        if all(max(bases[each]) > 8 for each in (first, second)) and [bool(x) for x in bases[first]] == [bool(x) for x in bases[second]]:
            bases[first] = [a ^ b for a, b in zip(bases[first], bases[second])]

    def taken(count, repeats):
        return [zero if rng.random() < repeats or not bases else bases.pop() for _ in range(count)]

    lanes, over = taken(bits_of(wave(arch)), 0.08), taken(bits_of(warps), 0.12)
    registers = list(bases)
    if rng.random() < 0.3:
        registers.insert(rng.randrange(len(registers) + 1), zero)
    return f"gl.DistributedLinearLayout({registers}, {lanes}, {over}, [], {list(shape)})"


def any_layout(rng, arch, shape):
    choice = rng.random()
    if choice < 0.4:
        return linear(rng, arch, shape)
    if choice < 0.55:
        axis = rng.randrange(len(shape) + 1)
        if len(shape) == 1 and rng.random() < 0.5:
            return f"gl.SliceLayout({axis}, {matrix(rng, arch)})"
        parent = (*shape[:axis], rng.choice([1, 2, 4, 16]), *shape[axis:])
        return f"gl.SliceLayout({axis}, {rng.choice([blocked, linear])(rng, arch, parent)})"
    if len(shape) == 2 and choice < 0.8:
        width = {"gfx1100": 16, "gfx1201": 8, "gfx1250": 8}.get(arch) or rng.choice([4, 8])
        return matrix(rng, arch) if choice < 0.68 else f"gl.DotOperandLayout({rng.randrange(2)}, {matrix(rng, arch)}, {width})"
    return blocked(rng, arch, shape)


def offsets(shape, layout, variable):
    """As cases.offsets(), for any number of dimensions."""
    terms, stride = [], 1
    for axis in reversed(range(len(shape))):
        own = layout
        for other in reversed(range(len(shape))):
            own = own if other == axis else f"gl.SliceLayout({other}, {own})"
        place = "[" + ", ".join(":" if other == axis else "None" for other in range(len(shape))) + "]" if len(shape) > 1 else ""
        terms.append(f"gl.arange(0, {shape[axis]}, {own}){place} * {stride}")
        stride *= shape[axis]
    return f"{variable} = " + " + ".join(reversed(terms))


# Each gives the statements that change `v`, and what `v` becomes. `L`: a name for a layout.

def convert(rng, arch, now, L):
    return [f"{L}: gl.constexpr = {any_layout(rng, arch, now.shape)}", f"v = gl.convert_layout(v, {L})"], now


def through_shared(rng, arch, now, L):
    return [f"{L}: gl.constexpr = {any_layout(rng, arch, now.shape)}",
            f"m{L} = gl.allocate_shared_memory(v.dtype, {list(now.shape)}, {shared_layout(rng, now.shape, now.itemsize * 8)}, v)", f"v = m{L}.load({L})"], now


def permute(rng, arch, now, L):
    order = rng.sample(range(now.ndim), now.ndim)
    return [f"v = v.permute({order})"], now.transpose(order)


def reshape(rng, arch, now, L):
    shape = split(rng, bits_of(now.size), rng.choice([1, 2, 3]))
    return [f"v = v.reshape({list(shape)})"], now.reshape(shape)


def reduce(rng, arch, now, L):
    if now.ndim == 1:
        return [], now
    axis = rng.randrange(now.ndim)
    return [f"v = gl.reduce(v, {axis}, either)"], np.bitwise_xor.reduce(now, axis=axis)


def scan(rng, arch, now, L):  # Triton scans blocked layouts only
    axis, reverse = rng.randrange(now.ndim), rng.random() < 0.3
    turned = np.bitwise_xor.accumulate(np.flip(now, axis) if reverse else now, axis=axis)
    return [f"{L}: gl.constexpr = {blocked(rng, arch, now.shape)}", f"v = gl.associative_scan(gl.convert_layout(v, {L}), {axis}, either, {reverse})"], np.flip(turned, axis) if reverse else turned


def gather(rng, arch, now, L):
    axis = rng.randrange(now.ndim)
    at = np.arange(now.size).reshape(now.shape)
    return [f"{L}: gl.constexpr = {any_layout(rng, arch, now.shape)}", offsets(now.shape, L, f"i{L}"),
            f"v = gl.gather(gl.convert_layout(v, {L}), (i{L} * 7 + i{L} // 16 + 3) % {now.shape[axis]}, {axis})"], np.take_along_axis(now, (at * 7 + at // 16 + 3) % now.shape[axis], axis)


def join(rng, arch, now, L):
    return (["v = gl.join(v, v)"], np.stack([now, now], -1)) if now.size <= 2048 else ([], now)


def one(rng, arch, name, shape, way, layout):
    """One step in a layout that random ones seldom are."""
    data = noise(rng, shape, "i32")
    lines, now = way(rng, arch, data, "L")
    lines = [f"L: gl.constexpr = {layout}"] + [line for line in lines if not line.startswith("L:")]
    body = [f"A: gl.constexpr = {blocked(rng, arch, data.shape)}", offsets(data.shape, "A", "i"), "v = gl.load(src + i)", *lines, "gl.store(dst + i, gl.convert_layout(v, A))"]
    return Case(arch, name, "\n".join(body), [("src", "*i32", data), ("dst", "*i32", np.zeros_like(data))], {"dst": np.ascontiguousarray(now)})


def layouts(arch, seed, count):
    rng = random.Random(f"layouts {arch} {seed}")
    # A register that repeats others, not the last one; lanes and warps that are copies, along other axes than the scan's.
    registers, lanes = [[0, 0, 1], [0, 0, 0], *([1 << bit, 0, 0] for bit in range(4))], [[0, 1 << bit, 0] for bit in range(5)]
    lanes += [[0, 0, 0]] * (bits_of(wave(arch)) - 5)
    yield one(rng, arch, "repeated", (16, 64, 2), gather, f"gl.DistributedLinearLayout({registers}, {lanes}, [[0, 32, 0], [0, 0, 0]], [], [16, 64, 2])")
    yield one(rng, arch, "copied", (16, 16, 2), scan, f"gl.BlockedLayout([1, 1, 8], [4, 1, {wave(arch) // 4}], [2, 1, 2], [2, 0, 1])")
    for number in range(count):
        kind = rng.choice(["i8", "i16", "i32", "i64"])
        data = noise(rng, split(rng, rng.choice([8, 9, 10, 11, 12]), rng.choice([1, 2, 2, 2, 3])), kind)
        body = [f"A: gl.constexpr = {any_layout(rng, arch, data.shape)}", offsets(data.shape, "A", "i"), "v = gl.load(src + i)"]
        now, ways = data, rng.choices([convert, through_shared, permute, reshape, reduce, scan, gather, join], [3, 1, 1, 1, 1, 1, 1, 1], k=rng.choice([1, 2, 3]))
        for step, way in enumerate(ways):
            lines, now = way(rng, arch, now, f"L{step}")
            body += lines
        now = np.ascontiguousarray(now)
        body += [f"B: gl.constexpr = {any_layout(rng, arch, now.shape)}", offsets(now.shape, "B", "o"), "gl.store(dst + o, gl.convert_layout(v, B))"]
        case = Case(arch, f"layouts{number}", "\n".join(body), [("src", DTYPES[kind][0], data), ("dst", DTYPES[kind][0], np.zeros_like(now))], {"dst": now})
        case.what = f"{kind} {data.shape}: {', '.join(way.__name__ for way in ways)}"
        yield case
