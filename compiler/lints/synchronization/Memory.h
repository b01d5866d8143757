// The accesses to shared and tensor memory (simulate/ordering/Accesses.h), and the memory that was
// ever written.
#pragma once

#include "lints/synchronization/Region.h"
#include "simulate/ordering/Accesses.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lints::synchronization {

using gluond::ordering::Actor;
using gluond::ordering::Clock;
using Access = gluond::ordering::Access<Region>;

class Memory : public gluond::ordering::Accesses<Region> {
public:
  void record(Access access, const Clock& now) {
    if (access.isWrite) noteWritten(access.region);
    Accesses::add(std::move(access), now);
  }
  void noteWritten(Region region) {
    if (!llvm::any_of(written_, [&](const Region& w) { return covers(w, region); }))
      written_.push_back(std::move(region));
  }
  bool isEverWritten(const Region& region) {
    bool isBox = region.kind == Region::Kind::Box;
    std::tuple key(region.alloc, region.begin, region.end);
    if (!isBox && llvm::is_contained(known_, key)) return true;
    if (!llvm::any_of(written_, [&](const Region& w) { return mayOverlap(w, region); }))
      return false;
    if (!isBox) known_.push_back(key);
    return true;
  }

private:
  std::vector<Region> written_;
  std::vector<std::tuple<uint32_t, int64_t, int64_t>> known_;
};

} // namespace gluond::lints::synchronization
