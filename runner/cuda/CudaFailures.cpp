// The results of the CUDA driver, in words.
#include "runner/cuda/CudaDriver.h"

namespace gluond::runner::cuda {

using device::Blame;

device::Explanation explain(device::Result result) {
  struct Row {
    device::Result result;
    device::Explanation explanation;
  };
  static constexpr Row rows[] = {
      {200, {Blame::None, "The driver rejects this code: it is neither a cubin nor PTX."}},
      {218, {Blame::None, "The driver's compiler rejects the PTX."}},
      {220, {Blame::Device, "NVLink has an uncorrectable error."}},
      {221, {Blame::None, "The driver has no compiler for PTX; machine code needs ptxas."}},
      {222,
       {Blame::None,
        "The PTX is newer than this driver: use a newer driver, or machine code from ptxas."}},
      {226, {Blame::Device, "The GPU contained a memory error."}},
      {714, {Blame::Kernel, "The kernel's stack is corrupt or overflowed."}},
      {715,
       {Blame::Kernel, "The kernel executed an illegal instruction: a trap, or an operation that "
                       "this GPU does not have."}},
      {716,
       {Blame::Kernel,
        "The kernel reads or writes an address that is not aligned to its access: an argument is "
        "declared divisible by 16 but is not, or an offset breaks the alignment."}},
      {717,
       {Blame::Kernel, "The kernel uses an address of the wrong memory space, for example shared "
                       "memory instead of global memory."}},
      {718, {Blame::Kernel, "The kernel jumped to an invalid code address."}},
      {719,
       {Blame::Kernel, "The kernel failed: a trap, an mbarrier or TMA used wrongly, or an illegal "
                       "access that the GPU cannot name."}},
      {721, {Blame::Kernel, "The kernel ended with tensor memory allocated."}},
      {802, {Blame::Device, "The GPU's fabric is not ready (nv-fabricmanager)."}},
      {803,
       {Blame::Device,
        "The driver library does not match the driver module of the operating system."}},
      {912, {Blame::None, "The GPU cannot run clusters of this size."}},
  };
  for (const Row& row : rows)
    if (row.result == result) return row.explanation;
  return device::explainCommon(result);
}

} // namespace gluond::runner::cuda
