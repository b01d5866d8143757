// Drops private functions that nothing refers to.
#pragma once

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

void dropUnusedFunctions(mlir::ModuleOp module);

} // namespace gluond::passes
