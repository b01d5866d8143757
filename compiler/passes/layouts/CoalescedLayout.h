// Chooses the blocked layout with which a global access coalesces.
#pragma once

#include "ir/ttg/Attributes.h"
#include "passes/analysis/AxisInfo.h"

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// Returns the pointers that an op accesses by load, store or atomic; null for other ops.
mlir::Value accessedPointer(mlir::Operation* op);

// Returns a layout that spreads one CTA's threads along the axis in which the pointers are
// contiguous, with as many elements per thread as one instruction moves: the most that alignment
// allows for this access, or (for loads) for another access to the same data.
ttg::BlockedEncodingAttr coalescedLayout(mlir::Operation* access, const ModuleAxisInfo& axes,
                                         unsigned numWarps, unsigned threadsPerWarp);

} // namespace gluond::passes
