// Which buffers in shared and tensor memory an operation reads and writes. The dialects declare
// this with each operation; the barriers of a kernel, its fences and the lints of its protocol
// follow it.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Value.h>

namespace gluond::passes {

struct BufferAccess {
  mlir::Value buffer; // a memory descriptor
  bool isWrite = false;
};
// In the order in which the dialect declares them. An operation that reads and writes a buffer has
// two accesses of it. Barriers are buffers, too.
llvm::SmallVector<BufferAccess, 4> bufferAccessesOf(mlir::Operation* op);

// Whether a buffer holds barriers.
bool isOfBarriers(mlir::Value buffer);

} // namespace gluond::passes
