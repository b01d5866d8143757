// How long the buffers of a function live, in shared or tensor memory.
//
// A buffer lives from its allocation to its last use, through views, loops and branches; a use in a
// loop lasts to the loop's end when the buffer is from outside. What the partitions of a
// warp_specialize use lives as long as that op, since they run at the same time.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/Operation.h>

#include <utility>

namespace gluond::passes {

class BufferLifetimes {
public:
  // Program points: every op of the function has one where it begins and one behind its regions.
  struct Points {
    unsigned begin = 0, end = 0;
    bool overlaps(const Points& other) const { return other.begin <= end && begin <= other.end; }
  };

  explicit BufferLifetimes(mlir::Operation* function);
  Points of(mlir::Operation* op) const { return points_.lookup(op); }

  // Calls `reach` with each value through which the buffer that `from` points at may be used,
  // `from` included; `reach` returns false for those that it has seen. `home` is the region in
  // which the buffer is made. Gives the point of the last use, 0 where there is none.
  unsigned follow(mlir::Value from, mlir::Region* home,
                  llvm::function_ref<bool(mlir::Value)> reach) const;
  // What `op` allocates lives at `points`, and as long as the warp_specialize op around it.
  Points withPartitions(mlir::Operation* op, Points points) const;

private:
  unsigned lastsUntil(mlir::Operation* use, mlir::Region* from) const;

  llvm::DenseMap<mlir::Operation*, Points> points_;
};

} // namespace gluond::passes
