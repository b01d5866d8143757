// Puts the functions that a kernel calls in place of the calls (Triton's `gluon-inline`).
//
// Callees before callers, each function's control flow simplified before and after its calls are
// inlined; constants stay where they are, since auto layouts give equal constants different types
// later. Calls stay where the callee is marked noinline, calls itself, or leaves early (has several
// blocks) while the call is inside a loop or branch.
#pragma once

#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// `controlFlowPatterns` are the canonicalizations of scf and cf.
void inlineCalls(mlir::ModuleOp module, const PatternTable& controlFlowPatterns);

} // namespace gluond::passes
