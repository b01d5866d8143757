// Features that differ among the chips with tensor memory.
#pragma once

#include "chips/Chip.h"

namespace gluond::chips {

struct BlackwellFeatures {
  bool integerProducts = false; // products of integers on the tensor core
  bool reducingLoads = false;   // loads from tensor memory with the minimum or maximum of each row
  bool floatRedux = false;      // redux.sync of fp32
};

// Returns no features if the chip has no tensor memory.
BlackwellFeatures blackwellPartsOf(const Chip& chip);

} // namespace gluond::chips
