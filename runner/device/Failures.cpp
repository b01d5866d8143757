// The results that have the same number and meaning in CUDA and HIP, in words.
#include "runner/device/Driver.h"

namespace gluond::runner::device {

Explanation explainCommon(Result result) {
  struct Row {
    Result result;
    Explanation explanation;
  };
  static constexpr Row rows[] = {
      {2, {Blame::None, "The GPU has not enough free memory."}},
      {209, {Blame::None, "The code is not made for this GPU."}},
      {214, {Blame::Device, "The GPU's memory has an uncorrectable error."}},
      {700,
       {Blame::Kernel, "The kernel reads or writes an invalid address: an index is out of bounds, "
                       "or a pointer or stride is wrong."}},
      {701,
       {Blame::None,
        "The launch needs more registers, threads or shared memory than the GPU has."}},
      {702, {Blame::Kernel, "The driver stopped the kernel because it ran too long."}},
      {710, {Blame::Kernel, "A device_assert failed."}},
      {720, {Blame::None, "A cooperative launch has more programs than fit on the GPU at once."}},
  };
  for (const Row& row : rows)
    if (row.result == result) return row.explanation;
  return {};
}

} // namespace gluond::runner::device
