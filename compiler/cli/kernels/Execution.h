// What `gluond run` and `gluond bench` share: the GPU processes, and the launches that fit them.
#pragma once

#include "cli/input/Commands.h"
#include "cli/kernels/KernelChoice.h"
#include "driver/benchmark/Benchmark.h"

namespace gluond::cli {

struct Execution {
  KernelChoice choice; // launches that the GPU can run
  std::vector<std::unique_ptr<remote::Runner>> runners;
  runner::InitializeResult greeting; // of the first
  runner::DeviceInfo device;         // likewise
  driver::LaunchOptions launch;      // as the user has it
  std::vector<remote::Runner*> pointers() const;
};

// The code says how the command ends where there is nothing to execute; why was said.
tl::expected<Execution, int> beginExecution(const ExecutionOptions& options);

// A problem as the lines that a user reads.
std::string describe(const runner::Problem& problem);

// "12.3 us", "4.56 ms"
std::string timeText(double microseconds);

} // namespace gluond::cli
