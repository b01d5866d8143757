#include "ir/amdg/Ops.h"

using namespace mlir;

namespace gluond::amdg {

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
