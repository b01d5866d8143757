#include "runner/process/Drivers.h"

#include "runner/cuda/CudaDriver.h"
#include "runner/hip/HipDriver.h"

namespace gluond::runner::device {

std::vector<DriverSlot> openDrivers() {
  std::vector<DriverSlot> slots;
  slots.push_back({"CUDA", "NVIDIA", cuda::open()});
  slots.push_back({"HIP", "AMD", hip::open()});
  return slots;
}

} // namespace gluond::runner::device
