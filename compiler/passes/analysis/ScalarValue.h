// The value of a scalar integer operation on sample values: trip counts, indices of buffers,
// phases.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/Operation.h>

#include <optional>

namespace gluond::passes {

// Returns the value of a scalar integer op, sign-extended from its type's width, or nullopt
// for other ops, or if a needed operand is unknown. `operand` returns the values of
// operands.
std::optional<int64_t>
evaluateScalar(mlir::Operation& op,
               llvm::function_ref<std::optional<int64_t>(mlir::Value)> operand);

} // namespace gluond::passes
