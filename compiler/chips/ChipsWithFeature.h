// The chips that have a feature, as messages name them.
#pragma once

#include "chips/Chip.h"

#include <string>

namespace gluond::chips {

// Returns the chips of a vendor that have the feature: "Hopper or later (cuda:90)" if the newest
// has it, else "Hopper (cuda:90)" or "Blackwell (cuda:100 to cuda:110)". Empty if there are none.
std::string chipsWith(Feature feature, Vendor vendor = Vendor::Nvidia);

} // namespace gluond::chips
