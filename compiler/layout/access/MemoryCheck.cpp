#include "layout/access/MemoryCheck.h"

#include "layout/named/Properties.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {

std::string text(Shape shape) {
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::interleave(shape, os, "x");
  return result;
}

template <typename... Ts>
std::optional<LayoutError> error(llvm::StringRef field, const Ts&... parts) {
  return misfit(field, parts...).value();
}

std::optional<LayoutError> checkTensorMemory(const TensorMemory& f, const Layout& layout,
                                             const MemoryView& view) {
  if (view.elementBits < 8)
    return error("elementType", "must have at least 8 bits in tensor memory");
  if (view.elementBits * f.colStride > 32)
    return error("colStride", "times the element's ", view.elementBits,
                 " bits must be at most 32, but it is ", f.colStride);
  Ints split = ctaSplitNum(f.CGALayout);
  Shape shape = view.shape;
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  int64_t leastRows = static_cast<int64_t>(f.blockM) * split[0];
  int64_t leastColumns = std::min<int64_t>(f.blockN, columns) * split[1];
  if (rows < leastRows || columns < leastColumns)
    return error("shape", "must be at least ", leastRows, "x", leastColumns, ", but it is ",
                 text(shape));
  Shape alloc = withoutPipelineDims(layout, view.allocShape);
  OrError<LinearLayout> linear = toLinearLayout(layout, alloc);
  if (!linear) return linear.error();
  if (llvm::ArrayRef(linear->outSizes()) != alloc)
    return error("allocShape", "must be ", text(linear->outSizes()), " for this block, but it is ",
                 text(alloc));
  return std::nullopt;
}

} // namespace

std::optional<LayoutError> checkMemory(const Layout& layout, const MemoryView& view) {
  if (!layout.isShared() && !layout.isTensorMemory())
    return error("layout", "is not a layout of memory");
  if (view.shape.empty()) return error("shape", "must have at least one dimension");
  if (view.elementBits != 1 && view.elementBits < 8)
    return error("elementType", "must have 1 bit or at least 8");
  if (view.allocShape.size() < view.shape.size())
    return error("allocShape", "must have at least as many dimensions as the shape");
  for (auto [field, shape] :
       {std::pair("shape", view.shape), std::pair("allocShape", view.allocShape)})
    if (llvm::any_of(shape, [](int64_t size) { return size <= 0; }))
      return error(field, "must be positive, but it is ", text(shape));
  size_t rank = layout.rank();
  if (layout.is(LayoutKind::TensorMemoryScales)
          ? view.shape.size() != 2
          : view.shape.size() != rank && view.shape.size() != rank + 1)
    return error("shape", "must have ", rank, " dimensions or a leading one more, but it has ",
                 view.shape.size());
  // Only a leading pipeline dimension may have any size.
  for (auto [field, shape] :
       {std::pair("shape", view.shape), std::pair("allocShape", view.allocShape)})
    if (!isPowerOfTwoShape(withoutPipelineDims(layout, shape)))
      return error(field, "must be powers of two, but it is ", text(shape));
  for (auto [size, whole] :
       llvm::zip_equal(view.shape, view.allocShape.take_back(view.shape.size())))
    if (size > whole)
      return error("shape", "must not exceed the allocation, ", text(view.shape), " does ",
                   text(view.allocShape));

  Shape alloc = withoutPipelineDims(layout, view.allocShape);
  if (const auto* memory = layout.as<TensorMemory>())
    return checkTensorMemory(*memory, layout, view);
  if (layout.is(LayoutKind::TensorMemoryScales)) {
    if (view.allocShape.size() != 2)
      return error("allocShape", "must have two dimensions: scales have no stages");
    if (view.elementBits != 8) return error("elementType", "must have 8 bits for scales");
    return std::nullopt;
  }
  if (const auto* nvmma = layout.as<NvmmaShared>()) {
    ShapeVector perCta = shapePerCta(ctaSplitNum(nvmma->CGALayout), alloc);
    OrError<ShapeVector> block = tmaBlockShape(*nvmma, perCta, /*packed=*/false);
    return block ? std::nullopt : std::optional(block.error());
  }
  if (layout.is(LayoutKind::PaddedShared) || layout.is(LayoutKind::SharedLinear)) {
    OrError<LinearLayout> linear = toLinearLayout(layout, alloc);
    return linear ? std::nullopt : std::optional(linear.error());
  }
  return std::nullopt;
}

int64_t paddedOffset(const PaddedShared& layout, int64_t offset) {
  int64_t place = offset;
  for (auto [interval, padding] : llvm::zip_equal(layout.intervals, layout.paddings))
    place += offset / interval * padding;
  return place;
}

OrError<TensorMemorySize> tensorMemorySize(const Layout& layout, const MemoryView& view) {
  if (!layout.isTensorMemory()) return misfit("layout", "is not a layout of tensor memory");
  OrError<LinearLayout> linear = viewToLinearLayout(layout, view);
  if (!linear) return tl::make_unexpected(linear.error());
  int64_t rows = linear->inSize(Dim::Row);
  int64_t columns = (linear->inSize(Dim::Col) * view.elementBits + 31) / 32;
  // With one block of 16 rows a warp, half of the rows stay free for another allocation.
  if (linear->inBits(Dim::Row) > 4 && linear->columns(Dim::Row)[4] == 0) rows /= 2;
  if (view.shape.size() > layout.rank()) {
    int64_t stages = view.shape.front();
    if (stages <= 0 || stages > 1 << 20)
      return misfit("shape", "there cannot be ", stages, " stages");
    columns *= stages;
  }
  return TensorMemorySize{rows, columns};
}

} // namespace gluond::layout
