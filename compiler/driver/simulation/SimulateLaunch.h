// Runs a launch on the CPU (simulate/), with the same inputs and the same report as on a GPU.
#pragma once

#include "driver/simulation/PrepareSimulation.h"

namespace gluond::driver {

struct SimulationOptions {
  unsigned threads = 0;                       // 0 for as many as the machine runs at once
  std::optional<simulate::ProgramId> program; // run only this one
  std::vector<std::string> outputs;           // tensors whose contents to return
  simulate::ScheduleChoice schedule;          // one, or how many to explore
  bool traces = false;                        // record what happens in one program
};

struct SimulatedTensor {
  std::string name, elements; // in row-major order
  const runner::Dtype* dtype = nullptr;
  std::vector<int64_t> shape;
};

struct SimulatedLaunch {
  Variant variant; // with the types that the arguments give
  HostLaunch host; // complete
  std::vector<std::string> assumptions;
  unsigned warps = 4;
  uint64_t sharedBytes = 0;
  runner::RunResult result; // its time is that of the simulation
  std::vector<SimulatedTensor> tensors;
  simulate::Outcome::End end = simulate::Outcome::End::Finished;
  uint64_t programs = 0, steps = 0; // that finished; of all; for the first schedule
  unsigned schedules = 1;           // number tried; tensors are those of the first
  std::string trace;                // in the format of Chrome and Perfetto
  std::vector<diagnostics::Diagnostic> findings;
  std::string stopped; // why not all programs ran, if no finding explains it; else empty
};

// The error is a sentence about the user's input, or about what cannot be simulated.
tl::expected<SimulatedLaunch, std::string>
simulateLaunch(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
               const SimulationOptions& simulation, Worker& worker, CancellationToken token = {});

// Compares a tensor with a .npy file.
tl::expected<runner::CompareResult, std::string>
compareTensor(const SimulatedLaunch& launch, const std::string& name, std::string_view file,
              std::optional<double> relative, std::optional<double> absolute);

} // namespace gluond::driver
