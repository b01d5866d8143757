#include "runner/cuda/CudaDriver.h"

#include "runner/cuda/Management.h"
#include "runner/device/DeviceFacts.h"
#include "runner/device/Elf.h"
#include "runner/device/Library.h"
#include "runner/device/NativeLaunch.h"

#include <algorithm>
#include <cstring>

namespace gluond::runner::cuda {

using namespace device;

namespace {

using Context = struct ContextObject*;

// CUdevice_attribute
constexpr AttributeNumbers attributeNumbers = {.warpSize = 10,
                                               .multiprocessors = 16,
                                               .l2Size = 38,
                                               .clockRate = 13,
                                               .memoryClockRate = 36,
                                               .memoryBusWidth = 37,
                                               .sharedPerBlock = 97, // if a kernel opts in
                                               .sharedPerMultiprocessor = 81,
                                               .registersPerMultiprocessor = 82,
                                               .threadsPerMultiprocessor = 39,
                                               .blocksPerMultiprocessor = 106,
                                               .virtualMemory = 102};
constexpr int capabilityMajor = 75, capabilityMinor = 76;

struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

// Functions that HIP does not have in the same form. The first table is required.
#define GLUOND_CUDA_REQUIRED(F)                                                                    \
  F(contextRetain, cuDevicePrimaryCtxRetain, (Context*, int))                                      \
  F(contextSet, cuCtxSetCurrent, (Context))                                                        \
  F(errorName, cuGetErrorName, (Result, const char**))                                             \
  F(errorText, cuGetErrorString, (Result, const char**))                                           \
  F(functionSet, cuFuncSetAttribute, (Function, FunctionAttribute, int))                           \
  F(launchKernel, cuLaunchKernelEx, (const NativeConfig*, Function, void**, void**))
#define GLUOND_CUDA_OPTIONAL(F)                                                                    \
  F(busId, cuDeviceGetPCIBusId, (char*, int, int))                                                 \
  F(clusters, cuOccupancyMaxActiveClusters, (int*, Function, const NativeConfig*))                 \
  F(parameterInfo, cuFuncGetParamInfo, (Function, size_t, size_t*, size_t*))                       \
  F(encodeTiled, cuTensorMapEncodeTiled,                                                           \
    (TensorMap*, int, unsigned, void*, const uint64_t*, const uint64_t*, const unsigned*,          \
     const unsigned*, int, int, int, int))                                                         \
  F(encodeIm2Col, cuTensorMapEncodeIm2col,                                                         \
    (TensorMap*, int, unsigned, void*, const uint64_t*, const uint64_t*, const int*, const int*,   \
     unsigned, unsigned, const unsigned*, int, int, int, int))

class CudaDriver final : public Driver {
public:
#define GLUOND_MEMBER(name, symbol, parameters) Result(*name) parameters = nullptr;
  GLUOND_CUDA_REQUIRED(GLUOND_MEMBER)
  GLUOND_CUDA_OPTIONAL(GLUOND_MEMBER)
#undef GLUOND_MEMBER

  // Returns the names of required functions that the library lacks.
  std::string bind(const Library& from) {
    std::string missing;
#define GLUOND_FIND(name, symbol, parameters)                                                      \
  name = reinterpret_cast<Result(*) parameters>(from.find(#symbol));
#define GLUOND_REQUIRE(name, symbol, parameters)                                                   \
  GLUOND_FIND(name, symbol, parameters)                                                            \
  if (!name) missing += (missing.empty() ? "" : ", ") + std::string(#symbol);
#define GLUOND_FIND_CALL(name, cuda, hip, parameters) GLUOND_FIND(name, cuda, parameters)
#define GLUOND_REQUIRE_CALL(name, cuda, hip, parameters) GLUOND_REQUIRE(name, cuda, parameters)
    GLUOND_CALLS_REQUIRED(GLUOND_REQUIRE_CALL)
    GLUOND_CALLS_OPTIONAL(GLUOND_FIND_CALL)
    GLUOND_CUDA_REQUIRED(GLUOND_REQUIRE)
    GLUOND_CUDA_OPTIONAL(GLUOND_FIND)
#undef GLUOND_REQUIRE_CALL
#undef GLUOND_FIND_CALL
#undef GLUOND_REQUIRE
#undef GLUOND_FIND
    library = from.name;
    return missing;
  }

  const char* name() const override { return "CUDA"; }
  const char* vendor() const override { return "NVIDIA"; }
  const char* unit() const override { return "an SM"; }
  std::string version() const override {
    int version = 0;
    driverVersion(&version);
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  }
  std::string nameOf(Result result) const override {
    const char* name = nullptr;
    if (errorName(result, &name) == success && name) return name;
    return "CUDA error " + std::to_string(result);
  }
  std::string textOf(Result result) const override {
    const char* text = nullptr;
    if (errorText(result, &text) == success && text) return text;
    return "the driver has no description of it";
  }
  Explanation explain(Result result) const override { return cuda::explain(result); }

  DeviceInfo describe(int device) const override {
    DeviceInfo info = factsOf(*this, device, attributeNumbers);
    info.capability = 10 * askAttribute(*this, device, capabilityMajor) +
                      askAttribute(*this, device, capabilityMinor);
    info.target = "cuda:" + std::to_string(info.capability);
    info.driver = "CUDA " + version();
    return info;
  }
  bool hasVirtualMemoryOn(int device) const override {
    return hasVirtualMemory() && askAttribute(*this, device, attributeNumbers.virtualMemory);
  }
  Result enter(int device) override {
    auto index = static_cast<size_t>(device);
    if (contexts_.size() <= index) contexts_.resize(index + 1);
    if (!contexts_[index])
      if (Result result = contextRetain(&contexts_[index], device); result != success) {
        contexts_[index] = nullptr;
        return result;
      }
    return contextSet(contexts_[index]);
  }
  std::optional<Conditions> conditions(int device) const override {
    char id[32] = {};
    if (!busId || busId(id, sizeof id, device) != success) return std::nullopt;
    return conditionsOf(id);
  }
  // Four times the L2 cache, which evicts all of the tensors.
  uint64_t flushBytes(const DeviceInfo& device) const override {
    return std::max<uint64_t>(4 * device.l2Bytes, uint64_t{64} << 20);
  }

  std::string misfit(std::string_view code, const DeviceInfo&) const override {
    // The driver itself judges everything else.
    bool isAmd = device::machineOf(code) == device::amdgpuMachine;
    return isAmd ? "this code is for an AMD GPU" : "";
  }
  Result permit(Function function, unsigned sharedBytes, unsigned cluster) const override {
    if (cluster == 16) functionSet(function, FunctionAttribute::NonPortableCluster, 1);
    if (sharedBytes <= 48 << 10) return success;
    return functionSet(function, FunctionAttribute::MaxDynamicShared,
                       static_cast<int>(sharedBytes));
  }
  std::vector<unsigned> parameterSizes(Function function, std::string_view,
                                       const std::string&) const override {
    std::vector<unsigned> sizes;
    size_t offset = 0, size = 0;
    while (parameterInfo && sizes.size() < 4096 &&
           parameterInfo(function, sizes.size(), &offset, &size) == success)
      sizes.push_back(static_cast<unsigned>(size));
    return sizes;
  }
  // By NVIDIA's allocation rules: registers go to warps in units of 256, and a CTA's shared memory
  // has 1 KB for the system.
  const char* limitedBy(const DeviceInfo& device, const Usage& usage, unsigned) const override {
    struct Limit {
      const char* name;
      unsigned ctas;
    };
    unsigned warps = (usage.threads + device.warpSize - 1) / device.warpSize,
             perWarp = (usage.registers * device.warpSize + 255) / 256 * 256;
    const Limit limits[] = {
        {"registers",
         perWarp ? device.registersPerMultiprocessor / perWarp / std::max(1u, warps) : ~0u},
        {"shared memory",
         usage.sharedBytes ? device.sharedPerMultiprocessor / (usage.sharedBytes + 1024) : ~0u},
        {"warps", device.threadsPerMultiprocessor / device.warpSize / std::max(1u, warps)},
        {"blocks", device.blocksPerMultiprocessor}};
    return std::min_element(std::begin(limits), std::end(limits),
                            [](auto& a, auto& b) { return a.ctas < b.ctas; })
        ->name;
  }
  bool fitsCluster(Function function, const LaunchConfig& config) const override {
    if (!clusters) return true;
    LaunchAttribute attributes[4] = {};
    NativeConfig native = nativeOf(config, attributes);
    native.grid[0] = config.cluster;
    native.stream = nullptr;
    int count = 0;
    return clusters(&count, function, &native) != success || count > 0;
  }

  tl::expected<std::string, NoDescriptor> encode(const Descriptor& descriptor,
                                                 const std::vector<int64_t>& shape,
                                                 const std::vector<int64_t>& strides, Address base,
                                                 unsigned warps) const override;
  Result launch(const LaunchConfig& config, Function function, void** parameters) const override {
    LaunchAttribute attributes[4] = {};
    NativeConfig native = nativeOf(config, attributes);
    return launchKernel(&native, function, parameters, nullptr);
  }

private:
  static NativeConfig nativeOf(const LaunchConfig& config, LaunchAttribute (&attributes)[4]) {
    NativeConfig native = {{config.grid[0], config.grid[1], config.grid[2]},
                           {config.threads, 1, 1},
                           config.sharedBytes,
                           config.stream,
                           attributes,
                           0};
    auto attribute = [&](LaunchAttribute::Id id) -> LaunchAttribute& {
      LaunchAttribute& next = attributes[native.attributeCount++];
      next.id = id;
      return next;
    };
    if (config.isProgrammatic) attribute(LaunchAttribute::Id::Programmatic).value.number = 1;
    if (config.isCooperative) attribute(LaunchAttribute::Id::Cooperative).value.number = 1;
    if (config.cluster > 1) {
      auto& cluster = attribute(LaunchAttribute::Id::Cluster).value.cluster;
      cluster[0] = config.cluster;
      cluster[1] = cluster[2] = 1;
      attribute(LaunchAttribute::Id::ClusterPolicy).value.number = 1; // spread
    }
    return native;
  }

  std::vector<Context> contexts_; // by device
};

tl::expected<std::string, NoDescriptor> CudaDriver::encode(const Descriptor& descriptor,
                                                           const std::vector<int64_t>& shape,
                                                           const std::vector<int64_t>& strides,
                                                           Address base, unsigned) const {
  size_t rank = shape.size();
  auto wrong = [](std::string why) {
    return tl::unexpected(NoDescriptor{success, std::move(why)});
  };
  if (descriptor.isIm2Col ? descriptor.box.size() != 2 : descriptor.box.size() != rank)
    return wrong("has a block of another rank");
  // Innermost dimension first, strides in bytes; the innermost is dense.
  uint64_t dims[5] = {}, steps[5] = {};
  unsigned box[5] = {}, elementStrides[5] = {1, 1, 1, 1, 1};
  for (size_t i = 0; i < rank; ++i) {
    dims[rank - 1 - i] = static_cast<uint64_t>(shape[i]);
    if (!descriptor.isIm2Col) box[rank - 1 - i] = static_cast<unsigned>(descriptor.box[i]);
    if (i + 1 < rank)
      steps[rank - 2 - i] = static_cast<uint64_t>(strides[i]) * descriptor.elementBytes;
  }
  if (descriptor.isFp4) dims[0] *= 2;
  steps[rank - 1] = dims[rank - 1] * (rank == 1 ? descriptor.elementBytes : steps[rank - 2]);
  int padding = descriptor.nanPadding ? 1 : 0, type = static_cast<int>(descriptor.elementType),
      swizzle = static_cast<int>(descriptor.swizzle);
  constexpr int noInterleave = 0, promote128 = 2;
  auto address = reinterpret_cast<void*>(base);
  auto unsignedRank = static_cast<unsigned>(rank);
  TensorMap map = {};
  Result result;
  if (descriptor.isIm2Col) {
    if (!encodeIm2Col) return wrong("needs a newer driver");
    size_t spatial = descriptor.lowerCorner.size();
    if (rank < 3 || descriptor.upperCorner.size() != spatial || spatial != rank - 2)
      return wrong("has corners of another rank");
    int lower[5] = {}, upper[5] = {};
    for (size_t i = 0; i < spatial; ++i) {
      lower[spatial - 1 - i] = static_cast<int>(descriptor.lowerCorner[i]);
      upper[spatial - 1 - i] = static_cast<int>(descriptor.upperCorner[i]);
    }
    for (size_t i = 0; i < std::min(rank, descriptor.elementStrides.size()); ++i)
      elementStrides[rank - 1 - i] = static_cast<unsigned>(descriptor.elementStrides[i]);
    result = encodeIm2Col(&map, type, unsignedRank, address, dims, steps, lower, upper,
                          static_cast<unsigned>(descriptor.box[1]),
                          static_cast<unsigned>(descriptor.box[0]), elementStrides, noInterleave,
                          swizzle, promote128, padding);
  } else {
    if (!encodeTiled) return wrong("needs a newer driver");
    result = encodeTiled(&map, type, unsignedRank, address, dims, steps, box, elementStrides,
                         noInterleave, swizzle, promote128, padding);
  }
  if (result != success) return tl::unexpected(NoDescriptor{result, {}});
  std::string bytes(sizeof map, '\0');
  std::memcpy(bytes.data(), &map, sizeof map);
  return bytes;
}

} // namespace

Opened open() {
  // The name alone uses the system's search; the folders are those of WSL and of containers whose
  // linker cache is older than the driver.
  auto library = openLibrary("GLUOND_CUDA_LIBRARY", "CUDA driver library",
                             {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1",
                              "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib64/libcuda.so.1",
                              "/usr/local/cuda/compat/libcuda.so.1"});
  if (!library) return tl::unexpected(std::move(library.error()));
  auto driver = std::make_unique<CudaDriver>();
  if (std::string missing = driver->bind(*library); !missing.empty())
    return tl::unexpected(CannotOpen{false, library->name + " is too old: it has no " + missing +
                                                " (CUDA 11.8 or newer is required)"});
  if (Result result = driver->init(0); result != success)
    return tl::unexpected(CannotOpen{false, "the CUDA driver in " + library->name +
                                                " does not start: " + driver->nameOf(result) +
                                                ", " + driver->textOf(result)});
  return driver;
}

} // namespace gluond::runner::cuda
