// The pieces behind toLinearLayout(), one function for each family; only the files To*.cpp include
// this.
#pragma once

#include "layout/ToLinearLayout.h"

namespace gluond::layout {

using Conversion = OrError<LinearLayout>;

Conversion nvidiaMmaToLinear(const NvidiaMma& mma, Shape shape);
Conversion nvidiaDotOperandToLinear(const DotOperand& operand, const NvidiaMma& mma, Shape shape);
Conversion mfmaToLinear(const AmdMfma& mfma, Shape shape);
Conversion mfmaDotOperandToLinear(const DotOperand& operand, const AmdMfma& mfma, Shape shape);
Conversion wmmaToLinear(const AmdWmma& wmma, Shape shape);
Conversion wmmaDotOperandToLinear(const DotOperand& operand, const AmdWmma& wmma, Shape shape);

Conversion swizzledToLinear(const SwizzledShared& shared, Shape shape);
Conversion rotatingToLinear(const AmdRotatingShared& shared, Shape shape);
Conversion nvmmaToLinear(const NvmmaShared& shared, Shape shape);
Conversion partitionedToLinear(const PartitionedShared& shared, Shape shape);

Conversion tensorMemoryToLinear(const TensorMemory& memory, Shape shape);
Conversion tensorMemoryScalesToLinear(const TensorMemoryScales& memory, Shape shape);

// Adds lanes or warps of a matrix product's result to an operand's tile: along K all of them read
// the same.
void timesBroadcastAlongK(LinearLayout& tile, Dim in, llvm::ArrayRef<int32_t> shape,
                          llvm::ArrayRef<unsigned> order, unsigned kDim);

// The side of a WMMA operand that is not K.
int64_t wmmaOperandNonK(llvm::ArrayRef<int32_t> instrShape, bool isTransposed, unsigned opIdx);

template <typename... Ts>
tl::unexpected<LayoutError> mismatch(llvm::StringRef field, const Ts&... parts);

} // namespace gluond::layout

#include <llvm/Support/raw_ostream.h>

template <typename... Ts>
tl::unexpected<gluond::layout::LayoutError> gluond::layout::mismatch(llvm::StringRef field,
                                                                     const Ts&... parts) {
  LayoutError error{field.str(), {}};
  llvm::raw_string_ostream os(error.message);
  (os << ... << parts);
  return tl::make_unexpected(std::move(error));
}
