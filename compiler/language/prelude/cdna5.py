# module: triton.experimental.gluon.language.amd.cdna5._layouts
from triton.experimental.gluon import constexpr_function
from triton.experimental.gluon.language import PaddedSharedLayout
from triton.experimental.gluon.language.amd import AMDWMMALayout
from triton.experimental.gluon.language.amd.cdna5 import PartitionedSharedLayout


@constexpr_function
def _power_of_two(n):
    return n > 0 and n & (n - 1) == 0


# The bits of a count of tiles: 8 -> [1, 2, 4].
@constexpr_function
def _doublings(n):
    return [1 << i for i in range(n.bit_length() - 1)]


# Splits an operand's padded tile along one dimension into partitions * groups equal pieces.
@constexpr_function
def _make_partitioned_dot_operand_layout(sublayout, partition_dim, num_partitions, num_groups, order):
    assert num_groups >= 1, f"num_groups ({num_groups}) must be >= 1"
    assert _power_of_two(num_groups), f"num_groups = {num_groups} must be a power of 2"
    pieces = num_partitions * num_groups
    shape = list(sublayout.shape)
    assert shape[partition_dim] % pieces == 0, (
        f"partitioned dim ({shape[partition_dim]}) must be divisible by num_partitions * num_groups = {pieces}")
    shape[partition_dim] //= pieces
    piece = PaddedSharedLayout.with_identity_for(sublayout.interval_padding_pairs, shape, order, sublayout.cga_layout)
    return PartitionedSharedLayout(num_partitions, num_groups, partition_dim, piece)


# Warps are laid out so that those which read at the same time read from different partitions of local memory: along M a warp's
# second instruction tile is half a slice away, along N neighbouring warps own neighbouring pieces.
@constexpr_function
def make_partitioned_dot_layouts(block_m, block_n, original_layout_a, original_layout_b, num_warps, instr_shape,
                                 a_transposed=False, b_transposed=False, slice_m=None, slice_n=None, transposed=True):
    shape = list(instr_shape)
    assert num_warps in (4, 8), f"Only 4 or 8 warps are currently supported, got {num_warps}"
    partitions = 2
    tiles_m, tiles_n = 2, 1  # instruction tiles a partition must hold at least
    order = [1, 0]

    tile_m, tile_n = (shape[1], shape[0]) if transposed else (shape[0], shape[1])
    slice_m = block_m if slice_m is None else slice_m
    slice_n = block_n if slice_n is None else slice_n
    assert _power_of_two(tile_m) and _power_of_two(tile_n), f"instr_shape M/N must be powers of 2, got {shape}"
    assert block_m % tile_m == 0 and block_n % tile_n == 0, (
        f"block ({block_m}, {block_n}) must be a multiple of logical WMMA tile ({tile_m}, {tile_n})")
    assert _power_of_two(slice_m) and _power_of_two(slice_n), (
        f"slice_m / slice_n must be powers of 2, got ({slice_m}, {slice_n})")
    assert block_m % slice_m == 0 and block_n % slice_n == 0, (
        f"slice ({slice_m}, {slice_n}) must divide block ({block_m}, {block_n})")
    assert slice_m % tile_m == 0 and slice_n % tile_n == 0, (
        f"slice ({slice_m}, {slice_n}) must be a multiple of logical WMMA tile ({tile_m}, {tile_n})")

    across_m, across_n = slice_m // tile_m, slice_n // tile_n
    assert across_m >= partitions * tiles_m, (
        f"slice_m ({slice_m}) must be at least {partitions * tiles_m} * logical instruction M ({tile_m})")
    assert across_n >= partitions * tiles_n, (
        f"slice_n ({slice_n}) must be at least {partitions * tiles_n} * logical instruction N ({tile_n})")
    piece_m, piece_n = across_m // (partitions * tiles_m), across_n // (partitions * tiles_n)

    warps = [[across_m // 2, piece_n], [piece_m, 0]]
    repeats_m = [piece_m * 2]
    if num_warps == 8:
        warps.append([repeats_m.pop(), 0])
    registers = [[0, n] for n in _doublings(piece_n)] + [[m, 0] for m in _doublings(piece_m) + repeats_m]
    wmma = AMDWMMALayout(3, transposed, warps, registers, shape)

    shared_a = _make_partitioned_dot_operand_layout(original_layout_a, 1 if a_transposed else 0, partitions,
                                                    block_m // slice_m, order)
    shared_b = _make_partitioned_dot_operand_layout(original_layout_b, 0 if b_transposed else 1, partitions,
                                                    block_n // slice_n, order)
    return shared_a, shared_b, wmma
