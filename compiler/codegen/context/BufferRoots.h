// Follows views of shared and tensor memory back to the allocations that they are parts of.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Operation.h>

#include <optional>

namespace gluond::codegen {

// Returns the operation that made a call's argument, or null: for the function with that body, one
// of its calls.
using CallOfFunction = llvm::function_ref<mlir::Operation*(mlir::Operation* function)>;

// Returns the value that `buffer` is a view of: through operations with one buffer each as operand
// and as result, through loops, and through arguments of functions that are called. It is `buffer`
// itself if nothing is known about it.
mlir::Value rootOfBuffer(mlir::Value buffer, CallOfFunction callOf);

// The part of a buffer that a view of it shows.
struct BufferPart {
  mlir::Value buffer; // an allocation, or what else the function has no other view of
  // For each dimension that the view has or selected from, those that it selected from first: the
  // size of the buffer, and where the view begins (nullopt if that is known to the kernel alone).
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<std::optional<int64_t>, 4> offsets;
};
// Returns nullopt for what is no view of another buffer, or has another shape or type than it.
std::optional<BufferPart> partOfBuffer(mlir::Value view);

} // namespace gluond::codegen
