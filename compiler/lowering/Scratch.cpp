#include "lowering/Scratch.h"

#include "ir/ttg/Ops.h"
#include "lowering/Exchange.h"

namespace gluond::lowering {

int64_t scratchBytes(const HandlerTable& handlers, mlir::Operation* op) {
  auto found = handlers.find(op->getName().getStringRef());
  if (found == handlers.end() || !found->second.scratchBytes) return 0;
  return found->second.scratchBytes(op);
}

bool scratchIsWithinWarp(mlir::Operation* op) {
  auto convert = mlir::dyn_cast<ttg::ConvertLayoutOp>(op);
  return convert &&
         exchangesWithinWarp(mlir::cast<mlir::RankedTensorType>(convert.getSrc().getType()),
                             mlir::cast<mlir::RankedTensorType>(convert.getType()));
}

} // namespace gluond::lowering
