// Operands of products that are converted before an earlier product. Each warp needs a copy of most
// of an operand, which takes several times the registers of the tensor that it is converted from:
// it is converted after the products that do not use it.
#pragma once

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/OwningOpRef.h>

namespace gluond::passes {

// Returns a copy of the module in which they are, or null if the module has none.
mlir::OwningOpRef<mlir::ModuleOp> withLateOperands(mlir::ModuleOp module);

} // namespace gluond::passes
