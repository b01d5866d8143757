// Accesses beyond the end of a tensor: stores and loads without the mask that others of the same
// offsets have, kernels that take a size and do not use it, and offsets that overflow their type.
#pragma once

#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

// On stage `ttgir`.
void lintMasks(mlir::ModuleOp module, Findings& findings);
// On stage `source`, where arithmetic is as the user wrote it.
void lintOverflow(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
