// Either all matmuls of a kernel use two CTAs or none does; the module says which
// (Triton's `triton-nvidia-check-matmul-two-cta`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Sets ttng.two-ctas.
Result checkTwoCtas(mlir::ModuleOp module);

} // namespace gluond::passes
