// Loop-carried values that only feed themselves.
//
// A carried value is dead when nothing that has an effect, and no result that is used, depends on
// it: an accumulator nobody reads, a counter that only counts. Its uses in the loop become uses of
// its initial value, and canonicalization drops it. Triton runs this before each canonicalization,
// on MLIR's liveness, whose rules these are.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// `top` is a module or a function.
void forwardDeadLoopArguments(mlir::Operation* top);

} // namespace gluond::passes
