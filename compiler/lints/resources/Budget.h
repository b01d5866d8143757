// What a kernel takes of a chip, estimated from its IR: shared memory, tensor memory, registers,
// and how many programs fit on a multiprocessor. What the code lens shows and the limits are
// checked against.
//
// Shared memory is laid out by the same analysis that the lowering uses. Registers are those of the
// tensors that are live at once; addresses and masks, which are made anew where they are needed, do
// not count. So the numbers are close from below, and exact after a compilation only.
#pragma once

#include "chips/Chip.h"
#include "passes/analysis/SharedMemory.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

struct Budget {
  const chips::Chip* chip = nullptr; // null: its limits are not known
  unsigned warps = 4;                // of a program, workers of a warp_specialize included
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  int64_t registers = 0;     // of a thread, at the worst place
  int64_t registerLimit = 0; // for a thread of this kernel
  // Programs that fit on one multiprocessor at once, and what allows no more.
  int64_t programs = 0;
  llvm::StringLiteral limitedBy = "";
  int64_t programsOtherwise = 0; // that fit if they took no shared memory
  int64_t carried = 0;           // of a thread, by the tensors that one loop carries around
  // Where each is largest, or goes over its limit; null: nowhere.
  mlir::Operation *sharedAt = nullptr, *tensorAt = nullptr, *registersAt = nullptr;
  mlir::Operation* carriedAt = nullptr;     // what makes the largest of them
  std::vector<mlir::Operation*> sharedWith; // what else takes shared memory then

  // To be kept longer than the module.
  Budget withoutOps() const {
    Budget budget = *this;
    budget.sharedAt = budget.tensorAt = budget.registersAt = budget.carriedAt = nullptr;
    budget.sharedWith.clear();
    return budget;
  }
};

Budget budgetOf(mlir::ModuleOp module, passes::ScratchBytes scratch);

} // namespace gluond::lints
