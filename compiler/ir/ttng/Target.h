// What the chip that a module is for can do.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::ttng {

// From the module's `ttg.target`: 90 for "cuda:90". Nothing for other targets, and without one.
std::optional<int> computeCapability(mlir::Operation* op);
// Fails where the target is known and has no tensor memory.
mlir::LogicalResult verifyTcgen05Target(mlir::Operation* op);
constexpr bool hasTcgen05(int computeCapability) {
  return computeCapability / 10 == 10 || computeCapability / 10 == 11;
}

} // namespace gluond::ttng
