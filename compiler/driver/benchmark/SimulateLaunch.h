// Runs a launch on the CPU (simulate/), with the inputs that a GPU would get and the report that it
// would give.
#pragma once

#include "driver/benchmark/PrepareSimulation.h"

namespace gluond::driver {

struct SimulationOptions {
  unsigned threads = 0;                       // 0: as many as the machine runs at once
  std::optional<simulate::ProgramId> program; // only this one
  std::vector<std::string> outputs;           // tensors whose contents are wanted
  simulate::ScheduleChoice schedule;          // one, or how many to explore
  bool traces = false;                        // records what happens in one program
};

struct SimulatedTensor {
  std::string name, elements; // in row-major order
  const runner::Dtype* dtype = nullptr;
  std::vector<int64_t> shape;
};

struct SimulatedLaunch {
  HostLaunch host; // nothing missing
  std::vector<std::string> assumptions;
  unsigned warps = 4;
  uint64_t sharedBytes = 0;
  runner::RunResult result; // its time is what the simulation took
  std::vector<SimulatedTensor> tensors;
  simulate::Outcome::End end = simulate::Outcome::End::Finished;
  uint64_t programs = 0, steps = 0; // that ran to their end; of all; of the first schedule
  unsigned schedules = 1;           // that were tried; tensors are those of the first
  std::string trace;                // in the format of Chrome and Perfetto
  std::vector<diagnostics::Diagnostic> findings;
  std::string stopped; // why not all programs ran, where no finding says it; empty: all did
};

// The error is a sentence: of what the user wrote, or of what cannot be simulated at all.
tl::expected<SimulatedLaunch, std::string>
simulateLaunch(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
               const SimulationOptions& simulation, Worker& worker, CancellationToken token = {});

// Compares a tensor with a .npy file.
tl::expected<runner::CompareResult, std::string>
compareTensor(const SimulatedLaunch& launch, const std::string& name, std::string_view file,
              std::optional<double> relative, std::optional<double> absolute);

} // namespace gluond::driver
