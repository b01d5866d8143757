#include "lints/resources/ResourceLints.h"

#include "chips/Occupancy.h"
#include "ir/ttg/Ops.h"

namespace gluond::lints {
using namespace mlir;

// Live tensors are counted, not the result of ptxas: it moves loads and splits tiles, so a small
// excess is not yet a spill. Twice as much is.
static bool surelySpills(const Budget& budget) {
  return budget.registerLimit && budget.registers > budget.registerLimit * 2;
}

// One program more would fit on a multiprocessor, were it not for a few bytes.
static void lintOccupancy(const Budget& budget, Findings& findings) {
  const chips::Chip& chip = *budget.chip;
  const chips::Limits& limits = *chip.limits;
  if (!budget.sharedAt || budget.limitedBy != "shared memory") return;
  constexpr int64_t few = 1; // where more fit already, one more matters little
  int64_t more = budget.programs + 1;
  if (budget.programs > few || budget.programsOtherwise < more) return;
  int64_t over = budget.sharedBytes + limits.reservedShared - limits.sharedPerUnit / more;
  if (over * 32 > budget.sharedBytes) return;
  auto finding = findings(Id::LowOccupancy, budget.sharedAt->getLoc(), budget.sharedBytes,
                          budget.programs, chip.name, over, more);
  for (Operation* other : budget.sharedWith)
    finding.related(NoteId::SharedWith, other->getLoc());
}

void lintResources(ModuleOp module, const Budget& budget, Findings& findings) {
  if (const chips::Chip* chip = budget.chip) {
    llvm::StringRef name = chip->name;
    const chips::Limits& limits = *chip->limits;
    if (budget.sharedAt && budget.sharedBytes > limits.sharedPerProgram) {
      auto finding = findings(Id::SharedMemoryExceeded, budget.sharedAt->getLoc(),
                              budget.sharedBytes, name, limits.sharedPerProgram);
      for (Operation* other : budget.sharedWith)
        finding.related(NoteId::SharedWith, other->getLoc());
    } else {
      lintOccupancy(budget, findings);
    }
    if (budget.tensorAt && limits.tensorColumns && budget.tensorColumns > limits.tensorColumns)
      findings(Id::TensorMemoryExceeded, budget.tensorAt->getLoc(), budget.tensorColumns, name,
               limits.tensorColumns);
    // An accumulator stays in its registers from the first iteration to the last.
    if (budget.carriedAt && budget.registerLimit && budget.carried >= budget.registerLimit)
      findings(Id::RegisterPressure, budget.carriedAt->getLoc(), "this loop carries",
               budget.carried, budget.registerLimit);
    else if (budget.registersAt && surelySpills(budget))
      findings(Id::RegisterPressure, budget.registersAt->getLoc(), "are live here",
               budget.registers, budget.registerLimit);
  }
  module.walk([&](ttg::WarpSpecializeOp op) {
    auto requested = op.getRequestedRegisters();
    if (!requested) return;
    for (int32_t registers : *requested)
      if (registers % chips::groupRegisterStep || registers < chips::leastGroupRegisters ||
          registers > chips::mostGroupRegisters)
        findings(Id::WorkerRegisters, op.getLoc(), registers);
  });
}

} // namespace gluond::lints
