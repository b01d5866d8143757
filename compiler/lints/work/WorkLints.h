// Redundant work: conversions and reductions that cross warps in loops,
// conversions that are undone, loads of known values, and round trips through
// shared memory.
#pragma once

#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

void lintWork(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
