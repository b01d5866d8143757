// Folds ops and applies patterns until nothing changes.
//
// This is MLIR's greedy driver in its default mode (bottom-up, constants made unique and hoisted,
// regions simplified between rounds), visiting ops in the same order, because the order decides
// where constants end up and thereby the text. It is our own for two reasons. Triton's MLIR (24)
// folds some ops of constants differently than ours (22), and a fold is looked up here before the
// op's own. And it costs a third: patterns are laid out once, not per run, and regions of one
// block, which have nothing to simplify, are left alone.
#pragma once

#include "passes/rewrite/PatternTable.h"

namespace gluond::passes {

struct RewriteOptions {
  // Whether equal constants become one at the start of the enclosing function.
  bool uniqueConstants = true;
};

// Rewrites everything below `top`, an op isolated from above. Stops after 10 rounds, as MLIR does.
void rewriteGreedily(mlir::Operation* top, const PatternTable& patterns,
                     RewriteOptions options = {});

} // namespace gluond::passes
