// Tensor descriptors made on the device become writes of the hardware's descriptor to scratch
// memory (Triton's `triton-nvidia-tma-lowering`, as far as Gluon can reach it).
#pragma once

#include "passes/Failure.h"
#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Folds and drops dead code on its way, as the greedy rewriter does. `noPatterns` is an empty
// table.
Result lowerTensorDescriptors(mlir::ModuleOp module, const PatternTable& noPatterns);

} // namespace gluond::passes
