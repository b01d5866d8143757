// gluon's auto layouts become what gl.set_auto_layout, and ops with fixed layouts behind it, call
// for (Triton's `gluon-resolve-auto-encodings`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

Result resolveAutoLayouts(mlir::ModuleOp module);

} // namespace gluond::passes
