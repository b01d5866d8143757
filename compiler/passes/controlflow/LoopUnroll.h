// Unrolls the loops marked tt.loop_unroll_factor (Triton's `triton-loop-unroll`).
#pragma once

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

void unrollLoops(mlir::ModuleOp module);

} // namespace gluond::passes
