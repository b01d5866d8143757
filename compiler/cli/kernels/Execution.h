// The parts that `gluond run` and `gluond bench` share: GPU processes, and launches that fit them.
#pragma once

#include "cli/input/Commands.h"
#include "cli/kernels/KernelChoice.h"
#include "driver/benchmark/Benchmark.h"

#include <functional>

namespace gluond::cli {

struct Execution {
  KernelChoice choice; // launches that the GPU can run
  std::vector<std::unique_ptr<remote::Runner>> runners;
  runner::InitializeResult greeting; // of the first GPU process
  runner::DeviceInfo device;         // of the first GPU process
  driver::LaunchOptions launch;      // as the user gave them
  std::vector<remote::Runner*> pointers() const;
};

// Why there is nothing to execute.
struct Refusal {
  int code = 1;              // exit code of the command
  bool isWithoutGpu = false; // the query is valid, but there is no GPU
  std::string why, advice;   // both are empty if they were printed already
  runner::ProblemKind kind = runner::ProblemKind::NoDevice;
};
// Prints the reason, in words on standard error or as an object {"problem"} on standard output, and
// returns the exit code.
int tell(const Refusal& refusal, bool isJson);
// Returns why --arg, --grid, or the tensors that the user wants written or compared fit none of the
// launches; empty if they fit one.
std::string whyWrong(const KernelChoice& choice, const ExecutionOptions& options);
// Starts `each` GPU processes with every command; one may take `startSeconds`.
// `whyNot` judges what else the user asks of the launches, before a GPU is looked for; it returns
// an empty text for what is right.
tl::expected<Execution, Refusal>
beginExecution(const ExecutionOptions& options, unsigned each = 1, uint64_t startSeconds = 60,
               const std::function<std::string(const KernelChoice&)>& whyNot = {});

// Formats a problem as the lines that a user reads.
std::string describe(const runner::Problem& problem);

// Formats the registers of a thread: "40 registers", "84 registers, 16 AGPRs, 30 SGPRs".
std::string registersText(const runner::LoadResult& load);
// Adds what only AMD's code has: AGPRs, SGPRs, spilled registers.
void addRegisters(nlohmann::ordered_json& json, const runner::LoadResult& load);

// Formats a duration: "12.3 us", "4.56 ms".
std::string timeText(double microseconds);

} // namespace gluond::cli
