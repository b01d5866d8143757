// Checks and canonicalization of TMA copies.
#include "ir/layouts/Layouts.h"
#include "ir/ttng/ops/Checks.h"
#include "ir/ttng/ops/Patterns.h"
#include "layout/named/Properties.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;

bool hasCGABroadcast(ttg::MemDescType type) {
  layout::LinearLayout linear = ir::toLinearLayout(type);
  return linear.valid() && linear.freeMask(Dim::Block) != 0;
}

LogicalResult AsyncTMACopyGlobalToLocalOp::canonicalize(AsyncTMACopyGlobalToLocalOp op,
                                                        PatternRewriter& rewriter) {
  return eraseIfIdle(op, rewriter);
}
LogicalResult AsyncTMAGatherOp::canonicalize(AsyncTMAGatherOp op, PatternRewriter& rewriter) {
  return eraseIfIdle(op, rewriter);
}

// TMA knows eviction priorities in L2 only.
static LogicalResult verifyPolicy(Operation* op, Attribute attr) {
  if (!attr) return success();
  tt::CacheModifier modifier;
  bool l1 = false, prefetch = false;
  if (auto policy = dyn_cast<tt::CachePolicyAttr>(attr)) {
    modifier = policy.getCacheModifier();
  } else if (auto policy = dyn_cast<CachePolicyAttr>(attr)) {
    modifier = policy.getCacheModifier();
    l1 = policy.getL1() != CacheEvictionPriority::NONE;
    prefetch = static_cast<bool>(policy.getL2PrefetchSize());
  } else {
    return op->emitOpError("unsupported TMA cache policy attribute ") << attr;
  }
  if (modifier != tt::CacheModifier::NONE)
    return op->emitOpError("TMA operations do not support cache modifiers");
  if (l1) return op->emitOpError("TMA operations do not support L1 eviction policies");
  if (prefetch) return op->emitOpError("TMA operations do not support L2 prefetch size");
  return success();
}

static LogicalResult verifyEncoding(Operation* op, tt::TensorDescInterface desc,
                                    ttg::MemDescType buffer) {
  auto layout = dyn_cast<ttg::NVMMASharedEncodingAttr>(buffer.getEncoding());
  if (!layout) return op->emitOpError("TMA descriptor must have NVMMA shared layout");
  if (layout.getCGALayout().getRank() != static_cast<unsigned>(buffer.getRank()))
    return op->emitOpError("TMA shared memory and layout ranks must match");
  // Ranks may differ: a load may drop dimensions.
  auto ofDesc = dyn_cast_if_present<ttg::NVMMASharedEncodingAttr>(desc.getSharedLayout());
  if (!ofDesc || ofDesc.getTransposed() != layout.getTransposed() ||
      ofDesc.getSwizzlingByteWidth() != layout.getSwizzlingByteWidth() ||
      ofDesc.getElementBitWidth() != layout.getElementBitWidth() ||
      ofDesc.getFp4Padded() != layout.getFp4Padded())
    return op->emitOpError(
               "TMA descriptor layout must match shared layout, but got descriptor layout ")
           << ofDesc << " and shared memory layout " << layout;
  if (layout.getTransposed())
    return op->emitOpError("TMA descriptor layout must not be transposed");
  return success();
}

static LogicalResult verifyBarrier(Operation* op, Value barrier) {
  auto module = op->getParentOfType<ModuleOp>();
  auto twoCTAs = module ? module->getAttrOfType<BoolAttr>(twoCTAsAttr) : BoolAttr();
  if (!twoCTAs) return success();
  unsigned numCTAs = ttg::lookupNumCTAs(op);
  auto actual = ttg::getCGALayout(cast<ttg::MemDescType>(barrier.getType()).getEncoding());
  auto alone = ttg::CGAEncodingAttr::get1DLayout(op->getContext(), numCTAs);
  if (actual == alone) return success();
  if (!twoCTAs.getValue())
    return op->emitOpError() << "TMA barrier cga_layout must be " << formatCGA(alone) << ", got "
                             << formatCGA(actual);
  Dim dim = layout::tensorDim(0);
  auto pairs = ttg::CGAEncodingAttr::get(
      op->getContext(), layout::LinearLayout::zeros1D(2, Dim::Block, dim) *
                            layout::LinearLayout::identity1D(numCTAs / 2, Dim::Block, dim));
  if (actual == pairs) return success();
  return op->emitOpError() << "TMA barrier cga_layout must be " << formatCGA(alone) << " or "
                           << formatCGA(pairs) << ", got " << formatCGA(actual);
}

// Returns for each CTA bit whether its basis is outside the view.
static SmallVector<bool> blockBitsOutside(ttg::MemDescType type,
                                          const layout::LinearLayout& allocation) {
  SmallVector<bool> result;
  auto shape = ttg::dropPipeliningDim(type.getShape(), type.getEncoding());
  for (const auto& basis : allocation.bases(Dim::Block))
    result.push_back(llvm::any_of(
        llvm::zip(basis, shape), [](auto pair) { return std::get<0>(pair) >= std::get<1>(pair); }));
  return result;
}

static LogicalResult verifyLoad(Operation* op, tt::TensorDescInterface desc,
                                TypedValue<ttg::MemDescType> barrier, ttg::MemDescType result) {
  if (failed(verifyBarrier(op, barrier))) return failure();
  if (!result.getMutableMemory()) return op->emitOpError("cannot store into immutable memory");
  if (failed(verifyEncoding(op, desc, result))) return failure();
  layout::LinearLayout allocation = ir::toLinearLayout(result),
                       barriers = ir::toLinearLayout(barrier.getType());
  if (!allocation.valid() || !barriers.valid()) return success();
  bool beyondPair = barriers.freeMask(Dim::Block) > 1;
  for (auto [bit, outside] : llvm::enumerate(blockBitsOutside(result, allocation)))
    if (outside && (bit != 0 || beyondPair))
      return op->emitOpError("TMA destination and completion barrier must belong to the same CTA "
                             "or a CTA pair");
  return success();
}

static LogicalResult verifyStore(Operation* op, tt::TensorDescType desc, ttg::MemDescType source) {
  auto layout = dyn_cast<ttg::NVMMASharedEncodingAttr>(source.getEncoding());
  if (layout && layout.getFp4Padded())
    return op->emitOpError("does not support fp4_padded operands");
  layout::LinearLayout allocation = ir::toLinearLayout(source);
  if (allocation.valid() && llvm::is_contained(blockBitsOutside(source, allocation), true))
    return op->emitOpError("source subview may have an origin in another CTA");
  return verifyEncoding(op, cast<tt::TensorDescInterface>(Type(desc)), source);
}

static LogicalResult verifyRows(Operation* op, RankedTensorType block, ttg::MemDescType buffer,
                                RankedTensorType rows) {
  if (failed(tt::verifyGatherScatter(op, block, buffer, rows))) return failure();
  if (!rows.getEncoding()) return success();
  const layout::LinearLayout& linear = ir::toLinearLayout(rows);
  if (!linear.valid()) return success();
  if (layout::contiguityPerThread(linear).front() < 4)
    return op->emitOpError("x offsets must have at least 4 contiguous elements per thread");
  if (linear.freeMask(Dim::Lane) != static_cast<uint64_t>(linear.inSize(Dim::Lane) - 1))
    return op->emitOpError("x offsets must be broadcasted across each warp");
  auto cga = ttg::getCGALayout(buffer.getEncoding())
                 .getLinearLayout()
                 .sublayout({Dim::Block}, {layout::tensorDim(0)});
  if (cga != ttg::getCGALayout(rows.getEncoding()).getLinearLayout())
    return op->emitOpError("x offsets must have the same row CGA layout as the memdesc");
  return success();
}

static LogicalResult verifyCoordinates(Operation* op, size_t count, tt::TensorDescInterface desc,
                                       bool im2col) {
  if (im2col) {
    if (count < 3)
      return op->emitOpError("IM2COL mode requires at least 3D coordinates, but got ")
             << count << "D";
    if (count > 5)
      return op->emitOpError("IM2COL mode supports at most 5D coordinates, but got ")
             << count << "D";
    return success();
  }
  size_t rank = desc.getShape().size();
  if (count != rank)
    return op->emitOpError("expected ") << rank << " coordinates, but got " << count;
  if (count < 1 || count > 5) return op->emitOpError("must have between 1 and 5 coordinates");
  return success();
}

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  if ((*this)->hasAttr("cache") || (*this)->hasAttr("evict"))
    return emitOpError("use cachePolicy instead of legacy cache/evict attributes");
  if (getIsVolatile()) return emitOpError("volatile TMA loads are not supported");
  if (failed(verifyPolicy(*this, getCachePolicyAttr()))) return failure();
  auto desc = cast<tt::TensorDescInterface>(getDesc().getType());
  bool im2col = isa<TensorDescIm2ColType>(getDesc().getType());
  auto result = getResult().getType();
  if (failed(verifyCoordinates(*this, getCoord().size(), desc, im2col)) ||
      failed(tt::verifyDescriptorLoadStore(*this, desc, result)) ||
      failed(verifyLoad(*this, desc, getBarrier(), result)))
    return failure();
  if (im2col) {
    if (getOffsets().empty()) return emitOpError("IM2COL mode requires offsets to be provided");
    // One for each coordinate but batch and channel.
    size_t expected = getCoord().size() - 2;
    if (getOffsets().size() != expected)
      return emitOpError("IM2COL mode with ")
             << getCoord().size() << "D coordinates requires " << expected << " offsets, but got "
             << getOffsets().size();
  } else if (!getOffsets().empty()) {
    return emitOpError("TILED mode does not support offsets");
  }
  if (getMulticast() && !hasCGABroadcast(result))
    return emitOpError("multicast requires the shared layout to broadcast across CTAs");
  return success();
}

// The common checks of stores and reductions of whole blocks.
template <class Op> static LogicalResult verifyBlockStore(Op op) {
  auto desc = cast<tt::TensorDescInterface>(Type(op.getDesc().getType()));
  if (failed(verifyCoordinates(op, op.getCoord().size(), desc, /*im2col=*/false)) ||
      failed(tt::verifyDescriptorLoadStore(op, desc, op.getSrc().getType())))
    return failure();
  return verifyStore(op, op.getDesc().getType(), op.getSrc().getType());
}

LogicalResult AsyncTMACopyLocalToGlobalOp::verify() {
  if (failed(verifyPolicy(*this, getCachePolicyAttr()))) return failure();
  return verifyBlockStore(*this);
}

bool AsyncTMAReduceOp::isSupportedReduceKind(tt::DescriptorReduceKind kind, Type type) {
  using enum tt::DescriptorReduceKind;
  bool i32 = type.isInteger(32), i64 = type.isInteger(64), half = type.isF16() || type.isBF16();
  switch (kind) {
  case ADD:
    return i32 || (i64 && !type.isSignedInteger()) || type.isF32() || half;
  case MIN:
  case MAX:
    return i32 || i64 || half;
  case AND:
  case OR:
  case XOR:
    return i32 || i64;
  default:
    return false;
  }
}

LogicalResult AsyncTMAReduceOp::verify() {
  if (failed(verifyBlockStore(*this))) return failure();
  Type type = getDesc().getType().getElementType();
  if (!isSupportedReduceKind(getKind(), type))
    return emitOpError("unsupported reduce kind ")
           << tt::stringifyDescriptorReduceKind(getKind()) << " for element type " << type;
  return success();
}

LogicalResult AsyncTMAGatherOp::verify() {
  if (failed(verifyPolicy(*this, getCachePolicyAttr()))) return failure();
  auto result = getResult().getType();
  if (failed(verifyLoad(*this, cast<tt::TensorDescInterface>(Type(getDesc().getType())),
                        getBarrier(), result)))
    return failure();
  if (cast<ttg::NVMMASharedEncodingAttr>(result.getEncoding()).getFp4Padded())
    return emitOpError("does not support fp4_padded operands");
  if (getMulticast() && !hasCGABroadcast(result))
    return emitOpError("multicast requires the shared layout to broadcast across CTAs");
  return verifyRows(*this, getDesc().getType().getSignlessBlockType(), result,
                    getXOffsets().getType());
}

LogicalResult AsyncTMAScatterOp::verify() {
  if (failed(verifyPolicy(*this, getCachePolicyAttr())) ||
      failed(verifyStore(*this, getDesc().getType(), getSrc().getType())))
    return failure();
  return verifyRows(*this, getDesc().getType().getSignlessBlockType(), getSrc().getType(),
                    getXOffsets().getType());
}

LogicalResult TensormapCreateOp::verify() {
  size_t rank = getBoxDim().size();
  if (getGlobalDim().size() != rank)
    return emitError("Rank mismatch for global dim. Got ")
           << getGlobalDim().size() << " but expected " << rank;
  if (getGlobalStride().size() + 1 != rank)
    return emitError("Rank mismatch for global stride. Got ")
           << getGlobalStride().size() << " but expected " << rank - 1;
  if (getElementStride().size() != rank)
    return emitError("Rank mismatch for element stride. Got ")
           << getElementStride().size() << " but expected " << rank;
  return success();
}

} // namespace gluond::ttng
