// The lanes that shared memory serves together.
#pragma once

#include "layout/access/SharedAccess.h"

namespace gluond::layout {

// The lanes of the first phase are all that `lanes` give, combined by xor.
struct Phase {
  unsigned banks = 32;
  llvm::SmallVector<unsigned, 6> lanes;

  // Returns the phase's number for each of 2^laneBits lanes, from 0 in the order of their first
  // lanes.
  llvm::SmallVector<unsigned, 64> ofLanes(unsigned laneBits) const;
};

// How an access of `bytes` of each of 2^laneBits lanes is served.
Phase phaseOf(const BankModel& model, unsigned laneBits, int64_t bytes, bool isStore);

} // namespace gluond::layout
