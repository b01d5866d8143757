#include "backend/amd/DeviceLibraryFiles.h"
#include "backend/amd/GluondAmdgpu.h"
#include "backend/nvidia/Toolkit.h"
#include "cli/input/Commands.h"
#include "cli/input/Inputs.h"
#include "cli/output/Output.h"
#include "cli/process/Sandbox.h"
#include "driver/benchmark/Benchmark.h"
#include "driver/cache/DiskCache.h"

#include <llvm/Config/llvm-config.h>

#include <thread>

namespace gluond::cli {

namespace {

struct Check {
  std::string what;
  bool present;
  std::string detail;
};

Check found(const char* what, const backend::FoundTool& tool, const char* need,
            const std::string& variable = "GLUOND_CUDA") {
  bool present = !tool.path.empty();
  std::string detail = present ? tool.path + " (" + tool.from + ")" : need;
  if (!tool.passedOver.empty())
    detail += "; " + tool.passedOver + " is not used, because it is in the workspace; set " +
              variable + " to its installation to use it";
  return {what, present, std::move(detail)};
}

// Each command that starts a GPU process, and which GPUs it has.
void checkRunners(const driver::Settings& settings, std::vector<Check>& checks) {
  constexpr const char* need = "; it is needed only to run kernels";
  for (const std::string& command : driver::runnerCommands(settings)) {
    remote::Runner runner({command, 20'000, 20'000});
    auto greeting = runner.connect();
    if (!greeting) {
      const runner::Problem& problem = greeting.error();
      std::string log = problem.log.empty() ? "" : " (" + problem.log + ")";
      checks.push_back({"GPU", false, problem.message + log + need});
      continue;
    }
    for (const runner::DriverInfo& driver : greeting->drivers) {
      std::string what = driver.vendor + " GPU";
      for (const runner::DeviceInfo& device : greeting->devices)
        if (llvm::StringRef(device.driver).starts_with(driver.name))
          checks.push_back({what, true,
                            device.name + " (" + device.target + ", " +
                                std::to_string(device.multiprocessors) +
                                (device.capability ? " SMs, " : " CUs, ") +
                                std::to_string(device.memoryBytes >> 30) + " GiB), " +
                                device.driver + ", by " + command});
      if (!driver.problem.empty())
        checks.push_back({what, false, driver.problem + " (according to " + command + ")" + need});
    }
  }
}

std::string describe(driver::DiskCache::Usage usage) {
  return std::to_string(usage.entries) + (usage.entries == 1 ? " result, " : " results, ") +
         std::to_string((usage.bytes + 1023) >> 10) + " KiB";
}

} // namespace

int doctor(const DoctorOptions& options) {
  using namespace backend::nvidia;
  driver::Settings given;
  given.overrides = settingsOf(options.settings);
  given.roots.push_back(absolutePath("."));
  driver::Workspace workspace(std::move(given));
  auto settings = workspace.snapshot()->settingsOf(absolutePath("any.py"));
  driver::DiskCache cache = driver::cacheOf(*settings);
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
  out << "Checking, layouts and IR need no Python, no Triton and no GPU.\n";
  std::string sandbox = sandboxKinds();
  out << (sandbox.empty() ? "The operating system offers no sandbox for gluond check.\n"
                          : "gluond check first gives up write access and network access, with " +
                                sandbox + "; a server evaluates files in a separate process.\n");
  std::vector<std::string> folders = workspace.snapshot()->folders();
  std::vector<Check> checks;
  checkRunners(*settings, checks);
  checks.push_back(found("ptxas", findTool("ptxas", folders),
                         "not found in a CUDA toolkit, in Triton or on PATH; only the stages cubin "
                         "and sass need it (the driver can compile kernels that are run)"));
  checks.push_back(
      found("nvdisasm", findTool("nvdisasm", folders), "not found; only the stage sass needs it"));
  checks.push_back(
      found("libdevice", findDeviceLibrary(folders),
            "not found; only kernels that call gl.libdevice or some math functions of gl need it"));
  std::string amdgpu = backend::amd::compilerProgram();
  checks.push_back({"gluond-amdgpu", !amdgpu.empty(),
                    amdgpu.empty() ? "not in the folder of gluond; the stages for AMD GPUs after "
                                     "ttgir need it: install gluond again"
                                   : amdgpu});
  for (const char* library : {"ocml.bc", "ockl.bc"})
    checks.push_back(
        found(library, backend::amd::findDeviceLibrary(library, folders),
              "not found in ROCm or in Triton; only kernels for AMD GPUs that call some math "
              "functions or print need it",
              "GLUOND_ROCM"));
  for (const Check& check : checks)
    out << (check.present ? "  yes  " : "  no   ") << check.what << ": " << check.detail << "\n";
  if (cache.isOn())
    out << "Compiled code is kept in " << cache.folder() << ": " << describe(cache.usage())
        << " of " << std::to_string(cache.mostBytes() >> 20)
        << " MiB; gluond doctor --clear-cache empties it.\n";
  else
    out << "Compiled code is not kept: the cache is off.\n";
  if (std::string problem = cache.problem(); !problem.empty()) out << problem << "\n";
  out.flush();
  return out.ok() ? fine : findings;
}

} // namespace gluond::cli
