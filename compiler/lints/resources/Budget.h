// What a kernel takes of a chip, estimated from its IR: shared memory, tensor memory, registers,
// and how many programs fit on a multiprocessor. What the code lens shows and the limits are
// checked against.
//
// Buffers count while they are in use (from the allocation to the last use, to the end of a loop or
// of a warp_specialize around it), as Triton's allocator shares memory between those whose lives do
// not overlap. Registers are those of the tensors that are live at once; addresses and masks, which
// are made anew where they are needed, do not count. So the numbers are close from below, and exact
// after a compilation only.
#pragma once

#include "lints/Chips.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::lints {

struct Budget {
  const Chip* chip = nullptr; // null: not in the table, no limits are known
  unsigned warps = 4;         // of a program, workers of a warp_specialize included
  int64_t sharedBytes = 0;
  int64_t tensorColumns = 0;
  int64_t registers = 0;     // of a thread, at the worst place
  int64_t registerLimit = 0; // for a thread of this kernel
  // Programs that fit on one multiprocessor at once, and what allows no more.
  int64_t programs = 0;
  llvm::StringLiteral limitedBy = "";
  // Where each is largest, or goes over its limit; null: nowhere.
  mlir::Operation *sharedAt = nullptr, *tensorAt = nullptr, *registersAt = nullptr;

  // To be kept longer than the module.
  Budget withoutOps() const {
    Budget budget = *this;
    budget.sharedAt = budget.tensorAt = budget.registersAt = nullptr;
    return budget;
  }
};

Budget budgetOf(mlir::ModuleOp module);

} // namespace gluond::lints
