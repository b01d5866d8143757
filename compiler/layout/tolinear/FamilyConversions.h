// The parts of toLinearLayout(), one function for each family; only the files To*.cpp include
// this.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

using Converted = OrError<LinearLayout>;

Converted nvidiaMmaToLinear(const NvidiaMma& mma, Shape shape);
Converted nvidiaDotOperandToLinear(const DotOperand& operand, const NvidiaMma& mma, Shape shape);
Converted mfmaToLinear(const AmdMfma& mfma, Shape shape);
Converted mfmaDotOperandToLinear(const DotOperand& operand, const AmdMfma& mfma, Shape shape);
Converted wmmaToLinear(const AmdWmma& wmma, Shape shape);
Converted wmmaDotOperandToLinear(const DotOperand& operand, const AmdWmma& wmma, Shape shape);

Converted swizzledToLinear(const SwizzledShared& shared, Shape shape);
Converted rotatingToLinear(const AmdRotatingShared& shared, Shape shape);
Converted nvmmaToLinear(const NvmmaShared& shared, Shape shape);
Converted partitionedToLinear(const PartitionedShared& shared, Shape shape);

Converted tensorMemoryToLinear(const TensorMemory& memory, Shape shape);
Converted tensorMemoryScalesToLinear(const TensorMemoryScales& memory, Shape shape);

// Adds lanes or warps of a matrix product's result to an operand's tile: along K all of them read
// the same elements.
void timesBroadcastAlongK(LinearLayout& tile, Dim in, llvm::ArrayRef<int32_t> shape,
                          llvm::ArrayRef<unsigned> order, unsigned kDim);

// The size of a WMMA operand's dimension that is not K.
int64_t wmmaOperandNonK(llvm::ArrayRef<int32_t> instrShape, bool isTransposed, unsigned opIdx);

template <typename... Ts>
tl::unexpected<LayoutError> misfit(llvm::StringRef field, const Ts&... parts);

} // namespace gluond::layout

#include <llvm/Support/raw_ostream.h>

template <typename... Ts>
tl::unexpected<gluond::layout::LayoutError> gluond::layout::misfit(llvm::StringRef field,
                                                                   const Ts&... parts) {
  LayoutError error{field.str(), {}};
  llvm::raw_string_ostream os(error.message);
  (os << ... << parts);
  return tl::make_unexpected(std::move(error));
}
