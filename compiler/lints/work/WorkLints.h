// Work whose result nobody uses, and redundant work: conversions and reductions that cross warps in
// loops, conversions that are undone, loads of known values, and round trips through shared memory.
#pragma once

#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

// Of stage `source`, in which all of the user's operations are left.
void lintUnusedResults(mlir::ModuleOp module, Findings& findings);

void lintWork(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
