// Assigns places in tensor memory to the buffers of a kernel.
//
// Tensor memory has 128 rows, of which each warp of four accesses 32, and columns of 32 bits. A
// buffer takes all rows of some columns, or half of them: rows 0 to 15 of each warp, or rows 16 to
// 31. Buffers that do not live at the same time (BufferLifetimes.h) may share their place.
#pragma once

#include "passes/memory/BufferLifetimes.h"

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <vector>

namespace gluond::passes {

class TensorMemory {
public:
  explicit TensorMemory(mlir::Operation* function);

  // The columns of the whole function, 0 if it allocates none; rounded up to a power of two, as the
  // hardware allocates them.
  int64_t columns() const { return columns_; }
  int64_t allocatedColumns() const;
  // The first column of a ttng.tmem_alloc, and its first row: 0 or 16.
  struct Place {
    int64_t column = 0, row = 0;
  };
  Place of(mlir::Operation* allocation) const { return places_.lookup(allocation); }
  // The indices of the buffers that a memory descriptor may point into; and whether two of them
  // share cells.
  llvm::ArrayRef<unsigned> pointedBy(mlir::Value descriptor) const;
  bool share(unsigned one, unsigned other) const;

private:
  struct Buffer {
    mlir::Operation* op;
    BufferLifetimes::Points lives;
    int64_t columns, halves; // halves of the rows
    int64_t column = 0, half = 0;
    bool shares(const Buffer& other) const {
      return column < other.column + other.columns && other.column < column + columns &&
             half < other.half + other.halves && other.half < half + halves;
    }
  };
  std::vector<Buffer> buffers_;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 2>> pointed_;
  llvm::DenseMap<mlir::Operation*, Place> places_;
  int64_t columns_ = 0;
};

} // namespace gluond::passes
