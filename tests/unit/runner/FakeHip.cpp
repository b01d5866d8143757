// A HIP runtime for tests: libamdhip64.so as far as gluond-runner calls it, for the GPU of
// FakeGpu.h.
//
// The environment, besides FakeGpu.h's: GLUOND_FAKE_ARCH ("gfx942:sramecc+:xnack-"),
// GLUOND_FAKE_HIP_VERSION (60443484, of ROCm 6.4).
#include "FakeGpu.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fake;

namespace {

struct Error {
  Result result;
  const char* name;
};
constexpr Error errors[] = {{1, "hipErrorInvalidValue"},
                            {2, "hipErrorOutOfMemory"},
                            {100, "hipErrorNoDevice"},
                            {200, "hipErrorInvalidImage"},
                            {209, "hipErrorNoBinaryForGpu"},
                            {500, "hipErrorNotFound"},
                            {700, "hipErrorIllegalAddress"},
                            {701, "hipErrorLaunchOutOfResources"},
                            {710, "hipErrorAssert"},
                            {719, "hipErrorLaunchFailure"},
                            {720, "hipErrorCooperativeLaunchTooLarge"},
                            {801, "hipErrorNotSupported"},
                            {999, "hipErrorUnknown"}};
const char* nameOf(Result result) {
  for (const Error& error : errors)
    if (error.result == result) return error.name;
  return nullptr;
}

bool isWave64() {
  const char* arch = std::getenv("GLUOND_FAKE_ARCH");
  return !arch || std::strncmp(arch, "gfx9", 4) == 0;
}

Config configOf(unsigned x, unsigned y, unsigned z, unsigned threads, unsigned shared,
                void* stream) {
  return {{x, y, z}, {threads, 1, 1}, shared, stream, nullptr, 0};
}

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define API EXPORT Result

API hipInit(unsigned) {
  return static_cast<Result>(setting("GLUOND_FAKE_INIT", 0));
}
API hipDriverGetVersion(int* version) {
  return *version = static_cast<int>(setting("GLUOND_FAKE_HIP_VERSION", 60443484)), 0;
}
API hipGetDeviceCount(int* count) {
  *count = static_cast<int>(setting("GLUOND_FAKE_DEVICES", 1));
  return *count ? 0 : 100;
}
API hipDeviceGetName(char* name, int size, int) {
  const char* given = std::getenv("GLUOND_FAKE_NAME");
  std::snprintf(name, static_cast<size_t>(size), "%s", given ? given : "AMD Instinct MI300X");
  return 0;
}
API hipDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> values = {
      {5, 2100000}, {19, 4 << 20}, {25, 32},       {57, 2048}, {59, 8192},       {60, 1300000},
      {63, 304},    {72, 131072},  {74, 64 << 10}, {89, 1},    {10002, 64 << 10}};
  auto it = values.find(attribute);
  *value = attribute == 87 ? (isWave64() ? 64 : 32) : it == values.end() ? 0 : it->second;
  return attribute == 87 || it != values.end() ? 0 : 1;
}
API hipDeviceTotalMem(size_t* bytes, int) {
  return *bytes = memoryBytes(), 0;
}
// Versions of HIP have the architecture's name at different places.
static Result propertiesAt(char* properties, size_t place) {
  const char* arch = std::getenv("GLUOND_FAKE_ARCH");
  std::snprintf(properties, 256, "AMD Instinct, not gfx1");
  std::snprintf(properties + place, 256, "%s", arch ? arch : "gfx942:sramecc+:xnack-");
  return 0;
}
#ifndef GLUOND_FAKE_OLD
API hipGetDevicePropertiesR0600(char* properties, int) {
  return propertiesAt(properties, 1160);
}
#endif
API hipGetDeviceProperties(char* properties, int) {
  return propertiesAt(properties, 396);
}
API hipSetDevice(int) {
  return 0;
}
EXPORT const char* hipGetErrorName(Result result) {
  return nameOf(result);
}
EXPORT const char* hipGetErrorString(Result) {
  return "in the driver's words";
}

// Only hsaco, and the format of the tests.
API hipModuleLoadDataEx(Module** module, const void* code, unsigned, int*, void**) {
  std::string text = static_cast<const char*>(code);
  bool isElf = text.rfind("\x7f"
                          "ELF",
                          0) == 0;
  if (!isElf && text.rfind("FAKE", 0) != 0) return 200;
  *module = new Module{isElf ? "*" : text, {}};
  return 0;
}
API hipModuleUnload(Module* module) {
  delete module;
  return 0;
}
API hipModuleGetFunction(Function** function, Module* module, const char* name) {
  return find(function, module, name);
}
API hipFuncGetAttribute(int* value, int attribute, Function* function) {
  return *value = attributeOf(*function, attribute), 0;
}
API hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function* function, int threads,
                                                       size_t) {
  *blocks = function->is("crowded") ? 0 : function->is("heavy") ? 1 : 2048 / threads;
  return 0;
}

API hipMalloc(uint64_t* address, size_t bytes) {
  return allocate(address, bytes);
}
API hipFree(uint64_t address) {
  return release(address);
}
API hipMemGetInfo(size_t* free, size_t* total) {
  return memoryInfo(free, total);
}
API hipMemcpyHtoD(uint64_t to, const void* from, size_t bytes) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
API hipMemcpyDtoH(void* to, uint64_t from, size_t bytes) {
  return std::memcpy(to, reinterpret_cast<void*>(from), bytes), 0;
}
API hipMemsetD8Async(uint64_t, unsigned char, size_t, void*) {
  return state().clock += 30, 0;
}
API hipStreamCreateWithFlags(void** stream, unsigned) {
  return *stream = &state(), 0;
}
API hipStreamSynchronize(void*) {
  return synchronize();
}
API hipEventCreateWithFlags(Event** event, unsigned) {
  return *event = new Event(), 0;
}
API hipEventDestroy(Event* event) {
  delete event;
  return 0;
}
API hipEventRecord(Event* event, void*) {
  return event->at = state().clock, 0;
}
API hipEventElapsedTime(float* milliseconds, Event* from, Event* to) {
  *milliseconds = static_cast<float>((to->at - from->at) / 1000);
  return 0;
}
API hipModuleLaunchKernel(Function* function, unsigned x, unsigned y, unsigned z, unsigned threads,
                          unsigned, unsigned, unsigned shared, void* stream, void** parameters,
                          void**) {
  return launch(configOf(x, y, z, threads, shared, stream), *function, parameters);
}

// What old versions lack is in a library of its own.
#ifndef GLUOND_FAKE_OLD
API hipModuleLaunchCooperativeKernel(Function* function, unsigned x, unsigned y, unsigned z,
                                     unsigned threads, unsigned, unsigned, unsigned shared,
                                     void* stream, void** parameters) {
  if (function->is("config")) std::printf("cooperative ");
  return launch(configOf(x, y, z, threads, shared, stream), *function, parameters);
}
API hipDrvLaunchKernelEx(const Config* config, Function* function, void** parameters, void**) {
  return launch(*config, *function, parameters);
}
API hipMemGetAllocationGranularity(size_t* bytes, const void*, int) {
  return *bytes = page, 0;
}
API hipMemAddressReserve(uint64_t* address, size_t bytes, size_t, uint64_t, unsigned long long) {
  return reserve(address, bytes);
}
API hipMemAddressFree(uint64_t address, size_t bytes) {
  return unreserve(address, bytes);
}
API hipMemCreate(uint64_t* handle, size_t bytes, const void*, unsigned long long) {
  return createMemory(handle, bytes);
}
API hipMemRelease(uint64_t) {
  return 0;
}
API hipMemMap(uint64_t address, size_t bytes, size_t, uint64_t, unsigned long long) {
  return map(address, bytes);
}
API hipMemUnmap(uint64_t address, size_t) {
  return unmap(address);
}
API hipMemSetAccess(uint64_t address, size_t bytes, const void*, size_t) {
  return permit(address, bytes);
}
#endif
