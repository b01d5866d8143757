// Gluon's canonicalization (Triton's `gluon-canonicalize`): arith, scf, cf, and those of tt, ttg
// and ttng that leave layouts alone.
#pragma once

#include "passes/rewrite/PatternTable.h"

namespace gluond::passes {

// The patterns of a context, made once.
PatternTable canonicalizationPatterns(mlir::MLIRContext& context);
PatternTable controlFlowPatterns(mlir::MLIRContext& context); // scf and cf only, for the inliner
PatternTable loopPatterns(mlir::MLIRContext& context);        // scf.for only, for loop-aware CSE

// `top` is a module or a function.
void canonicalize(mlir::Operation* top, const PatternTable& patterns);

} // namespace gluond::passes
