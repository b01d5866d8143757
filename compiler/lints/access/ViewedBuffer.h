// Follows a view of a buffer back to the buffer.
#pragma once

#include "ir/ttg/Ops.h"

namespace gluond::lints {

// Returns the allocation, or the argument in its place.
inline mlir::Value viewedBy(mlir::Value view) {
  while (mlir::Operation* op = view.getDefiningOp()) {
    if (!mlir::isa<ttg::MemDescIndexOp, ttg::MemDescSubsliceOp, ttg::MemDescTransOp,
                   ttg::MemDescReshapeOp>(op))
      break;
    view = op->getOperand(0);
  }
  return view;
}

} // namespace gluond::lints
