#include "ir/ttg/ModuleTarget.h"

#include "ir/ttg/Dialect.h"

#include <mlir/IR/BuiltinOps.h>

using namespace mlir;

namespace gluond::ttg {

StringRef targetOf(Operation* op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module) module = op->getParentOfType<ModuleOp>();
  auto target = module ? module->getAttrOfType<StringAttr>(targetAttr) : StringAttr();
  return target ? target.getValue() : StringRef();
}

chips::Features featuresOf(Operation* op) {
  return chips::featuresOf(targetOf(op));
}

} // namespace gluond::ttg
