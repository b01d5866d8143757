#include "FakeGpu.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace fake {

int64_t setting(const char* name, int64_t missing) {
  const char* text = std::getenv(name);
  return text && *text ? std::atoll(text) : missing;
}
uint64_t memoryBytes() {
  return static_cast<uint64_t>(setting("GLUOND_FAKE_MEMORY", 1 << 30));
}

int Function::number() const {
  size_t at = name.rfind('_');
  return at == std::string::npos ? 0 : std::atoi(name.c_str() + at + 1);
}

State& state() {
  static State one;
  return one;
}

namespace {

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

void execute(const Function& function, const Config& config, void** parameters) {
  auto pointer = [&](int i) { return *static_cast<uint64_t*>(parameters[i]); };
  auto bytes = [&](int i) { return reinterpret_cast<char*>(pointer(i)); };
  double time = 100;
  ++state().runs;
  auto isGrid = [&](const char* variable) { // of a launch that the test names by its size
    auto wanted = setting(variable, 0);
    return wanted > 0 && config.grid[0] == static_cast<unsigned>(wanted);
  };
  if (isGrid("GLUOND_FAKE_DIES_AT")) _exit(9);
  if (isGrid("GLUOND_FAKE_HANGS_AT")) state().hangs = true;
  if (function.is("copy")) {
    std::memcpy(bytes(1), bytes(0), std::min(tensorBytes(pointer(0)), tensorBytes(pointer(1))));
    if (function.is("copy_in_")) time = function.number(); // microseconds
    if (function.is("copy_wrong")) bytes(1)[7] ^= 0x40;
  } else if (function.is("add1")) {
    auto* values = reinterpret_cast<float*>(pointer(0));
    for (uint64_t i = 0; i < tensorBytes(pointer(0)) / 4; ++i)
      values[i] += 1;
  } else if (function.is("hang")) {
    state().hangs = true;
  } else if (function.is("fault_")) {
    state().sticky = function.number();
  } else if (function.is("abort_")) {
    // ROCm's words: of its memory fault handler, of a queue's error, of the watchdog in the kernel.
    static constexpr const char* words[] = {
        "Memory access fault by GPU node-1 (Agent handle: 0x5581c0) on address 0x7f3210000000. "
        "Reason: Page not present or supervisor privilege.\n",
        ":0:rocdevice.cpp :2984: Callback: Queue 0x7f aborting with error : "
        "HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception. code: "
        "0x1016\n",
        "HW Exception by GPU node-1 (Agent handle: 0x5581c0) reason :GPU Hang\n", "\n"};
    std::fputs(words[function.number()], stderr);
    std::abort();
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
  } else if (function.is("tdm")) {
    auto* words = static_cast<uint32_t*>(parameters[0]);
    for (int i = 0; i < 20; ++i)
      std::printf("%x ", i == 2 || i == 3 ? 0 : words[i]); // the address differs
    std::printf("then %d %d %lld %lld\n", *static_cast<int*>(parameters[1]),
                *static_cast<int*>(parameters[2]), *static_cast<long long*>(parameters[3]),
                *static_cast<long long*>(parameters[4]));
  } else if (function.is("noisy")) {
    time = state().runs % 2 ? 100 : 300;
  }
  state().clock += time + static_cast<double>(state().runs % 7) * 0.1;
}

} // namespace

Result launch(const Config& config, const Function& function, void** parameters) {
  if (state().sticky) return state().sticky;
  if (function.is("refuse_")) return function.number();
  execute(function, config, parameters);
  return 0;
}
Result synchronize() {
  while (state().hangs)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return state().sticky;
}

Result find(Function** function, Module* module, const char* name) {
  if (module->code != "*" && module->code.find(name) == std::string::npos) return 500;
  Function& made = module->functions[name];
  made.name = name;
  *function = &made;
  return 0;
}
int attributeOf(const Function& function, int attribute) {
  return attribute == 0   ? (function.is("threads_") ? function.number() : 1024)
         : attribute == 1 ? (function.is("shared_") ? function.number() : 0)
         : attribute == 3 ? 16
         : attribute == 4 ? 40
                          : 0;
}

Result allocate(uint64_t* address, size_t bytes) {
  if (state().used + bytes > memoryBytes()) return 2;
  void* memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  *address = reinterpret_cast<uint64_t>(memory);
  state().allocations[*address] = bytes;
  state().used += bytes;
  return 0;
}
Result release(uint64_t address) {
  state().used -= state().allocations[address];
  state().allocations.erase(address);
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
Result memoryInfo(size_t* free, size_t* total) {
  *total = memoryBytes();
  *free = *total - state().used;
  return 0;
}
Result reserve(uint64_t* address, size_t bytes) {
  void* memory =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return 2;
  *address = reinterpret_cast<uint64_t>(memory);
  return 0;
}
Result unreserve(uint64_t address, size_t bytes) {
  return munmap(reinterpret_cast<void*>(address), bytes), 0;
}
Result createMemory(uint64_t* handle, size_t bytes) {
  if (state().used + bytes > memoryBytes()) return 2;
  *handle = state().handles.size() + 1;
  state().handles[*handle] = bytes;
  return 0;
}
Result map(uint64_t address, size_t bytes) {
  state().allocations[address] = bytes;
  return 0;
}
Result unmap(uint64_t address) {
  return state().allocations.erase(address), 0;
}
Result permit(uint64_t address, size_t bytes) {
  return mprotect(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE), 0;
}

} // namespace fake
