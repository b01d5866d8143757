// Records accesses to memory, and decides whether a new access is ordered after the earlier ones.
//
// An access is ordered after an earlier one when the partition that makes it knows (by its Clock)
// that the earlier one is over: it made it itself and it was synchronous, or an arrive and a wait
// lie between, or it has waited for the asynchronous operation. Two unordered accesses of which one
// writes are a race.
//
// A region says which bytes, or which part of a buffer as far as it is known: it has `alloc`, and
// overlaps() and covers() compare two.
#pragma once

#include "simulate/ordering/Actors.h"
#include "simulate/ordering/Clock.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>

#include <optional>
#include <vector>

namespace gluond::ordering {

template <class Region> struct Access {
  mlir::Operation* op = nullptr;
  Region region;
  Actor actor = Actor::Thread;
  bool isWrite = false;
  uint32_t thread = 0, time = 0;     // of an operation: who issued it, and when
  std::optional<uint32_t> operation; // asynchronous ones: its number
  bool isFenced = false;             // stores: from before the partitions began
  // Stores: the first fence after it of each thread that knew of it.
  struct Fence {
    uint32_t thread, time;
  };
  llvm::SmallVector<Fence, 1> fences;
  bool isAtomic = false; // two that both are make no race
  bool isWhole = false;  // a copy that certainly writes all of the region
  // In a cluster: the bits in which the number of the CTA that accesses memory differs from that of
  // the CTA whose memory it is.
  uint8_t distance = 0;
  uint64_t step = 0; // when it was made, or issued
};

// `now` is the clock of the thread or operation that accesses the same memory next, from that
// distance: from another one it is another CTA's.
template <class Region>
bool happenedBefore(const Access<Region>& access, const Clock& now, uint8_t distance = 0) {
  if (access.distance != distance && !now.everywhere) return false;
  const Knowledge& known = access.distance == distance ? now : *now.everywhere;
  if (access.operation) return known.isComplete(*access.operation);
  return known.at(access.thread) >= access.time;
}

// Whether two overlapping accesses need an order that only the kernel can make. Engines that work
// in the order in which a thread asks them make their own. Copies of one thread do not, but those
// with complementary masks may share a buffer.
template <class Region> bool needOrder(const Access<Region>& a, const Access<Region>& b) {
  if ((!a.isWrite && !b.isWrite) || (a.isAtomic && b.isAtomic)) return false;
  if (a.actor == Actor::AsyncCopy && a.isWhole && b.isWhole) return true;
  return a.thread != b.thread || a.actor != b.actor || !isInOrder(a.actor);
}

// Whether `later`, of a thread with the clock `now`, reads through the async proxy what another
// partition stored, and no fence lies between: one after the store that happened before the read.
// Within one partition the compiler places the fence.
template <class Region>
bool needsFence(const Access<Region>& earlier, const Access<Region>& later, const Clock& now) {
  if (!earlier.isWrite || earlier.actor != Actor::Thread || earlier.isFenced ||
      !isAsyncProxy(later.actor) || later.isWrite || earlier.thread == later.thread)
    return false;
  return llvm::none_of(earlier.fences, [&](const auto& fence) {
    return earlier.distance != later.distance || now.at(fence.thread) >= fence.time;
  });
}

// The accesses of every allocation that may still matter.
template <class Region> class Accesses {
public:
  using One = Access<Region>;
  explicit Accesses(size_t most = 64) : most_(most) {}

  bool has(uint32_t alloc) const { return accesses_.contains(alloc); }
  // Visits the earlier accesses that share an element with `region`, in order.
  template <typename Visit> void overlapping(const Region& region, Visit visit) {
    auto it = accesses_.find(region.alloc);
    if (it == accesses_.end()) return;
    for (One& access : it->second)
      if (overlaps(access.region, region)) visit(access);
  }
  // Remembers an access. One that it hides from all later questions is forgotten.
  void add(One access, const Clock& now) {
    std::vector<One>& all = accesses_[access.region.alloc];
    std::erase_if(all, [&](const One& old) {
      return (access.isWrite || (!old.isWrite && old.thread == access.thread &&
                                 old.actor == access.actor && old.distance == access.distance)) &&
             covers(access.region, old.region) && happenedBefore(old, now, access.distance);
    });
    all.push_back(std::move(access));
    if (all.size() > most_) all.erase(all.begin());
  }
  // A fence of a thread: the async proxy sees what the thread knows to be stored, once it knows of
  // the fence.
  void fence(uint32_t thread, Clock& now) {
    uint32_t time = now.tick(thread);
    forEach([&](One& access) {
      bool isOlder = !access.operation && happenedBefore(access, now);
      if (isOlder &&
          llvm::none_of(access.fences, [&](auto& each) { return each.thread == thread; }))
        access.fences.push_back({thread, time});
    });
  }
  template <typename Visit> void forEach(Visit visit) {
    for (auto& [alloc, all] : accesses_)
      for (One& access : all)
        visit(access);
  }
  template <typename Test> void eraseIf(Test test) {
    for (auto& [alloc, all] : accesses_)
      std::erase_if(all, test);
  }

private:
  size_t most_; // per allocation
  llvm::DenseMap<uint32_t, std::vector<One>> accesses_;
};

} // namespace gluond::ordering
