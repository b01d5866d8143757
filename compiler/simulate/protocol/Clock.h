// What one partition of a kernel knows to have happened: a vector clock over the partitions, and
// the set of asynchronous operations known to be complete. "A happened before B" is a look-up in
// the clock of B's partition.
#pragma once

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <cstdint>

namespace gluond::protocol {

struct Clock {
  llvm::SmallVector<uint32_t, 8> times; // by thread: its steps that are known
  llvm::BitVector done;                 // by asynchronous operation

  void join(const Clock& other) {
    if (times.size() < other.times.size()) times.resize(other.times.size(), 0);
    for (size_t i = 0; i < other.times.size(); ++i)
      times[i] = std::max(times[i], other.times[i]);
    if (done.size() < other.done.size()) done.resize(other.done.size());
    done |= other.done;
  }
  uint32_t at(uint32_t thread) const { return thread < times.size() ? times[thread] : 0; }
  void complete(uint32_t operation) {
    if (done.size() <= operation) done.resize(operation + 64);
    done.set(operation);
  }
  bool isComplete(uint32_t operation) const {
    return operation < done.size() && done.test(operation);
  }
};

} // namespace gluond::protocol
