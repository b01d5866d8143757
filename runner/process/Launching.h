// A prepared launch: memory allocated and filled, parameters in place. Internal to Gpu.
#pragma once

#include "runner/process/Gpu.h"

#include <deque>

namespace gluond::runner {

struct Gpu::Prepared {
  struct TensorState {
    std::string name;
    TensorShape shape;
    device::Address address = 0; // of the storage
    uint64_t before = 0;         // hash of the storage before the launch
    Allocation memory;           // empty if it shares another argument's
  };
  LoadedModule* module = nullptr;
  DeviceState* device = nullptr;
  std::vector<TensorState> tensors;
  Allocation scratch;
  struct alignas(128) Parameter {
    char bytes[128];
    unsigned size = 8;
  };
  std::deque<Parameter> parameters; // a deque keeps addresses stable
  std::vector<void*> pointers;
  device::LaunchConfig config;

  void add(const char* bytes, size_t size) {
    Parameter& parameter = parameters.emplace_back();
    __builtin_memset(parameter.bytes, 0, sizeof parameter.bytes);
    __builtin_memcpy(parameter.bytes, bytes, size);
    parameter.size = static_cast<unsigned>(size);
  }
  template <typename T> void add(const T& value) {
    add(reinterpret_cast<const char*>(&value), sizeof value);
  }
};

} // namespace gluond::runner
