// Which blocked layout makes a global access coalesce.
#pragma once

#include "ir/ttg/Attributes.h"
#include "passes/analysis/AxisInfo.h"

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// The pointers an op loads from, stores or does atomics through; null for ops that are no access.
mlir::Value accessedPointer(mlir::Operation* op);

// One CTA's threads along the axis in which the pointers run, each with as much as one instruction
// moves: the most that alignment allows for this access, or (for loads) for another access on the
// same data.
ttg::BlockedEncodingAttr coalescedLayout(mlir::Operation* access, const ModuleAxisInfo& axes,
                                         unsigned numWarps, unsigned threadsPerWarp);

} // namespace gluond::passes
