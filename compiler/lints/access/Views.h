// From a view of a buffer back to what it is a view of.
#pragma once

#include "ir/ttg/Ops.h"

namespace gluond::lints {

// The allocation, or the argument that stands for one.
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
