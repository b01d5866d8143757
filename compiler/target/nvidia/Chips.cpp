#include "target/nvidia/Chips.h"

namespace gluond::target::nvidia {

const Chip* findChip(unsigned capability) {
  static constexpr Chip chips[] = {{75, "sm_75"},    {80, "sm_80"},   {86, "sm_86"},
                                   {89, "sm_89"},    {90, "sm_90a"},  {100, "sm_100a"},
                                   {103, "sm_103a"}, {120, "sm_120a"}};
  for (const Chip& chip : chips)
    if (chip.capability == capability) return &chip;
  return nullptr;
}

} // namespace gluond::target::nvidia
