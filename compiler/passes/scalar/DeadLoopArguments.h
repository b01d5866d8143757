// Removes loop-carried values that only feed themselves.
//
// A carried value is dead if nothing with an effect and no used result depends on it: an unused
// accumulator, an unused counter. Its uses in the loop become uses of its initial value, and
// canonicalization removes it. Triton runs this before each canonicalization, based on MLIR's
// liveness analysis, whose rules these are.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// `top` is a module or a function.
void forwardDeadLoopArguments(mlir::Operation* top);

} // namespace gluond::passes
