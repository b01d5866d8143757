// The arguments of a launch, for a GPU process and for the simulator.
#pragma once

#include "driver/benchmark/Benchmark.h"

namespace gluond::driver {

struct LaunchInputs {
  HostLaunch host;                // complete
  std::vector<std::string> files; // contents of tensors that come from files, by argument
  std::vector<std::string> assumptions;
};
// The error is a sentence about the user's input or about a file.
tl::expected<LaunchInputs, std::string>
launchInputs(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options);

// Returns the arguments as runner messages; file data is appended to `binary`, for its slices.
std::vector<runner::Argument> launchArguments(const LaunchInputs& inputs, const KernelWork& work,
                                              std::string& binary);

} // namespace gluond::driver
