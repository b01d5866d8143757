#include "target/nvidia/Chips.h"

namespace gluond::target::nvidia {

const Chip* findChip(unsigned capability) {
  static constexpr Chip chips[] = {
      {75, "sm_75", "+ptx86", false},    {80, "sm_80", "+ptx86", true},
      {86, "sm_86", "+ptx86", true},     {89, "sm_89", "+ptx86", true},
      {90, "sm_90a", "+ptx86", true},    {100, "sm_100a", "+ptx87", false},
      {103, "sm_103a", "+ptx88", false}, {120, "sm_120a", "+ptx87", false},
  };
  for (const Chip& chip : chips)
    if (chip.capability == capability) return &chip;
  return nullptr;
}

} // namespace gluond::target::nvidia
