// Common subexpressions, one op at a time, as MLIR 24's `cse` has them.
//
// MLIR 22's own differs in one thing that shows: there any write between two equal reads keeps
// both. Since resources form a hierarchy (LLVM pull request 181229), only a write to memory that
// may be the same does: two equal loads from global memory become one although shared memory is
// written between.
#pragma once

#include <mlir/IR/Dominance.h>

namespace gluond::passes {

// Replaces each op below `top` that an equal op dominates, and drops dead ops whose users it has
// already passed. Changes no blocks: `dominance` stays valid.
void mergeEqualOps(mlir::Operation* top, mlir::DominanceInfo& dominance);

} // namespace gluond::passes
