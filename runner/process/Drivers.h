// The drivers of this machine: NVIDIA's, AMD's, or both.
#pragma once

#include "runner/device/Driver.h"

namespace gluond::runner::device {

// One for each vendor that gluond knows, in the order of the machine's GPUs.
struct DriverSlot {
  const char* name;   // "CUDA", "HIP"
  const char* vendor; // "NVIDIA", "AMD"
  Opened driver;
};
std::vector<DriverSlot> openDrivers();

} // namespace gluond::runner::device
