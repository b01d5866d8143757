#include "chips/Occupancy.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::chips {

// Returns the registers that one lane of all warps of a part has together.
static int64_t registersOfPart(const Chip& chip) {
  return chip.limits->registersPerUnit / partsOfUnit / chip.warpSize;
}

int64_t warpsOfPart(const Chip& chip, int64_t registers) {
  int64_t step = chip.limits->registerStep;
  int64_t handedOut = std::max(step, llvm::divideCeilSigned(registers, step) * step);
  int64_t warps = chip.limits->warpsPerUnit / partsOfUnit;
  return std::min(warps, registersOfPart(chip) / handedOut);
}

int64_t registersOfProgram(const Chip& chip, int64_t warps) {
  int64_t perPart = std::max<int64_t>(1, llvm::divideCeilSigned(warps, partsOfUnit));
  int64_t step = chip.limits->registerStep;
  return std::min<int64_t>(chip.limits->registersPerThread,
                           registersOfPart(chip) / perPart / step * step);
}

} // namespace gluond::chips
