// A CUDA driver for tests: libcuda.so.1 as far as gluond-runner calls it, on the host's memory,
// with kernels that do what their names say:
//
//   copy...     copies the first tensor to the second     hang...     never ends
//   add1        adds 1 to an array of float               fault_NNN   fails with that result
//   print       prints to standard output                 assert      prints to standard error and
//   fails touch       writes one byte behind its first tensor   before      writes one byte before
//   it far         writes far behind it (a real fault)       die         ends the process config
//   prints how it was launched                tensormap   prints the map that it gets refuse_NNN
//   the launch fails with that result         shared_NNN  has NNN bytes of static shared memory
//   threads_NNN can have that many threads                params      has parameters of 8 and 4
//   bytes, then 2 of 8 noisy       takes very different times                other names do nothing
//
// The environment: GLUOND_FAKE_DEVICES (1), GLUOND_FAKE_INIT (0: what cuInit says),
// GLUOND_FAKE_MEMORY (bytes, 1 GiB), GLUOND_FAKE_NAME.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace {

using Result = int;
constexpr uint64_t page = 2 << 20;

int64_t setting(const char* name, int64_t missing) {
  const char* text = std::getenv(name);
  return text && *text ? std::atoll(text) : missing;
}

struct Function {
  std::string name;
  bool is(const char* prefix) const { return name.rfind(prefix, 0) == 0; }
  // The number behind "prefix_".
  int number() const {
    size_t at = name.rfind('_');
    return at == std::string::npos ? 0 : std::atoi(name.c_str() + at + 1);
  }
};
struct Module {
  std::string code;
  std::map<std::string, Function> functions;
};
struct Event {
  double at = 0;
};
struct Config {
  unsigned grid[3], block[3], shared;
  void* stream;
  struct Attribute {
    int id;
    char pad[4];
    union {
      int number;
      unsigned cluster[3];
      char bytes[64];
    };
  }* attributes;
  unsigned count;
};

struct State {
  std::map<uint64_t, uint64_t> allocations; // address to size
  uint64_t used = 0;
  double clock = 0; // microseconds of GPU time
  Result sticky = 0;
  bool hangs = false;
  uint64_t runs = 0;
  std::map<uint64_t, uint64_t> handles;
};
State& state() {
  static State one;
  return one;
}

uint64_t sizeAt(uint64_t address) {
  auto it = state().allocations.upper_bound(address);
  if (it == state().allocations.begin()) return 0;
  --it;
  return address < it->first + it->second ? it->first + it->second - address : 0;
}
// What the tensor at this address occupies: the rest of its allocation, without margins.
uint64_t tensorBytes(uint64_t address) {
  return sizeAt(address);
}

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

void execute(const Function& function, const Config& config, void** parameters) {
  auto pointer = [&](int i) { return *static_cast<uint64_t*>(parameters[i]); };
  auto bytes = [&](int i) { return reinterpret_cast<char*>(pointer(i)); };
  double time = 100;
  ++state().runs;
  if (function.is("copy")) {
    std::memcpy(bytes(1), bytes(0), std::min(tensorBytes(pointer(0)), tensorBytes(pointer(1))));
  } else if (function.is("add1")) {
    auto* values = reinterpret_cast<float*>(pointer(0));
    for (uint64_t i = 0; i < tensorBytes(pointer(0)) / 4; ++i)
      values[i] += 1;
  } else if (function.is("hang")) {
    state().hangs = true;
  } else if (function.is("fault_")) {
    state().sticky = function.number();
  } else if (function.is("print")) {
    std::printf("pid (0, 0, 0) x: 42\n");
  } else if (function.is("assert")) {
    std::fprintf(
        stderr, "k.py:12: k: block: [0,0,0], thread: [0,0,0] Assertion `index in range` failed.\n");
    state().sticky = 710;
  } else if (function.is("touch")) {
    bytes(0)[*static_cast<int*>(parameters[1])] = 1;
  } else if (function.is("before")) {
    bytes(0)[-1] = 1;
  } else if (function.is("far")) {
    bytes(0)[page / 2] = 1;
  } else if (function.is("die")) {
    _exit(9);
  } else if (function.is("config")) {
    std::printf("grid %u %u %u block %u shared %u", config.grid[0], config.grid[1], config.grid[2],
                config.block[0], config.shared);
    for (unsigned i = 0; i < config.count; ++i)
      std::printf(" attribute %d: %u", config.attributes[i].id, config.attributes[i].cluster[0]);
    std::printf("\n");
  } else if (function.is("tensormap")) {
    auto* map = static_cast<uint64_t*>(parameters[0]);
    for (int i = 0; i < 16; ++i)
      std::printf("%llu ", static_cast<unsigned long long>(i == 0 ? map[0] % 256 : map[i]));
    std::printf("then %d %d %lld %lld\n", *static_cast<int*>(parameters[1]),
                *static_cast<int*>(parameters[2]), *static_cast<long long*>(parameters[3]),
                *static_cast<long long*>(parameters[4]));
  } else if (function.is("noisy")) {
    time = state().runs % 2 ? 100 : 300;
  }
  state().clock += time + static_cast<double>(state().runs % 7) * 0.1;
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
API cuDeviceGet(int* device, int index) {
  return *device = index, 0;
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
API cuDeviceTotalMem_v2(size_t* bytes, int) {
  return *bytes = static_cast<size_t>(setting("GLUOND_FAKE_MEMORY", 1 << 30)), 0;
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
  if (module->code != "*" && module->code.find(name) == std::string::npos) return 500;
  Function& made = module->functions[name];
  made.name = name;
  *function = &made;
  return 0;
}
API cuFuncGetAttribute(int* value, int attribute, Function* function) {
  *value = attribute == 0   ? (function->is("threads_") ? function->number() : 1024)
           : attribute == 1 ? (function->is("shared_") ? function->number() : 0)
           : attribute == 3 ? 16
           : attribute == 4 ? 40
                            : 0;
  return 0;
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
  if (state().used + bytes > static_cast<uint64_t>(setting("GLUOND_FAKE_MEMORY", 1 << 30)))
    return 2;
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<uint64_t>(memory);
  state().allocations[*address] = bytes;
  state().used += bytes;
  return 0;
}
API cuMemFree_v2(uint64_t address) {
  state().used -= state().allocations[address];
  state().allocations.erase(address);
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
API cuMemGetInfo_v2(size_t* free, size_t* total) {
  *total = static_cast<size_t>(setting("GLUOND_FAKE_MEMORY", 1 << 30));
  *free = *total - state().used;
  return 0;
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
  while (state().hangs)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return state().sticky;
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
  if (state().sticky) return state().sticky;
  if (function->is("refuse_")) return function->number();
  execute(*function, *config, parameters);
  return 0;
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
  void* memory =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 2;
  *address = reinterpret_cast<uint64_t>(memory);
  return 0;
}
API cuMemAddressFree(uint64_t address, size_t bytes) {
  return munmap(reinterpret_cast<void*>(address), bytes), 0;
}
API cuMemCreate(uint64_t* handle, size_t bytes, const void*, unsigned long long) {
  if (state().used + bytes > static_cast<uint64_t>(setting("GLUOND_FAKE_MEMORY", 1 << 30)))
    return 2;
  *handle = state().handles.size() + 1;
  state().handles[*handle] = bytes;
  return 0;
}
API cuMemRelease(uint64_t) {
  return 0;
}
API cuMemMap(uint64_t address, size_t bytes, size_t, uint64_t, unsigned long long) {
  state().allocations[address] = bytes;
  return 0;
}
API cuMemUnmap(uint64_t address, size_t) {
  return state().allocations.erase(address), 0;
}
API cuMemSetAccess(uint64_t address, size_t bytes, const void*, size_t) {
  return mprotect(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE), 0;
}
#endif
