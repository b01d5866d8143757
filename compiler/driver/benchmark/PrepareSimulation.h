// A launch made ready for the simulator: the kernel as a program that runs, and its arguments with
// their memory. What runs it, and what steps through it, begin here.
#pragma once

#include "driver/analysis/Analysis.h"
#include "driver/benchmark/Benchmark.h"
#include "runner/data/TensorData.h"
#include "runner/protocol/Dtype.h"
#include "simulate/Simulate.h"

#include <deque>

namespace gluond::driver {

// One tensor argument: its storage, which arguments that are the same tensor share.
struct SimulatedMemory {
  std::string name;
  runner::TensorShape shape;
  std::string storage, before;
  uint64_t address = 0;
};

struct PreparedSimulation {
  HostLaunch host; // nothing missing
  std::vector<std::string> assumptions;
  StageModule made; // the module that the program was made of
  std::shared_ptr<const simulate::Program> program;
  simulate::Setting setting;
  std::deque<SimulatedMemory> memories; // their storage stays where it is
  simulate::GlobalMemory memory;        // that they are in
};

enum class Purpose : uint8_t {
  Run,
  Debug, // the kernel is not optimized, and its statements and variables are marked
};

// The error is a sentence: of what the user wrote, or of what cannot be simulated at all.
tl::expected<std::unique_ptr<PreparedSimulation>, std::string>
prepareSimulation(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
                  Purpose purpose, Worker& worker, CancellationToken token = {});

// Why the grid has no such program; empty: it has.
std::string outsideOfGrid(const simulate::ProgramId& program, const HostLaunch& host);

// Findings at the user's places; one that has none there is told by its call.
std::vector<diagnostics::Diagnostic> placed(std::vector<simulate::Finding> findings,
                                            const Program& program);

} // namespace gluond::driver
