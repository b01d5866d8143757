// Gluon's canonicalization (Triton's `gluon-canonicalize`): the patterns of arith, scf, cf, and
// those of tt, ttg and ttng that do not change layouts.
#pragma once

#include "passes/rewrite/PatternTable.h"

namespace gluond::passes {

// The patterns, created once per context.
PatternTable canonicalizationPatterns(mlir::MLIRContext& context);
PatternTable controlFlowPatterns(mlir::MLIRContext& context); // only scf and cf, for the inliner
PatternTable loopPatterns(mlir::MLIRContext& context);        // only scf.for, for loop-aware CSE

// `top` is a module or a function.
void canonicalize(mlir::Operation* top, const PatternTable& patterns);

} // namespace gluond::passes
