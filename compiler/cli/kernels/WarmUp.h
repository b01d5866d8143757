// A first run over kernels of gluond's own, so that `gluond emit --timings` measures what a
// specialization costs in a running process. Without it the first record pays for what every
// process pays once (pages of the program read, tables of MLIR and of Gluon filled), although it
// has nothing to do with it. What the warm-up takes is said under "other_ms" and part of the total.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/workspace/Workspace.h"

namespace gluond::cli {

// Opens the program of the kernels in the workspace, under a path that no file has.
void openWarmUp(driver::Workspace& workspace);
// Compiles them in the worker's context, as far as `stage` but not into machine code. `snapshot` is
// one of a workspace with the program open.
void warmUp(const driver::Snapshot& snapshot, driver::Worker& worker, llvm::StringRef stage);

} // namespace gluond::cli
