// The checks that the op interfaces of `ttng` call.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::ttng {
mlir::LogicalResult verifyMMAv5Op(mlir::Operation* op);
} // namespace gluond::ttng
