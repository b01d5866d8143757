// The orientation of operands in shared memory for matrix units.
#include "ir/layouts/Layouts.h"
#include "ir/ttng/Ops.h"
#include "ir/ttng/SharedMatrix.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;
using layout::LinearLayout;

// Whether the offsets begin with those of `tile` (tensor -> offset), and continue after it.
static bool beginsWith(const LinearLayout& offsets, const LinearLayout& tile) {
  int32_t mask = 0;
  for (Dim in : tile.inDims())
    for (unsigned i = 0; i < tile.inBits(in); ++i)
      mask |= tile.basis(in, i, Dim::Offset);
  for (Dim in : offsets.inDims()) {
    unsigned bits = tile.hasIn(in) ? tile.inBits(in) : 0;
    if (bits > offsets.inBits(in)) return false;
    for (unsigned i = 0; i < offsets.inBits(in); ++i) {
      int32_t offset = offsets.basis(in, i, Dim::Offset);
      if (i >= bits
              ? (offset & mask) != 0
              : offset != tile.basis(in, i, Dim::Offset) || offsets.basis(in, i, Dim::Block) != 0)
        return false;
    }
  }
  return true;
}

// 4-bit elements are stored in pairs along `dim`.
static LinearLayout pairsAlong(const LinearLayout& offsets, Dim dim) {
  return LinearLayout::identity1D(2, dim, Dim::Offset) * offsets;
}

LinearLayout asFp4(const LinearLayout& offsets) {
  Dim rows = layout::tensorDim(0);
  bool transposed = offsets.inBits(rows) && offsets.basis(rows, 0, Dim::Offset) == 1;
  return pairsAlong(offsets, layout::tensorDim(transposed ? 0 : 1));
}

std::optional<SharedMatrix> sharedMatrixOf(const LinearLayout& offsets, unsigned bits) {
  for (bool fp4Padded : {false, true})
    for (unsigned swizzle : {0u, 32u, 64u, 128u})
      for (bool transposed : {false, true}) {
        // The smallest tile of this layout: 8 rows of the swizzle's width.
        unsigned stored = std::max(8u, bits);
        int64_t width = 8 * std::max(16u, swizzle) / stored / (fp4Padded ? 2 : 1);
        layout::NvmmaShared fields{.swizzlingByteWidth = swizzle,
                                   .transposed = transposed,
                                   .elementBitWidth = stored,
                                   .fp4Padded = fp4Padded,
                                   .CGALayout = layout::oneCta(2)};
        auto layout = layout::Layout::make(std::move(fields));
        if (!layout) continue;
        SmallVector<int64_t> shape = {8, width};
        if (transposed) std::swap(shape[0], shape[1]);
        auto candidate = layout::toLinearLayout(*layout, shape);
        if (!candidate) continue;
        auto tile = candidate->sublayout({Dim::Offset}, candidate->outDims()).pseudoInvert();
        if (!tile) continue;
        if (bits == 4) tile = pairsAlong(*tile, layout::tensorDim(transposed ? 0 : 1));
        if (beginsWith(offsets, *tile))
          return SharedMatrix{swizzle, transposed, fp4Padded, std::move(*tile)};
      }
  return std::nullopt;
}

std::optional<bool> sharedTransposed(ttg::MemDescType type) {
  if (auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding()))
    return nvmma.getTransposed();
  LinearLayout linear = ir::toLinearLayout(type);
  if (!linear.valid() || !linear.hasIn(Dim::Offset) || linear.outs().size() != 2)
    return std::nullopt;
  auto offsets = linear.pseudoInvert();
  if (!offsets) return std::nullopt;
  auto matrix = sharedMatrixOf(*offsets, std::max(8u, tt::bitWidth(type.getElementType())));
  if (!matrix) return std::nullopt;
  return matrix->transposed;
}

} // namespace gluond::ttng
