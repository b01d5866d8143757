// The operations of a kernel that panels show, and the values that each uses: accesses to memory
// (passes/analysis/MemoryAccess.h), buffers and conversions of layouts. Only KernelOperations and
// BulkCopies use it.
#pragma once

#include "driver/inspect/KernelOperations.h"
#include "ir/ttg/Types.h"
#include "passes/analysis/MemoryAccess.h"

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Value.h>

#include <optional>

namespace gluond::driver {

// The kind of an operation and the values that it uses. Fields that do not apply are null, empty or
// zero.
struct OperationParts {
  OperationKind kind = OperationKind::Global;
  llvm::StringLiteral title = "";
  bool isWrite = false;          // of memory: global memory, or shared memory from registers
  mlir::RankedTensorType tensor; // the tensor in registers
  ttg::MemDescType memory;       // the shared memory
  mlir::Value buffer;            // of that type
  ttg::ConvertLayoutOp conversion;
  mlir::RankedTensorType to;   // result of the conversion
  mlir::Value pointer;         // global: the tensor of pointers, or the base if `offsets` is set
  mlir::Value offsets, mask;   // in elements
  passes::MemoryAccess access; // global
  // Shared: for a gather or scatter, with the axis that they index. Bulk: rows of the tensor.
  mlir::Value indices;
  int32_t axis = 0;
  // Bulk: the descriptor, and where in its tensor the block begins (only the columns if `indices`
  // selects rows). The data mover's descriptor contains the place itself.
  mlir::Value descriptor;
  llvm::SmallVector<mlir::Value> coordinates;
  bool isMulticast = false;
};

// Returns nullopt for an operation that no panel shows, such as a scalar access.
std::optional<OperationParts> partsOf(mlir::Operation* op);

} // namespace gluond::driver
