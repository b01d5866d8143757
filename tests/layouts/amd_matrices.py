"""AMD's matrix units, as its instruction manuals and the matrix instruction calculator give them: MFMA (64 lanes) and WMMA (32)."""
from math import prod

from tiles import digits, distributed, moved, without_k


def mfma(layout, shape):
    """A lane holds runs of four (64 bits: one) along M, a whole column of lanes lies along N; transposed the other way round.
    Tiles follow each other along all of N first, then along M."""
    rank = len(shape)
    m_size, n_size = layout["instr_shape"][:2]
    warps, tiles = layout["warps_per_cta"], layout["tiles_per_warp"] or [1] * rank
    run = 1 if layout["element_bitwidth"] == 64 else 4
    transposed = layout["transposed"]
    across = m_size if transposed else n_size
    per_lane = max(1, m_size * n_size // (64 * run)) * run
    tiles_n, warps_n, warps_m, tiles_m = tiles[-1], warps[-1], warps[-2], tiles[-2]
    more_n = max(1, shape[-1] // (n_size * warps_n * tiles_n))

    def at(register, lane, warp):
        element, rest = register % per_lane, register // per_lane
        along = element % run + run * (lane // across) + run * (64 // across) * (element // run)
        m, n = (lane % across, along) if transposed else (along, lane % across)
        tile_n, rest = rest % tiles_n, rest // tiles_n
        again_n, tile_m = rest % more_n, rest // more_n
        *batch, warp_m, warp_n = digits(warp, warps, range(rank - 1, -1, -1))
        m += height * (tile_m + tiles_m * warp_m)
        n += width * (tile_n + tiles_n * (warp_n + warps_n * again_n))
        return batch + [m, n]

    along_size = run * (64 // across) * (per_lane // run)
    height, width = (across, along_size) if transposed else (along_size, across)
    tile = warps[:-2] + [height * tiles_m * warps_m, width * tiles_n * warps_n * more_n]
    registers = per_lane * tiles_n * more_n * tiles_m
    return distributed(tile, shape, layout["cga_layout"], range(rank - 1, -1, -1), registers, 64, prod(warps), at)


def mfma_operand(layout, shape):
    """`k_width` elements of K in a lane, the lanes first along the other dimension; all of K before the next tile."""
    parent, index, width = layout["parent"], layout["operand_index"], layout["k_width"]
    rank = len(shape)
    k, other = rank - 1 - index, rank - 2 + index
    m_size, n_size = parent["instr_shape"][:2]
    side = m_size if index == 0 else n_size
    warps, tiles = parent["warps_per_cta"], (parent["tiles_per_warp"] or [1] * rank)[other]
    depth = 64 // side
    again = 16 if (m_size, n_size, index) in ((64, 4, 0), (4, 64, 1)) else 1
    again *= max(1, shape[k] // (depth * width * again))

    def at(register, lane, warp):
        inner, rest = register % width, register // width
        step = digits(warp, warps, range(rank - 1, -1, -1))
        out = list(step)
        out[k] = inner + width * (lane // side + depth * (rest % again))
        out[other] = lane % side + side * (rest // again + tiles * step[other])
        return out

    tile = list(warps)
    tile[k], tile[other] = width * depth * again, side * tiles * warps[other]
    order = [k, other] + list(range(rank - 3, -1, -1))
    return distributed(tile, shape, parent["cga_layout"], order, width * again * tiles, 64, prod(warps), at)


def tiles_of_warps(layout, rank):
    """Where the tiles lie that a warp's registers and the warps take: in tiles, and how many there are along each dimension."""
    registers, warps = layout["reg_bases"], layout["warp_bases"]
    count = [1] * rank
    for basis in registers + warps:
        for dim, step in enumerate(basis):
            count[dim] = max(count[dim], 2 * step)
    return registers, warps, count


def wmma(layout, shape):
    """Sixteen lanes along N; of M version 1 gives the two halves of a warp every other row, later ones eight rows each."""
    rank, version = len(shape), layout["version"]
    reg_bases, warp_bases, count = tiles_of_warps(layout, rank)
    tall = version > 1 and layout["instr_shape"][:2] == [32, 16]
    own = 16 if tall else 8
    size = [1] * (rank - 2) + ([16, 32] if layout["transposed"] else [32, 16] if tall else [16, 16])
    if layout["transposed"] and not tall:
        size[-1] = 16

    def at(register, lane, warp):
        element, tile = register % own, register // own
        half = lane // 16
        along = element * 2 + half if version == 1 else element % 8 + 8 * half + 16 * (element // 8)
        place = [0] * (rank - 2) + ([lane % 16, along] if layout["transposed"] else [along, lane % 16])
        steps = zip(moved(reg_bases, tile, rank), moved(warp_bases, warp, rank))
        return [p + s * (a ^ b) for p, s, (a, b) in zip(place, size, steps)]

    tile = [s * c for s, c in zip(size, count)]
    registers = own << len(reg_bases)
    order = range(rank - 1, -1, -1)
    return distributed(tile, shape, layout["cga_layout"], order, registers, 32, 1 << len(warp_bases), at)


def wmma_operand(layout, shape):
    """Sixteen lanes along the other dimension; the halves of a warp hold the same (version 1) or K further on."""
    parent, index, width = layout["parent"], layout["operand_index"], layout["k_width"]
    rank = len(shape)
    k, other = rank - 1 - index, rank - 2 + index
    side, depth = parent["instr_shape"][index ^ parent["transposed"]], parent["instr_shape"][2]
    reg_bases, warp_bases, count = tiles_of_warps(parent, rank)
    beside = lambda bases: [[0 if d == k else s for d, s in enumerate(b)] for b in bases]
    reg_bases = [b for b in beside(reg_bases) if any(b)]
    warp_bases = beside(warp_bases)
    count[k] = 1
    doubled = parent["version"] == 1
    again = max(1, depth // (2 * width))
    tall = side // 16
    k_size = width * again * (1 if doubled else 2)

    def at(register, lane, warp):
        inner, rest = register % width, register // width
        repeat, rest = rest % again, rest // again
        upper, tile = rest % tall, rest // tall
        steps = [a ^ b for a, b in zip(moved(reg_bases, tile, rank), moved(warp_bases, warp, rank))]
        out = list(steps)
        out[k] = inner + width * ((0 if doubled else lane // 16) + (1 if doubled else 2) * repeat)
        out[other] = lane % 16 + 16 * upper + side * steps[other]
        return out

    tile = list(count)
    tile[k], tile[other] = k_size, side * count[other]
    order = [k, other] + list(range(rank - 3, -1, -1))
    registers = width * again * tall << len(reg_bases)
    return distributed(tile, shape, without_k(parent["cga_layout"], k), order, registers, 32, 1 << len(warp_bases), at)
