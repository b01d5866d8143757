// Where in shared memory each buffer of a function lies: what the program allocates, and the
// scratch of ops that need some.
//
// A buffer lives from its allocation to its last use, through views, loops and branches; a use in a
// loop lasts to the loop's end when the buffer is from outside. What the partitions of a
// warp_specialize use lives as long as that op, since they run at the same time. Buffers that do
// not live at the same time may share memory.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Operation.h>

#include <optional>
#include <vector>

namespace gluond::passes {

struct SharedBuffer {
  // ttg.local_alloc, or the op whose scratch it is. Null for what an argument points to: the
  // caller's memory, which may be the same as another argument's and is none of the function's own.
  mlir::Operation* op = nullptr;
  bool isScratch = false;
  int64_t bytes = 0, alignment = 16;
  unsigned begin = 0, end = 0; // program points at which it lives, both included
  bool isCallers() const { return op == nullptr; }
  int64_t offset = 0; // bytes from the start of the function's shared memory
};

// Bytes that an op wants for itself while it runs; 0 for none.
using ScratchBytes = llvm::function_ref<int64_t(mlir::Operation*)>;

class SharedMemory {
public:
  SharedMemory(mlir::Operation* function, ScratchBytes scratch);

  // Of the whole function.
  int64_t bytes() const { return bytes_; }
  const std::vector<SharedBuffer>& buffers() const { return buffers_; }
  // Of a local_alloc, or of an op with scratch; null where there is none.
  const SharedBuffer* of(mlir::Operation* op) const;
  // The buffers that a memory descriptor may point into, as indices.
  llvm::ArrayRef<unsigned> pointedBy(mlir::Value descriptor) const;

private:
  void collect(mlir::Operation* function, ScratchBytes scratch);
  void follow(unsigned buffer, mlir::Value from, mlir::Region* home);
  void place();
  unsigned lastsUntil(mlir::Operation* use, mlir::Region* from) const;

  std::vector<SharedBuffer> buffers_;
  llvm::DenseMap<mlir::Operation*, unsigned> byOp_;
  llvm::DenseMap<mlir::Operation*, std::pair<unsigned, unsigned>>
      points_; // first and last of an op and its regions
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> pointed_;
  int64_t bytes_ = 0;
};

// Bytes of one CTA's part of a buffer, with padding.
int64_t sharedBytes(mlir::Type memDesc);

} // namespace gluond::passes
