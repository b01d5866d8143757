// In which order things happen that the kernel leaves open. A schedule is asked by the machine at
// every such point, so that the same schedule gives the same run.
#pragma once

#include "simulate/machine/State.h"

namespace gluond::simulate {

class Schedule {
public:
  virtual ~Schedule() = default;
  // Which thread goes on when the current one waits or ends: the next in turn.
  virtual uint32_t nextThread(const State& state) {
    return (state.current + 1) % static_cast<uint32_t>(state.threads.size());
  }
  // Which operation under way ends when no thread can go on: the one that was issued first.
  virtual size_t nextCompletion(const State& state) { return 0; }
  // Whether an operation under way ends now, although threads can go on. By default nothing ends
  // before somebody needs it: what is read without waiting for it is seen to be missing.
  virtual bool completesEarly(const State& state) { return false; }
};

} // namespace gluond::simulate
