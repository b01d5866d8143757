// Checks that either all matmuls of a kernel use two CTAs or none does, and records it in the
// module (Triton's `triton-nvidia-check-matmul-two-cta`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Sets ttng.two-ctas.
Result checkTwoCtas(mlir::ModuleOp module);

} // namespace gluond::passes
