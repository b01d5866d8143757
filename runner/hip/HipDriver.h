// AMD's driver: libamdhip64.so of ROCm 5, 6 or 7.
#pragma once

#include "runner/device/Driver.h"

namespace gluond::runner::hip {

// Opens GLUOND_HIP_LIBRARY if that is set, else libamdhip64.so where the system or ROCm installs
// it.
device::Opened open();

device::Explanation explain(device::Result result);

// ROCm ends the process when a kernel faults, and says why on its error output only. Returns what
// that output tells about the kernel; empty if it tells nothing of the kind.
std::string explainAbort(const std::string& output);

} // namespace gluond::runner::hip
