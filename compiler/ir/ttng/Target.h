// What Blackwell's operations ask of the target.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::ttng {

// Fails where the target is known and has no tensor memory.
mlir::LogicalResult verifyTcgen05Target(mlir::Operation* op);

} // namespace gluond::ttng
