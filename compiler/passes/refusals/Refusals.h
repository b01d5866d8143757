// What Triton compiles up to `ttgir` and its back ends then refuse for certain, mostly without a place
// in the source.
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Reads a module of stage `ttgir`. The failure is that of the first wrong op; those of the other
// ops are in its `others`.
Result checkRefusals(mlir::ModuleOp module);

} // namespace gluond::passes
