#include "runner/process/Gpu.h"

#include "runner/data/Npy.h"
#include "runner/data/Results.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace gluond::runner {

using device::FunctionAttribute;

namespace {

// Opening the driver, loading code: nothing of the user's runs, but drivers have been seen to hang.
constexpr uint64_t driverLimitMs = 120'000;

Problem request(std::string message) {
  return {ProblemKind::Request, std::move(message), {}, {}, {}, false};
}

} // namespace

Problem Gpu::problem(const device::Driver& driver, device::Result result, ProblemKind kind,
                     const std::string& kernel, const std::string& what) {
  device::Explanation explanation = driver.explain(result);
  Problem problem;
  problem.kind = kind;
  problem.kernel = kernel;
  problem.error = driver.nameOf(result);
  std::string why =
      *explanation.text ? explanation.text : "The driver says: " + driver.textOf(result) + ".";
  if (explanation.blame == device::Blame::Kernel) {
    problem.kind = ProblemKind::Fault;
    problem.isFatal = true;
    problem.message = kernel + " failed on the GPU with " + problem.error + ". " + why;
  } else {
    problem.message = what + ": " + problem.error + ". " + why;
    if (explanation.blame == device::Blame::Device) {
      problem.kind = ProblemKind::Driver;
      problem.isFatal = true;
    } else if (result == device::outOfMemory) {
      problem.kind = ProblemKind::Memory;
    } else if (result == device::outOfResources) {
      problem.kind = ProblemKind::Resources;
    }
  }
  problem.log = capture_.take();
  return problem;
}

void Gpu::open() {
  if (isOpen_) return;
  Watchdog::Guard guard(watchdog_, driverLimitMs, "");
  for (device::DriverSlot& slot : device::openDrivers()) {
    DriverInfo info{slot.name, slot.vendor, {}, {}, {}, false};
    if (!slot.driver) {
      info.problem = slot.driver.error().why;
      info.isMissing = slot.driver.error().isMissing;
    } else {
      device::Driver& driver = **slot.driver;
      info.version = driver.version();
      info.library = driver.library;
      int count = 0;
      device::Result result = driver.deviceCount(&count);
      if (result != device::success && result != device::noDevice)
        info.problem = std::string("the ") + slot.name +
                       " driver does not list its GPUs: " + driver.nameOf(result) + ", " +
                       driver.textOf(result);
      for (int i = 0; i < count && result == device::success; ++i) {
        DeviceState state;
        state.info = driver.describe(i);
        state.info.index = static_cast<unsigned>(devices_.size());
        state.driver = &driver;
        state.ordinal = i;
        devices_.push_back(std::move(state));
      }
      if (info.problem.empty() && count == 0) {
        std::string advice = driver.adviceWithoutDevices();
        info.problem = std::string("the ") + slot.name + " driver finds no GPU" +
                       (advice.empty() ? "" : ": " + advice);
      }
      drivers_.push_back(std::move(*slot.driver));
    }
    driverInfos_.push_back(std::move(info));
  }
  isOpen_ = true;
}

InitializeResult Gpu::initialize() {
  open();
  InitializeResult result;
  result.version = GLUOND_VERSION;
  result.drivers = driverInfos_;
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  result.host = host;
  for (const DeviceState& device : devices_)
    result.devices.push_back(device.info);
  return result;
}

Expected<Gpu::DeviceState*> Gpu::use(unsigned index) {
  open();
  if (index >= devices_.size())
    return tl::unexpected(Problem{drivers_.empty() ? ProblemKind::NoDriver : ProblemKind::NoDevice,
                                  devices_.empty()
                                      ? whyNoDevice(driverInfos_)
                                      : "there is no GPU " + std::to_string(index) + ", only " +
                                            std::to_string(devices_.size()) + " (numbered from 0)",
                                  {},
                                  {},
                                  {},
                                  false});
  DeviceState& device = devices_[index];
  Watchdog::Guard guard(watchdog_, driverLimitMs, "");
  auto unusable = [&](device::Result result) {
    return tl::unexpected(
        problem(*device.driver, result, ProblemKind::Driver, {}, "the GPU cannot be used"));
  };
  if (device::Result result = device.driver->enter(device.ordinal); result != device::success)
    return unusable(result);
  if (!device.stream) {
    if (device::Result result = device.driver->streamCreate(&device.stream, 1);
        result != device::success) {
      device.stream = nullptr;
      return unusable(result);
    }
  }
  return &device;
}

Expected<Gpu::LoadedModule*> Gpu::find(uint64_t module) {
  auto it = modules_.find(module);
  if (it == modules_.end())
    return tl::unexpected(request("there is no module " + std::to_string(module)));
  return &it->second;
}

Expected<LoadResult> Gpu::load(const LoadParams& params, std::string_view binary) {
  if (params.code.offset > binary.size() || params.code.size > binary.size() - params.code.offset ||
      params.code.size == 0)
    return tl::unexpected(request("the code is not in the message"));
  if (params.threads == 0 || params.threads > 1024 || params.cluster == 0 || params.cluster > 16)
    return tl::unexpected(request("a CTA must have 1 to 1024 threads, and a cluster 1 to 16 CTAs"));
  auto used = use(params.device);
  if (!used) return tl::unexpected(used.error());
  const DeviceInfo& info = (*used)->info;
  const device::Driver& driver = *(*used)->driver;
  const std::string& kernel = params.kernel;
  std::string code(
      binary.substr(params.code.offset, params.code.size)); // ends with NUL, as PTX must

  Watchdog::Guard guard(watchdog_, driverLimitMs, kernel);
  if (std::string why = driver.misfit(code, info); !why.empty())
    return tl::unexpected(Problem{ProblemKind::Code,
                                  why + ", but the GPU is " + info.name + " (" + info.target +
                                      "): compile for " + info.target,
                                  kernel,
                                  {},
                                  {},
                                  false});
  std::string info_(16 << 10, '\0'), errors(16 << 10, '\0');
  using device::JitOption;
  JitOption options[] = {JitOption::InfoLog, JitOption::InfoLogBytes, JitOption::ErrorLog,
                         JitOption::ErrorLogBytes};
  auto size = reinterpret_cast<void*>(info_.size() - 1);
  void* values[] = {info_.data(), size, errors.data(), size};
  LoadedModule loaded;
  device::Result result = driver.moduleLoad(&loaded.module, code.data(), 4, options, values);
  auto textOf = [](const std::string& buffer) { return buffer.substr(0, buffer.find('\0')); };
  if (result != device::success) {
    Problem why =
        problem(driver, result, ProblemKind::Code, kernel, "the driver does not load " + kernel);
    why.log = textOf(errors) + why.log;
    return tl::unexpected(std::move(why));
  }
  auto unload = [&] { driver.moduleUnload(loaded.module); };
  result = driver.moduleFunction(&loaded.function, loaded.module, kernel.c_str());
  if (result != device::success) {
    Problem why =
        problem(driver, result, ProblemKind::Code, kernel, "the code has no function " + kernel);
    unload();
    return tl::unexpected(std::move(why));
  }
  auto ask = [&](FunctionAttribute attribute) {
    int value = 0;
    driver.functionAttribute(&value, attribute, loaded.function);
    return static_cast<unsigned>(std::max(0, value));
  };
  LoadResult out;
  out.registers = ask(FunctionAttribute::Registers);
  out.localBytes = ask(FunctionAttribute::LocalBytes);
  out.staticSharedBytes = ask(FunctionAttribute::SharedBytes);
  out.maxThreads = ask(FunctionAttribute::MaxThreads);
  out.log = textOf(info_);
  driver.describeCode(code, kernel, out);
  auto tooMuch = [&](std::string message) {
    unload();
    Problem why{ProblemKind::Resources, std::move(message), kernel, {}, {}, false};
    return tl::unexpected(std::move(why));
  };
  uint64_t shared = uint64_t{params.sharedBytes} + out.staticSharedBytes;
  if (info.sharedPerBlock && shared > info.sharedPerBlock)
    return tooMuch(kernel + " needs " + std::to_string(shared) +
                   " bytes of shared memory per CTA, but " + info.name + " has at most " +
                   std::to_string(info.sharedPerBlock));
  if (out.maxThreads && params.threads > out.maxThreads)
    return tooMuch(kernel + " takes " + std::to_string(out.registers) +
                   " registers per thread, and a CTA can have at most " +
                   std::to_string(out.maxThreads) + " threads, but the launch needs " +
                   std::to_string(params.threads) + " (" +
                   std::to_string(params.threads / info.warpSize) + " warps)");
  result = driver.permit(loaded.function, params.sharedBytes, params.cluster);
  if (result != device::success) {
    Problem why = problem(driver, result, ProblemKind::Resources, kernel,
                          kernel + " needs " + std::to_string(shared) +
                              " bytes of shared memory per CTA, and clusters of " +
                              std::to_string(params.cluster) + " CTAs");
    unload();
    return tl::unexpected(std::move(why));
  }

  int blocks = 0;
  result = driver.occupancy(&blocks, loaded.function, static_cast<int>(params.threads),
                            params.sharedBytes);
  out.blocksPerMultiprocessor = static_cast<unsigned>(std::max(0, blocks));
  out.limitedBy =
      driver.limitedBy(info, {out.registers, static_cast<unsigned>(shared), params.threads},
                       out.blocksPerMultiprocessor);
  if (result == device::success && blocks == 0)
    return tooMuch("not one CTA of " + kernel + " fits on " + driver.unit() + " of " + info.name +
                   ": too much of " + out.limitedBy + " (" + std::to_string(out.registers) +
                   " registers per thread, " + std::to_string(params.threads) + " threads, " +
                   std::to_string(shared) + " bytes of shared memory)");
  if (params.cluster > 1) {
    device::LaunchConfig config;
    config.threads = params.threads;
    config.sharedBytes = params.sharedBytes;
    config.cluster = params.cluster;
    if (!driver.fitsCluster(loaded.function, config))
      return tooMuch("not one cluster of " + std::to_string(params.cluster) + " CTAs of " + kernel +
                     " fits on " + info.name);
  }
  if (info.threadsPerMultiprocessor)
    out.occupancy = static_cast<double>(out.blocksPerMultiprocessor) * params.threads /
                    info.threadsPerMultiprocessor;
  loaded.parameterSizes = driver.parameterSizes(loaded.function, code, kernel);
  loaded.kernel = kernel;
  loaded.device = params.device;
  loaded.threads = params.threads;
  loaded.sharedBytes = params.sharedBytes;
  out.module = nextModule_++;
  // A client that never unloads must not fill the GPU.
  constexpr size_t mostModules = 256;
  if (modules_.size() >= mostModules) {
    const LoadedModule& oldest = modules_.begin()->second;
    devices_[oldest.device].driver->moduleUnload(oldest.module);
    modules_.erase(modules_.begin());
  }
  modules_[out.module] = std::move(loaded);
  return out;
}

Expected<bool> Gpu::unload(const UnloadParams& params) {
  auto found = find(params.module);
  if (!found) return tl::unexpected(found.error());
  auto used = use((*found)->device);
  if (!used) return tl::unexpected(used.error());
  (*used)->driver->moduleUnload((*found)->module);
  modules_.erase(params.module);
  return true;
}

Expected<CompareResult> Gpu::compare(const CompareParams& params, std::string_view binary) {
  auto kept = [&](const Compared& side) -> Expected<const KeptTensor*> {
    if (!side.kept) return nullptr;
    for (const auto& [name, tensors] : kept_)
      if (name == *side.kept)
        for (const KeptTensor& tensor : tensors)
          if (tensor.name == side.name.value_or("")) return &tensor;
    return tl::unexpected(
        request("no result '" + side.name.value_or("") + "' is kept under '" + *side.kept + "'"));
  };
  auto file = [&](const Compared& side) -> Expected<NpyFile> {
    if (!side.data || side.data->offset > binary.size() ||
        side.data->size > binary.size() - side.data->offset)
      return tl::unexpected(request("the data to compare is not in the message"));
    auto read = readNpy(binary.substr(side.data->offset, side.data->size));
    if (!read) return tl::unexpected(request(read.error()));
    return *read;
  };
  auto result = kept(params.result), reference = kept(params.reference);
  if (!result) return tl::unexpected(result.error());
  if (!reference) return tl::unexpected(reference.error());
  const Dtype* dtype = *result ? (*result)->dtype : nullptr;
  std::vector<int64_t> shape;
  std::string left, right;
  if (*result) {
    shape = (*result)->shape;
    left = (*result)->elements;
  } else {
    auto read = file(params.result);
    if (!read) return tl::unexpected(read.error());
    dtype = read->dtype ? read->dtype : *reference ? (*reference)->dtype : nullptr;
    if (!dtype) return tl::unexpected(request("neither file has an element type"));
    shape = read->shape;
    auto elements = elementsOf(*read, *dtype, nullptr);
    if (!elements) return tl::unexpected(request(elements.error()));
    left = std::move(*elements);
  }
  if (*reference) {
    if ((*reference)->shape != shape || (*reference)->dtype != dtype)
      return tl::unexpected(request("the results differ in shape or type"));
    right = (*reference)->elements;
  } else {
    auto read = file(params.reference);
    if (!read) return tl::unexpected(read.error());
    auto elements = elementsOf(*read, *dtype, &shape);
    if (!elements) return tl::unexpected(request(elements.error()));
    right = std::move(*elements);
  }
  return runner::compare(*dtype, shape, left, right, params.relative.value_or(dtype->relative),
                         params.absolute.value_or(dtype->absolute));
}

} // namespace gluond::runner
