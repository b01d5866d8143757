#include "ir/amdg/Ops.h"

using namespace mlir;

namespace gluond::amdg {

// A mask that a pass may narrow; where there is none it has the shape of the offsets (or of the
// pointers).
#define GLUOND_PREDICATED(Op, Mask, LikeOperand)                                                   \
  Value Op::getPredicateOperand() {                                                                \
    return get##Mask();                                                                            \
  }                                                                                                \
  void Op::setPredicateOperand(Value pred) {                                                       \
    get##Mask##Mutable().assign(pred);                                                             \
  }                                                                                                \
  Type Op::getPredicateOperandTypeLike() {                                                         \
    return get##LikeOperand().getType();                                                           \
  }

GLUOND_PREDICATED(BufferLoadOp, Mask, Offsets)
GLUOND_PREDICATED(BufferLoadToLocalOp, Mask, Offsets)
GLUOND_PREDICATED(BufferAtomicRMWOp, Mask, Offsets)
GLUOND_PREDICATED(BufferStoreOp, Mask, Offsets)
GLUOND_PREDICATED(AsyncCopyLocalToGlobalOp, Mask, Dst)
GLUOND_PREDICATED(TDMPrefetchOp, Pred, Pred)
#undef GLUOND_PREDICATED

LogicalResult BufferLoadToLocalOp::verify() {
  auto module = getOperation()->getParentOfType<ModuleOp>();
  auto target = module ? module->getAttrOfType<StringAttr>(ttg::targetAttr) : StringAttr();
  // Only CDNA3 and CDNA4 load to local memory by buffer; a module that names no target is not
  // checked.
  if (!target) return success();
  StringRef arch = target.getValue();
  if (!arch.consume_front("hip:") || arch == "gfx942" || arch == "gfx950") return success();
  return emitError() << "BufferLoadToLocal unsupported on target architecture";
}

LogicalResult AsyncCopyLocalToGlobalOp::verify() {
  if (!isa_and_nonnull<ttg::SharedMemorySpaceAttr>(getSrc().getType().getMemorySpace()))
    return emitOpError("source must be in shared memory");
  return success();
}

} // namespace gluond::amdg
