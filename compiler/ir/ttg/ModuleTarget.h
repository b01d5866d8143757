// The target of a module, from its attribute `ttg.target`.
#pragma once

#include "chips/Chip.h"

#include <mlir/IR/Operation.h>

namespace gluond::ttg {

// Returns "cuda:90" for the module that an operation is or is in, or "" if it has none.
llvm::StringRef targetOf(mlir::Operation* op);
// Returns the features of that target; none if the module names no target.
chips::Features featuresOf(mlir::Operation* op);

} // namespace gluond::ttg
