// Who accessed which piece of shared and tensor memory, and whether what comes now is ordered after
// it.
//
// An access is ordered after an earlier one when the partition that makes it knows (by its Clock)
// that the earlier one is over: it made it itself and it was synchronous, or an arrive and a wait
// lie between, or it has waited for the asynchronous operation. Two unordered accesses of which one
// writes are a race, and a finding says which wait is missing.
#pragma once

#include "lints/protocol/Region.h"
#include "simulate/protocol/Clock.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/Operation.h>

#include <optional>
#include <vector>

namespace gluond::lints::protocol {

using gluond::protocol::Clock;

// What makes an access: synchronous loads and stores, or an engine of its own.
enum class Actor : uint8_t {
  Thread,
  TmaLoad,
  TmaStore,
  AsyncCopy,
  TdmLoad,
  TdmStore,
  Wgmma,
  Tcgen05,
  WorkRequest
};

struct Access {
  mlir::Operation* op = nullptr;
  Region region;
  Actor actor = Actor::Thread;
  bool isWrite = false;
  uint32_t thread = 0, time = 0;
  std::optional<uint32_t> operation; // asynchronous ones: its number
  bool isFenced = false; // stores: a fence follows, or it is from before the partitions began
};

inline bool happenedBefore(const Access& access, const Clock& now, uint32_t thread) {
  if (access.operation) return now.isComplete(*access.operation);
  return access.thread == thread || now.at(access.thread) >= access.time;
}

// The accesses of every allocation that may still matter.
class Memory {
public:
  // Visits the earlier accesses that share an element with `region`, in order.
  template <typename Visit> void overlapping(const Region& region, Visit visit) {
    auto it = accesses_.find(region.alloc);
    if (it == accesses_.end()) return;
    for (Access& access : it->second)
      if (overlaps(access.region, region)) visit(access);
  }
  // Remembers an access. One that it hides from all later questions is forgotten.
  void add(Access access, const Clock& now) {
    std::vector<Access>& all = accesses_[access.region.alloc];
    std::erase_if(all, [&](const Access& old) {
      return (access.isWrite ||
              (!old.isWrite && old.thread == access.thread && old.actor == access.actor)) &&
             covers(access.region, old.region) && happenedBefore(old, now, access.thread);
    });
    if (access.isWrite) written_.push_back(access.region);
    all.push_back(std::move(access));
    if (all.size() > most) all.erase(all.begin());
  }
  void noteWritten(Region region) { written_.push_back(std::move(region)); }
  bool isEverWritten(const Region& region) {
    bool isBox = region.kind == Region::Kind::Box;
    std::tuple key(region.alloc, region.begin, region.end);
    if (!isBox && llvm::is_contained(known_, key)) return true;
    if (!llvm::any_of(written_, [&](const Region& w) { return mayOverlap(w, region); }))
      return false;
    if (!isBox) known_.push_back(key);
    return true;
  }
  template <typename Visit> void forEach(Visit visit) {
    for (auto& [alloc, all] : accesses_)
      for (Access& access : all)
        visit(access);
  }

private:
  static constexpr size_t most = 64; // per allocation
  llvm::DenseMap<uint32_t, std::vector<Access>> accesses_;
  std::vector<Region> written_;
  std::vector<std::tuple<uint32_t, int64_t, int64_t>> known_;
};

} // namespace gluond::lints::protocol
