// How the tensor cores of the chips that have tensor memory differ.
#pragma once

#include "chips/Chip.h"

namespace gluond::chips {

struct TensorCore {
  bool multipliesIntegers = true;
  bool reducesLoads = true; // a load from tensor memory can give the minimum of each row, too
};

// Of a chip that has tensor memory.
TensorCore tensorCoreOf(const Chip& chip);

} // namespace gluond::chips
