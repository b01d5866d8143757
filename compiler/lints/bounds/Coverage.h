// Launches whose programs end shortly before the bound that their stores are masked with.
#pragma once

#include "lints/bounds/LaunchSizes.h"
#include "lints/findings/Findings.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

// Runs on stage `ttgir`. A grid that is rounded down, `n // BLOCK`, leaves out the last block: the
// largest index of all programs is less than a block below the bound. One whose axes are swapped
// leaves out any number of blocks of one dimension, and has whole blocks too many of the other. So
// does a grid that the host code computes from the bound for larger blocks, and one without a
// number for an axis that the kernel uses. Other grids that leave out whole blocks may be meant.
// Along an axis that the kernel does not read, programs repeat each other's work.
void lintCoverage(mlir::ModuleOp module, KnownSizes sizes, Findings& findings);

} // namespace gluond::lints
