#include "runner/cuda/Management.h"

#include "runner/device/Library.h"

namespace gluond::runner::cuda {

using device::Library;

namespace {

// The library's own names and numbers; 0 is success.
struct Functions {
  using Handle = struct HandleObject*;
  int (*init)() = nullptr;
  int (*find)(const char* busId, Handle* handle) = nullptr;
  int (*clock)(Handle handle, int kind, unsigned* megahertz) = nullptr;
  int (*mostClock)(Handle handle, int kind, unsigned* megahertz) = nullptr;
  int (*temperature)(Handle handle, int sensor, unsigned* degrees) = nullptr;
  int (*power)(Handle handle, unsigned* milliwatts) = nullptr;
  int (*slowedBy)(Handle handle, unsigned long long* reasons) = nullptr;

  template <typename F> static void bind(const Library& library, const char* symbol, F& out) {
    out = reinterpret_cast<F>(library.find(symbol));
  }
  bool open() {
    auto library = device::openLibrary("GLUOND_NVML_LIBRARY", "NVIDIA's management library",
                                       {"libnvidia-ml.so.1"});
    if (!library) return false;
    bind(*library, "nvmlInit_v2", init);
    bind(*library, "nvmlDeviceGetHandleByPciBusId_v2", find);
    bind(*library, "nvmlDeviceGetClockInfo", clock);
    bind(*library, "nvmlDeviceGetMaxClockInfo", mostClock);
    bind(*library, "nvmlDeviceGetTemperature", temperature);
    bind(*library, "nvmlDeviceGetPowerUsage", power);
    bind(*library, "nvmlDeviceGetCurrentClocksThrottleReasons", slowedBy);
    return init && find && init() == 0;
  }
};

// Returns null if there is no library.
const Functions* functions() {
  static Functions opened;
  static const bool isOpen = opened.open();
  return isOpen ? &opened : nullptr;
}

} // namespace

std::optional<Conditions> conditionsOf(const char* busId) {
  constexpr int multiprocessorClock = 1, gpuSensor = 0;
  // Bits of nvmlClocksThrottleReasons; those that are left out say that nothing is wrong.
  struct Reason {
    unsigned long long bits;
    const char* name;
  };
  static constexpr Reason reasons[] = {{0x4 | 0x80, "power"},
                                       {0x20 | 0x40, "heat"},
                                       {0x8, "hardware"},
                                       {0x2 | 0x100, "settings"},
                                       {0x10, "another GPU"}};
  const Functions* call = functions();
  Functions::Handle gpu = nullptr;
  if (!call || call->find(busId, &gpu) != 0) return std::nullopt;
  Conditions seen;
  unsigned number = 0;
  if (call->clock && call->clock(gpu, multiprocessorClock, &number) == 0) seen.clockMHz = number;
  if (call->mostClock && call->mostClock(gpu, multiprocessorClock, &number) == 0)
    seen.mostClockMHz = number;
  if (call->temperature && call->temperature(gpu, gpuSensor, &number) == 0)
    seen.temperature = number;
  if (call->power && call->power(gpu, &number) == 0) seen.watts = number / 1e3;
  unsigned long long bits = 0;
  if (call->slowedBy && call->slowedBy(gpu, &bits) == 0)
    for (const Reason& reason : reasons)
      if (bits & reason.bits) seen.slowedBy.emplace_back(reason.name);
  return seen;
}

} // namespace gluond::runner::cuda
