#include "runner/process/Gpu.h"

#include "runner/data/Npy.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace gluond::runner {

using cuda::DeviceAttribute;
using cuda::FunctionAttribute;

namespace {

// Opening the driver, loading code: nothing of the user's runs, but drivers have been seen to hang.
constexpr uint64_t driverLimitMs = 120'000;

Problem request(std::string message) {
  return {ProblemKind::Request, std::move(message), {}, {}, {}, false};
}

struct Limit {
  const char* name;
  unsigned blocks;
};
// How many CTAs of an SM each resource allows, by NVIDIA's allocation rules (registers go to warps
// in units of 256, a CTA's shared memory has 1 KB for the system).
std::vector<Limit> limitsOf(const DeviceInfo& device, unsigned warpSize, unsigned registers,
                            unsigned shared, unsigned threads) {
  unsigned warps = (threads + warpSize - 1) / warpSize,
           perWarp = (registers * warpSize + 255) / 256 * 256;
  return {{"registers",
           perWarp ? device.registersPerMultiprocessor / perWarp / std::max(1u, warps) : ~0u},
          {"shared memory", shared ? device.sharedPerMultiprocessor / (shared + 1024) : ~0u},
          {"warps", device.threadsPerMultiprocessor / warpSize / std::max(1u, warps)},
          {"blocks", device.blocksPerMultiprocessor}};
}

} // namespace

Problem Gpu::problem(cuda::Result result, ProblemKind kind, const std::string& kernel,
                     const std::string& what) {
  cuda::Explanation explanation = cuda::explain(result);
  Problem problem;
  problem.kind = kind;
  problem.kernel = kernel;
  problem.error = driver_->nameOf(result);
  std::string why =
      *explanation.text ? explanation.text : "The driver says: " + driver_->textOf(result) + ".";
  if (explanation.blame == cuda::Blame::Kernel) {
    problem.kind = ProblemKind::Fault;
    problem.isFatal = true;
    problem.message = kernel + " failed on the GPU with " + problem.error + ". " + why;
  } else {
    problem.message = what + ": " + problem.error + ". " + why;
    if (explanation.blame == cuda::Blame::Device) {
      problem.kind = ProblemKind::Driver;
      problem.isFatal = true;
    } else if (result == cuda::outOfMemory) {
      problem.kind = ProblemKind::Memory;
    } else if (result == 701) {
      problem.kind = ProblemKind::Resources;
    }
  }
  problem.log = capture_.take();
  return problem;
}

Expected<bool> Gpu::open() {
  if (driver_) return true;
  Watchdog::Guard guard(watchdog_, driverLimitMs, "");
  auto opened = cuda::Driver::open();
  if (!opened)
    return tl::unexpected(Problem{ProblemKind::NoDriver, opened.error(), {}, {}, {}, false});
  driver_ = std::make_unique<cuda::Driver>(std::move(*opened));
  int count = 0;
  if (cuda::Result result = driver_->deviceCount(&count); result != cuda::success)
    return tl::unexpected(
        problem(result, ProblemKind::NoDevice, {}, "the driver does not list its GPUs"));
  for (int i = 0; i < count; ++i) {
    DeviceState state;
    if (driver_->deviceGet(&state.handle, i) != cuda::success) continue;
    auto ask = [&](DeviceAttribute attribute) {
      int value = 0;
      return driver_->deviceAttribute(&value, attribute, state.handle) == cuda::success && value > 0
                 ? static_cast<unsigned>(value)
                 : 0u;
    };
    char name[256] = {};
    driver_->deviceName(name, sizeof name - 1, state.handle);
    size_t memory = 0;
    driver_->deviceMemory(&memory, state.handle);
    DeviceInfo& info = state.info;
    info.index = static_cast<unsigned>(i);
    info.name = name;
    info.capability =
        10 * ask(DeviceAttribute::CapabilityMajor) + ask(DeviceAttribute::CapabilityMinor);
    if (unsigned warpSize = ask(DeviceAttribute::WarpSize)) state.warpSize = warpSize;
    info.multiprocessors = ask(DeviceAttribute::Multiprocessors);
    info.memoryBytes = memory;
    info.l2Bytes = ask(DeviceAttribute::L2Size);
    info.clockMHz = ask(DeviceAttribute::ClockRate) / 1000;
    info.memoryClockMHz = ask(DeviceAttribute::MemoryClockRate) / 1000;
    info.memoryBusBits = ask(DeviceAttribute::MemoryBusWidth);
    info.sharedPerBlock = ask(DeviceAttribute::SharedPerBlockOptIn);
    info.sharedPerMultiprocessor = ask(DeviceAttribute::SharedPerMultiprocessor);
    info.registersPerMultiprocessor = ask(DeviceAttribute::RegistersPerMultiprocessor);
    info.threadsPerMultiprocessor = ask(DeviceAttribute::ThreadsPerMultiprocessor);
    info.blocksPerMultiprocessor = ask(DeviceAttribute::BlocksPerMultiprocessor);
    devices_.push_back(std::move(state));
  }
  return true;
}

Expected<InitializeResult> Gpu::initialize() {
  if (auto opened = open(); !opened) return tl::unexpected(opened.error());
  InitializeResult result;
  result.version = GLUOND_VERSION;
  result.library = driver_->library;
  int version = 0;
  driver_->driverVersion(&version);
  result.driver = static_cast<unsigned>(std::max(0, version));
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  result.host = host;
  for (const DeviceState& device : devices_)
    result.devices.push_back(device.info);
  return result;
}

Expected<Gpu::DeviceState*> Gpu::use(unsigned index) {
  if (auto opened = open(); !opened) return tl::unexpected(opened.error());
  if (index >= devices_.size())
    return tl::unexpected(Problem{ProblemKind::NoDevice,
                                  devices_.empty()
                                      ? "the CUDA driver finds no GPU"
                                      : "there is no GPU " + std::to_string(index) + ", only " +
                                            std::to_string(devices_.size()) + " (numbered from 0)",
                                  {},
                                  {},
                                  {},
                                  false});
  DeviceState& device = devices_[index];
  Watchdog::Guard guard(watchdog_, driverLimitMs, "");
  if (!device.context) {
    if (cuda::Result result = driver_->contextRetain(&device.context, device.handle);
        result != cuda::success) {
      device.context = nullptr;
      return tl::unexpected(problem(result, ProblemKind::Driver, {}, "the GPU cannot be used"));
    }
  }
  if (cuda::Result result = driver_->contextSet(device.context); result != cuda::success)
    return tl::unexpected(problem(result, ProblemKind::Driver, {}, "the GPU cannot be used"));
  if (!device.stream) {
    if (cuda::Result result = driver_->streamCreate(&device.stream, 1); result != cuda::success) {
      device.stream = nullptr;
      return tl::unexpected(problem(result, ProblemKind::Driver, {}, "the GPU cannot be used"));
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
  const std::string& kernel = params.kernel;
  std::string code(
      binary.substr(params.code.offset, params.code.size)); // ends with NUL, as PTX must

  Watchdog::Guard guard(watchdog_, driverLimitMs, kernel);
  std::string info_(16 << 10, '\0'), errors(16 << 10, '\0');
  cuda::JitOption options[] = {cuda::JitOption::InfoLog, cuda::JitOption::InfoLogBytes,
                               cuda::JitOption::ErrorLog, cuda::JitOption::ErrorLogBytes};
  auto size = reinterpret_cast<void*>(info_.size() - 1);
  void* values[] = {info_.data(), size, errors.data(), size};
  LoadedModule loaded;
  cuda::Result result = driver_->moduleLoad(&loaded.module, code.data(), 4, options, values);
  auto textOf = [](const std::string& buffer) { return std::string(buffer.c_str()); };
  if (result != cuda::success) {
    Problem why = problem(result, ProblemKind::Code, kernel, "the driver does not load " + kernel);
    why.log = textOf(errors) + why.log;
    return tl::unexpected(std::move(why));
  }
  auto unload = [&] { driver_->moduleUnload(loaded.module); };
  result = driver_->moduleFunction(&loaded.function, loaded.module, kernel.c_str());
  if (result != cuda::success) {
    Problem why = problem(result, ProblemKind::Code, kernel, "the code has no function " + kernel);
    unload();
    return tl::unexpected(std::move(why));
  }
  auto ask = [&](FunctionAttribute attribute) {
    int value = 0;
    driver_->functionAttribute(&value, attribute, loaded.function);
    return static_cast<unsigned>(std::max(0, value));
  };
  LoadResult out;
  out.registers = ask(FunctionAttribute::Registers);
  out.localBytes = ask(FunctionAttribute::LocalBytes);
  out.staticSharedBytes = ask(FunctionAttribute::SharedBytes);
  out.maxThreads = ask(FunctionAttribute::MaxThreads);
  out.log = textOf(info_);
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
    return tooMuch(kernel + " needs " + std::to_string(out.registers) +
                   " registers per thread, so a CTA can have at most " +
                   std::to_string(out.maxThreads) + " threads, but the launch needs " +
                   std::to_string(params.threads) + " (" +
                   std::to_string(params.threads / (*used)->warpSize) + " warps)");
  if (params.sharedBytes > 48 << 10) {
    result = driver_->functionSet(loaded.function, FunctionAttribute::MaxDynamicShared,
                                  static_cast<int>(params.sharedBytes));
    if (result != cuda::success) {
      Problem why =
          problem(result, ProblemKind::Resources, kernel,
                  kernel + " needs " + std::to_string(shared) + " bytes of shared memory per CTA");
      unload();
      return tl::unexpected(std::move(why));
    }
  }
  if (params.cluster == 16)
    driver_->functionSet(loaded.function, FunctionAttribute::NonPortableCluster, 1);

  int blocks = 0;
  result = driver_->occupancy(&blocks, loaded.function, static_cast<int>(params.threads),
                              params.sharedBytes);
  std::vector<Limit> limits = limitsOf(info, (*used)->warpSize, out.registers,
                                       static_cast<unsigned>(shared), params.threads);
  const Limit& least = *std::min_element(limits.begin(), limits.end(),
                                         [](auto& a, auto& b) { return a.blocks < b.blocks; });
  if (result == cuda::success && blocks == 0)
    return tooMuch("not one CTA of " + kernel + " fits on an SM of " + info.name +
                   ": too much of " + least.name + " (" + std::to_string(out.registers) +
                   " registers per thread, " + std::to_string(params.threads) + " threads, " +
                   std::to_string(shared) + " bytes of shared memory)");
  out.blocksPerMultiprocessor = static_cast<unsigned>(std::max(0, blocks));
  out.limitedBy = least.name;
  if (params.cluster > 1 && driver_->clusters) {
    cuda::LaunchAttribute attribute = {};
    attribute.id = cuda::LaunchAttributeId::Cluster;
    attribute.value.cluster[0] = params.cluster;
    attribute.value.cluster[1] = attribute.value.cluster[2] = 1;
    cuda::LaunchConfig config = {
        {params.cluster, 1, 1}, {params.threads, 1, 1}, params.sharedBytes, nullptr, &attribute, 1};
    int clusters = 0;
    result = driver_->clusters(&clusters, loaded.function, &config);
    if (result == cuda::success && clusters == 0)
      return tooMuch("not one cluster of " + std::to_string(params.cluster) + " CTAs of " + kernel +
                     " fits on " + info.name);
  }
  if (info.threadsPerMultiprocessor)
    out.occupancy = static_cast<double>(out.blocksPerMultiprocessor) * params.threads /
                    info.threadsPerMultiprocessor;
  loaded.kernel = kernel;
  loaded.device = params.device;
  loaded.threads = params.threads;
  loaded.sharedBytes = params.sharedBytes;
  out.module = nextModule_++;
  // A client that never unloads must not fill the GPU.
  constexpr size_t mostModules = 256;
  if (modules_.size() >= mostModules) {
    driver_->moduleUnload(modules_.begin()->second.module);
    modules_.erase(modules_.begin());
  }
  modules_[out.module] = std::move(loaded);
  return out;
}

Expected<bool> Gpu::unload(const UnloadParams& params) {
  auto found = find(params.module);
  if (!found) return tl::unexpected(found.error());
  if (auto used = use((*found)->device); !used) return tl::unexpected(used.error());
  driver_->moduleUnload((*found)->module);
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
