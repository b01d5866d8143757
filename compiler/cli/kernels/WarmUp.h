// A first run over kernels of gluond's own, so that `gluond emit --timings` measures the cost of a
// specialization in a running process. Without it the first record includes one-time costs of the
// process (paging in the program, filling tables of MLIR and of Gluon). The warm-up's time is
// reported under "other_ms" and is part of the total.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/workspace/Workspace.h"

namespace gluond::cli {

// Opens the program with these kernels in the workspace, under a path that no file has.
void openWarmUp(driver::Workspace& workspace);
// Compiles them in the worker's context, as far as `stage` but not into machine code. `snapshot` is
// one of a workspace with the program open.
void warmUp(const driver::Snapshot& snapshot, driver::Worker& worker, llvm::StringRef stage);

} // namespace gluond::cli
