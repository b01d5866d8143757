// A kernel's use of the chip's resources, estimated from its IR: shared memory, tensor memory,
// registers, and how many programs fit on a multiprocessor. The code lens shows it, and it is
// checked against the limits.
//
// Shared memory is laid out by the same analysis as in the lowering. Registers are those of the
// tensors that are live at once; addresses and masks, which are recomputed where needed, do not
// count. So the numbers are slightly low, and only a compilation gives exact ones
// (driver/stages/Assembled.h).
#pragma once

#include "chips/Chip.h"
#include "passes/memory/SharedMemory.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

struct Budget {
  const chips::Chip* chip = nullptr; // null if its limits are not known
  unsigned warps = 4;                // per program, including workers of a warp_specialize
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  int64_t registers = 0;     // per thread, at the place that needs most
  int64_t registerLimit = 0; // for a thread of this kernel
  // The programs that fit on one multiprocessor at once, and the resource that limits them.
  int64_t programs = 0;
  llvm::StringLiteral limitedBy = "";
  int64_t programsOtherwise = 0; // programs that would fit without shared memory
  int64_t carried = 0;           // per thread, for the tensors that one loop carries
  // The operations at which each resource is largest, or exceeds its limit; null if nothing uses
  // it.
  mlir::Operation *sharedAt = nullptr, *tensorAt = nullptr, *registersAt = nullptr;
  mlir::Operation* carriedAt = nullptr;     // the op that makes the largest of them
  std::vector<mlir::Operation*> sharedWith; // other users of shared memory at that place

  // A copy to be kept longer than the module.
  Budget withoutOps() const {
    Budget budget = *this;
    budget.sharedAt = budget.tensorAt = budget.registersAt = budget.carriedAt = nullptr;
    budget.sharedWith.clear();
    return budget;
  }
};

Budget budgetOf(mlir::ModuleOp module, passes::ScratchBytes scratch);
// Returns the budget of a kernel whose machine code has so many registers in place of the estimate.
Budget withRegisters(Budget budget, int64_t registers);

} // namespace gluond::lints
