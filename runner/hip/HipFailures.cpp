// The results of HIP, and what ROCm writes before it ends the process, in words.
#include "runner/hip/HipDriver.h"

namespace gluond::runner::hip {

using device::Blame;

device::Explanation explain(device::Result result) {
  struct Row {
    device::Result result;
    device::Explanation explanation;
  };
  static constexpr Row rows[] = {
      {9, {Blame::None, "The GPU does not take a grid or a CTA of this size."}},
      {35,
       {Blame::Device,
        "The amdgpu driver of the operating system is older than this ROCm: update the driver."}},
      {98, {Blame::None, "The code has no kernel that this GPU can run."}},
      {200, {Blame::None, "HIP rejects this code: it is no hsaco, or one for another GPU."}},
      {218, {Blame::None, "HIP rejects this code: it is no hsaco."}},
      {303,
       {Blame::None, "HIP cannot load this hsaco: it is made for another GPU, or needs a newer "
                     "ROCm."}},
      {719,
       {Blame::Kernel,
        "The kernel failed: a trap (a device_assert), an illegal instruction, or an invalid "
        "address that the GPU cannot name."}},
      {801, {Blame::None, "This GPU or this ROCm does not support it."}},
      {999, {Blame::Device, "The driver gives no reason; the kernel log (dmesg) may."}},
      {1052, {Blame::Device, "A call of ROCm's runtime about memory failed."}},
      {1053, {Blame::Device, "A call of ROCm's runtime failed."}},
  };
  for (const Row& row : rows)
    if (row.result == result) return row.explanation;
  return device::explainCommon(result);
}

std::string explainAbort(const std::string& output) {
  struct Row {
    const char* words; // in the output
    device::Result result;
  };
  static constexpr Row rows[] = {
      {"Memory access fault", 700},
      {"HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION", 700},
      {"HSA_STATUS_ERROR_MEMORY_FAULT", 700},
      {"HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION", 719},
      {"HSA_STATUS_ERROR_EXCEPTION", 719},
      {"HSA_STATUS_ERROR_OUT_OF_RESOURCES", 701},
      {"GPU Hang", 702},
  };
  for (const Row& row : rows)
    if (output.find(row.words) != std::string::npos) return explain(row.result).text;
  return {};
}

} // namespace gluond::runner::hip
