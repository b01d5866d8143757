// Work that is done again and again, or for nothing: conversions and reductions that cross warps in
// loops, conversions that are taken back, loads of what is known already, trips through shared
// memory that end where they began.
#pragma once

#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

void lintWork(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
