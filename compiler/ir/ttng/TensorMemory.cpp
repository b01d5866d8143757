#include "ir/ttng/TensorMemory.h"

#include "ir/Layouts.h"
#include "ir/ttng/Attributes.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;

TMemAllocation getTmemAllocSizes(ttg::MemDescType type) {
  layout::LinearLayout linear = ir::toLinearLayout(type);
  if (!linear.valid()) return {};
  int64_t bits = type.getElementType().getIntOrFloatBitWidth();
  TMemAllocation result{linear.inSize(Dim::Row),
                        static_cast<int64_t>(llvm::divideCeil(linear.inSize(Dim::Col) * bits, 32))};
  // One block of 16 rows for each warp: the other 16 are left to somebody else.
  constexpr unsigned log2Of16 = 4;
  if (linear.inBits(Dim::Row) > log2Of16 &&
      llvm::all_of(linear.basis(Dim::Row, log2Of16), [](int32_t v) { return v == 0; }))
    result.numRows /= 2;
  if (type.getRank() > 2) result.numCols *= type.getDimSize(0);
  return result;
}

} // namespace gluond::ttng
