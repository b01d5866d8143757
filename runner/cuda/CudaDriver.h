// NVIDIA's driver: libcuda.so.1 of CUDA 11.8 or newer.
#pragma once

#include "runner/device/Driver.h"

namespace gluond::runner::cuda {

// Opens GLUOND_CUDA_LIBRARY if that is set, else libcuda.so.1 where the system or drivers install
// it.
device::Opened open();

device::Explanation explain(device::Result result);

} // namespace gluond::runner::cuda
