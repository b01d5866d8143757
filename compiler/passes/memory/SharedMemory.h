// Assigns offsets in shared memory to the buffers of a function: those that the program allocates,
// and the scratch of ops that need some.
//
// A buffer lives from its allocation to its last use, through views, loops and branches; if it is
// allocated outside a loop, a use in the loop lasts to the loop's end. Buffers used by the
// partitions of a warp_specialize live as long as that op, since the partitions run concurrently.
// Buffers that do not live at the same time may share memory.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Operation.h>

#include <optional>
#include <vector>

namespace gluond::passes {

struct SharedBuffer {
  // ttg.local_alloc, or the op whose scratch it is. Null for the memory of an argument: it is the
  // caller's and not part of the function's own, and two arguments may share it.
  mlir::Operation* op = nullptr;
  bool isScratch = false;
  int64_t bytes = 0, alignment = 16;
  unsigned begin = 0, end = 0; // program points at which it lives, inclusive
  bool isCallers() const { return op == nullptr; }
  int64_t offset = 0; // in bytes from the start of the function's shared memory
};

// Returns the scratch bytes that an op needs while it runs; 0 for none.
using ScratchBytes = llvm::function_ref<int64_t(mlir::Operation*)>;

class SharedMemory {
public:
  SharedMemory(mlir::Operation* function, ScratchBytes scratch);

  // The total for the function.
  int64_t bytes() const { return bytes_; }
  const std::vector<SharedBuffer>& buffers() const { return buffers_; }
  // Returns the buffer of a local_alloc or of an op with scratch; null if there is none.
  const SharedBuffer* of(mlir::Operation* op) const;
  // Returns the indices of the buffers that a memory descriptor may point into.
  llvm::ArrayRef<unsigned> pointedBy(mlir::Value descriptor) const;

private:
  void collect(mlir::Operation* function, ScratchBytes scratch);
  void follow(unsigned buffer, mlir::Value from, mlir::Region* home);
  void place();
  unsigned lastsUntil(mlir::Operation* use, mlir::Region* from) const;

  std::vector<SharedBuffer> buffers_;
  llvm::DenseMap<mlir::Operation*, unsigned> byOp_;
  llvm::DenseMap<mlir::Operation*, std::pair<unsigned, unsigned>>
      points_; // first and last point of an op with its regions
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> pointed_;
  int64_t bytes_ = 0;
};

// The size in bytes of one CTA's part of a buffer, with padding.
int64_t sharedBytes(mlir::Type memDesc);

} // namespace gluond::passes
