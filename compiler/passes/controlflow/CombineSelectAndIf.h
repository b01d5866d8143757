// Lets an scf.if that tests the same condition yield what a tensor select chooses
// (Triton's `tritongpu-combine-tensor-select-and-if`).
#pragma once

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

void combineSelectAndIf(mlir::ModuleOp module);

} // namespace gluond::passes
