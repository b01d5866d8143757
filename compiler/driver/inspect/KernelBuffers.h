// The buffers in shared memory that views of them belong to.
#pragma once

#include "layout/named/Transforms.h"
#include "passes/memory/SharedMemory.h"

#include <mlir/IR/BuiltinOps.h>

#include <memory>
#include <vector>

namespace gluond::driver {

class KernelBuffers {
public:
  explicit KernelBuffers(mlir::ModuleOp module);

  // Returns the allocations that a memory descriptor may point into; empty if one is not known.
  llvm::SmallVector<mlir::Operation*, 2> of(mlir::Value memory) const;
  // Returns the sizes of the buffer that a view of it belongs to, in the view's order of
  // dimensions, with leading dimensions of slots that the view may have selected from.
  layout::ShapeVector shapeOf(mlir::Value memory) const;

private:
  std::vector<std::unique_ptr<passes::SharedMemory>> functions_;
};

} // namespace gluond::driver
