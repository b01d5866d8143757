#include "runner/hip/HipDriver.h"

#include "runner/device/DeviceFacts.h"
#include "runner/device/Library.h"
#include "runner/device/NativeLaunch.h"
#include "runner/hip/CodeObject.h"
#include "runner/hip/TdmDescriptor.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace gluond::runner::hip {

using namespace device;

namespace {

// hipDeviceAttribute_t
constexpr AttributeNumbers attributeNumbers = {.warpSize = 87,
                                               .multiprocessors = 63,
                                               .l2Size = 19,
                                               .clockRate = 5,
                                               .memoryClockRate = 60,
                                               .memoryBusWidth = 59,
                                               .sharedPerBlock = 74,
                                               .sharedPerMultiprocessor = 10002,
                                               .registersPerMultiprocessor = 72,
                                               .threadsPerMultiprocessor = 57,
                                               .blocksPerMultiprocessor = 25,
                                               .virtualMemory = 89};

// Functions that CUDA does not have in the same form. The first table is required.
#define GLUOND_HIP_REQUIRED(F)                                                                     \
  F(setDevice, hipSetDevice, Result, (int))                                                        \
  F(errorName, hipGetErrorName, const char*, (Result))                                             \
  F(errorText, hipGetErrorString, const char*, (Result))                                           \
  F(launchKernel, hipModuleLaunchKernel, Result,                                                   \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,       \
     void**, void**))
#define GLUOND_HIP_OPTIONAL(F)                                                                     \
  F(properties, hipGetDevicePropertiesR0600, Result, (void*, int))                                 \
  F(oldProperties, hipGetDeviceProperties, Result, (void*, int))                                   \
  F(launchCooperative, hipModuleLaunchCooperativeKernel, Result,                                   \
    (Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,       \
     void**))                                                                                      \
  F(launchEx, hipDrvLaunchKernelEx, Result, (const NativeConfig*, Function, void**, void**))

constexpr Result notSupported = 801;
// hipDriverGetVersion: 10,000,000 for a major and 100,000 for a minor version.
constexpr int majorUnit = 10'000'000, minorUnit = 100'000, leastMajor = 5;

class HipDriver final : public Driver {
public:
#define GLUOND_MEMBER(name, symbol, type, parameters) type(*name) parameters = nullptr;
  GLUOND_HIP_REQUIRED(GLUOND_MEMBER)
  GLUOND_HIP_OPTIONAL(GLUOND_MEMBER)
#undef GLUOND_MEMBER

  // Returns the names of required functions that the library lacks.
  std::string bind(const Library& from) {
    std::string missing;
#define GLUOND_FIND(name, symbol, type, parameters)                                                \
  name = reinterpret_cast<type(*) parameters>(from.find(#symbol));
#define GLUOND_REQUIRE(name, symbol, type, parameters)                                             \
  GLUOND_FIND(name, symbol, type, parameters)                                                      \
  if (!name) missing += (missing.empty() ? "" : ", ") + std::string(#symbol);
#define GLUOND_FIND_CALL(name, cuda, hip, parameters) GLUOND_FIND(name, hip, Result, parameters)
#define GLUOND_REQUIRE_CALL(name, cuda, hip, parameters)                                           \
  GLUOND_REQUIRE(name, hip, Result, parameters)
    GLUOND_CALLS_REQUIRED(GLUOND_REQUIRE_CALL)
    GLUOND_CALLS_OPTIONAL(GLUOND_FIND_CALL)
    GLUOND_HIP_REQUIRED(GLUOND_REQUIRE)
    GLUOND_HIP_OPTIONAL(GLUOND_FIND)
#undef GLUOND_REQUIRE_CALL
#undef GLUOND_FIND_CALL
#undef GLUOND_REQUIRE
#undef GLUOND_FIND
    if (!properties) properties = oldProperties;
    if (!properties)
      missing += (missing.empty() ? "" : ", ") + std::string("hipGetDeviceProperties");
    library = from.name;
    return missing;
  }

  int versionNumber() const {
    int version = 0;
    driverVersion(&version);
    return version;
  }

  const char* name() const override { return "HIP"; }
  const char* vendor() const override { return "AMD"; }
  const char* unit() const override { return "a CU"; }
  std::string version() const override {
    int version = versionNumber();
    return std::to_string(version / majorUnit) + "." +
           std::to_string(version % majorUnit / minorUnit);
  }
  std::string nameOf(Result result) const override {
    const char* name = errorName(result);
    return name ? name : "HIP error " + std::to_string(result);
  }
  std::string textOf(Result result) const override {
    const char* text = errorText(result);
    return text ? text : "the driver has no description of it";
  }
  Explanation explain(Result result) const override { return hip::explain(result); }
  std::string adviceWithoutDevices() const override {
    constexpr const char* kernelDriver = "/dev/kfd";
    if (access(kernelDriver, F_OK))
      return "there is no /dev/kfd, so the amdgpu driver of the operating system is not loaded (a "
             "container needs --device=/dev/kfd --device=/dev/dri)";
    if (access(kernelDriver, R_OK | W_OK))
      return "you may not use /dev/kfd; join the groups render and video";
    return "HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES may hide it, and this ROCm may not "
           "support it";
  }

  DeviceInfo describe(int device) const override {
    DeviceInfo info = factsOf(*this, device, attributeNumbers);
    if (info.name.empty()) info.name = "AMD GPU";
    info.target = "hip:" + archOf(device);
    info.driver = "HIP " + version();
    info.sharedPerMultiprocessor = std::max(info.sharedPerMultiprocessor, info.sharedPerBlock);
    return info;
  }
  bool hasVirtualMemoryOn(int device) const override {
    return hasVirtualMemory() && askAttribute(*this, device, attributeNumbers.virtualMemory);
  }
  Result enter(int device) override { return setDevice(device); }
  // Twice the largest last-level cache (256 MiB, of MI300), which HIP does not tell of, but not
  // more than an eighth of a small GPU's memory.
  uint64_t flushBytes(const DeviceInfo& device) const override {
    return std::max<uint64_t>(4 * device.l2Bytes,
                              std::min<uint64_t>(uint64_t{512} << 20, device.memoryBytes / 8));
  }

  std::string misfit(std::string_view code, const DeviceInfo& device) const override {
    auto object = readCodeObject(code);
    if (!object || object->arch.empty() || "hip:" + object->arch == device.target) return {};
    if (object->arch.ends_with("-generic")) return {}; // for a family: HIP knows which
    return "this code is for " + object->arch;
  }
  void describeCode(std::string_view code, const std::string& kernel,
                    LoadResult& out) const override {
    auto object = readCodeObject(code);
    const CodeObject::Kernel* found = object ? object->find(kernel) : nullptr;
    if (!found) return;
    out.registers = std::max(out.registers, found->vectorRegisters);
    out.accumulatorRegisters = found->accumulatorRegisters;
    out.scalarRegisters = found->scalarRegisters;
    out.spilledRegisters = found->spilledVectors + found->spilledScalars;
  }
  // Launches may have all of the LDS.
  Result permit(Function, unsigned, unsigned cluster) const override {
    return cluster > 1 && !launchEx ? notSupported : success;
  }
  std::vector<unsigned> parameterSizes(Function, std::string_view code,
                                       const std::string& kernel) const override {
    auto object = readCodeObject(code);
    const CodeObject::Kernel* found = object ? object->find(kernel) : nullptr;
    return found ? found->arguments : std::vector<unsigned>();
  }
  // HIP knows how many CTAs fit; if nothing else keeps more off a CU, registers do.
  const char* limitedBy(const DeviceInfo& device, const Usage& usage,
                        unsigned ctas) const override {
    unsigned warps = (usage.threads + device.warpSize - 1) / device.warpSize;
    if (usage.sharedBytes && device.sharedPerMultiprocessor / usage.sharedBytes <= ctas)
      return "shared memory";
    if (device.threadsPerMultiprocessor / device.warpSize / std::max(1u, warps) <= ctas)
      return "warps";
    if (device.blocksPerMultiprocessor && device.blocksPerMultiprocessor <= ctas) return "blocks";
    return "registers";
  }

  tl::expected<std::string, NoDescriptor> encode(const Descriptor& descriptor,
                                                 const std::vector<int64_t>& shape,
                                                 const std::vector<int64_t>& strides, Address base,
                                                 unsigned warps) const override {
    auto made = encodeTdm(descriptor, shape, strides, base, warps);
    if (!made) return tl::unexpected(NoDescriptor{success, std::move(made.error())});
    std::string bytes(tdmBytes(shape.size()), '\0');
    std::memcpy(bytes.data(), made->data(), bytes.size());
    return bytes;
  }
  // As Triton's launcher does it: a launch with attributes only where a cluster needs them.
  Result launch(const LaunchConfig& config, Function function, void** parameters) const override {
    const unsigned* grid = config.grid;
    if (config.cluster > 1) {
      if (!launchEx) return notSupported;
      LaunchAttribute attributes[2] = {};
      attributes[0].id = LaunchAttribute::Id::Cluster;
      attributes[0].value.cluster[0] = config.cluster;
      attributes[0].value.cluster[1] = attributes[0].value.cluster[2] = 1;
      attributes[1].id = LaunchAttribute::Id::Cooperative;
      attributes[1].value.number = config.isCooperative;
      NativeConfig native = {{grid[0], grid[1], grid[2]},
                             {config.threads, 1, 1},
                             config.sharedBytes,
                             config.stream,
                             attributes,
                             2};
      return launchEx(&native, function, parameters, nullptr);
    }
    if (!config.isCooperative)
      return launchKernel(function, grid[0], grid[1], grid[2], config.threads, 1, 1,
                          config.sharedBytes, config.stream, parameters, nullptr);
    return launchCooperative
               ? launchCooperative(function, grid[0], grid[1], grid[2], config.threads, 1, 1,
                                   config.sharedBytes, config.stream, parameters)
               : notSupported;
  }

private:
  // The properties' layout differs between versions of HIP: the name of the architecture is the
  // text after the device's own name that begins with "gfx".
  std::string archOf(int device) const {
    constexpr size_t nameBytes = 256;
    alignas(16) char bytes[8192] = {};
    if (properties(bytes, device) != success) return "unknown";
    std::string_view rest(bytes + nameBytes, sizeof bytes - nameBytes - 1);
    size_t begin = rest.find("gfx");
    if (begin == std::string_view::npos) return "unknown";
    std::string_view arch(rest.data() + begin);         // up to its NUL
    return std::string(arch.substr(0, arch.find(':'))); // without ":sramecc+:xnack-"
  }
};

} // namespace

Opened open() {
  std::vector<std::string> candidates = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                         "libamdhip64.so"};
  for (const char* variable : {"ROCM_PATH", "HIP_PATH"})
    if (const char* folder = std::getenv(variable); folder && *folder == '/')
      candidates.push_back(std::string(folder) + "/lib/libamdhip64.so");
  candidates.push_back("/opt/rocm/lib/libamdhip64.so");
  auto library = openLibrary("GLUOND_HIP_LIBRARY", "HIP library of ROCm", std::move(candidates));
  if (!library) return tl::unexpected(std::move(library.error()));
  auto driver = std::make_unique<HipDriver>();
  constexpr const char* advice = "ROCm 5.0 or newer is required; install a newer ROCm";
  if (std::string missing = driver->bind(*library); !missing.empty())
    return tl::unexpected(CannotOpen{false, library->name + " is too old: it has no " + missing +
                                                " (" + advice + ")"});
  if (driver->versionNumber() < leastMajor * majorUnit)
    return tl::unexpected(CannotOpen{false, library->name + " is too old: it is HIP " +
                                                driver->version() + " (" + advice + ")"});
  // Without a GPU hipInit fails, which is no failure of ROCm.
  if (Result result = driver->init(0); result != success && result != noDevice)
    return tl::unexpected(CannotOpen{false, "ROCm in " + library->name +
                                                " does not start: " + driver->nameOf(result) +
                                                ", " + driver->textOf(result)});
  return driver;
}

} // namespace gluond::runner::hip
