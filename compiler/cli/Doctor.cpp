#include "cli/Commands.h"
#include "cli/Inputs.h"
#include "cli/Output.h"
#include "driver/DiskCache.h"
#include "driver/Workspace.h"
#include "target/nvidia/Toolkit.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/FileSystem.h>

#include <thread>

namespace gluond::cli {

namespace {

struct Check {
  const char* what;
  bool present;
  std::string detail;
};

Check found(const char* what, std::string path, const char* need) {
  bool present = !path.empty();
  return {what, present, present ? std::move(path) : need};
}

Check device(const char* what, const char* path, const char* need) {
  bool present = llvm::sys::fs::exists(path);
  return {what, present, present ? path : need};
}

std::string describe(driver::DiskCache::Usage usage) {
  return std::to_string(usage.entries) + (usage.entries == 1 ? " result, " : " results, ") +
         std::to_string((usage.bytes + 1023) >> 10) + " KiB";
}

} // namespace

int doctor(const DoctorOptions& options) {
  using namespace target::nvidia;
  driver::Workspace workspace{driver::Settings()};
  driver::DiskCache cache =
      driver::cacheOf(*workspace.snapshot()->settingsOf(absolutePath("any.py")));
  Output out;
  if (options.clearCache) {
    driver::DiskCache::Usage gone = cache.clear();
    out << "removed " << describe(gone) << (cache.isOn() ? " in " : "") << cache.folder() << "\n";
    out.flush();
    return out.ok() ? fine : findings;
  }
  out << "gluond " << GLUOND_VERSION << ", the Gluon of Triton 3.9.0, on LLVM and MLIR "
      << LLVM_VERSION_STRING << ", " << std::to_string(std::thread::hardware_concurrency())
      << " CPU threads\n";
  out << "Checking, layouts and IR need nothing else: no Python, no Triton, no GPU.\n";
  const Check checks[] = {
      device("NVIDIA GPU", "/dev/nvidiactl", "none here; only running kernels needs one"),
      device("AMD GPU", "/dev/kfd", "none here; only running kernels needs one"),
      found("ptxas", findTool("ptxas"),
            "in no CUDA toolkit, Triton or folder of PATH; only machine code for NVIDIA needs it"),
      found("nvdisasm", findTool("nvdisasm"), "likewise; only stage sass needs it"),
      found("libdevice", findDeviceLibrary(),
            "likewise; only kernels that call gl.libdevice or some of gl's mathematics need it"),
  };
  for (const Check& check : checks)
    out << (check.present ? "  yes  " : "  no   ") << check.what << ": " << check.detail << "\n";
  if (cache.isOn())
    out << "Compiled code is kept in " << cache.folder() << ": " << describe(cache.usage())
        << " of " << std::to_string(cache.mostBytes() >> 20)
        << " MiB; gluond doctor --clear-cache empties it.\n";
  else
    out << "Compiled code is not kept: the cache is off.\n";
  out.flush();
  return out.ok() ? fine : findings;
}

} // namespace gluond::cli
