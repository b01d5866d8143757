// The calls that CUDA's driver API and HIP share: HIP copies that API, so that one table holds both
// vendors' functions, each under its own symbol. Both are loaded at run time: the runner is built
// without CUDA and ROCm, and starts without them.
//
// Types and numbers are those of both ABIs (cuda.h of CUDA 12, hip_runtime_api.h of ROCm 5 to 7).
#pragma once

#include <cstddef>
#include <cstdint>

namespace gluond::runner::device {

using Result = int;       // CUresult or hipError_t
using Address = uint64_t; // CUdeviceptr or hipDeviceptr_t
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using Stream = struct StreamObject*;
using Event = struct EventObject*;
using MemoryHandle = uint64_t;

// Results with the same number and meaning in both.
inline constexpr Result success = 0, invalidValue = 1, outOfMemory = 2, noDevice = 100,
                        outOfResources = 701;

enum class FunctionAttribute : int {
  MaxThreads = 0,
  SharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicShared = 8,
  NonPortableCluster = 14,
};
enum class JitOption : int { InfoLog = 3, InfoLogBytes = 4, ErrorLog = 5, ErrorLogBytes = 6 };

struct MemoryLocation {
  int type, id;
};
struct AllocationProperties {
  int type, handleTypes;
  MemoryLocation location;
  void* windows;
  unsigned char flags[8];
};
struct AccessDescription {
  MemoryLocation location;
  int flags;
};

// Name, CUDA's symbol, HIP's symbol, parameters. The first table is required; old drivers lack the
// functions of the second.
#define GLUOND_CALLS_REQUIRED(F)                                                                   \
  F(init, cuInit, hipInit, (unsigned))                                                             \
  F(driverVersion, cuDriverGetVersion, hipDriverGetVersion, (int*))                                \
  F(deviceCount, cuDeviceGetCount, hipGetDeviceCount, (int*))                                      \
  F(deviceName, cuDeviceGetName, hipDeviceGetName, (char*, int, int))                              \
  F(deviceAttribute, cuDeviceGetAttribute, hipDeviceGetAttribute, (int*, int, int))                \
  F(deviceMemory, cuDeviceTotalMem_v2, hipDeviceTotalMem, (size_t*, int))                          \
  F(moduleLoad, cuModuleLoadDataEx, hipModuleLoadDataEx,                                           \
    (Module*, const void*, unsigned, JitOption*, void**))                                          \
  F(moduleUnload, cuModuleUnload, hipModuleUnload, (Module))                                       \
  F(moduleFunction, cuModuleGetFunction, hipModuleGetFunction, (Function*, Module, const char*))   \
  F(functionAttribute, cuFuncGetAttribute, hipFuncGetAttribute,                                    \
    (int*, FunctionAttribute, Function))                                                           \
  F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                        \
    hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, (int*, Function, int, size_t))             \
  F(allocate, cuMemAlloc_v2, hipMalloc, (Address*, size_t))                                        \
  F(release, cuMemFree_v2, hipFree, (Address))                                                     \
  F(memoryInfo, cuMemGetInfo_v2, hipMemGetInfo, (size_t*, size_t*))                                \
  F(copyToDevice, cuMemcpyHtoD_v2, hipMemcpyHtoD, (Address, const void*, size_t))                  \
  F(copyToHost, cuMemcpyDtoH_v2, hipMemcpyDtoH, (void*, Address, size_t))                          \
  F(fillBytes, cuMemsetD8Async, hipMemsetD8Async, (Address, unsigned char, size_t, Stream))        \
  F(streamCreate, cuStreamCreate, hipStreamCreateWithFlags, (Stream*, unsigned))                   \
  F(streamSynchronize, cuStreamSynchronize, hipStreamSynchronize, (Stream))                        \
  F(eventCreate, cuEventCreate, hipEventCreateWithFlags, (Event*, unsigned))                       \
  F(eventDestroy, cuEventDestroy_v2, hipEventDestroy, (Event))                                     \
  F(eventRecord, cuEventRecord, hipEventRecord, (Event, Stream))                                   \
  F(eventElapsed, cuEventElapsedTime, hipEventElapsedTime, (float*, Event, Event))
#define GLUOND_CALLS_OPTIONAL(F)                                                                   \
  F(granularity, cuMemGetAllocationGranularity, hipMemGetAllocationGranularity,                    \
    (size_t*, const AllocationProperties*, int))                                                   \
  F(reserve, cuMemAddressReserve, hipMemAddressReserve,                                            \
    (Address*, size_t, size_t, Address, unsigned long long))                                       \
  F(unreserve, cuMemAddressFree, hipMemAddressFree, (Address, size_t))                             \
  F(createMemory, cuMemCreate, hipMemCreate,                                                       \
    (MemoryHandle*, size_t, const AllocationProperties*, unsigned long long))                      \
  F(releaseMemory, cuMemRelease, hipMemRelease, (MemoryHandle))                                    \
  F(map, cuMemMap, hipMemMap, (Address, size_t, size_t, MemoryHandle, unsigned long long))         \
  F(unmap, cuMemUnmap, hipMemUnmap, (Address, size_t))                                             \
  F(setAccess, cuMemSetAccess, hipMemSetAccess,                                                    \
    (Address, size_t, const AccessDescription*, size_t))

struct Calls {
#define GLUOND_MEMBER(name, cuda, hip, parameters) Result(*name) parameters = nullptr;
  GLUOND_CALLS_REQUIRED(GLUOND_MEMBER)
  GLUOND_CALLS_OPTIONAL(GLUOND_MEMBER)
#undef GLUOND_MEMBER

  bool hasVirtualMemory() const {
    return granularity && reserve && unreserve && createMemory && releaseMemory && map && unmap &&
           setAccess;
  }
};

} // namespace gluond::runner::device
