// Checks behind the op interfaces of `ttng`.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::ttng {
mlir::LogicalResult verifyMMAv5Op(mlir::Operation* op);
} // namespace gluond::ttng
