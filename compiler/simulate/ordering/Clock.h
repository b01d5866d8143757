// The events that one partition of a kernel knows to have happened: a vector clock over the
// partitions, and the set of asynchronous operations known to be complete. "A happened before B" is
// a look-up in the clock of B's partition.
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace gluond::ordering {

struct Knowledge {
  llvm::SmallVector<uint32_t, 8> times; // by thread: its steps that are known
  uint32_t first = 0;                   // operations below are complete, or nobody asks for them
  llvm::BitVector done;                 // by asynchronous operation, from `first` on

  void join(const Knowledge& other) {
    if (times.size() < other.times.size()) times.resize(other.times.size(), 0);
    for (size_t i = 0; i < other.times.size(); ++i)
      times[i] = std::max(times[i], other.times[i]);
    forgetBefore(other.first);
    if (first == other.first) {
      if (done.size() < other.done.size()) done.resize(other.done.size());
      done |= other.done;
      return;
    }
    for (int i = other.done.find_first(); i >= 0; i = other.done.find_next(i))
      complete(other.first + static_cast<uint32_t>(i));
  }
  uint32_t at(uint32_t thread) const { return thread < times.size() ? times[thread] : 0; }
  // The next step of a thread, which knows of itself.
  uint32_t tick(uint32_t thread) {
    if (times.size() <= thread) times.resize(thread + 1, 0);
    return ++times[thread];
  }
  void complete(uint32_t operation) {
    if (operation < first) return;
    if (done.size() <= operation - first) done.resize(operation - first + 64);
    done.set(operation - first);
  }
  bool isComplete(uint32_t operation) const {
    return operation < first || (operation - first < done.size() && done.test(operation - first));
  }
  // Whether one of `operations`, a set of numbers from 0 on, is not known to be complete.
  bool lacksAnyOf(const llvm::BitVector& operations) const {
    if (first == 0) return operations.test(done);
    for (int id = operations.find_first(); id >= 0; id = operations.find_next(id))
      if (!isComplete(static_cast<uint32_t>(id))) return true;
    return false;
  }
  // Drops the operations below `operation`, which are no longer needed. Runs without end would take
  // more and more memory otherwise.
  void forgetBefore(uint32_t operation) {
    if (operation <= first) return;
    uint32_t shift = operation - first;
    first = operation;
    if (shift >= done.size())
      done.clear();
    else
      done >>= shift, done.resize(done.size() - shift);
  }
};

// In a cluster, each CTA has a copy of each partition. The knowledge of a clock itself holds for
// the copies in its CTA; `everywhere` holds for the copies in all CTAs.
struct Clock : Knowledge {
  std::optional<Knowledge> everywhere; // none: nothing

  void join(const Clock& other) {
    Knowledge::join(other);
    if (!other.everywhere) return;
    if (everywhere)
      everywhere->join(*other.everywhere);
    else
      everywhere = other.everywhere;
  }
  // The CTAs of the cluster tell each other what they know.
  void meet() {
    if (everywhere)
      everywhere->join(*this);
    else
      everywhere = *this;
  }
  void forgetOperationsBefore(uint32_t operation) {
    Knowledge::forgetBefore(operation);
    if (everywhere) everywhere->forgetBefore(operation);
  }
};

} // namespace gluond::ordering
