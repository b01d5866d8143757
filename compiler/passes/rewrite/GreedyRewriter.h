// Folds ops and applies patterns until nothing changes.
//
// This is MLIR's greedy driver in its default mode (bottom-up, constants made unique and hoisted,
// regions simplified between rounds), visiting ops in the same order, because the order decides
// where constants end up and thereby the text. We have our own for two reasons. Triton's MLIR (24)
// folds some ops of constants differently from ours (22), and here such folds are tried before the
// op's own. And it takes a third of the time: patterns are arranged once, not per run, and regions
// of one block, which need no simplification, are skipped.
#pragma once

#include "passes/rewrite/PatternTable.h"

namespace gluond::passes {

struct RewriteOptions {
  // Whether equal constants are merged at the start of the enclosing function.
  bool uniqueConstants = true;
};

// Rewrites everything below `top`, an op isolated from above. Stops after 10 rounds, as MLIR does.
void rewriteGreedily(mlir::Operation* top, const PatternTable& patterns,
                     RewriteOptions options = {});

} // namespace gluond::passes
