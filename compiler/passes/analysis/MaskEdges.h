// Masks such as `index < bound`, which change once where the row ends.
#pragma once

#include "passes/analysis/AxisInfo.h"

namespace gluond::passes {

// Whether `mask` changes at most once within each `count` elements, aligned, that lie side by side
// along axis `dim`: then all of them are alike if the first and the last are.
bool changesOnce(mlir::Value mask, unsigned dim, int64_t count, const ModuleAxisInfo& axes);

} // namespace gluond::passes
