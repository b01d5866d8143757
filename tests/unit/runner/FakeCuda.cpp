// A CUDA driver for tests: libcuda.so.1 as far as gluond-runner calls it, for the GPU of FakeGpu.h.
#include "FakeGpu.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fake;

namespace {

const char* nameOf(Result result) {
  switch (result) {
  case 1:
    return "CUDA_ERROR_INVALID_VALUE";
  case 2:
    return "CUDA_ERROR_OUT_OF_MEMORY";
  case 100:
    return "CUDA_ERROR_NO_DEVICE";
  case 200:
    return "CUDA_ERROR_INVALID_IMAGE";
  case 218:
    return "CUDA_ERROR_INVALID_PTX";
  case 500:
    return "CUDA_ERROR_NOT_FOUND";
  case 700:
    return "CUDA_ERROR_ILLEGAL_ADDRESS";
  case 701:
    return "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES";
  case 710:
    return "CUDA_ERROR_ASSERT";
  case 715:
    return "CUDA_ERROR_ILLEGAL_INSTRUCTION";
  case 716:
    return "CUDA_ERROR_MISALIGNED_ADDRESS";
  case 719:
    return "CUDA_ERROR_LAUNCH_FAILED";
  case 720:
    return "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE";
  default:
    return nullptr;
  }
}

} // namespace

#define API extern "C" __attribute__((visibility("default"))) Result

API cuInit(unsigned) {
  return static_cast<Result>(setting("GLUOND_FAKE_INIT", 0));
}
API cuDriverGetVersion(int* version) {
  return *version = 12080, 0;
}
API cuDeviceGetCount(int* count) {
  return *count = static_cast<int>(setting("GLUOND_FAKE_DEVICES", 1)), 0;
}
API cuDeviceGetName(char* name, int size, int) {
  const char* given = std::getenv("GLUOND_FAKE_NAME");
  std::snprintf(name, static_cast<size_t>(size), "%s", given ? given : "NVIDIA H200");
  return 0;
}
API cuDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> values = {{10, 32},   {13, 1980000},  {16, 132},   {36, 3201000},
                                            {37, 6144}, {38, 60 << 20}, {39, 2048},  {75, 9},
                                            {76, 0},    {81, 233472},   {82, 65536}, {97, 232448},
                                            {102, 1},   {106, 32}};
  auto it = values.find(attribute);
  if (it == values.end()) return 1;
  *value = it->second;
  return 0;
}
API cuDeviceGetPCIBusId(char* id, int size, int device) {
  return std::snprintf(id, static_cast<size_t>(size), "0000:%02x:00.0", device + 1), 0;
}
API cuDeviceTotalMem_v2(size_t* bytes, int) {
  return *bytes = memoryBytes(), 0;
}
API cuDevicePrimaryCtxRetain(void** context, int) {
  return *context = &state(), 0;
}
API cuCtxSetCurrent(void*) {
  return 0;
}
API cuGetErrorName(Result result, const char** name) {
  return (*name = nameOf(result)) ? 0 : 1;
}
API cuGetErrorString(Result result, const char** text) {
  return (*text = nameOf(result) ? "in the driver's words" : nullptr) ? 0 : 1;
}

API cuModuleLoadDataEx(Module** module, const void* code, unsigned count, int* options,
                       void** values) {
  std::string text = static_cast<const char*>(code);
  // A cubin is no text: its name follows from what the test puts first.
  auto log = [&](int option, const char* words) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == option) std::strcpy(static_cast<char*>(values[i]), words);
  };
  if (text.find("broken") != std::string::npos) {
    log(5, "ptxas application ptx input, line 3; fatal: Parsing error near 'broken'\n");
    return 218;
  }
  bool isElf = text.rfind("\x7f"
                          "ELF",
                          0) == 0;
  if (!isElf && text.rfind("FAKE", 0) != 0 && text.find(".version") == std::string::npos)
    return 200;
  log(3, "loaded\n");
  *module = new Module{isElf ? "*" : text, {}};
  return 0;
}
API cuModuleUnload(Module* module) {
  delete module;
  return 0;
}
API cuModuleGetFunction(Function** function, Module* module, const char* name) {
  return find(function, module, name);
}
API cuFuncGetAttribute(int* value, int attribute, Function* function) {
  return *value = attributeOf(*function, attribute), 0;
}
API cuFuncSetAttribute(Function*, int, int) {
  return 0;
}
API cuFuncGetParamInfo(Function* function, size_t index, size_t* offset, size_t* size) {
  if (!function->is("params") || index >= 4) return 1;
  *offset = 8 * index;
  *size = index == 1 ? 4 : 8;
  return 0;
}
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int threads,
                                                size_t) {
  *blocks = function->is("crowded") ? 0 : 2048 / threads;
  return 0;
}
API cuOccupancyMaxActiveClusters(int* clusters, Function* function, const Config*) {
  return *clusters = function->is("lonely") ? 0 : 16, 0;
}

API cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  return allocate(address, bytes);
}
API cuMemFree_v2(uint64_t address) {
  return release(address);
}
API cuMemGetInfo_v2(size_t* free, size_t* total) {
  return memoryInfo(free, total);
}
API cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
API cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
  return std::memcpy(to, reinterpret_cast<void*>(from), bytes), 0;
}
API cuMemsetD8Async(uint64_t, unsigned char, size_t, void*) {
  return state().clock += 30, 0;
}
API cuStreamCreate(void** stream, unsigned) {
  return *stream = &state(), 0;
}
API cuStreamSynchronize(void*) {
  return synchronize();
}
API cuEventCreate(Event** event, unsigned) {
  return *event = new Event(), 0;
}
API cuEventDestroy_v2(Event* event) {
  delete event;
  return 0;
}
API cuEventRecord(Event* event, void*) {
  return event->at = state().clock, 0;
}
API cuEventElapsedTime(float* milliseconds, Event* from, Event* to) {
  *milliseconds = static_cast<float>((to->at - from->at) / 1000);
  return 0;
}
API cuLaunchKernelEx(const Config* config, Function* function, void** parameters, void**) {
  return launch(*config, *function, parameters);
}

// What old drivers lack is in a library of its own.
#ifndef GLUOND_FAKE_OLD
API cuTensorMapEncodeTiled(uint64_t* map, int type, unsigned rank, void* address,
                           const uint64_t* dims, const uint64_t* strides, const unsigned* box,
                           const unsigned*, int interleave, int swizzle, int promotion, int fill) {
  if (reinterpret_cast<uint64_t>(address) % 16 || box[0] > 256) return 1;
  uint64_t words[16] = {reinterpret_cast<uint64_t>(address),
                        static_cast<uint64_t>(type),
                        rank,
                        dims[0],
                        rank > 1 ? dims[1] : 0,
                        strides[0],
                        box[0],
                        rank > 1 ? box[1] : 0,
                        static_cast<uint64_t>(interleave),
                        static_cast<uint64_t>(swizzle),
                        static_cast<uint64_t>(promotion),
                        static_cast<uint64_t>(fill)};
  std::memcpy(map, words, sizeof words);
  return 0;
}
API cuMemGetAllocationGranularity(size_t* bytes, const void*, int) {
  return *bytes = page, 0;
}
API cuMemAddressReserve(uint64_t* address, size_t bytes, size_t, uint64_t, unsigned long long) {
  return reserve(address, bytes);
}
API cuMemAddressFree(uint64_t address, size_t bytes) {
  return unreserve(address, bytes);
}
API cuMemCreate(uint64_t* handle, size_t bytes, const void*, unsigned long long) {
  return createMemory(handle, bytes);
}
API cuMemRelease(uint64_t) {
  return 0;
}
API cuMemMap(uint64_t address, size_t bytes, size_t, uint64_t, unsigned long long) {
  return map(address, bytes);
}
API cuMemUnmap(uint64_t address, size_t) {
  return unmap(address);
}
API cuMemSetAccess(uint64_t address, size_t bytes, const void*, size_t) {
  return permit(address, bytes);
}
#endif

// The management library, of the same GPU.
API nvmlInit_v2() {
  return static_cast<Result>(setting("GLUOND_FAKE_NVML", 0));
}
API nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** handle) {
  if (std::strncmp(id, "0000:", 5) != 0) return 6;
  return *handle = &state(), 0;
}
API nvmlDeviceGetClockInfo(void*, int, unsigned* megahertz) {
  return *megahertz = 1755, 0;
}
API nvmlDeviceGetMaxClockInfo(void*, int, unsigned* megahertz) {
  return *megahertz = 1980, 0;
}
API nvmlDeviceGetTemperature(void*, int, unsigned* degrees) {
  return *degrees = 61, 0;
}
API nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  return *milliwatts = 512'500, 0;
}
API nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  return *reasons = 0x4 | 0x20, 0; // the limit of its power, and heat
}
