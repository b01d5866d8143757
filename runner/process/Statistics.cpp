#include "runner/process/Statistics.h"

#include <algorithm>
#include <cmath>

namespace gluond::runner {

Times statisticsOf(std::vector<double> all) {
  Times times;
  times.runs = all.size();
  if (all.empty()) return times;
  std::sort(all.begin(), all.end());
  auto last = static_cast<double>(all.size() - 1);
  auto at = [&](double quantile) {
    double place = quantile * last;
    auto below = static_cast<size_t>(place);
    size_t above = std::min(below + 1, all.size() - 1);
    return all[below] + (place - static_cast<double>(below)) * (all[above] - all[below]);
  };
  times.median = at(0.5);
  times.q05 = at(0.05);
  times.q20 = at(0.2);
  times.q80 = at(0.8);
  times.q95 = at(0.95);
  times.least = all.front();
  if (times.median <= 0) return times;
  times.spread = (times.q80 - times.q20) / times.median;
  // The median is between the elements 0.98 sqrt(n) before and after the middle, with 95% certainty
  // for any distribution.
  double reach = std::min(0.5, 0.98 / std::sqrt(static_cast<double>(all.size())));
  times.precision = (at(0.5 + reach) - at(0.5 - reach)) / 2 / times.median;
  return times;
}

} // namespace gluond::runner
