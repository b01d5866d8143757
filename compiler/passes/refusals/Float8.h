// Operations on 8-bit floats that no chip has and that Triton does not emulate: it compiles them up
// to `ttgir` and fails in its back end, without a place in the source.
#pragma once

#include <mlir/IR/Operation.h>

#include <string>

namespace gluond::passes {

// Returns why the operation cannot be lowered, as a sentence, or "" if it can.
std::string whyNoFloat8(mlir::Operation* op);

} // namespace gluond::passes
