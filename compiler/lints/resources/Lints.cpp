#include "lints/resources/Lints.h"

#include "ir/ttg/Ops.h"

namespace gluond::lints {
using namespace mlir;

// Live tensors are counted, not what ptxas makes of them: it moves loads and splits tiles, so a
// little too much is not yet a spill. Twice as much is.
static bool surelySpills(const Budget& budget) {
  return budget.registerLimit && budget.registers > budget.registerLimit * 2;
}

void lintResources(ModuleOp module, const Budget& budget, Findings& findings) {
  if (const Chip* chip = budget.chip) {
    llvm::StringRef name = chip->name;
    if (budget.sharedAt && budget.sharedBytes > chip->sharedPerProgram)
      findings(Id::SharedMemoryExceeded, budget.sharedAt->getLoc(), budget.sharedBytes, name,
               chip->sharedPerProgram);
    if (budget.tensorAt && chip->tensorColumns && budget.tensorColumns > chip->tensorColumns)
      findings(Id::TensorMemoryExceeded, budget.tensorAt->getLoc(), budget.tensorColumns, name,
               chip->tensorColumns);
    if (budget.registersAt && surelySpills(budget))
      findings(Id::RegisterPressure, budget.registersAt->getLoc(), budget.registers,
               budget.registerLimit);
  }
  // What setmaxnreg takes.
  constexpr int32_t least = 24, most = 256, step = 8;
  module.walk([&](ttg::WarpSpecializeOp op) {
    auto requested = op.getRequestedRegisters();
    if (!requested) return;
    for (int32_t registers : *requested)
      if (registers % step || registers < least || registers > most)
        findings(Id::WorkerRegisters, op.getLoc(), registers);
  });
}

} // namespace gluond::lints
