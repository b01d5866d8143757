// The observer of a run: a debugger, a trace or an analysis. Its functions are called from the
// thread that runs the program.
#pragma once

#include "simulate/machine/State.h"

namespace gluond::simulate {

class Observer {
public:
  virtual ~Observer() = default;
  // An instruction is done; its results are in the registers.
  virtual void executed(const State& state, const Thread& thread, const Instruction& instruction) {}
  // A thread begins to wait.
  virtual void blocked(const State& state, const Thread& thread, const Instruction& instruction) {}
  // Arrivals, bytes or a phase.
  virtual void barrierChanged(const State& state, uint32_t address, const Barrier& barrier) {}
  // Called before global memory may change.
  virtual void writes(const State& state, uint64_t address, size_t bytes) {}
  // Called for each access that is looked at for races: to shared, tensor and the program's own
  // global memory.
  virtual void accessed(const State& state, const Access& access) {}
  virtual void began(const State& state, const Thread& thread, const AsyncOperation& operation) {}
  virtual void ended(const State& state, const AsyncOperation& operation) {}
};

} // namespace gluond::simulate
