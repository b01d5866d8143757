// The integer arithmetic of kernels, on sample values: what decides trip counts, indices of buffers
// and phases.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/Operation.h>

#include <optional>

namespace gluond::lints::protocol {

// The value of a scalar integer op, sign-extended from its type's width; nothing for ops that are
// no such arithmetic, or where an operand that matters is unknown. `operand` gives the values of
// operands.
std::optional<int64_t>
evaluateScalar(mlir::Operation& op,
               llvm::function_ref<std::optional<int64_t>(mlir::Value)> operand);

} // namespace gluond::lints::protocol
