// The mbarriers that a descriptor names: one in each CTA of the cluster, or, where its layout says
// so, one for several CTAs, which is that of the first of them.
#pragma once

#include "simulate/machine/Machine.h"
#include "simulate/translate/Translate.h"

namespace gluond::simulate {

struct Mbarriers {
  uint32_t ctas = 1;   // those that have one, as a mask
  int64_t sharing = 1; // CTAs for each of them
};
Mbarriers mbarriersOf(const Translator& translator, mlir::Value descriptor);

// Calls visit(address) for each of them.
template <class Visit>
void forEachMbarrier(Execution& x, const Mbarriers& barriers, const View& view, Visit visit) {
  for (uint32_t rest = barriers.ctas; rest; rest &= rest - 1)
    visit(x.state.shared.address(static_cast<uint32_t>(std::countr_zero(rest)), view.base));
}
// Returns whether all of them are initialized, and notes a finding if not.
bool areInitialized(Execution& x, const Mbarriers& barriers, const View& view);
// Makes an asynchronous operation that arrives at the barriers when it ends.
AsyncOperation makeHeard(Execution& x, const Mbarriers& barriers, const View& view, Action perform);
// Arrives `count` times at each, and lets its phase wait for `bytes`. `crosses` says whether the
// barriers may be those of other CTAs. More arrivals than a phase has room for leave a barrier in
// an unknown state, which is a finding.
Step arriveAt(Execution& x, const Mbarriers& barriers, const View& view, int64_t count,
              int64_t bytes = 0, bool crosses = false);

} // namespace gluond::simulate
