// `gluond run` without a GPU.
#pragma once

#include "cli/kernels/RunReport.h"

namespace gluond::cli {

// Simulates the launch. `because` says why no GPU is used, unless the user asked for the CPU.
int runOnCpu(const RunOptions& options, const RunFiles& files, const std::string& because);

} // namespace gluond::cli
