// Prepares a launch for the simulator: compiles the kernel, translates it to a program, and
// allocates its arguments. Both `gluond run` and the debugger use it.
#pragma once

#include "driver/analysis/Analysis.h"
#include "driver/benchmark/Benchmark.h"
#include "runner/data/TensorData.h"
#include "runner/protocol/Dtype.h"
#include "simulate/Simulate.h"

#include <deque>

namespace gluond::driver {

// One tensor argument. Arguments that are the same tensor share it.
struct SimulatedMemory {
  std::string name;
  runner::TensorShape shape;
  std::string storage;
  size_t offset = 0;  // bytes of the storage in front of the tensor
  std::string before; // the tensor's contents before the launch; empty for Purpose::Debug
  uint64_t address = 0;
};

struct PreparedSimulation {
  Variant variant; // with the types that the arguments give
  HostLaunch host; // complete
  std::vector<std::string> assumptions;
  StageModule made; // the module of the program
  std::shared_ptr<const simulate::KernelCode> code;
  simulate::Setting setting;
  std::deque<SimulatedMemory> memories; // a deque keeps their addresses
  simulate::GlobalMemory memory;        // refers to the storage of `memories`
};

enum class Purpose : uint8_t {
  Run,
  Debug, // does not optimize the kernel, and marks its statements and variables
};

// Most machines cannot allocate more than one tensor of this size.
inline constexpr uint64_t mostSimulatedBytes = uint64_t{16} << 30;

// The error is a sentence about the user's input, or about an operation that cannot be simulated.
// `mostBytes`: of all tensors together; a quarter of the machine's memory if that is less.
tl::expected<std::unique_ptr<PreparedSimulation>, std::string>
prepareSimulation(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options,
                  Purpose purpose, Worker& worker, CancellationToken token = {},
                  uint64_t mostBytes = mostSimulatedBytes);

// Returns why the grid has no such program, or nothing if it has.
std::string outsideOfGrid(const simulate::ProgramId& program, const HostLaunch& host);

// Converts findings to diagnostics at the user's places. A finding outside of the user's files is
// placed at the call that leads to it.
std::vector<diagnostics::Diagnostic> placed(std::vector<simulate::Finding> findings,
                                            const EvaluatedFile& program);

} // namespace gluond::driver
