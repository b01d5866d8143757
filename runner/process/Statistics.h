// What a list of times says.
#pragma once

#include "runner/protocol/Messages.h"

#include <vector>

namespace gluond::runner {

// Microseconds in, in any order; empty gives all zeros.
Times statisticsOf(std::vector<double> microseconds);

} // namespace gluond::runner
