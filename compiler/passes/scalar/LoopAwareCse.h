// Common subexpression elimination across iterations (Triton's `triton-loop-aware-cse`).
//
// Two carried values are merged if they start equal and, assuming they are equal, the loop body
// makes them equal again: an induction that ordinary CSE, which looks at one op at a time, cannot
// do.
#pragma once

#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// `loopPatterns` are scf.for's canonicalization patterns, which clean up after merging.
void eliminateCommonSubexpressions(mlir::ModuleOp module, const PatternTable& loopPatterns);

} // namespace gluond::passes
