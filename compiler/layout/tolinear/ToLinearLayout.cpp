#include "layout/tolinear/ToLinearLayout.h"

#include "layout/named/Properties.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {

Converted blockedToLinear(const Blocked& blocked, Shape shape) {
  LinearLayout tile;
  for (auto [in, sizes] :
       {std::pair(Dim::Register, &blocked.sizePerThread),
        std::pair(Dim::Lane, &blocked.threadsPerWarp), std::pair(Dim::Warp, &blocked.warpsPerCTA)})
    for (unsigned dim : blocked.order)
      tile.timesIdentity((*sizes)[dim], in, tensorDim(dim));
  // A thread has no more registers than elements, unlike in matrix-unit layouts, whose instructions
  // write all of theirs.
  return combineCtaAndCga(std::move(tile), blocked.CGALayout, shape, /*dropRegisters=*/true);
}

// An operand of a product computed without a matrix unit: a lane holds all of K.
Converted fmaDotOperandToLinear(const DotOperand& operand, const Blocked& blocked,
                                const LinearLayout& cga, Shape shape) {
  size_t rank = shape.size();
  if (rank < 2) return misfit("parent", "a dot operand has at least two dimensions");
  unsigned kDim = static_cast<unsigned>(operand.opIdx == 0 ? rank - 1 : rank - 2);
  LinearLayout tile;
  for (unsigned dim : blocked.order)
    tile.timesIdentity(dim == kDim ? shape[dim] : blocked.sizePerThread[dim], Dim::Register,
                       tensorDim(dim));
  timesBroadcastAlongK(tile, Dim::Lane, blocked.threadsPerWarp, blocked.order, kDim);
  timesBroadcastAlongK(tile, Dim::Warp, blocked.warpsPerCTA, blocked.order, kDim);
  return combineCtaAndCga(std::move(tile), cga, shape);
}

Converted sliceToLinear(const Slice& slice, Shape shape) {
  ShapeVector parentShape(shape);
  parentShape.insert(parentShape.begin() + slice.dim, 1);
  Converted parent = toLinearLayout(slice.parent, parentShape);
  if (!parent) return parent;
  return removeTensorDim(*parent, slice.dim).removeZeroBases(Dim::Register);
}

Converted writtenToLinear(const LinearLayout& linear, Shape shape) {
  LinearLayout result = linear.transposeOuts(dimsInOrder(orderOf(linear)));
  result = ensureNotLargerThan(ensureNotSmallerThan(std::move(result), shape), shape,
                               /*dropRegisters=*/true);
  return result.transposeOuts(linear.outDims());
}

Converted dotOperandToLinear(const Layout& layout, const DotOperand& operand, Shape shape) {
  if (const auto* mma = operand.parent.as<NvidiaMma>())
    return nvidiaDotOperandToLinear(operand, *mma, shape);
  if (const auto* mfma = operand.parent.as<AmdMfma>())
    return mfmaDotOperandToLinear(operand, *mfma, shape);
  if (const auto* wmma = operand.parent.as<AmdWmma>())
    return wmmaDotOperandToLinear(operand, *wmma, shape);
  Converted cga = layout.cgaLayout();
  if (!cga) return cga;
  return fmaDotOperandToLinear(operand, *operand.parent.as<Blocked>(), *cga, shape);
}

// Layouts that are written out for one shape.
Converted exactly(const LinearLayout& linear, Shape shape) {
  for (auto [i, have, wanted] : llvm::enumerate(linear.outSizes(), shape))
    if (have != wanted)
      return misfit("shape", "the layout is made for a size of ", have, " along dimension ", i,
                    ", not ", wanted);
  return linear;
}

Converted convert(const Layout& layout, Shape shape) {
  switch (layout.kind()) {
  case LayoutKind::Blocked:
    return blockedToLinear(*layout.as<Blocked>(), shape);
  case LayoutKind::Slice:
    return sliceToLinear(*layout.as<Slice>(), shape);
  case LayoutKind::Linear:
    return writtenToLinear(layout.as<Linear>()->linearLayout, shape);
  case LayoutKind::DotOperand:
    return dotOperandToLinear(layout, *layout.as<DotOperand>(), shape);
  case LayoutKind::NvidiaMma:
    return nvidiaMmaToLinear(*layout.as<NvidiaMma>(), shape);
  case LayoutKind::AmdMfma:
    return mfmaToLinear(*layout.as<AmdMfma>(), shape);
  case LayoutKind::AmdWmma:
    return wmmaToLinear(*layout.as<AmdWmma>(), shape);
  case LayoutKind::SwizzledShared:
    return swizzledToLinear(*layout.as<SwizzledShared>(), shape);
  case LayoutKind::PaddedShared:
    return exactly(layout.as<PaddedShared>()->linearComponent, shape);
  case LayoutKind::SharedLinear:
    return exactly(layout.as<SharedLinear>()->linearLayout, shape);
  case LayoutKind::NvmmaShared:
    return nvmmaToLinear(*layout.as<NvmmaShared>(), shape);
  case LayoutKind::AmdRotatingShared:
    return rotatingToLinear(*layout.as<AmdRotatingShared>(), shape);
  case LayoutKind::PartitionedShared:
    return partitionedToLinear(*layout.as<PartitionedShared>(), shape);
  case LayoutKind::TensorMemory:
    return tensorMemoryToLinear(*layout.as<TensorMemory>(), shape);
  case LayoutKind::TensorMemoryScales:
    return tensorMemoryScalesToLinear(*layout.as<TensorMemoryScales>(), shape);
  }
  return LinearLayout::invalid();
}

} // namespace

void timesBroadcastAlongK(LinearLayout& tile, Dim in, llvm::ArrayRef<int32_t> shape,
                          llvm::ArrayRef<unsigned> order, unsigned kDim) {
  // A warp (or lane) that is further along the result's other axis needs the same elements of this
  // operand, so the bits that count along that axis of the result become copies here.
  for (unsigned dim : order) {
    if (dim == kDim)
      tile.timesZeros(shape[dim], in, tensorDim(dim));
    else
      tile.timesIdentity(shape[dim], in, tensorDim(dim));
  }
}

OrError<LinearLayout> toLinearLayout(const Layout& layout, Shape shape) {
  if (!layout) return misfit("", "no layout is given");
  if (shape.size() != layout.rank())
    return misfit("shape", "the layout has ", layout.rank(), " dimensions, but the shape has ",
                  shape.size());
  unsigned bits = 0;
  for (int64_t size : shape) {
    std::optional<unsigned> log2 = exactLog2(size);
    if (!log2) return misfit("shape", "a size must be a power of two, but ", size, " is not");
    bits += *log2;
  }
  if (bits > 48 || llvm::any_of(shape, [](int64_t size) { return size > (int64_t(1) << 30); }))
    return misfit("shape", "the tensor is too large");
  OrError<LinearLayout> result = convert(layout, shape);
  if (!result) return result;
  // A zero among the sizes leaves a dimension out.
  bool complete = result->hasIn(Dim::Block);
  for (Dim in : layout.isDistributed() ? Dims{Dim::Register, Dim::Lane, Dim::Warp}
                : layout.isShared()    ? Dims{Dim::Offset}
                                       : Dims{Dim::Row, Dim::Col})
    complete &= result->hasIn(in);
  if (!result->valid() || !complete) return misfit("shape", "the layout does not fit the shape");
  return result;
}

Shape withoutPipelineDims(const Layout& layout, Shape shape) {
  unsigned rank = layout.rank();
  return shape.size() > rank ? shape.take_back(rank) : shape;
}

OrError<LinearLayout> viewToLinearLayout(const Layout& layout, const MemoryView& view) {
  if (!layout) return misfit("", "no layout is given");
  OrError<LinearLayout> whole =
      toLinearLayout(layout, withoutPipelineDims(layout, view.allocShape));
  if (!whole || !layout.isTensorMemory()) return whole;
  // Tensor memory is never swizzled, so a view has the same layout without the other coordinates,
  // and with no more columns than it needs (but whole 32-bit cells).
  LinearLayout cut = std::move(*whole);
  Shape shape = withoutPipelineDims(layout, view.shape);
  if (shape.size() != cut.outs().size() || view.elementBits == 0 || view.elementBits > 32)
    return misfit("shape", "the view does not fit the allocation");
  for (auto [i, size] : llvm::enumerate(shape))
    cut = cut.resizeOut(tensorDim(static_cast<unsigned>(i)), size);
  if (!cut.valid()) return misfit("shape", "the view is larger than the allocation");
  unsigned cell = exactLog2(32 / view.elementBits).value_or(0);
  uint64_t used = cut.inputMask(Dim::Col, cut.outDims());
  unsigned bits = std::max(cell, static_cast<unsigned>(llvm::bit_width(used)));
  return cut.resizeIn(Dim::Col, int64_t(1) << bits);
}

} // namespace gluond::layout
