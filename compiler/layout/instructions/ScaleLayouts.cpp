#include "layout/instructions/ScaleLayouts.h"

#include "layout/named/FieldNames.h"
#include "layout/tolinear/FamilyConversions.h"

namespace gluond::layout {

namespace {
std::optional<LayoutError> checkShape(Shape shape, size_t highestRank) {
  bool isSmall = llvm::all_of(shape, [](int64_t size) { return size <= 1 << 20; });
  if (shape.size() < 2 || shape.size() > highestRank || !isPowerOfTwoShape(shape) || !isSmall)
    return LayoutError{"shape", "must be " +
                                    std::string(highestRank == 2 ? "two" : "two or three") +
                                    " powers of two"};
  return std::nullopt;
}
} // namespace

OrError<LinearLayout> mfmaScaleLayout(const MfmaScales& scales, Shape shape) {
  if (std::optional<LayoutError> error = checkShape(shape, 2)) return tl::make_unexpected(*error);
  if (scales.operand > 1) return misfit("op_idx", "must be 0 or 1");
  if (scales.mDim != 16 && scales.mDim != 32) return misfit("mfma_mdim", "must be 16 or 32");
  if (scales.tilesPerWarp.size() != 2 || scales.warpsPerCTA.size() != 2)
    return misfit(fields::warpsPerCTA, "must have two entries");
  constexpr Dim nonK = tensorDim(0), k = tensorDim(1);
  int64_t lanesAlongK = 64 / scales.mDim; // each lane scales 32 elements along K
  LinearLayout tile;
  tile.timesIdentity(1, Dim::Register, k);
  tile.timesIdentity(scales.mDim, Dim::Lane, nonK);
  tile.timesIdentity(lanesAlongK, Dim::Lane, k);
  if (shape[1] > lanesAlongK) tile.timesIdentity(shape[1] / lanesAlongK, Dim::Register, k);
  tile.timesIdentity(scales.tilesPerWarp[scales.operand], Dim::Register, nonK);
  // Warps along the result's other axis need the same scales: the bits land beyond the tensor and
  // become copies.
  Ints warps = scales.warpsPerCTA;
  Order order = {1, 0};
  if (scales.operand == 1) {
    std::swap(warps[0], warps[1]);
    order = {0, 1};
  }
  for (unsigned dim : order)
    tile.timesIdentity(warps[dim], Dim::Warp, tensorDim(dim));
  return combineCtaAndCga(tile.transposeOuts({nonK, k}), oneCta(2), shape);
}

OrError<LinearLayout> wmmaScaleLayout(const WmmaScales& scales, Shape shape) {
  auto rank = static_cast<unsigned>(shape.size());
  if (std::optional<LayoutError> error = checkShape(shape, 3)) return tl::make_unexpected(*error);
  if (scales.operand > 1) return misfit("op_idx", "must be 0 or 1");
  if (!scales.ctaLayout.valid() || scales.ctaLayout.outDims() != tensorDims(rank) ||
      !scales.ctaLayout.hasIn(Dim::Register))
    return misfit(fields::warpBases, "must have the rank of the shape");
  for (auto [field, size] :
       {std::pair("wmma_mdim", scales.mDim), std::pair("wmma_ndim", scales.nDim)})
    if (size != 16 && size != 32) return misfit(field, "must be 16 or 32");
  const Dim nonK = tensorDim(rank - 2), k = tensorDim(rank - 1); // after a batch dimension
  int64_t lanesAlong =
      wmmaOperandNonK({static_cast<int32_t>(scales.mDim), static_cast<int32_t>(scales.nDim)},
                      scales.isTransposed, scales.operand);
  int64_t kWidth = scales.scaleFactor == 32 ? 4 : 8;
  LinearLayout tile;
  tile.timesIdentity(kWidth, Dim::Register, k);
  tile.timesIdentity(lanesAlong, Dim::Lane, nonK);
  tile.timesZeros(32 / lanesAlong, Dim::Lane, nonK);
  tile.timesIdentity(shape[1] / kWidth, Dim::Register, k);
  if (rank == 3) tile.timesIdentity(1, Dim::Register, tensorDim(0));
  unsigned tileRegisters = tile.inBits(Dim::Register);

  // The scales of B are stored [N, K], the operand is [K, N].
  Order swapped = {1, 0};
  if (rank == 3) swapped = {0, 2, 1};
  LinearLayout cta =
      scales.operand == 1 ? transposeTensor(scales.ctaLayout, swapped) : scales.ctaLayout;
  cta = cta.resizeOut(k, 1).removeZeroBases(Dim::Register);
  LinearLayout layout =
      combineCtaAndCga(tile.transposeOuts(tensorDims(rank)) * cta, scales.CGALayout, shape);
  if (!layout.valid()) return misfit(fields::shape, "the layout does not fit the shape");
  if (scales.mDim > 16 || layout.inBits(Dim::Register) <= tileRegisters ||
      layout.inBits(Dim::Lane) < 5)
    return layout;

  // Half of the lanes would only repeat the other half's scales; they take those of the next tile
  // instead.
  f2::ColumnVector registers(layout.columns(Dim::Register)), lanes(layout.columns(Dim::Lane));
  lanes[4] = registers[tileRegisters];
  registers.erase(registers.begin() + tileRegisters);
  return layout.withColumns(Dim::Register, registers).withColumns(Dim::Lane, lanes);
}

} // namespace gluond::layout
