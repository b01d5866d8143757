// Slow accesses: global memory that is not coalesced or not vectorized, shared memory with bank
// conflicts, layouts that hold copies, and conversions that are executed in every iteration. One
// pass over the ops of a module.
#pragma once

#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

void lintAccesses(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
