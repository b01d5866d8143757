// Common subexpression elimination, one op at a time, as in MLIR 24's `cse`.
//
// MLIR 22's own differs in one way that matters: there any write between two equal reads keeps
// both. In MLIR 24, where resources form a hierarchy (LLVM pull request 181229), only a write to
// memory that may be the same does: two equal loads from global memory are merged even if shared
// memory is written in between.
#pragma once

#include <mlir/IR/Dominance.h>

namespace gluond::passes {

// Replaces each op below `top` that an equal op dominates, and removes dead ops whose users it has
// already passed. It changes no blocks, so `dominance` stays valid.
void mergeEqualOps(mlir::Operation* top, mlir::DominanceInfo& dominance);

} // namespace gluond::passes
