// How the chips that have tensor memory differ in what else came with it.
#pragma once

#include "chips/Chip.h"

namespace gluond::chips {

struct BlackwellParts {
  bool integerProducts = false; // of the tensor core
  bool reducingLoads = false;   // from tensor memory, with the minimum or maximum of each row
  bool floatRedux = false;      // redux.sync of fp32
};

// Nothing of it where the chip has no tensor memory.
BlackwellParts blackwellPartsOf(const Chip& chip);

} // namespace gluond::chips
