// Which operations of a kernel the panels show, and the values behind each: the one table of what
// loads, stores, copies, converts or allocates. KernelOperations asks; nobody else need.
#pragma once

#include "driver/inspect/KernelOperations.h"
#include "ir/ttg/Types.h"

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Value.h>

#include <optional>

namespace gluond::chips {
struct Target;
}

namespace gluond::driver {

// The parts of an operation that matter here; kind, and the values behind it. What does not apply
// is null, empty or zero.
struct Anatomy {
  explicit Anatomy(OperationKind kind) : kind(kind) {}
  OperationKind kind;
  mlir::RankedTensorType tensor; // registers
  ttg::MemDescType memory;       // shared
  bool isStore = false;          // shared: from registers
  mlir::RankedTensorType to;     // conversion
  mlir::Value pointer;           // global: the tensor of pointers, or the base with `offsets`
  mlir::Value offsets, mask;     // of elements
  int64_t mostElements = 0;      // global: of a lane in one instruction; 0: as many as fit
  // Shared: of a gather or scatter, with the axis along which they pick. Bulk: rows of the tensor.
  mlir::Value indices;
  int32_t axis = 0;
  // Bulk: by what, and where in its tensor the block begins (the columns alone, if `indices` picks
  // the rows). The data mover's descriptor knows its place itself.
  mlir::Value descriptor;
  llvm::SmallVector<mlir::Value> coordinates;
  bool isMulticast = false;
};

// Nothing for an operation that no panel shows (scalar accesses among them).
std::optional<Anatomy> anatomy(mlir::Operation* op, const chips::Target& target);

} // namespace gluond::driver
