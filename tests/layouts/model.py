"""Who holds which element: every layout of Gluon worked out element by element, slowly, from what the layouts are defined to be.

Independent of compiler/layout, which reasons with matrices over F2: here are only loops, remainders and the tables of the
instructions' manuals. `places(layout, shape)` gives the dimensions of the hardware with their sizes, and a function from a
place there to the coordinates of the element it holds. Layouts are dictionaries as in launch records."""
from math import prod

import amd_matrices
from tiles import clusters, digits, distributed, log2, moved, spread, without_k


# ---------------------------------------------------------------- registers


def blocked(layout, shape):
    size, threads, warps, order = (layout[k] for k in ("size_per_thread", "threads_per_warp", "warps_per_cta", "order"))
    tile = [s * t * w for s, t, w in zip(size, threads, warps)]

    def at(register, lane, warp):
        each = zip(digits(register, size, order), size, digits(lane, threads, order), threads, digits(warp, warps, order))
        return [r + s * (l + t * w) for r, s, l, t, w in each]

    return distributed(tile, shape, layout["cga_layout"], order, prod(size), prod(threads), prod(warps), at, keep_all=False)


def linear(layout, shape):
    rank = len(shape)
    names = {"register": "reg_bases", "lane": "lane_bases", "warp": "warp_bases", "block": "block_bases"}
    sizes = {dim: 1 << len(layout[name]) for dim, name in names.items()}
    given = layout["shape"]
    # The tensor at hand may be larger than the layout's own, which then repeats in registers, or smaller: then what lies
    # outside wraps around, and registers that only do that are not there.
    repeats = [max(1, s // g) for s, g in zip(shape, given)]
    kept = [i for i, basis in enumerate(layout["reg_bases"]) if all(b < s for b, s in zip(basis, shape))]
    own = 1 << len(kept)
    # First along the dimension in which registers move first.
    firsts = [next(d for d in range(rank) if b[d]) for b in layout["reg_bases"] if any(b)]
    order = list(dict.fromkeys(firsts + list(range(rank - 1, -1, -1))))
    sizes["register"] = own * prod(repeats)

    def place(**at):
        repeat = digits(at["register"] // own, repeats, order)
        at = {**at, "register": spread(at["register"] % own, kept)}
        out = [0] * rank
        for dim, name in names.items():
            out = [a ^ b for a, b in zip(out, moved(layout[name], at[dim], rank))]
        return [(o + g * r) % s for o, g, r, s in zip(out, given, repeat, shape)]

    return sizes, lambda register, lane, warp, block: place(register=register, lane=lane, warp=warp, block=block)


def sliced(layout, shape):
    dim = layout["dim"]
    sizes, place = places(layout["parent"], shape[:dim] + [1] + shape[dim:])
    without = lambda *at: (lambda c: c[:dim] + c[dim + 1:])(place(*at))
    # Registers that hold what others hold already are not kept.
    kept = [bit for bit in range(log2(sizes["register"])) if any(without(1 << bit, 0, 0, 0))]
    return {**sizes, "register": 1 << len(kept)}, lambda r, l, w, b: without(spread(r, kept), l, w, b)


def nvidia_mma(layout, shape):
    """The accumulators of mma.sync and wgmma (PTX ISA): eight rows of four lanes, two elements each; then the rows from 8."""
    rank, hopper = len(shape), layout["version"][0] == 3
    warps = layout["warps_per_cta"]
    rows, columns = layout["instr_shape"][:2] if hopper else layout["instr_shape"][-2:]
    instruction = [1] * (rank - 2) + [rows, columns]
    halves = rows // 8
    order = range(rank) if hopper else range(rank - 1, -1, -1)

    def at(register, lane, warp):
        row = lane // 4 + 8 * (register // 2 % halves)
        column = lane % 4 * 2 + register % 2 + 8 * (register // 2 // halves)
        place = [0] * (rank - 2) + [row, column]
        return [p + i * w for p, i, w in zip(place, instruction, digits(warp, warps, order))]

    tile = [i * w for i, w in zip(instruction, warps)]
    return distributed(tile, shape, layout["cga_layout"], range(rank - 1, -1, -1), halves * columns // 4, 32, prod(warps), at)


def nvidia_operand(layout, shape):
    """Operands of mma.sync and of wgmma in registers: `k_width` elements of K in a row in each of four lanes."""
    parent, index, width = layout["parent"], layout["operand_index"], layout["k_width"]
    rank, hopper = len(shape), parent["version"][0] == 3
    k = rank - 1 - index  # dim1 of the first operand, dim0 of the second
    other = rank - 2 + index
    tile_of = [1] * rank
    rows = 16 if hopper else parent["instr_shape"][-2]
    deep = rows // 8  # m16n8 has two pieces of K, m8n8 one
    tile_of[k], tile_of[other] = 4 * width * deep, rows if index == 0 else 8
    halves = tile_of[other] // 8
    warps = parent["warps_per_cta"]
    order = range(rank) if hopper else range(rank - 1, -1, -1)

    def at(register, lane, warp):
        place = [0] * rank
        inner, outer = register % width, register // width
        place[other] = lane // 4 + 8 * (outer % halves)
        place[k] = inner + width * (lane % 4 + 4 * (outer // halves))
        step = digits(warp, warps, order)
        step[k] = 0  # every warp along K has all of it
        return [p + t * s for p, t, s in zip(place, tile_of, step)]

    tile = [t * (1 if dim == k else w) for dim, (t, w) in enumerate(zip(tile_of, warps))]
    batch = list(range(rank - 3, -1, -1))
    registers = deep * width * halves
    return distributed(tile, shape, without_k(parent["cga_layout"], k), [k, other] + batch, registers, 32, prod(warps), at)


def fma_operand(layout, shape):
    """Operands of fused multiply-adds: as the result lies, with all of K in every thread."""
    parent, index = layout["parent"], layout["operand_index"]
    rank = len(shape)
    k = rank - 1 - index
    size, threads, warps, order = (parent[n] for n in ("size_per_thread", "threads_per_warp", "warps_per_cta", "order"))
    size = list(size)
    size[k] = shape[k]
    once = lambda counts: [1 if dim == k else n for dim, n in enumerate(counts)]

    def beside_k(number, counts):
        out = digits(number, counts, order)
        out[k] = 0
        return out

    def at(register, lane, warp):
        each = zip(digits(register, size, order), size, beside_k(lane, threads), once(threads), beside_k(warp, warps))
        return [r + s * (l + t * w) for r, s, l, t, w in each]

    tile = [s * t * w for s, t, w in zip(size, once(threads), once(warps))]
    return distributed(tile, shape, without_k(parent["cga_layout"], k), order, prod(size), prod(threads), prod(warps), at)


# ---------------------------------------------------------------- shared memory


def buffer(shape, cga, at):
    """A buffer of each CTA's part: `at` maps an offset in it to coordinates there."""
    part, blocks, start = clusters(cga, shape)
    place = lambda offset, block: [a + s for a, s in zip(at(offset, part), start(block))]
    return {"offset": prod(part), "block": blocks}, place


def swizzled_column(row, column, vec, phase):
    return (column // vec ^ phase) * vec + column % vec


def swizzled(layout, shape):
    vec, per_phase, most, order = (layout[k] for k in ("vec", "per_phase", "max_phase", "order"))

    def at(offset, part):
        out = digits(offset, part, order)
        if len(order) > 1:
            row, columns = out[order[1]], part[order[0]]
            out[order[0]] = swizzled_column(row, out[order[0]], vec, row // per_phase % most) % columns
        return out

    return buffer(shape, layout["cga_layout"], at)


def nvmma(layout, shape):
    """Rows of the swizzle's width, in which units of 16 bytes are exchanged by the row's number, eight rows to a pattern. Of
    packed fp4 every unit has eight bytes, and eight that repeat them."""
    width, bits, transposed = layout["swizzle_byte_width"], layout["element_bitwidth"], layout["transposed"]
    copies = 2 if layout["fp4_padded"] else 1
    part, blocks, start = clusters(layout["cga_layout"], shape)
    rank = len(part)
    turned = [part[-1]] + part[:-1] if transposed else part  # the last dimension is the contiguous one
    if transposed and rank == 2:
        turned = part[::-1]
    unit = 128 // bits  # elements in 16 bytes
    row_elements = min(turned[-1], 256) * copies if width == 0 else 8 * width // bits
    # What one TMA copy moves: at most 256 along each dimension. Boxes follow each other in memory.
    box = [min(size, 256) for size in turned[:-1]] + [row_elements // copies]
    boxes = [size // side for size, side in zip(turned, box)]
    rows = prod(box[:-1])
    phases, per_phase = (1, 1) if width == 0 else (width // 16, 128 // width)
    order = range(rank) if width and not transposed else range(rank - 1, -1, -1)

    def place(offset, block):
        column, row, which = offset % row_elements, offset // row_elements % rows, offset // row_elements // rows
        column = swizzled_column(row, column, unit, row // per_phase % phases)
        column = column // unit * (unit // copies) + column % unit % (unit // copies)
        inner = digits(row, box[:-1], range(rank - 2, -1, -1)) + [column]
        out = [i + side * b for i, side, b in zip(inner, box, digits(which, boxes, order))]
        if transposed:
            out = out[::-1] if rank == 2 else out[1:] + out[:1]
        return [a + s for a, s in zip(out, start(block))]

    return {"offset": prod(part) * copies, "block": blocks}, place


def shared_linear(layout, shape):
    rank = len(shape)
    offsets, blocks = layout["offset_bases"], layout["block_bases"]
    place = lambda offset, block: [a ^ b for a, b in zip(moved(offsets, offset, rank), moved(blocks, block, rank))]
    return {"offset": 1 << len(offsets), "block": 1 << len(blocks)}, place


def padded(layout, shape):
    """Without the padding, which moves addresses and not the order."""
    rank = len(shape)
    offsets, blocks = layout["offset_bases"], layout["cga_layout"]
    place = lambda offset, block: [a ^ b for a, b in zip(moved(offsets, offset, rank), moved(blocks, block, rank))]
    return {"offset": 1 << len(offsets), "block": 1 << len(blocks)}, place


def partitioned(layout, shape):
    """Pieces along one dimension, dealt out to the partitions in turn."""
    dim, partitions = layout["partition_dim"], layout["num_partitions"]
    pieces = partitions * layout["num_groups"]
    piece = [s // pieces if d == dim else s for d, s in enumerate(shape)]
    sizes, inner = places(layout["partition_layout"], piece)
    own = sizes["offset"]

    def place(offset, block, partition):
        out = inner(offset % own, block)
        out[dim] += piece[dim] * (partition + partitions * (offset // own))
        return out

    return {"offset": own * layout["num_groups"], "block": sizes["block"], "partition": partitions}, place


# ---------------------------------------------------------------- tensor memory


def tensor_memory(layout, shape):
    """128 rows of columns; 64 rows lie 16 by 16 in the quarters, what is beside or below them in between."""
    (block_m, block_n), stride = layout["block"], layout["col_stride"]
    part, blocks, start = clusters(layout["cga_layout"], shape)
    block_n = min(block_n, part[1])
    copies = stride * (2 if layout["fp4_padded"] else 1)
    split = block_m == 64 and not layout["two_ctas"]
    halved = block_m == 64 and layout["two_ctas"]
    below, beside = split and part[0] > 64, split and part[0] <= 64 and part[1] > block_n
    tile = [128 if below else block_m, block_n * 2 if beside else block_n]
    own = copies * block_n // (2 if halved else 1)

    def place(row, col, block):
        out = [row, col % own // copies]
        if split:
            out[0] = row % 16 + 16 * (row // 32) + (64 if below and row // 16 % 2 else 0)
            out[1] += block_n if beside and row // 16 % 2 else 0
        elif halved:
            out = [row % 64, (col % own + own * (row // 64)) // copies]
        steps = col // own
        out[0] += tile[0] * (steps % (part[0] // tile[0]))
        out[1] += tile[1] * (steps // (part[0] // tile[0]))
        return [a + s for a, s in zip(out, start(block))]

    return {"row": 128, "col": own * prod(part) // prod(tile), "block": blocks}, place


def scales(layout, shape):
    """Scale factors of tcgen05.mma: 32 rows, four times over, of four scales along K; the 64 rows below, and what follows."""
    part, blocks, start = clusters(layout["cga_layout"], shape)
    blocks_m, blocks_k = -(-part[0] // 64), -(-part[1] // 4)
    pair = 2 if blocks_m > 1 else 1
    counts = [blocks_m // pair, blocks_k]
    order = [1, 0] if layout.get("block_rep_order") == "kThenMn" else [0, 1]

    def place(row, col, block):
        k, half, which = col % 4, col // 4 % (2 * pair), col // (8 * pair)
        m_block, k_block = digits(which, counts, order)
        out = [row % 32 + 32 * half + 64 * pair * m_block, k + 4 * k_block]
        return [a % p + s for a, p, s in zip(out, part, start(block))]

    return {"row": 128, "col": 8 * pair * prod(counts), "block": blocks}, place


KINDS = {
    "BlockedLayout": blocked,
    "DistributedLinearLayout": linear,
    "SliceLayout": sliced,
    "NVMMADistributedLayout": nvidia_mma,
    "AMDMFMALayout": amd_matrices.mfma,
    "AMDWMMALayout": amd_matrices.wmma,
    "DotOperandLayout": lambda layout, shape: OPERANDS[layout["parent"]["$layout"]](layout, shape),
    "SwizzledSharedLayout": swizzled,
    "NVMMASharedLayout": nvmma,
    "SharedLinearLayout": shared_linear,
    "PaddedSharedLayout": padded,
    "PartitionedSharedLayout": partitioned,
    "TensorMemoryLayout": tensor_memory,
    "TensorMemoryScalesLayout": scales,
}

OPERANDS = {
    "BlockedLayout": fma_operand,
    "NVMMADistributedLayout": nvidia_operand,
    "AMDMFMALayout": amd_matrices.mfma_operand,
    "AMDWMMALayout": amd_matrices.wmma_operand,
}


def places(layout, shape):
    return KINDS[layout["$layout"]](layout, list(shape))


def knows(layout):
    inner = layout.get("parent") or layout.get("partition_layout")
    if layout["$layout"] == "NVMMASharedLayout" and layout["transposed"] and layout["rank"] > 2:
        return False  # no instruction reads it
    return layout["$layout"] in KINDS and (inner is None or knows(inner))
