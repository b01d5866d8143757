#include "chips/TensorCore.h"

namespace gluond::chips {

// PTX ISA, "tcgen05.mma" and "tcgen05.ld": target notes. B200 has integers, B300 has reductions.
TensorCore tensorCoreOf(const Chip& chip) {
  struct Row {
    llvm::StringLiteral target;
    TensorCore core;
  };
  static constexpr Row rows[] = {
      {"cuda:100", {.multipliesIntegers = true, .reducesLoads = false}},
      {"cuda:103", {.multipliesIntegers = false, .reducesLoads = true}},
  };
  for (const Row& row : rows)
    if (row.target == chip.target) return row.core;
  return {};
}

} // namespace gluond::chips
