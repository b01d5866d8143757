#include "chips/MemorySizes.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/MathExtras.h>

#include <limits>

using namespace mlir;
using namespace gluond::ttg;

namespace gluond::amdg {

namespace {

using layout::Dim;

// A tile dimension is 16 bits of the descriptor.
LogicalResult verifyBlockSize(Operation* op, ArrayRef<int64_t> block) {
  constexpr int64_t maxSize = std::numeric_limits<uint16_t>::max();
  for (auto [i, size] : llvm::enumerate(block))
    if (size > maxSize)
      return op->emitOpError("TDM block dimension ")
             << i << " (" << size << ") exceeds maximum size of " << maxSize;
  return success();
}

// The copy uses the descriptor's layout, so the buffer's must describe the same places: by the same
// encoding, the same padding, or, for a load that drops leading dimensions of size 1, the same
// offsets.
bool describeSamePlaces(tt::TensorDescType desc, MemDescType buffer) {
  Attribute ofDesc = desc.getSharedLayout(), ofBuffer = buffer.getEncoding();
  if (!ofDesc || ofDesc == ofBuffer) return true;
  auto descPadded = dyn_cast<PaddedSharedEncodingAttr>(ofDesc),
       bufferPadded = dyn_cast<PaddedSharedEncodingAttr>(ofBuffer);
  if (descPadded && bufferPadded)
    return descPadded.getIntervals() == bufferPadded.getIntervals() &&
           descPadded.getPaddings() == bufferPadded.getPaddings();
  size_t dropped = desc.getShape().size() - buffer.getShape().size();
  if (desc.getShape().size() <= buffer.getShape().size() ||
      !isa<SwizzledSharedEncodingAttr>(ofDesc) || !isa<SwizzledSharedEncodingAttr>(ofBuffer))
    return false;
  layout::LinearLayout linear = ir::toLinearLayout(desc.getShape(), ofDesc);
  if (!linear.valid()) return false;
  for (size_t i = 0; i < dropped; ++i)
    linear = linear.squeezeOut(layout::tensorDim(i));
  for (size_t i = dropped; i < desc.getShape().size(); ++i)
    linear = linear.renameOut(layout::tensorDim(i), layout::tensorDim(i - dropped));
  return linear == ir::toLinearLayout(buffer);
}

LogicalResult verifyCommon(Operation* op, tt::TensorDescType desc, MemDescType buffer) {
  if (failed(verifyBlockSize(op, desc.getShape()))) return failure();
  auto swizzled = dyn_cast<SwizzledSharedEncodingAttr>(buffer.getEncoding());
  if (swizzled && swizzled.getMaxPhase() != 1)
    return op->emitOpError("TDM does not support swizzling");
  if (!describeSamePlaces(desc, buffer))
    return op->emitOpError("shared layout of the tensor descriptor (")
           << desc.getSharedLayout()
           << ") is inconsistent with the shared memory allocation layout (" << buffer.getEncoding()
           << "); TDM accesses shared memory through the descriptor's layout, so the allocation "
              "must describe the same "
              "physical layout, up to leading unit dimensions dropped by a rank-reducing access";
  return success();
}

LogicalResult requirePaddedOrSwizzled(Operation* op, Attribute encoding) {
  if (isa<PaddedSharedEncodingAttr, SwizzledSharedEncodingAttr>(encoding)) return success();
  return op->emitOpError("Invalid shared memory layout for TDM");
}

// The destination of a load: padding in whole dwords; for partitioned buffers, only simple pieces.
LogicalResult verifyLoadEncoding(Operation* op, MemDescType buffer) {
  Attribute encoding = buffer.getEncoding();
  if (auto partitioned = dyn_cast<PartitionedSharedEncodingAttr>(encoding)) {
    auto swizzled = dyn_cast<SwizzledSharedEncodingAttr>(partitioned.getPartitionLayout());
    if (swizzled && swizzled.getMaxPhase() != 1)
      return op->emitOpError("TDM does not support swizzling in partitioned layout");
    if (!swizzled && !isa<PaddedSharedEncodingAttr>(partitioned.getPartitionLayout()))
      return op->emitOpError("Invalid inner layout for partitioned shared memory in TDM");
    return success();
  }
  if (failed(requirePaddedOrSwizzled(op, encoding))) return failure();
  auto padded = dyn_cast<PaddedSharedEncodingAttr>(encoding);
  if (!padded) return success();
  unsigned bits = tt::bitWidth(buffer.getElementType());
  for (auto [interval, padding] : llvm::zip(padded.getIntervals(), padded.getPaddings())) {
    if (interval * bits / 32 < 2)
      return op->emitOpError("TDM padding interval must be at least 2 dwords");
    if (padding * bits / 32 < 1)
      return op->emitOpError("TDM padding amount must be at least 1 dword");
  }
  return success();
}

// A hint says which warps participate, one bit each. They must be 2^k warps whose numbers differ in
// exactly k bits, so that one mask selects them.
LogicalResult verifyWarpHint(Operation* op, uint32_t hint, unsigned numWarps) {
  if (!llvm::isPowerOf2_32(numWarps))
    return op->emitOpError("num_warps must be a power of two when using warp_used_hint, got ")
           << numWarps;
  if (numWarps >= 32)
    return op->emitOpError("num_warps must be less than 32 when using warp_used_hint, got ")
           << numWarps;
  if (hint == 0) return op->emitOpError("warp_used_hint must have at least one bit set");
  std::string text = llvm::formatv("{0:x}", hint);
  if (hint >> numWarps)
    return op->emitOpError("warp_used_hint = ")
           << text << " sets bits beyond num_warps = " << numWarps;
  unsigned active = llvm::popcount(hint);
  if (!llvm::isPowerOf2_32(active))
    return op->emitOpError("popcount(warp_used_hint) = ")
           << active << " must be a power of two (got hint " << text << ")";
  unsigned lowest = llvm::countr_zero(hint), varying = 0;
  for (unsigned warp = 0; warp < numWarps; ++warp)
    if (hint >> warp & 1) varying |= warp ^ lowest;
  if (llvm::popcount(varying) != static_cast<int>(llvm::Log2_32(active)))
    return op->emitOpError("warp_used_hint = ")
           << text << " is not axis-aligned: K = " << active
           << " active warps must span exactly log2(K) = " << llvm::Log2_32(active)
           << " warpId bit positions";
  return success();
}

// The pieces of a partitioned buffer are shared out evenly among the active warps.
LogicalResult verifyHintFitsPartitions(Operation* op, MemDescType buffer, uint32_t hint,
                                       std::optional<size_t> member) {
  auto partitioned = dyn_cast<PartitionedSharedEncodingAttr>(buffer.getEncoding());
  if (!partitioned) return success();
  unsigned active = llvm::popcount(hint), pieces = partitioned.getNumLogicalPieces();
  if (pieces != 0 && active % pieces == 0) return success();
  auto error = op->emitOpError(
      "warp_used_hint with a partitioned shared encoding must select K active warps such that "
      "numLogicalPieces divides K so the copy fits in a single TDM instruction");
  if (member)
    error << " (member " << *member << " got K = " << active << ", numLogicalPieces = " << pieces
          << ")";
  else
    error << " (got K = " << active << ", numLogicalPieces = " << pieces
          << ", partitionDim = " << partitioned.getPartitionDim() << ")";
  return failure();
}

// The common checks of gather and scatter.
LogicalResult verifyRows(Operation* op, StringRef name, tt::TensorDescType desc,
                         RankedTensorType indices, StringRef indicesName, MemDescType buffer) {
  if (desc.getShape().size() != 2)
    return op->emitOpError("TDM ")
           << name << " only supports 2D tensors, got " << desc.getShape().size() << "D";
  if (failed(verifyCommon(op, desc, buffer)) ||
      failed(requirePaddedOrSwizzled(op, buffer.getEncoding())))
    return failure();
  if (tt::bitWidth(buffer.getElementType()) < 8)
    return op->emitOpError("TDM ") << name << " requires element types of at least 8 bits";
  if (indices.getRank() != 1) return op->emitOpError() << indicesName << " must be a 1D tensor";
  if (int64_t count = indices.getDimSize(0); !llvm::isPowerOf2_64(count))
    return op->emitOpError() << indicesName << " size must be a power of 2, got " << count;
  return success();
}

} // namespace

LogicalResult AsyncTDMCopyGlobalToLocalOp::verify() {
  MemDescType buffer = getResult().getType();
  if (failed(verifyCommon(*this, getDesc().getType(), buffer)) ||
      failed(verifyLoadEncoding(*this, buffer)))
    return failure();
  std::optional<uint32_t> hint = getWarpUsedHint();
  if (!hint) return success();
  if (failed(verifyWarpHint(*this, *hint, ttg::lookupNumWarps(*this).value_or(1))))
    return failure();
  return verifyHintFitsPartitions(*this, buffer, *hint, std::nullopt);
}

LogicalResult AsyncTDMFusedCopyGlobalToLocalOp::verify() {
  size_t members = getDescs().size();
  if (members < 2 || members > 4) return emitOpError("requires 2 to 4 members");
  if (getDests().size() != members)
    return emitOpError("requires the same number of descriptors and destinations");
  if (getWarpUsedHints().size() != members)
    return emitOpError("requires one warp_used_hint per member");
  unsigned numWarps = ttg::lookupNumWarps(*this).value_or(1);
  uint32_t taken = 0;
  for (auto [i, member] : llvm::enumerate(llvm::zip(getDescs(), getDests(), getWarpUsedHints()))) {
    auto desc = cast<tt::TensorDescType>(std::get<0>(member).getType());
    auto buffer = cast<MemDescType>(std::get<1>(member).getType());
    auto hint = static_cast<uint32_t>(std::get<2>(member));
    if (failed(verifyCommon(*this, desc, buffer)) || failed(verifyLoadEncoding(*this, buffer)))
      return failure();
    if (desc.getShape().size() !=
        cast<tt::TensorDescType>(getDescs().front().getType()).getShape().size())
      return emitOpError("requires all member descriptors to have the same rank");
    if (failed(verifyWarpHint(*this, hint, numWarps))) return failure();
    if (taken & hint) return emitOpError("requires pairwise-disjoint warp_used_hint values");
    taken |= hint;
    if (failed(verifyHintFitsPartitions(*this, buffer, hint, i))) return failure();
  }
  return success();
}

LogicalResult AsyncTDMCopyLocalToGlobalOp::verify() {
  MemDescType buffer = getSrc().getType();
  ArrayRef<int64_t> block = getDesc().getType().getShape();
  if (failed(verifyCommon(*this, getDesc().getType(), buffer)) ||
      failed(requirePaddedOrSwizzled(*this, buffer.getEncoding())))
    return failure();
  auto padded = dyn_cast<PaddedSharedEncodingAttr>(buffer.getEncoding());
  if (!padded) return success();
  if (padded.getIntervals().size() != 1)
    return emitOpError("TDM store only supports single interval paddings.");
  if (padded.getIntervals()[0] != getShapePerCTA(padded, block).back())
    return emitOpError("TDM store padding is only supported when padding interval equals the "
                       "innermost block dimension "
                       "(got padInterval=")
           << padded.getIntervals()[0] << ", innermost dimension=" << block.back() << ")";
  return success();
}

LogicalResult AsyncTDMScatterOp::verify() {
  MemDescType buffer = getSrc().getType();
  auto indices = cast<RankedTensorType>(getDstRowIndices().getType());
  if (failed(verifyRows(*this, "scatter", getDesc().getType(), indices, "dst_row_indices", buffer)))
    return failure();
  auto padded = dyn_cast<PaddedSharedEncodingAttr>(buffer.getEncoding());
  if (!padded) return success();
  int64_t innermost = getDesc().getType().getShape().back();
  if (padded.getIntervals().size() != 1)
    return emitOpError("TDM scatter only supports single interval paddings.");
  if (padded.getIntervals()[0] != innermost)
    return emitOpError("TDM scatter padding is only supported when padding interval equals the "
                       "innermost block dimension "
                       "(got padInterval=")
           << padded.getIntervals()[0] << ", innermost dimension=" << innermost << ")";
  return success();
}

LogicalResult AsyncTDMGatherOp::verify() {
  MemDescType buffer = getDst().getType();
  auto indices = cast<RankedTensorType>(getSrcRowIndices().getType());
  if (failed(verifyRows(*this, "gather", getDesc().getType(), indices, "src_row_indices", buffer)))
    return failure();
  auto padded = dyn_cast<PaddedSharedEncodingAttr>(buffer.getEncoding());
  if (padded) {
    int64_t innermost = getDesc().getType().getShape().back();
    if (padded.getIntervals().size() != 1 || padded.getPaddings().size() != 1)
      return emitOpError("TDM gather does not support multiple interval-padding pairs");
    if (innermost % padded.getIntervals()[0] != 0)
      return emitOpError("TDM gather padding interval must divide the innermost block dimension "
                         "(got padInterval=")
             << padded.getIntervals()[0] << ", innermost dimension=" << innermost << ")";
  }

  layout::LinearLayout shared = padded ? padded.getLinearComponent() : ir::toLinearLayout(buffer);
  // Row-major: the first offset bit that moves at all moves along the last dimension.
  if (shared.valid() && shared.hasIn(Dim::Offset))
    for (const auto& basis : shared.bases(Dim::Offset)) {
      if (llvm::all_of(basis, [](int32_t c) { return c == 0; })) continue;
      if (basis.back() == 0 && getShapePerCTA(buffer.getEncoding(), buffer.getShape()).back() > 1)
        return emitOpError("TDM gather only supports row-major shared order");
      break;
    }

  // One descriptor serves the warp, so all its lanes need the same indices; along rows, CTAs divide
  // both alike.
  if (!indices.getEncoding()) return success();
  const layout::LinearLayout& index = ir::toLinearLayout(indices);
  if (!index.valid() || !shared.valid()) return success();
  if (index.hasIn(Dim::Lane) &&
      index.freeMask(Dim::Lane) != static_cast<uint64_t>(index.inSize(Dim::Lane) - 1))
    return emitOpError(
        "index layout distributes values across lanes, which is incompatible with the warp-level "
        "TDM "
        "instruction. Change layout to broadcast the same indices to all lanes in a warp.");
  unsigned indexBits = index.hasIn(Dim::Block) ? index.inBits(Dim::Block) : 0;
  unsigned sharedBits = shared.hasIn(Dim::Block) ? shared.inBits(Dim::Block) : 0;
  if ((indexBits != 0) != (sharedBits != 0))
    return emitOpError("TDM gather index and destination layout must both have a block basis or "
                       "neither have a block basis");
  bool same = indexBits == sharedBits;
  for (unsigned bit = 0; same && bit < indexBits; ++bit)
    same = index.basis(Dim::Block, bit, Dim::Dim0) == shared.basis(Dim::Block, bit, Dim::Dim0);
  if (!same)
    return emitOpError("TDM gather index and shared encoding must have the same block basis for "
                       "the row dimension");
  return success();
}

LogicalResult UpdateTensorDescriptorOp::verify() {
  size_t rank = getDesc().getType().getShape().size();
  for (auto [operands, name] :
       {std::pair(getAddOffsets(), "add_offsets"), std::pair(getSetBounds(), "set_bounds")})
    if (!operands.empty() && operands.size() != rank)
      return emitOpError("expected ")
             << rank << " " << name << " to match descriptor rank, got " << operands.size();
  if (getAddOffsets().empty() && getSetBounds().empty() && !getPred())
    return emitOpError("must provide at least one of add_offsets, set_bounds, or pred");
  if (!getClampBounds()) return success();
  if (getAddOffsets().empty()) return emitOpError("clamp_bounds requires add_offsets");
  if (!getSetBounds().empty())
    return emitOpError("clamp_bounds and set_bounds are mutually exclusive");
  return success();
}

// With `returnOffsets`: a tensor with the byte offset of every message, one for each 256 bytes of
// the block.
LogicalResult TDMPrefetchOp::inferReturnTypes(MLIRContext* context, std::optional<Location>,
                                              ValueRange operands, DictionaryAttr attributes,
                                              OpaqueProperties properties, RegionRange regions,
                                              SmallVectorImpl<Type>& types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (!adaptor.getReturnOffsets()) return success();
  Operation* near = nullptr;
  for (Value operand : operands)
    if ((near = operand.getDefiningOp() ? operand.getDefiningOp()
                                        : operand.getParentBlock()->getParentOp()))
      break;
  if (!near) return failure();
  auto desc = cast<tt::TensorDescType>(adaptor.getDesc().getType());
  SmallVector<int64_t> shape(desc.getShape());
  shape.back() = llvm::divideCeil(shape.back(), chips::tdmPrefetchBytes * 8 /
                                                    tt::bitWidth(desc.getElementType()));
  auto encoding =
      ttg::getDefaultBlockedEncoding(context, shape, ttg::lookupNumWarps(near).value_or(1),
                                     ttg::lookupThreadsPerWarp(near), ttg::lookupNumCTAs(near));
  types.push_back(RankedTensorType::get(shape, IntegerType::get(context, 64), encoding));
  return success();
}

} // namespace gluond::amdg
