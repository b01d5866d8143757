// Matrix-core fragments of AMD: MFMA (64 lanes, CDNA) and WMMA (32 lanes, RDNA and gfx1250).
#include "chips/MatrixInstructions.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {
Converted wrongRank(unsigned rank) {
  return misfit("warpsPerCTA", "a matrix-core layout has rank 2 or 3, not ", rank);
}
} // namespace

// ---------------------------------------------------------------- MFMA

Converted mfmaToLinear(const AmdMfma& mfma, Shape shape) {
  constexpr int64_t lanes = chips::mfmaLanes;
  unsigned rank = static_cast<unsigned>(shape.size());
  if (rank != 2 && rank != 3) return wrongRank(rank);
  unsigned mIndex = rank - 2, nIndex = rank - 1;
  int64_t mSize = mfma.instrShape[0], nSize = mfma.instrShape[1];
  int64_t height = mfma.elementBitWidth == 64 ? 1 : 4; // consecutive elements a lane holds
  int64_t tiles = mSize * nSize / (lanes * height);

  // A lane holds `height` elements of a column (transposed: of a row); lanes go across, then down;
  // then more registers.
  Dim down = tensorDim(mfma.isTransposed ? nIndex : mIndex),
      across = tensorDim(mfma.isTransposed ? mIndex : nIndex);
  int64_t width = mfma.isTransposed ? mSize : nSize;
  LinearLayout tile;
  tile.timesIdentity(1, Dim::Register, tensorDim(nIndex));
  tile.timesIdentity(1, Dim::Register, tensorDim(mIndex));
  tile.timesIdentity(height, Dim::Register, down);
  tile.timesIdentity(width, Dim::Lane, across);
  tile.timesIdentity(lanes / width, Dim::Lane, down);
  tile.timesIdentity(tiles, Dim::Register, down);

  // Lowering walks a CTA's tiles row by row over the whole tensor, so all of N is laid out before
  // any more of M.
  int64_t tilesM = mfma.tilesPerWarp[mIndex], tilesN = mfma.tilesPerWarp[nIndex];
  int64_t warpsM = mfma.warpsPerCTA[mIndex], warpsN = mfma.warpsPerCTA[nIndex];
  for (int64_t size : {tilesM, tilesN, warpsM, warpsN})
    if (size <= 0 || size > 1 << 16) return misfit("warpsPerCTA", "must be between 1 and 65536");
  tile.timesIdentity(tilesN, Dim::Register, tensorDim(nIndex));
  tile.timesIdentity(warpsN, Dim::Warp, tensorDim(nIndex));
  tile.timesIdentity(shape[nIndex] / (nSize * warpsN * tilesN), Dim::Register, tensorDim(nIndex));
  tile.timesIdentity(tilesM, Dim::Register, tensorDim(mIndex));
  tile.timesIdentity(warpsM, Dim::Warp, tensorDim(mIndex));
  if (rank == 3) tile.timesIdentity(mfma.warpsPerCTA[0], Dim::Warp, tensorDim(0));
  return combineCtaAndCga(std::move(tile), mfma.CGALayout, shape);
}

Converted mfmaDotOperandToLinear(const DotOperand& operand, const AmdMfma& mfma, Shape shape) {
  constexpr int64_t lanes = chips::mfmaLanes;
  unsigned rank = static_cast<unsigned>(shape.size());
  if (rank != 2 && rank != 3) return wrongRank(rank);
  int64_t mSize = mfma.instrShape[0], nSize = mfma.instrShape[1];
  int64_t nonK = operand.opIdx == 0 ? mSize : nSize;
  Order order = dotOperandOrder(operand.opIdx, rank, /*kContiguous=*/true);
  Dim k = tensorDim(order[0]), other = tensorDim(order[1]);
  int64_t kSize = shape[order[0]];

  LinearLayout tile;
  tile.timesIdentity(operand.kWidth, Dim::Register, k);
  tile.timesIdentity(nonK, Dim::Lane, other);
  tile.timesIdentity(lanes / nonK, Dim::Lane, k);
  int64_t kTile = lanes / nonK * operand.kWidth;
  // The operand that is 64 long in a 64x4 or 4x64 product takes sixteen steps along K.
  if ((mSize == 64 && nSize == 4 && operand.opIdx == 0) ||
      (mSize == 4 && nSize == 64 && operand.opIdx == 1)) {
    tile.timesIdentity(16, Dim::Register, k);
    kTile *= 16;
  }
  if (kSize > kTile) tile.timesIdentity(kSize / kTile, Dim::Register, k);
  tile.timesIdentity(mfma.tilesPerWarp[order[1]], Dim::Register, other);
  if (rank == 3) tile.timesIdentity(1, Dim::Register, tensorDim(order[2]));

  // Warps count along the result; those along K reach beyond the operand and are cut to copies
  // below.
  for (unsigned dim : matrixOrder(rank, /*rowMajor=*/true))
    tile.timesIdentity(mfma.warpsPerCTA[dim], Dim::Warp, tensorDim(dim));
  return combineCtaAndCga(std::move(tile), mfma.CGALayout, shape);
}

// ---------------------------------------------------------------- WMMA

namespace {
// One 16x16 (or 32x16) result in eight (sixteen) registers of 32 lanes. Half of the lanes holds
// every other row (version 1) or the upper half of the rows.
LinearLayout wmmaTile(const AmdWmma& wmma, unsigned rank) {
  Order order = matrixOrder(rank, /*rowMajor=*/!wmma.isTransposed);
  Dim across = tensorDim(order[0]), down = tensorDim(order[1]);
  bool tall = wmma.version != 1 && wmma.instrShape[0] == 32 && wmma.instrShape[1] == 16;
  Bases registers = {{0, 1}, {0, 2}, {0, 4}}, lanes = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 8}};
  if (wmma.version == 1) {
    registers = {{0, 2}, {0, 4}, {0, 8}};
    lanes.back() = {0, 1};
  } else if (tall) {
    registers.push_back({0, 16});
  }
  LinearLayout tile =
      *LinearLayout::fromBases({{Dim::Register, registers}, {Dim::Lane, lanes}},
                               llvm::ArrayRef<DimSize>{{across, 16}, {down, tall ? 32 : 16}});
  if (rank == 3) tile.timesIdentity(1, Dim::Register, tensorDim(0));
  return tile.transposeOuts(tensorDims(rank));
}
} // namespace

Converted wmmaToLinear(const AmdWmma& wmma, Shape shape) {
  unsigned rank = static_cast<unsigned>(shape.size());
  if (rank != 2 && rank != 3) return wrongRank(rank);
  LinearLayout layout = wmmaTile(wmma, rank) * wmma.ctaLayout;
  return combineCtaAndCga(layout.transposeOuts(dimsInOrder(matrixOrder(rank, /*rowMajor=*/true))),
                          wmma.CGALayout, shape);
}

Converted wmmaDotOperandToLinear(const DotOperand& operand, const AmdWmma& wmma, Shape shape) {
  constexpr int64_t lanes = chips::wmmaLanes, tileSize = 16, depth = lanes / tileSize;
  unsigned rank = static_cast<unsigned>(shape.size());
  if (rank != 2 && rank != 3) return wrongRank(rank);
  Order order = dotOperandOrder(operand.opIdx, rank, /*kContiguous=*/true);
  Dim k = tensorDim(order[0]), other = tensorDim(order[1]);

  LinearLayout tile;
  tile.timesIdentity(operand.kWidth, Dim::Register, k);
  tile.timesIdentity(tileSize, Dim::Lane, other);
  if (wmma.version == 1)
    tile.timesZeros(depth, Dim::Lane, k); // both halves of the wave read the same
  else
    tile.timesIdentity(depth, Dim::Lane, k);
  tile.timesIdentity(wmma.instrShape[2] / (depth * operand.kWidth), Dim::Register, k);
  int64_t repeat = wmmaOperandNonK(wmma.instrShape, wmma.isTransposed, operand.opIdx) / tileSize;
  if (repeat > 1) tile.timesIdentity(repeat, Dim::Register, other);

  // The result's tiles along K do not belong to this operand; their registers are removed, their
  // warps are copies.
  LinearLayout cta = wmma.ctaLayout.resizeOut(k, 1).removeZeroBases(Dim::Register);
  LinearLayout layout = (tile * cta).transposeOuts(dimsInOrder(order));
  return combineCtaAndCga(std::move(layout), wmma.CGALayout.resizeOut(k, 1), shape);
}

int64_t wmmaOperandNonK(llvm::ArrayRef<int32_t> instrShape, bool isTransposed, unsigned opIdx) {
  // A transposed product of unequal sides swaps its operands.
  bool swapped = isTransposed && instrShape[0] != instrShape[1];
  return instrShape[(opIdx == 0) != swapped ? 0 : 1];
}

} // namespace gluond::layout
