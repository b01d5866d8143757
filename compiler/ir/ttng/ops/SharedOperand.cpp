// Which way round matrix units see operands in shared memory.
#include "ir/layouts/Layouts.h"
#include "ir/ttng/Ops.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;
using layout::LinearLayout;

// Whether the offsets begin with those of `tile` (tensor -> offset), and go on where it ends.
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

std::optional<bool> sharedTransposed(ttg::MemDescType type) {
  if (auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding()))
    return nvmma.getTransposed();
  LinearLayout linear = ir::toLinearLayout(type);
  if (!linear.valid() || !linear.hasIn(Dim::Offset) || linear.outs().size() != 2)
    return std::nullopt;
  auto offsets = linear.pseudoInvert();
  if (!offsets) return std::nullopt;
  unsigned bits = std::max(8u, type.getElementType().getIntOrFloatBitWidth());
  auto cga = ttg::CGAEncodingAttr::get1CTALayout(type.getContext(), 2);
  for (bool fp4Padded : {false, true})
    for (unsigned swizzle : {0u, 32u, 64u, 128u})
      for (bool transposed : {false, true}) {
        // The smallest tile of this layout: 8 rows of the swizzle's width.
        SmallVector<int64_t> tile = {8, 8 * std::max(16u, swizzle) / bits / (fp4Padded ? 2 : 1)};
        if (transposed) std::swap(tile[0], tile[1]);
        auto layout = ttg::NVMMASharedEncodingAttr::get(type.getContext(), swizzle, transposed,
                                                        bits, fp4Padded, cga);
        const LinearLayout& candidate = ir::toLinearLayout(tile, layout);
        if (!candidate.valid()) continue;
        auto inverse = candidate.sublayout({Dim::Offset}, candidate.outDims()).pseudoInvert();
        if (inverse && beginsWith(*offsets, *inverse)) return transposed;
      }
  return std::nullopt;
}

} // namespace gluond::ttng
