// Moves a tensor select into an scf.if with the same condition, which then yields its result
// (Triton's `tritongpu-combine-tensor-select-and-if`).
#pragma once

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

void combineSelectAndIf(mlir::ModuleOp module);

} // namespace gluond::passes
