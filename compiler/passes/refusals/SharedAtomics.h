// Atomic operations on shared memory that no chip of the target's has. Triton compiles them up to
// `ttgir` and fails in its back end, without a place in the source.
#pragma once

#include <mlir/IR/Operation.h>

#include <string>

namespace gluond::passes {

// Returns why the operation cannot be lowered, as a sentence, or "" if it can.
std::string whyNoSharedAtomic(mlir::Operation* op, bool isAmd);

} // namespace gluond::passes
