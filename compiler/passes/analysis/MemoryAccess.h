// The memory that an operation reads or writes, and the values that say where. This is the one
// table of operations that load, store, copy or change memory atomically; lints, panels and the
// benchmark choose from it what they judge, show or count.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <mlir/IR/Value.h>

#include <optional>

namespace gluond::passes {

// Values that do not apply are null.
struct MemoryAccess {
  enum class Kind : uint8_t {
    Global, // through pointers, or through AMD's offsets from one
    Shared, // between registers and shared memory
    Bulk,   // a block of a descriptor's tensor, between global and shared memory
  };
  Kind kind = Kind::Global;
  llvm::StringLiteral title = ""; // as panels print it: "load", "TMA store"
  // What happens to the global memory, or to the shared memory of a shared access.
  bool isRead = false, isWritten = false, isAtomic = false;
  bool isVolatile = false; // LLVM joins it with no other one

  // Global: the pointers, or the offsets from `base` in elements; scalars or tensors.
  mlir::Value pointers, base, mask;
  unsigned mostElements = 0;  // per lane and instruction; 0 if not limited
  unsigned leastElements = 1; // fewer are changed by a loop (AtomicWidth.h)
  int64_t contiguity = 1;     // elements that the program promises to be consecutive
  // Bulk: the descriptor, and where in its tensor the block begins (only the columns if `indices`
  // selects rows). AMD's descriptors contain the place.
  mlir::Value descriptor;
  llvm::SmallVector<mlir::Value> coordinates;
  bool isMulticast = false;

  mlir::Value memory;    // the shared memory, also of a copy from or to global memory
  mlir::Value registers; // the tensor of a shared access
  // The indices of a gather or scatter: along `axis` of shared memory, or rows of the tensor.
  mlir::Value indices;
  int32_t axis = 0;

  // The value that leads to global memory: a pointer, pointers or a descriptor.
  mlir::Value address() const { return descriptor ? descriptor : base ? base : pointers; }
};

// Returns nullopt for an operation that accesses neither global nor shared memory.
std::optional<MemoryAccess> memoryAccessOf(mlir::Operation* op);

} // namespace gluond::passes
