// The target requirements of Blackwell's operations.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::ttng {

// Fails if the target is known and has no tensor memory.
mlir::LogicalResult verifyTcgen05Target(mlir::Operation* op);

} // namespace gluond::ttng
