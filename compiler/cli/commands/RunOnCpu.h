// `gluond run` without a GPU.
#pragma once

#include "cli/kernels/RunReport.h"

namespace gluond::cli {

// Simulates the launch. `because`: why there is no GPU, where the user did not ask for the CPU.
int runOnCpu(const RunOptions& options, const RunFiles& files, const std::string& because);

} // namespace gluond::cli
