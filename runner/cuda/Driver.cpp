#include "runner/cuda/Driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <vector>

namespace gluond::runner::cuda {

tl::expected<Driver, std::string> Driver::open() {
  std::vector<std::string> candidates;
  if (const char* given = std::getenv("GLUOND_CUDA_LIBRARY"); given && *given)
    candidates = {given};
  else
    // The name alone uses the system's search; the folders are those of WSL and of containers whose
    // linker cache is older than the driver.
    candidates = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
                  "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib64/libcuda.so.1",
                  "/usr/local/cuda/compat/libcuda.so.1"};
  Driver driver;
  void* handle = nullptr;
  std::string tried;
  for (const std::string& candidate : candidates) {
    handle = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle) {
      driver.library = candidate;
      break;
    }
    const char* why = dlerror();
    tried += (tried.empty() ? "" : ", ") + candidate;
    if (candidates.size() == 1 && why) tried += std::string(" (") + why + ")";
  }
  if (!handle)
    return tl::unexpected<std::string>("there is no CUDA driver library here; looked for " + tried);

  std::string missing;
#define GLUOND_FIND(name, symbol, parameters)                                                      \
  driver.name = reinterpret_cast<Result(*) parameters>(dlsym(handle, #symbol));
#define GLUOND_REQUIRE(name, symbol, parameters)                                                   \
  GLUOND_FIND(name, symbol, parameters)                                                            \
  if (!driver.name) missing += (missing.empty() ? "" : ", ") + std::string(#symbol);
  GLUOND_CUDA_REQUIRED(GLUOND_REQUIRE)
  GLUOND_CUDA_OPTIONAL(GLUOND_FIND)
#undef GLUOND_REQUIRE
#undef GLUOND_FIND
  if (!missing.empty())
    return tl::unexpected(driver.library + " is too old: it has no " + missing +
                          " (CUDA 11.8 or newer is required)");
  if (Result result = driver.init(0); result != success)
    return tl::unexpected<std::string>("the CUDA driver in " + driver.library +
                                       " does not start: " + driver.nameOf(result) + ", " +
                                       driver.textOf(result));
  return driver;
}

std::string Driver::nameOf(Result result) const {
  const char* name = nullptr;
  if (errorName(result, &name) == success && name) return name;
  return "CUDA error " + std::to_string(result);
}

std::string Driver::textOf(Result result) const {
  const char* text = nullptr;
  if (errorText(result, &text) == success && text) return text;
  return "the driver has no description of it";
}

Explanation explain(Result result) {
  struct Row {
    Result result;
    Explanation explanation;
  };
  static constexpr Row rows[] = {
      {2, {Blame::None, "The GPU has not enough free memory."}},
      {200, {Blame::None, "The driver rejects this code: it is neither a cubin nor PTX."}},
      {209, {Blame::None, "The code is not made for this GPU."}},
      {214, {Blame::Device, "The GPU's memory has an uncorrectable error."}},
      {218, {Blame::None, "The driver's compiler rejects the PTX."}},
      {220, {Blame::Device, "NVLink has an uncorrectable error."}},
      {221, {Blame::None, "The driver has no compiler for PTX; machine code needs ptxas."}},
      {222,
       {Blame::None,
        "The PTX is newer than this driver: use a newer driver, or machine code from ptxas."}},
      {226, {Blame::Device, "The GPU contained a memory error."}},
      {700,
       {Blame::Kernel, "The kernel reads or writes an invalid address: an index is out of bounds, "
                       "or a pointer or stride is wrong."}},
      {701,
       {Blame::None,
        "The launch needs more registers, threads or shared memory than the GPU has."}},
      {702, {Blame::Kernel, "The driver stopped the kernel because it ran too long."}},
      {710, {Blame::Kernel, "A device_assert failed."}},
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
      {720, {Blame::None, "A cooperative launch has more programs than fit on the GPU at once."}},
      {721, {Blame::Kernel, "The kernel ended with tensor memory allocated."}},
      {802, {Blame::Device, "The GPU's fabric is not ready (nv-fabricmanager)."}},
      {803,
       {Blame::Device,
        "The driver library does not match the driver module of the operating system."}},
      {912, {Blame::None, "The GPU cannot run clusters of this size."}},
  };
  for (const Row& row : rows)
    if (row.result == result) return row.explanation;
  return {Blame::None, ""};
}

} // namespace gluond::runner::cuda
