// Tensor-core fragments of mma.sync (version 2) and wgmma (version 3).
#include "layout/tolinear/FamilyConversions.h"

namespace gluond::layout {

namespace {
// One warp's tile, `rows` x `columns` along order[1] x order[0]. A quad of lanes holds a row piece
// of 4 * kWidth elements, eight quads hold eight rows; the rest is in registers, first further
// rows, then further columns.
LinearLayout warpTile(unsigned rank, int64_t rows, int64_t columns, int64_t kWidth,
                      llvm::ArrayRef<unsigned> order, llvm::ArrayRef<unsigned> repOrder) {
  Dim inner = tensorDim(order[0]), outer = tensorDim(order[1]);
  LinearLayout tile;
  for (unsigned dim : repOrder)
    tile.timesIdentity(1, Dim::Register, tensorDim(dim));
  tile.timesIdentity(kWidth, Dim::Register, inner);
  tile.timesIdentity(4, Dim::Lane, inner);
  tile.timesIdentity(8, Dim::Lane, outer);
  tile.timesIdentity(rows / 8, Dim::Register, outer);
  tile.timesIdentity(columns / (kWidth * 4), Dim::Register, inner);
  return tile;
}
} // namespace

Converted nvidiaMmaToLinear(const NvidiaMma& mma, Shape shape) {
  unsigned rank = static_cast<unsigned>(shape.size());
  bool hopper = mma.versionMajor == 3;
  if (rank < 2 || (hopper && rank != 2))
    return misfit("warpsPerCTA", "an MMA layout of this version cannot have rank ", rank);
  if (hopper ? mma.instrShape.size() < 2 : mma.instrShape.size() != rank)
    return misfit("instrShape", "must have ", hopper ? 3 : rank, " entries");
  int64_t m = mma.instrShape[rank - 2], n = mma.instrShape[rank - 1];
  if (m % 8 || n % 8 || m <= 0 || n <= 0)
    return misfit("instrShape", "must have M and N that are multiples of 8");
  Order order = matrixOrder(rank, /*rowMajor=*/true);
  LinearLayout tile = warpTile(rank, m, n, /*kWidth=*/2, order, order);
  // A warpgroup's four warps go down the rows.
  for (unsigned dim : matrixOrder(rank, /*rowMajor=*/!hopper))
    tile.timesIdentity(mma.warpsPerCTA[dim], Dim::Warp, tensorDim(dim));
  return combineCtaAndCga(std::move(tile), mma.CGALayout, shape);
}

Converted nvidiaDotOperandToLinear(const DotOperand& operand, const NvidiaMma& mma, Shape shape) {
  unsigned rank = static_cast<unsigned>(shape.size());
  if (rank < 2 || mma.instrShape.size() < rank - 1)
    return misfit("instrShape", "does not fit rank ", rank);
  bool isA = operand.opIdx == 0, hopper = mma.versionMajor == 3;
  int64_t m = mma.instrShape[rank - 2], kWidth = operand.kWidth;
  // The smallest fp64 instruction (8x8x4) holds one element along K where the others hold two.
  int64_t k = kWidth * (m == 8 ? 4 : 8);
  Order order = dotOperandOrder(operand.opIdx, rank, /*kContiguous=*/true);
  LinearLayout tile = warpTile(rank, isA ? m : 8, k, kWidth, order, order);
  unsigned kDim = isA ? rank - 1 : rank - 2;
  timesBroadcastAlongK(tile, Dim::Warp, mma.warpsPerCTA, matrixOrder(rank, /*rowMajor=*/!hopper),
                       kDim);
  return combineCtaAndCga(std::move(tile), mma.CGALayout.resizeOut(tensorDim(kDim), 1), shape);
}

} // namespace gluond::layout
