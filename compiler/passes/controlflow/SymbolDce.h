// Removes private functions that are not referenced.
#pragma once

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

void dropUnusedFunctions(mlir::ModuleOp module);

} // namespace gluond::passes
