// Rewrites of scf ops that follow from how values flow through their regions.
//
// MLIR 24 simplifies every scf op with regions by four rules over the edges between its regions
// (which operand reaches which block argument or result): a value with one source is replaced by
// it; two with the same sources are merged; unused ones are removed; and an op with a single path
// through it is inlined. MLIR 22 has the first three, but does not know that a loop with a known
// trip count lacks some edges, and inlines by other rules. So for scf.for all four are ours, and
// inlining is ours everywhere.
#pragma once

#include <mlir/IR/PatternMatch.h>

namespace gluond::passes {

// Adds the canonicalization patterns of scf.for alone.
void addLoopPatterns(mlir::RewritePatternSet& patterns);
// Adds those of every scf op.
void addStructuredControlFlowPatterns(mlir::RewritePatternSet& patterns);

} // namespace gluond::passes
