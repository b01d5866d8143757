// Unrolls the loops marked tt.loop_unroll_factor (Triton's `triton-loop-unroll`). Refuses factors
// that make the module too large to compile.
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

Result unrollLoops(mlir::ModuleOp module);

} // namespace gluond::passes
