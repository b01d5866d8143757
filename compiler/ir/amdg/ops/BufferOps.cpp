#include "chips/Vendor.h"
#include "ir/amdg/Ops.h"
#include "ir/ttg/ModuleTarget.h"

using namespace mlir;

namespace gluond::amdg {

LogicalResult BufferLoadToLocalOp::verify() {
  // A module that names no target of AMD is not checked.
  StringRef target = ttg::targetOf(*this);
  if (!chips::isAmd(target) || chips::featuresOf(target).has(chips::Feature::BufferToShared))
    return success();
  return emitError() << "BufferLoadToLocal unsupported on target architecture";
}

LogicalResult AsyncCopyLocalToGlobalOp::verify() {
  if (!isa_and_nonnull<ttg::SharedMemorySpaceAttr>(getSrc().getType().getMemorySpace()))
    return emitOpError("source must be in shared memory");
  return success();
}

} // namespace gluond::amdg
