// Statistics of a list of times.
#pragma once

#include "runner/protocol/Messages.h"

#include <vector>

namespace gluond::runner {

// Takes microseconds in any order; an empty list gives all zeros.
Times statisticsOf(std::vector<double> microseconds);

} // namespace gluond::runner
