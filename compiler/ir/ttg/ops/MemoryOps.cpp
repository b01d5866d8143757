// Effects, inference, checks and folding of shared memory ops.
#include "ir/ttg/Ops.h"

using namespace mlir;

namespace gluond::ttg {

LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  if (failed(tt::verifyCachePolicy(*this, getCachePolicyAttr(), tt::CachePolicyUse::Load)))
    return failure();
  if (!getResult().getType().getMutableMemory())
    return emitOpError("Cannot store into immutable memory");
  return success();
}

// ---------------------------------------------------------------- allocation, load, store

void LocalAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  // An immutable buffer is a value until it has a place: it may be shared and dropped.
  if (!getType().getMutableMemory() && !(*this)->hasAttr("allocation.offset")) return;
  OpResult result = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), result, SharedMemory::get());
  if (getSrc()) effects.emplace_back(MemoryEffects::Write::get(), result, SharedMemory::get());
}

OpFoldResult LocalAllocOp::fold(FoldAdaptor) {
  // alloc(load(buffer)) -> buffer
  if (getType().getMutableMemory() || !getSrc()) return {};
  auto load = getSrc().getDefiningOp<LocalLoadOp>();
  if (!load || load.getSrc().getType() != getType()) return {};
  return load.getSrc();
}

LogicalResult verifyMemoryOpTypes(Operation* op, ShapedType source, ShapedType destination) {
  if (source.getElementType() != destination.getElementType())
    return op->emitOpError("source element type ")
           << source << " must match " << "destination element type "
           << destination.getElementType();
  if (source.getShape() != destination.getShape())
    return op->emitOpError("source shape [")
           << source.getShape() << "] must match [" << "destination shape "
           << destination.getShape() << "]";
  return success();
}

LogicalResult verifyAllocOp(Operation* op, Value source, MemDescType destination) {
  if (destination.getShape() != destination.getAllocShape())
    return op->emitOpError("result shape and its alloc shape must match");
  if (source) return verifyMemoryOpTypes(op, cast<RankedTensorType>(source.getType()), destination);
  if (!destination.getMutableMemory())
    return op->emitOpError("uninitialized alloc must have a mutable memdesc type");
  return success();
}

static LogicalResult verifyRank(Operation* op, RankedTensorType tensor, MemDescType memory,
                                StringRef what) {
  auto layout = dyn_cast<LayoutEncodingTrait>(memory.getEncoding());
  if (!layout) return op->emitOpError("expected memdesc to have a shared memory encoding");
  if (tensor.getRank() != layout.getRank())
    return op->emitOpError(what) << " has rank " << tensor.getRank()
                                 << " but memdesc encoding has rank " << layout.getRank();
  return success();
}

LogicalResult LocalAllocOp::verify() {
  if (!isa<SharedMemorySpaceAttr>(getType().getMemorySpace()))
    return emitOpError("should create a buffer of shared memory");
  if (getSrc() && failed(verifyRank(*this, getSrc().getType(), getType(), "source")))
    return failure();
  return verifyAllocOp(*this, getSrc(), getType());
}

LogicalResult LocalStoreOp::verify() {
  if (!getDst().getType().getMutableMemory())
    return emitOpError("Cannot store into immutable memory");
  if (failed(verifyRank(*this, getSrc().getType(), getDst().getType(), "source"))) return failure();
  return verifyMemoryOpTypes(*this, getSrc().getType(), getDst().getType());
}

LogicalResult LocalLoadOp::verify() {
  if (failed(verifyRank(*this, getType(), getSrc().getType(), "result"))) return failure();
  return verifyMemoryOpTypes(*this, getSrc().getType(), getType());
}

// ---------------------------------------------------------------- by index

LogicalResult LocalGatherOp::verify() {
  MemDescType source = getSrc().getType();
  RankedTensorType indices = getIndices().getType(), result = getType();
  if (!isa<SharedEncodingTrait>(source.getEncoding()))
    return emitError("source must have shared memory encoding");
  if (!indices.getElementType().isInteger())
    return emitError("indices must have integer element type");
  if (result.getShape() != indices.getShape())
    return emitError("result shape must match indices shape");
  if (source.getRank() != indices.getRank())
    return emitError("source and indices must have the same rank");
  if (getAxis() >= source.getRank())
    return emitError("axis ") << getAxis() << " is out of bounds for source rank "
                              << source.getRank();
  if (source.getElementType() != result.getElementType())
    return emitError("result element type must match source element type");
  if (indices.getEncoding() != result.getEncoding())
    return emitError("indices and result must have the same layout");
  return success();
}

LogicalResult LocalScatterOp::verify() {
  MemDescType destination = getDst().getType();
  RankedTensorType values = getValues().getType(), indices = getIndices().getType();
  if (!isa<SharedEncodingTrait>(destination.getEncoding()))
    return emitError("destination must have shared memory encoding");
  if (!indices.getElementType().isInteger())
    return emitError("indices must have integer element type");
  if (values.getShape() != indices.getShape())
    return emitError("values shape must match indices shape");
  if (destination.getRank() != indices.getRank())
    return emitError("destination and indices must have the same rank");
  if (getAxis() >= destination.getRank())
    return emitError("axis ") << getAxis() << " is out of bounds for destination rank "
                              << destination.getRank();
  if (values.getEncoding() != indices.getEncoding())
    return emitError("values must have the same layout as indices");
  if (destination.getElementType() != values.getElementType())
    return emitError("values element type must match destination element type");
  return success();
}

LogicalResult LocalAtomicScatterRMWOp::verify() {
  MemDescType destination = getDst().getType();
  RankedTensorType values = getValues().getType(), indices = getIndices().getType();
  auto mask = getMask() ? cast<RankedTensorType>(getMask().getType()) : RankedTensorType();
  if (!destination.getMutableMemory()) return emitOpError("Cannot store into immutable memory");
  if (!isa<SharedEncodingTrait>(destination.getEncoding()))
    return emitError("destination must have shared memory encoding");
  if (!values.getElementType().isIntOrFloat())
    return emitError("values must have integer or floating element type");
  if (!indices.getElementType().isInteger())
    return emitError("indices must have integer element type");
  if (failed(verifyRank(*this, values, destination, "values"))) return failure();
  if (values.getShape() != indices.getShape())
    return emitError("values shape must match indices shape");
  if (mask && values.getShape() != mask.getShape())
    return emitError("values shape must match mask shape");
  if (getAxis() >= destination.getRank())
    return emitError("axis ") << getAxis() << " is out of bounds for destination rank "
                              << destination.getRank();
  if (values.getEncoding() != indices.getEncoding())
    return emitError("values must have the same layout as indices");
  if (mask && values.getEncoding() != mask.getEncoding())
    return emitError("values must have the same layout as mask");
  if (destination.getElementType() != values.getElementType())
    return emitError("values element type must match destination element type");
  return success();
}

// ---------------------------------------------------------------- mbarriers

bool isContiguousSharedMemory(MemDescType type) {
  auto swizzled = dyn_cast<SwizzledSharedEncodingAttr>(type.getEncoding());
  return swizzled && swizzled.getOrder().size() == 1 && swizzled.getVec() == 1 &&
         swizzled.getPerPhase() == 1 && swizzled.getMaxPhase() == 1 &&
         type.getShape() == dropPipeliningDim(type.getAllocShape(), swizzled);
}

LogicalResult verifyMBarrierOp(Operation* op) {
  for (Value barrier : cast<MBarrierOpInterface>(op).getBarriers()) {
    auto type = cast<MemDescType>(barrier.getType());
    if (!type.getElementType().isInteger(64) || type.getRank() != 1 ||
        type.getShape()[0] > lookupNumCTAs(op))
      return op->emitOpError(
          "barrier allocation must be a descriptor of Nxi64 type with N <= number of CTAs");
    if (!isContiguousSharedMemory(type))
      return op->emitOpError(
          "barrier must have a contiguous shared-memory layout without subviews");
    int32_t next = 1;
    for (const auto& basis :
         getCGALayout(type.getEncoding()).getLinearLayout().bases(layout::Dim::Block)) {
      if (basis[0] == 0) continue;
      if (basis[0] != next)
        return op->emitOpError(
            "broadcasted cluster barriers require bases to be the sequence 1, 2, 4, 8, ... perhaps "
            "with zero bases interleaved.");
      next *= 2;
    }
  }
  return success();
}

} // namespace gluond::ttg
