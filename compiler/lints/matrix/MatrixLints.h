// Matrix units and their operands: products by an older or narrower instruction than the chip has,
// operands whose swizzle is narrower than their rows, TMA blocks with short rows.
#pragma once

#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

void lintMatrices(mlir::ModuleOp module, Findings& findings);

} // namespace gluond::lints
