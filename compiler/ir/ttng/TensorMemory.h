// Tensor memory: the size of buffers in it, and the register layouts with which they can be loaded
// and stored.
#pragma once

#include "ir/ttg/Types.h"

#include <mlir/IR/Diagnostics.h>

namespace gluond::ttng {

// The rows (128, or 64 if only half are used) and 32-bit columns of a view, for all its stages
// together.
struct TMemAllocation {
  int64_t numRows = 0, numCols = 0;
};
TMemAllocation getTmemAllocSizes(ttg::MemDescType type);

// The registers that a thread may use at `op`: limited by the module and the partition, at most
// 256. They limit how much one load or store moves.
int maxRegisters(mlir::Operation* op);

// How a tensor is moved. There is none if no instruction supports its layout.
struct TMemAccess {
  bool unpacked = false; // 16-bit elements, each in a 32-bit cell
};
std::optional<TMemAccess> tmemAccess(mlir::RankedTensorType tensor, ttg::MemDescType memory,
                                     int maxRegisters);
// Whether a tensor's layout can be used to access tensor memory at `op`.
bool isTMemCompatible(mlir::Operation* op, mlir::RankedTensorType tensor, ttg::MemDescType memory);
// The layouts that can, best first. There are none if `op` has fewer than 4 warps.
llvm::SmallVector<mlir::Attribute> tmemCompatibleLayouts(mlir::Operation* op,
                                                         ttg::MemDescType memory);
// Checks whether the load can reduce its rows: each thread must hold one whole row. Reports through
// emitError if it is set.
mlir::LogicalResult checkTMemLoadReduce(mlir::RankedTensorType tensor, ttg::MemDescType memory,
                                        int maxRegisters,
                                        llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace gluond::ttng
