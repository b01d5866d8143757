// Replaces gluon's auto layouts by those that gl.set_auto_layout, and later ops with fixed layouts,
// require (Triton's `gluon-resolve-auto-encodings`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

Result resolveAutoLayouts(mlir::ModuleOp module);

} // namespace gluond::passes
