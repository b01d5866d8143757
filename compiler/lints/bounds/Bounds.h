// Accesses beyond the end of a tensor: stores and loads without the mask that others of the same
// offsets have, kernels that take a size and do not use it, and offsets that overflow their type.
#pragma once

#include "lints/bounds/LaunchSizes.h"
#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

// On stage `ttgir`. Where the sizes of the launch say how far an access without a mask goes, that
// decides: an access that stays inside of its tensor needs no mask.
void lintMasks(mlir::ModuleOp module, AskSizes sizes, Findings& findings);
// On stage `source`, where arithmetic is as the user wrote it.
void lintOverflow(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
