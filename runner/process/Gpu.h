// The runner's operations, with a method for each request: load code, run it, time it, compare.
//
// For one thread only. Errors are Problems; after a fatal one the context is unusable, and so is
// the process.
#pragma once

#include "runner/data/TensorData.h"
#include "runner/device/Memory.h"
#include "runner/process/Capture.h"
#include "runner/process/Drivers.h"
#include "runner/process/Watchdog.h"
#include "runner/protocol/Messages.h"
#include "support/Cancellation.h"

#include <functional>
#include <map>
#include <memory>

namespace gluond::runner {

template <typename T> using Expected = tl::expected<T, Problem>;

class Gpu {
public:
  Gpu(Watchdog& watchdog, Capture& capture) : watchdog_(watchdog), capture_(capture) {}

  // Opens the drivers of this machine. Why one gives no GPU is part of the result.
  InitializeResult initialize();
  // Slices of a request refer to `binary`.
  Expected<LoadResult> load(const LoadParams& params, std::string_view binary);
  Expected<bool> unload(const UnloadParams& params);
  // Requested .npy files are appended to `out`.
  Expected<RunResult> run(const RunParams& params, std::string_view binary, std::string& out);
  Expected<TimeResult> time(const TimeParams& params, std::string_view binary,
                            const CancellationToken& token,
                            const std::function<void(const Times&)>& progress);
  Expected<CompareResult> compare(const CompareParams& params, std::string_view binary);

private:
  struct LoadedModule {
    device::Module module = nullptr;
    device::Function function = nullptr;
    std::string kernel;
    std::vector<unsigned> parameterSizes; // empty if they are not known
    unsigned device = 0, threads = 0, sharedBytes = 0;
  };
  struct DeviceState {
    DeviceInfo info;
    device::Driver* driver = nullptr;
    int ordinal = 0; // of the driver's devices
    device::Stream stream = nullptr;
    Allocation flush;
  };
  struct Prepared;
  struct KeptTensor {
    std::string name;
    const Dtype* dtype;
    std::vector<int64_t> shape;
    std::string elements;
  };

  void open();
  Expected<DeviceState*> use(unsigned device); // makes its context current
  Expected<LoadedModule*> find(uint64_t module);
  Expected<bool> prepare(const Launch& launch, std::string_view binary, bool guard, Prepared& out);
  Expected<bool> prepareTensor(const Launch& launch, const Argument& argument,
                               std::string_view binary, bool guard, Prepared& out);
  Expected<bool> addDescriptor(const Argument& argument, const TensorShape& shape,
                               device::Address base, Prepared& out);
  Expected<bool> checkParameters(const LoadedModule& module, const Prepared& prepared);
  Expected<bool> launch(Prepared& prepared);
  // Waits for everything that was launched.
  Expected<bool> finish(const Prepared& prepared, uint64_t limitMs);
  Problem problem(const device::Driver& driver, device::Result result, ProblemKind kind,
                  const std::string& kernel, const std::string& what);

  Watchdog& watchdog_;
  Capture& capture_;
  bool isOpen_ = false;
  std::vector<std::unique_ptr<device::Driver>> drivers_;
  std::vector<DriverInfo> driverInfos_;
  std::vector<DeviceState> devices_;
  std::map<uint64_t, LoadedModule> modules_;
  uint64_t nextModule_ = 1;
  std::vector<std::pair<std::string, std::vector<KeptTensor>>> kept_; // oldest first
};

} // namespace gluond::runner
