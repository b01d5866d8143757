// A launch with attributes, as cuLaunchKernelEx and hipDrvLaunchKernelEx take it: HIP copies the
// structures of CUDA.
#pragma once

#include "runner/device/Calls.h"

namespace gluond::runner::device {

struct LaunchAttribute {
  // HIP has Cooperative and Cluster only.
  enum class Id : int {
    Ignore = 0,
    Cooperative = 2,
    Cluster = 4,
    ClusterPolicy = 5,
    Programmatic = 6
  } id;
  char pad[4];
  union {
    char bytes[64];
    int number;
    unsigned cluster[3];
  } value;
};

struct NativeConfig {
  unsigned grid[3], block[3], sharedBytes;
  Stream stream;
  LaunchAttribute* attributes;
  unsigned attributeCount;
};

} // namespace gluond::runner::device
