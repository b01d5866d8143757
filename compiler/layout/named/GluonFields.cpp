#include "layout/named/GluonFields.h"

#include "layout/named/FieldNames.h"
#include "layout/named/Properties.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

namespace {

template <typename List> Numbers numbers(const List& list) {
  return Numbers(list.begin(), list.end());
}
int64_t number(size_t value) {
  return static_cast<int64_t>(value);
}
Bases basesOf(const LinearLayout& linear, Dim dim) {
  return linear.hasIn(dim) ? linear.bases(dim) : Bases();
}
GluonField optional(llvm::StringLiteral name, FieldValue value, bool isDefault) {
  return {name, std::move(value), true, isDefault};
}
GluonField cga(const LinearLayout& layout) {
  return optional(fields::CGALayout, basesOf(layout, Dim::Block), !layout.inBits(Dim::Block));
}

GluonObject objectOf(const Blocked& f) {
  return {"gl.",
          "BlockedLayout",
          {{fields::sizePerThread, numbers(f.sizePerThread)},
           {fields::threadsPerWarp, numbers(f.threadsPerWarp)},
           {fields::warpsPerCTA, numbers(f.warpsPerCTA)},
           {fields::order, numbers(f.order)},
           cga(f.CGALayout)},
          /*positional=*/4};
}
GluonObject objectOf(const Slice& f) {
  return {"gl.",
          "SliceLayout",
          {{fields::dim, number(f.dim)}, {fields::parent, f.parent}},
          /*positional=*/2};
}
GluonObject objectOf(const Linear& f) {
  return {"gl.",
          "DistributedLinearLayout",
          {{fields::regBases, basesOf(f.linearLayout, Dim::Register)},
           {fields::laneBases, basesOf(f.linearLayout, Dim::Lane)},
           {fields::warpBases, basesOf(f.linearLayout, Dim::Warp)},
           {fields::blockBases, basesOf(f.linearLayout, Dim::Block)},
           {fields::shape, numbers(f.linearLayout.outSizes())}}};
}
GluonObject objectOf(const DotOperand& f) {
  return {"gl.",
          "DotOperandLayout",
          {{fields::opIdx, number(f.opIdx)},
           {fields::parent, f.parent},
           {fields::kWidth, number(f.kWidth)}}};
}
GluonObject objectOf(const NvidiaMma& f) {
  return {"gl.",
          "NVMMADistributedLayout",
          {{fields::version, Numbers{f.versionMajor, f.versionMinor}},
           {fields::warpsPerCTA, numbers(f.warpsPerCTA)},
           {fields::instrShape, numbers(f.instrShape)},
           cga(f.CGALayout)}};
}
GluonObject objectOf(const AmdMfma& f) {
  bool isOneTile = llvm::all_of(f.tilesPerWarp, [](int32_t tiles) { return tiles == 1; });
  return {"gl.amd.",
          "AMDMFMALayout",
          {{fields::version, number(f.version)},
           {fields::instrShape, numbers(f.instrShape)},
           {fields::transposed, f.isTransposed},
           {fields::warpsPerCTA, numbers(f.warpsPerCTA)},
           optional(fields::elementBitWidth, number(f.elementBitWidth), f.elementBitWidth == 32),
           optional(fields::tilesPerWarp, numbers(f.tilesPerWarp), isOneTile),
           cga(f.CGALayout)}};
}
GluonObject objectOf(const AmdWmma& f) {
  size_t rank = f.ctaLayout.outs().size();
  return {"gl.amd.",
          "AMDWMMALayout",
          {{fields::version, number(f.version)},
           {fields::transposed, f.isTransposed},
           {fields::warpBases, basesOf(f.ctaLayout, Dim::Warp)},
           optional(fields::regBases, basesOf(f.ctaLayout, Dim::Register),
                    !f.ctaLayout.inBits(Dim::Register)),
           optional(fields::instrShape, numbers(f.instrShape), f.instrShape == Ints{16, 16, 16}),
           cga(f.CGALayout),
           optional(fields::rank, number(rank), rank == 2)}};
}
template <typename T>
GluonObject swizzled(llvm::StringLiteral space, llvm::StringLiteral cls, const T& f) {
  return {space,
          cls,
          {{fields::vec, number(f.vec)},
           {fields::perPhase, number(f.perPhase)},
           {fields::maxPhase, number(f.maxPhase)},
           {fields::order, numbers(f.order)},
           cga(f.CGALayout)}};
}
GluonObject objectOf(const SwizzledShared& f) {
  return swizzled("gl.", "SwizzledSharedLayout", f);
}
GluonObject objectOf(const AmdRotatingShared& f) {
  return swizzled("", "AMDRotatingShared", f);
}
GluonObject objectOf(const PaddedShared& f) {
  Bases pairs;
  for (auto [interval, padding] : llvm::zip_equal(f.intervals, f.paddings))
    pairs.push_back({interval, padding});
  // Gluon writes the CTAs' part in tiles, not in elements.
  OrError<LinearLayout> blocks = cgaOf(f.linearComponent);
  return {"gl.",
          "PaddedSharedLayout",
          {{fields::intervalPaddingPairs, pairs},
           {fields::offsetBases, basesOf(f.linearComponent, Dim::Offset)},
           {fields::CGALayout, blocks ? basesOf(*blocks, Dim::Block) : Bases()},
           {fields::shape, numbers(f.linearComponent.outSizes())}}};
}
GluonObject objectOf(const SharedLinear& f) {
  return {"gl.",
          "SharedLinearLayout",
          {{fields::offsetBases, basesOf(f.linearLayout, Dim::Offset)},
           optional(fields::blockBases, basesOf(f.linearLayout, Dim::Block),
                    !f.linearLayout.inBits(Dim::Block)),
           optional(fields::alignment, number(f.layoutAlignment), f.layoutAlignment == 16)}};
}
GluonObject objectOf(const NvmmaShared& f) {
  return {"gl.",
          "NVMMASharedLayout",
          {{fields::swizzlingByteWidth, number(f.swizzlingByteWidth)},
           {fields::elementBitWidth, number(f.elementBitWidth)},
           {fields::rank, number(f.CGALayout.outs().size())},
           optional(fields::transposed, f.transposed, !f.transposed),
           optional(fields::fp4Padded, f.fp4Padded, !f.fp4Padded),
           cga(f.CGALayout)}};
}
GluonObject objectOf(const PartitionedShared& f) {
  return {"gl.amd.cdna5.",
          "PartitionedSharedLayout",
          {{fields::numPartitions, number(f.numPartitions)},
           {fields::numGroups, number(f.numGroups)},
           {fields::partitionDim, number(f.partitionDim)},
           {fields::partitionLayout, f.partitionLayout}}};
}
GluonObject objectOf(const TensorMemory& f) {
  return {"gl.nvidia.blackwell.",
          "TensorMemoryLayout",
          {{fields::block, Numbers{f.blockM, f.blockN}},
           {fields::colStride, number(f.colStride)},
           cga(f.CGALayout),
           optional(fields::twoCTAs, f.twoCTAs, !f.twoCTAs),
           optional(fields::fp4Padded, f.fp4Padded, !f.fp4Padded)}};
}
GluonObject objectOf(const TensorMemoryScales& f) {
  using Text = llvm::StringLiteral;
  return {f.kThenMn ? Text("gl.nvidia.rubin.") : Text("gl.nvidia.blackwell."),
          "TensorMemoryScalesLayout",
          {cga(f.CGALayout), optional(fields::blockRepOrder,
                                      f.kThenMn ? Text("kThenMn") : Text("mnThenK"), !f.kThenMn)}};
}

} // namespace

GluonObject gluonObject(const Layout& layout) {
  return std::visit([](const auto& f) { return objectOf(f); }, layout.fields());
}

} // namespace gluond::layout
