// The arguments of a launch, for a GPU process and for the simulator.
#pragma once

#include "driver/analysis/Analysis.h"
#include "driver/benchmark/Benchmark.h"

namespace gluond::driver {

struct LaunchInputs {
  Variant variant;                // with the types that the arguments give (GivenTypes.h)
  HostLaunch host;                // complete
  std::vector<std::string> files; // contents of tensors that come from files, by argument
  std::vector<std::string> assumptions;
};
// Returns the launch with the arguments and the grid that the user gave; nothing is assumed, and no
// file is read. The error is a sentence about the user's input.
tl::expected<HostLaunch, std::string> givenLaunch(const Variant& variant, const Interner& names,
                                                  const LaunchOptions& options);
// The error is a sentence about the user's input or about a file.
tl::expected<LaunchInputs, std::string>
launchInputs(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options);

// Returns the arguments as runner messages; file data is appended to `binary`, for its slices.
std::vector<runner::Argument> launchArguments(const LaunchInputs& inputs, const KernelWork& work,
                                              std::string& binary);

} // namespace gluond::driver
