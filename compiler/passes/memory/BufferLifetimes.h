// Computes the lifetimes of a function's buffers in shared or tensor memory.
//
// A buffer lives from its allocation to its last use, through views, loops and branches; if it is
// allocated outside a loop, a use in the loop lasts to the loop's end. Buffers used by the
// partitions of a warp_specialize live as long as that op, since the partitions run concurrently.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/Operation.h>

#include <utility>

namespace gluond::passes {

class BufferLifetimes {
public:
  // Program points: every op of the function has one at its beginning and one after its regions.
  struct Points {
    unsigned begin = 0, end = 0;
    bool overlaps(const Points& other) const { return other.begin <= end && begin <= other.end; }
  };

  explicit BufferLifetimes(mlir::Operation* function);
  Points of(mlir::Operation* op) const { return points_.lookup(op); }

  // Calls `reach` with each value through which the buffer of `from` may be used, including `from`;
  // `reach` returns false for values that it has seen. `home` is the region in which the buffer is
  // allocated. Returns the point of the last use, or 0 if there is none.
  unsigned follow(mlir::Value from, mlir::Region* home,
                  llvm::function_ref<bool(mlir::Value)> reach) const;
  // Extends the lifetime `points` of an allocation `op` to that of the enclosing warp_specialize.
  Points withPartitions(mlir::Operation* op, Points points) const;

private:
  unsigned lastsUntil(mlir::Operation* use, mlir::Region* from) const;

  llvm::DenseMap<mlir::Operation*, Points> points_;
};

} // namespace gluond::passes
