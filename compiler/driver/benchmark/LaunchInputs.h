// What a launch passes to its kernel, whoever runs it: a GPU process, or the simulator.
#pragma once

#include "driver/benchmark/Benchmark.h"

namespace gluond::driver {

struct LaunchInputs {
  HostLaunch host;                // nothing missing
  std::vector<std::string> files; // contents of tensors that come from files, by argument
  std::vector<std::string> assumptions;
};
// The error is a sentence, about what the user wrote or about a file.
tl::expected<LaunchInputs, std::string>
launchInputs(const Snapshot& snapshot, const Variant& variant, const LaunchOptions& options);

// The arguments as messages describe them; files are appended to `binary`, which slices point into.
std::vector<runner::Argument> launchArguments(const LaunchInputs& inputs, const KernelWork& work,
                                              std::string& binary);

} // namespace gluond::driver
