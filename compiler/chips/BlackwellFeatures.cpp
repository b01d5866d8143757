#include "chips/BlackwellFeatures.h"

namespace gluond::chips {

// PTX ISA, target notes of tcgen05.mma, tcgen05.ld and redux.sync; ptxas 13.4 for sm_107.
BlackwellFeatures blackwellPartsOf(const Chip& chip) {
  struct Row {
    llvm::StringLiteral target;
    BlackwellFeatures parts;
  };
  static constexpr Row rows[] = {
      {"cuda:100", {.integerProducts = true, .reducingLoads = false, .floatRedux = true}},
      {"cuda:101", {.integerProducts = true, .reducingLoads = true, .floatRedux = false}},
      {"cuda:103", {.integerProducts = false, .reducingLoads = true, .floatRedux = true}},
      {"cuda:107", {.integerProducts = false, .reducingLoads = true, .floatRedux = true}},
      {"cuda:110", {.integerProducts = true, .reducingLoads = true, .floatRedux = false}},
  };
  for (const Row& row : rows)
    if (row.target == chip.target) return row.parts;
  return {};
}

} // namespace gluond::chips
