// Chooses the blocked layout with which a global access coalesces.
#pragma once

#include "ir/ttg/Attributes.h"
#include "passes/analysis/AxisInfo.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/Operation.h>

#include <deque>

namespace gluond::passes {

// Returns the pointers that an op accesses by load, store or atomic; null for other ops.
mlir::Value accessedPointer(mlir::Operation* op);

// The layouts of a function's accesses. The function must not change meanwhile, but for the
// encodings of its tensors.
class CoalescedLayouts {
public:
  CoalescedLayouts(const ModuleAxisInfo& axes, unsigned threadsPerWarp)
      : axes_(axes), threadsPerWarp_(threadsPerWarp) {}

  // Returns a layout that spreads one CTA's threads along the axis in which the pointers are
  // contiguous, with as many elements per thread as one instruction moves: the most that alignment
  // allows for this access, or (for loads) for another access to the same data.
  ttg::BlockedEncodingAttr of(mlir::Operation* access, unsigned numWarps);

private:
  // The most elements per thread among accesses of one shape whose axes have one order.
  struct Width {
    llvm::SmallVector<int64_t> shape;
    llvm::SmallVector<unsigned> order;
    unsigned elements = 0;
  };
  using Widths = llvm::SmallVector<Width, 2>;
  // Returns those of the operations that an access depends on, that depend on it, and so on in both
  // directions. It ends early if this thread's allowance is spent.
  const Widths& widthsAround(mlir::Operation* access);

  const ModuleAxisInfo& axes_;
  unsigned threadsPerWarp_;
  llvm::DenseMap<mlir::Operation*, size_t> groups_; // indices into `widths_`
  std::deque<Widths> widths_;
};

} // namespace gluond::passes
