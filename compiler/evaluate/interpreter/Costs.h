// What native code costs, in steps of the budget (Budget.h).
#pragma once

#include <cstddef>

namespace gluond::evaluate {

// The number of values that native code copies or moves in the time of a step.
inline constexpr size_t valuesPerStep = 16;

} // namespace gluond::evaluate
