// Follows views of shared and tensor memory back to the allocations that they are parts of.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/Operation.h>

namespace gluond::codegen {

// Returns the operation that made a call's argument, or null: for the function with that body, one
// of its calls.
using CallOfFunction = llvm::function_ref<mlir::Operation*(mlir::Operation* function)>;

// Returns the value that `buffer` is a view of: through operations with one buffer each as operand
// and as result, through loops, and through arguments of functions that are called. It is `buffer`
// itself if nothing is known about it.
mlir::Value rootOfBuffer(mlir::Value buffer, CallOfFunction callOf);

} // namespace gluond::codegen
