// NVIDIA's management library (NVML), which comes with the driver: clocks, temperature and power of
// a GPU while it works. A machine may lack it.
#pragma once

#include "runner/protocol/Messages.h"

namespace gluond::runner::cuda {

// The GPU is named by its place on the bus: "0000:1b:00.0". The first call opens the library.
std::optional<Conditions> conditionsOf(const char* busId);

} // namespace gluond::runner::cuda
