// What makes loops slow beside the cost of their accesses, which no panel shows.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/analysis/Analysis.h"

#include <string>
#include <vector>

namespace gluond::driver {

struct SlowLoops {
  // Loads of one element: a thread reads it while all others wait.
  std::vector<diagnostics::Location> scalarLoads;
  // Waits for copies that the same iteration has just issued: copies and the rest of the loop take
  // turns.
  std::vector<diagnostics::Location> idleWaits;
};
tl::expected<SlowLoops, std::string> slowLoops(Analyzer& analyzer, const Variant& variant);

} // namespace gluond::driver
