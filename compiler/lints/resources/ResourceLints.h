// Demands beyond the chip's resources: too much shared or tensor memory, more live registers than a
// thread has, register counts that no partition can get.
#pragma once

#include "lints/findings/Findings.h"
#include "lints/resources/Budget.h"

namespace gluond::lints {

void lintResources(mlir::ModuleOp module, const Budget& budget, Findings& findings);

} // namespace gluond::lints
