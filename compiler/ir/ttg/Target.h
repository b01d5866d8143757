// What a module is compiled for, as its attribute `ttg.target` says.
#pragma once

#include "chips/Chip.h"

#include <mlir/IR/Operation.h>

namespace gluond::ttg {

// "cuda:90", of the module that an operation is or is in; empty where it says nothing.
llvm::StringRef targetOf(mlir::Operation* op);
// What that target can do; nothing where the module names none.
chips::Features featuresOf(mlir::Operation* op);

} // namespace gluond::ttg
