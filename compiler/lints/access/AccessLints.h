// Slow accesses: global memory that is not coalesced or not vectorized, shared memory with bank
// conflicts, layouts that hold copies, and conversions that are executed in every iteration. One
// pass over the ops of a module.
#pragma once

#include "lints/findings/Findings.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

// `isTooLong` tells whether a pointer's tensor is too long for AMD's buffer instructions.
void lintAccesses(mlir::ModuleOp module, llvm::function_ref<bool(mlir::Value)> isTooLong,
                  Findings& findings);

} // namespace gluond::lints
