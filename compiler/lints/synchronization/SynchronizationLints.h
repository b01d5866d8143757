// Finds races and hangs within one kernel by running its protocol on sample arguments (Machine.h).
//
// A finding counts if two runs with different trip counts agree on it.
#pragma once

#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints::synchronization {

void checkSynchronization(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints::synchronization
