#include "layout/named/Layout.h"

#include "layout/named/Properties.h"
#include "layout/named/Transforms.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {

template <typename... Ts> struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts> Overloaded(Ts...) -> Overloaded<Ts...>;

llvm::hash_code hashOf(bool v) {
  return llvm::hash_value(v);
}
llvm::hash_code hashOf(unsigned v) {
  return llvm::hash_value(v);
}
llvm::hash_code hashOf(const Layout& v) {
  return v.hash();
}
llvm::hash_code hashOf(const LinearLayout& v) {
  return hash_value(v);
}
llvm::hash_code hashOf(const Ints& v) {
  return llvm::hash_combine_range(v.begin(), v.end());
}
llvm::hash_code hashOf(const Order& v) {
  return llvm::hash_combine_range(v.begin(), v.end());
}
template <typename... Ts> size_t hashAll(const Ts&... parts) {
  return llvm::hash_combine(hashOf(parts)...);
}

size_t hashFields(const LayoutFields& fields) {
  size_t own = std::visit(
      Overloaded{
          [](const Blocked& f) {
            return hashAll(f.sizePerThread, f.threadsPerWarp, f.warpsPerCTA, f.order, f.CGALayout);
          },
          [](const Slice& f) { return hashAll(f.dim, f.parent); },
          [](const Linear& f) { return hashAll(f.linearLayout, f.generic); },
          [](const DotOperand& f) { return hashAll(f.opIdx, f.parent, f.kWidth); },
          [](const NvidiaMma& f) {
            return hashAll(f.versionMajor, f.versionMinor, f.warpsPerCTA, f.CGALayout,
                           f.instrShape);
          },
          [](const AmdMfma& f) {
            return hashAll(f.version, f.warpsPerCTA, f.instrShape, f.isTransposed, f.CGALayout,
                           f.tilesPerWarp, f.elementBitWidth);
          },
          [](const AmdWmma& f) {
            return hashAll(f.version, f.ctaLayout, f.isTransposed, f.CGALayout, f.instrShape);
          },
          [](const SwizzledShared& f) {
            return hashAll(f.vec, f.perPhase, f.maxPhase, f.order, f.CGALayout);
          },
          [](const PaddedShared& f) { return hashAll(f.intervals, f.paddings, f.linearComponent); },
          [](const SharedLinear& f) { return hashAll(f.linearLayout, f.layoutAlignment); },
          [](const NvmmaShared& f) {
            return hashAll(f.swizzlingByteWidth, f.transposed, f.elementBitWidth, f.fp4Padded,
                           f.CGALayout);
          },
          [](const AmdRotatingShared& f) {
            return hashAll(f.vec, f.perPhase, f.maxPhase, f.order, f.CGALayout);
          },
          [](const PartitionedShared& f) {
            return hashAll(f.numPartitions, f.numGroups, f.partitionDim, f.partitionLayout);
          },
          [](const TensorMemory& f) {
            return hashAll(f.blockM, f.blockN, f.colStride, f.CGALayout, f.twoCTAs, f.fp4Padded);
          },
          [](const TensorMemoryScales& f) { return hashAll(f.CGALayout, f.kThenMn); },
      },
      fields);
  return llvm::hash_combine(fields.index(), own);
}

} // namespace

LayoutNode::LayoutNode(LayoutFields f) : fields(std::move(f)), hash(hashFields(fields)) {}

unsigned Layout::rank() const {
  return std::visit(
      Overloaded{
          [](const Blocked& f) { return static_cast<unsigned>(f.order.size()); },
          [](const Slice& f) { return f.parent.rank() - 1; },
          [](const Linear& f) { return static_cast<unsigned>(f.linearLayout.outs().size()); },
          [](const DotOperand& f) { return f.parent.rank(); },
          [](const NvidiaMma& f) { return static_cast<unsigned>(f.warpsPerCTA.size()); },
          [](const AmdMfma& f) { return static_cast<unsigned>(f.warpsPerCTA.size()); },
          [](const AmdWmma& f) { return static_cast<unsigned>(f.ctaLayout.outs().size()); },
          [](const SwizzledShared& f) { return static_cast<unsigned>(f.order.size()); },
          [](const PaddedShared& f) {
            return static_cast<unsigned>(f.linearComponent.outs().size());
          },
          [](const SharedLinear& f) { return static_cast<unsigned>(f.linearLayout.outs().size()); },
          [](const NvmmaShared& f) { return static_cast<unsigned>(f.CGALayout.outs().size()); },
          [](const AmdRotatingShared& f) { return static_cast<unsigned>(f.order.size()); },
          [](const PartitionedShared& f) { return f.partitionLayout.rank(); },
          [](const TensorMemory&) { return 2u; },
          [](const TensorMemoryScales&) { return 2u; },
      },
      node_->fields);
}

OrError<LinearLayout> Layout::cgaLayout() const {
  using Result = OrError<LinearLayout>;
  return std::visit(
      Overloaded{
          [](const Slice& f) -> Result {
            Result parent = f.parent.cgaLayout();
            if (!parent) return parent;
            return removeTensorDim(*parent, f.dim);
          },
          [](const DotOperand& f) -> Result {
            Result parent = f.parent.cgaLayout();
            if (!parent) return parent;
            unsigned rank = f.parent.rank();
            return parent->resizeOut(tensorDim(f.opIdx == 0 ? rank - 1 : rank - 2), 1);
          },
          [](const Linear& f) -> Result { return cgaOf(f.linearLayout); },
          [](const SharedLinear& f) -> Result { return cgaOf(f.linearLayout); },
          [](const PaddedShared& f) -> Result { return cgaOf(f.linearComponent); },
          [](const PartitionedShared& f) -> Result { return f.partitionLayout.cgaLayout(); },
          [](const auto& f) -> Result { return f.CGALayout; },
      },
      node_->fields);
}

unsigned Layout::alignment() const {
  if (const auto* linear = as<SharedLinear>()) return linear->layoutAlignment;
  // A swizzle pattern repeats after 8 rows of its width; addresses must agree with it.
  if (const auto* nvmma = as<NvmmaShared>())
    return nvmma->swizzlingByteWidth ? 8 * nvmma->swizzlingByteWidth : 128;
  return 16;
}

} // namespace gluond::layout
