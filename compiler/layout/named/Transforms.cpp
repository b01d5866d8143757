#include "layout/named/Transforms.h"

#include <llvm/ADT/STLExtras.h>

#include <numeric>

namespace gluond::layout {

bool isPowerOfTwoShape(Shape shape) {
  return llvm::all_of(shape, [](int64_t size) { return exactLog2(size).has_value(); });
}

LinearLayout ensureNotSmallerThan(LinearLayout layout, Shape shape) {
  if (!layout.valid() || layout.ins().empty()) return layout;
  Dim in = layout.ins().front().dim;
  for (Dim out : layout.outDims()) {
    int64_t wanted = shape[tensorDimIndex(out)], have = layout.outSize(out);
    if (wanted > have) layout.timesIdentity(wanted / have, in, out);
  }
  return layout;
}

LinearLayout ensureNotLargerThan(const LinearLayout& layout, Shape shape, bool dropRegisters) {
  LinearLayout result = layout;
  for (Dim out : layout.outDims()) {
    int64_t wanted = shape[tensorDimIndex(out)];
    if (result.valid() && result.outSize(out) > wanted) result = result.resizeOut(out, wanted);
  }
  if (!dropRegisters || !result.valid()) return result;
  f2::ColumnVector kept;
  for (auto [before, after] :
       llvm::zip_equal(layout.columns(Dim::Register), result.columns(Dim::Register)))
    if (!before || after) kept.push_back(after);
  return result.withColumns(Dim::Register, kept);
}

LinearLayout combineCtaAndCga(LinearLayout ctaTile, const LinearLayout& cga, Shape shape,
                              bool dropRegisters) {
  if (!ctaTile.valid() || ctaTile.outs().size() != shape.size() ||
      cga.outs().size() != shape.size())
    return LinearLayout::invalid();
  LinearLayout fitted = ensureNotLargerThan(cga, shape);
  ShapeVector ctaShape;
  for (auto [i, size] : llvm::enumerate(shape))
    ctaShape.push_back(
        std::max<int64_t>(1, size / fitted.outSize(tensorDim(static_cast<unsigned>(i)))));
  LinearLayout result = ensureNotLargerThan(ensureNotSmallerThan(std::move(ctaTile), ctaShape),
                                            ctaShape, dropRegisters);
  if (!result.valid()) return result;
  result *= fitted.transposeOuts(result.outDims());
  return result.transposeOuts(tensorDims(static_cast<unsigned>(shape.size())));
}

LinearLayout removeTensorDim(const LinearLayout& layout, unsigned dim) {
  Dims kept = tensorDims(static_cast<unsigned>(layout.outs().size()));
  if (!layout.valid() || dim >= kept.size() || layout.outDims() != kept)
    return LinearLayout::invalid();
  kept.erase(kept.begin() + dim);
  LinearLayout result = layout.sublayout(layout.inDims(), kept);
  for (unsigned i = dim; i < kept.size(); ++i)
    result = result.renameOut(tensorDim(i + 1), tensorDim(i));
  return result;
}

LinearLayout reshapeTensor(const LinearLayout& layout, Shape shape) {
  Dims reversed = layout.outDims();
  std::reverse(reversed.begin(), reversed.end());
  llvm::SmallVector<DimSize, 4> sizes;
  for (unsigned i = static_cast<unsigned>(shape.size()); i-- > 0;)
    sizes.push_back({tensorDim(i), shape[i]});
  return layout.transposeOuts(reversed).reshapeOuts(sizes).transposeOuts(
      tensorDims(static_cast<unsigned>(shape.size())));
}

LinearLayout transposeTensor(const LinearLayout& layout, llvm::ArrayRef<unsigned> order) {
  size_t rank = layout.outs().size();
  if (!layout.valid() || order.size() != rank) return LinearLayout::invalid();
  Dims permuted;
  llvm::SmallVector<DimSize, 4> sizes;
  for (auto [i, from] : llvm::enumerate(order)) {
    if (from >= rank) return LinearLayout::invalid();
    permuted.push_back(layout.outs()[from].dim);
    sizes.push_back({layout.outs()[i].dim, layout.outs()[from].size()});
  }
  return layout.transposeOuts(permuted).reshapeOuts(sizes);
}

LinearLayout insertTensorDim(const LinearLayout& layout, unsigned dim) {
  unsigned rank = static_cast<unsigned>(layout.outs().size());
  if (!layout.valid() || dim > rank || rank + 1 > maxRank) return LinearLayout::invalid();
  llvm::SmallVector<DimSize, 4> sizes;
  for (unsigned i = 0; i <= rank; ++i)
    sizes.push_back({tensorDim(i), i == dim ? 1 : layout.outSize(tensorDim(i < dim ? i : i - 1))});
  return layout.reshapeOuts(sizes);
}

IdentityPrefix divideIdentityPrefix(const LinearLayout& layout, Dim in, Dim out, int64_t most) {
  IdentityPrefix result{1, layout};
  for (int64_t size = 2; size <= most; size *= 2) {
    std::optional<LinearLayout> rest = layout.divideLeft(LinearLayout::identity1D(size, in, out));
    if (!rest) break;
    result = {size, std::move(*rest)};
  }
  return result;
}

Order matrixOrder(unsigned rank, bool rowMajor) {
  Order order(rank, 0);
  if (rank < 2) return order;
  std::iota(order.rbegin(), order.rend(), 0u);
  if (!rowMajor) std::swap(order[0], order[1]);
  return order;
}

Order dotOperandOrder(unsigned opIdx, unsigned rank, bool kContiguous) {
  return matrixOrder(rank, (opIdx != 0) != kContiguous);
}

Dims dimsInOrder(llvm::ArrayRef<unsigned> order) {
  Dims dims;
  for (unsigned dim : order)
    dims.push_back(tensorDim(dim));
  return dims;
}

ShapeVector shapePerCta(llvm::ArrayRef<int32_t> split, Shape shape) {
  // Extra leading dimensions of the shape are not split; of a longer split, the trailing part
  // counts.
  ShapeVector result(shape);
  for (size_t back = 1; back <= std::min(split.size(), shape.size()); ++back) {
    int64_t& size = result[shape.size() - back];
    size /= std::max<int64_t>(1, std::min<int64_t>(size, split[split.size() - back]));
  }
  return result;
}

} // namespace gluond::layout
