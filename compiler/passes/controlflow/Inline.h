// Inlines the functions that a kernel calls (Triton's `gluon-inline`).
//
// Callees are processed before callers, and each function's control flow is simplified before and
// after its calls are inlined; constants are not merged, since auto layouts give equal constants
// different types later. Calls are kept if the callee is marked noinline, is recursive, or returns
// early (has several blocks) while the call is inside a loop or branch.
#pragma once

#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// `controlFlowPatterns` are the canonicalization patterns of scf and cf.
void inlineCalls(mlir::ModuleOp module, const PatternTable& controlFlowPatterns);

} // namespace gluond::passes
