// Common subexpressions, those carried around loops too (Triton's `triton-loop-aware-cse`).
//
// Two carried values are one when they start equal and, supposing they are equal, the loop body
// makes them equal again: the induction that ordinary CSE, which looks at one op at a time, cannot
// do.
#pragma once

#include "passes/rewrite/PatternTable.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// `loopPatterns` are scf.for's canonicalizations; they clean up what merging left behind.
void eliminateCommonSubexpressions(mlir::ModuleOp module, const PatternTable& loopPatterns);

} // namespace gluond::passes
