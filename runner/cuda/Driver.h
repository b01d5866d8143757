// The part of the CUDA driver API that the runner calls, loaded from libcuda.so.1 at run time: the
// runner is built without CUDA and starts without it.
//
// Types and numbers are the driver's ABI (cuda.h of CUDA 12); names without the CU prefix.
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace gluond::runner::cuda {

using Result = int; // CUresult
using Device = int;
using Pointer = uint64_t; // CUdeviceptr
using Context = struct ContextObject*;
using Module = struct ModuleObject*;
using Function = struct FunctionObject*;
using Stream = struct StreamObject*;
using Event = struct EventObject*;
using MemoryHandle = uint64_t;

inline constexpr Result success = 0, invalidValue = 1, outOfMemory = 2, notReady = 600;

enum class DeviceAttribute : int {
  WarpSize = 10,
  ClockRate = 13,
  Multiprocessors = 16,
  MemoryClockRate = 36,
  MemoryBusWidth = 37,
  L2Size = 38,
  ThreadsPerMultiprocessor = 39,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
  SharedPerMultiprocessor = 81,
  RegistersPerMultiprocessor = 82,
  SharedPerBlockOptIn = 97,
  VirtualMemory = 102,
  BlocksPerMultiprocessor = 106,
};
enum class FunctionAttribute : int {
  MaxThreads = 0,
  SharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicShared = 8,
  NonPortableCluster = 14,
};
enum class JitOption : int {
  InfoLog = 3,
  InfoLogBytes = 4,
  ErrorLog = 5,
  ErrorLogBytes = 6,
  LineInfo = 13
};

struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

enum class LaunchAttributeId : int {
  Cooperative = 2,
  Cluster = 4,
  ClusterPolicy = 5,
  Programmatic = 6
};
struct LaunchAttribute {
  LaunchAttributeId id;
  char pad[4];
  union {
    char bytes[64];
    int number;
    unsigned cluster[3];
  } value;
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attributeCount;
};

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

// name, symbol, parameters. The first table is required; old drivers lack those in the second.
#define GLUOND_CUDA_REQUIRED(F)                                                                    \
  F(init, cuInit, (unsigned))                                                                      \
  F(driverVersion, cuDriverGetVersion, (int*))                                                     \
  F(deviceCount, cuDeviceGetCount, (int*))                                                         \
  F(deviceGet, cuDeviceGet, (Device*, int))                                                        \
  F(deviceName, cuDeviceGetName, (char*, int, Device))                                             \
  F(deviceAttribute, cuDeviceGetAttribute, (int*, DeviceAttribute, Device))                        \
  F(deviceMemory, cuDeviceTotalMem_v2, (size_t*, Device))                                          \
  F(contextRetain, cuDevicePrimaryCtxRetain, (Context*, Device))                                   \
  F(contextSet, cuCtxSetCurrent, (Context))                                                        \
  F(errorName, cuGetErrorName, (Result, const char**))                                             \
  F(errorText, cuGetErrorString, (Result, const char**))                                           \
  F(moduleLoad, cuModuleLoadDataEx, (Module*, const void*, unsigned, JitOption*, void**))          \
  F(moduleUnload, cuModuleUnload, (Module))                                                        \
  F(moduleFunction, cuModuleGetFunction, (Function*, Module, const char*))                         \
  F(functionAttribute, cuFuncGetAttribute, (int*, FunctionAttribute, Function))                    \
  F(functionSet, cuFuncSetAttribute, (Function, FunctionAttribute, int))                           \
  F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int*, Function, int, size_t))         \
  F(allocate, cuMemAlloc_v2, (Pointer*, size_t))                                                   \
  F(release, cuMemFree_v2, (Pointer))                                                              \
  F(memoryInfo, cuMemGetInfo_v2, (size_t*, size_t*))                                               \
  F(copyToDevice, cuMemcpyHtoD_v2, (Pointer, const void*, size_t))                                 \
  F(copyToHost, cuMemcpyDtoH_v2, (void*, Pointer, size_t))                                         \
  F(fillBytes, cuMemsetD8Async, (Pointer, unsigned char, size_t, Stream))                          \
  F(streamCreate, cuStreamCreate, (Stream*, unsigned))                                             \
  F(streamSynchronize, cuStreamSynchronize, (Stream))                                              \
  F(eventCreate, cuEventCreate, (Event*, unsigned))                                                \
  F(eventDestroy, cuEventDestroy_v2, (Event))                                                      \
  F(eventRecord, cuEventRecord, (Event, Stream))                                                   \
  F(eventElapsed, cuEventElapsedTime, (float*, Event, Event))                                      \
  F(launch, cuLaunchKernelEx, (const LaunchConfig*, Function, void**, void**))
#define GLUOND_CUDA_OPTIONAL(F)                                                                    \
  F(clusters, cuOccupancyMaxActiveClusters, (int*, Function, const LaunchConfig*))                 \
  F(parameterInfo, cuFuncGetParamInfo, (Function, size_t, size_t*, size_t*))                       \
  F(encodeTiled, cuTensorMapEncodeTiled,                                                           \
    (TensorMap*, int, unsigned, void*, const uint64_t*, const uint64_t*, const unsigned*,          \
     const unsigned*, int, int, int, int))                                                         \
  F(encodeIm2Col, cuTensorMapEncodeIm2col,                                                         \
    (TensorMap*, int, unsigned, void*, const uint64_t*, const uint64_t*, const int*, const int*,   \
     unsigned, unsigned, const unsigned*, int, int, int, int))                                     \
  F(granularity, cuMemGetAllocationGranularity, (size_t*, const AllocationProperties*, int))       \
  F(reserve, cuMemAddressReserve, (Pointer*, size_t, size_t, Pointer, unsigned long long))         \
  F(unreserve, cuMemAddressFree, (Pointer, size_t))                                                \
  F(createMemory, cuMemCreate,                                                                     \
    (MemoryHandle*, size_t, const AllocationProperties*, unsigned long long))                      \
  F(releaseMemory, cuMemRelease, (MemoryHandle))                                                   \
  F(map, cuMemMap, (Pointer, size_t, size_t, MemoryHandle, unsigned long long))                    \
  F(unmap, cuMemUnmap, (Pointer, size_t))                                                          \
  F(setAccess, cuMemSetAccess, (Pointer, size_t, const AccessDescription*, size_t))

struct Driver {
#define GLUOND_MEMBER(name, symbol, parameters) Result(*name) parameters = nullptr;
  GLUOND_CUDA_REQUIRED(GLUOND_MEMBER)
  GLUOND_CUDA_OPTIONAL(GLUOND_MEMBER)
#undef GLUOND_MEMBER
  std::string library; // the name with which it was opened

  // Opens GLUOND_CUDA_LIBRARY if that is set, else libcuda.so.1 where the system or drivers install
  // it, and calls cuInit. The error says what was searched and what happened. The library stays
  // open as long as the process lives.
  static tl::expected<Driver, std::string> open();

  bool hasVirtualMemory() const {
    return granularity && reserve && unreserve && createMemory && releaseMemory && map && unmap &&
           setAccess;
  }
  std::string nameOf(Result result) const; // "CUDA_ERROR_ILLEGAL_ADDRESS"
  std::string textOf(Result result) const; // the driver's description
};

// What a result says about a kernel that ran before the call.
enum class Blame {
  None,   // the call itself failed; the context is still usable
  Kernel, // the kernel did something illegal; the context is unusable
  Device, // the GPU or the driver failed; the context is unusable
};
struct Explanation {
  Blame blame;
  const char* text; // a sentence for the user; empty to use the driver's description
};
Explanation explain(Result result);

} // namespace gluond::runner::cuda
