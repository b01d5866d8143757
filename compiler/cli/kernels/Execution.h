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

// Why there is nothing to execute.
struct Refusal {
  int code = 1;              // with which the command ends
  bool isWithoutGpu = false; // the question is fine, but there is no GPU
  std::string why, advice;   // empty: it was said
};
// Says why on standard error; gives the code.
int tell(const Refusal& refusal);
tl::expected<Execution, Refusal> beginExecution(const ExecutionOptions& options);

// A problem as the lines that a user reads.
std::string describe(const runner::Problem& problem);

// "12.3 us", "4.56 ms"
std::string timeText(double microseconds);

} // namespace gluond::cli
