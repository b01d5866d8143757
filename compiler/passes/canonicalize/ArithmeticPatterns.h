// Rewrites of arith that Triton's MLIR (24) has and ours (22) has not; see also
// folds/ArithmeticFolds.h.
#pragma once

#include <mlir/IR/PatternMatch.h>

namespace gluond::passes {

void addArithmeticPatterns(mlir::RewritePatternSet& patterns);

} // namespace gluond::passes
