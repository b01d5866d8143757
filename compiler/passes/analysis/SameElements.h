// Operations whose result has the elements of their operand again, unchanged and with the same
// indices along the operand's dimensions: what holds of every element of one holds of the other's.
#pragma once

#include "ir/ttg/Ops.h"

namespace gluond::passes {

inline bool hasSameElements(mlir::Operation* op) {
  return mlir::isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp, ttg::ConvertLayoutOp>(op);
}

} // namespace gluond::passes
