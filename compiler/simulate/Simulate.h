// Runs all programs of a launch on the CPU.
//
//   auto code = simulate::translate(module);
//   GlobalMemory memory; ... memory.add("x", bytes) ...
//   Outcome outcome = simulate::run(**code, {grid, arguments}, memory, options);
//
// Programs of a grid run side by side, each on one thread; where they use atomics, one after
// another, so that a launch gives the same results each time. A program that takes long gives way
// to the next one: programs may wait for each other.
#pragma once

#include "simulate/machine/Machine.h"
#include "simulate/translate/Translate.h"
#include "support/Cancellation.h"

#include <chrono>
#include <functional>

namespace gluond::simulate {

struct Options {
  uint64_t steps = uint64_t(1) << 40; // of all programs together
  std::chrono::milliseconds time = std::chrono::hours(24);
  unsigned threads = 0; // 0 for as many as the machine runs at once
  // Programs that one thread has begun and not ended: they may wait for each other.
  size_t atOnce = 256;
  std::optional<ProgramId> only; // one program of the grid
  bool watchNumbers = false;     // tells where the first NaN comes from
  CancellationToken token;
  ScheduleName schedule;        // of each program
  Observer* observer = nullptr; // of the first program, or the only one
};

struct Outcome {
  enum class End : uint8_t {
    Finished,
    Failed,
    OutOfSteps,
    OutOfTime,
    Cancelled
  } end = End::Finished;
  std::vector<Finding> findings;    // one for each row and place, of the first program that has it
  std::string printed;              // by the programs in their order
  uint64_t programs = 0, steps = 0; // that ran to their end; of all
  bool isOpen = false; // something depends on the schedule: partitions, asynchronous operations
};

Outcome run(const KernelCode& code, const Setting& setting, const GlobalMemory& memory,
            const Options& options = {});

} // namespace gluond::simulate
