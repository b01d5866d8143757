// Tensor memory: how much of it a buffer takes, and which register layouts can be loaded and stored
// there.
#pragma once

#include "ir/ttg/Types.h"

#include <mlir/IR/Diagnostics.h>

namespace gluond::ttng {

// Rows (of 128, or 64 where only half are used) and 32-bit columns that a view takes, all its
// stages together.
struct TMemAllocation {
  int64_t numRows = 0, numCols = 0;
};
TMemAllocation getTmemAllocSizes(ttg::MemDescType type);

// Registers that a thread may use where `op` is: what the module and the partition allow, at most
// 256. Limits how much one load or store moves.
int maxRegisters(mlir::Operation* op);

// How a tensor is moved: nothing where its layout is none that an instruction can take.
struct TMemAccess {
  bool unpacked = false; // 16-bit elements, one in each 32-bit cell
};
std::optional<TMemAccess> tmemAccess(mlir::RankedTensorType tensor, ttg::MemDescType memory,
                                     int maxRegisters);
// Whether tensor memory takes the layout, where `op` is.
bool isTMemCompatible(mlir::Operation* op, mlir::RankedTensorType tensor, ttg::MemDescType memory);
// Layouts that it takes, best first. None where `op` has fewer than 4 warps.
llvm::SmallVector<mlir::Attribute> tmemCompatibleLayouts(mlir::Operation* op,
                                                         ttg::MemDescType memory);
// Whether the load can reduce its rows: each thread has one whole row. Otherwise reports, if
// emitError is set.
mlir::LogicalResult checkTMemLoadReduce(mlir::RankedTensorType tensor, ttg::MemDescType memory,
                                        int maxRegisters,
                                        llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace gluond::ttng
