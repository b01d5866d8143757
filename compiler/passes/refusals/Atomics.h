// Atomic operations that no chip of the target's has, on shared memory, or that Triton does not
// lower, through buffers. It compiles them up to `ttgir` and fails in its back end, without a place
// in the source.
#pragma once

#include <mlir/IR/Operation.h>

#include <string>

namespace gluond::passes {

// Returns why the operation cannot be lowered, as a sentence, or "" if it can.
std::string whyNoAtomic(mlir::Operation* op, bool isAmd);

} // namespace gluond::passes
