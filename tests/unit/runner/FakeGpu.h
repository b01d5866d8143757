// A GPU for tests, on the host's memory, with kernels that do what their names say. FakeCuda.cpp
// and FakeHip.cpp are drivers for it.
//
//   copy...     copies the first tensor to the second
//   add1        adds 1 to an array of float
//   hang...     never ends
//   fault_NNN   fails with that result
//   abort_NNN   ends the process as ROCm does, with message NNN of those below
//   print       prints to standard output
//   assert      prints to standard error and fails
//   touch       writes one byte behind its first tensor; before: one byte before it
//   far         writes far after it (a real fault)
//   die         ends the process
//   config      prints how it was launched
//   tensormap   prints the map that it gets; tdm: the descriptor of 20 words
//   refuse_NNN  the launch fails with that result
//   shared_NNN  has NNN bytes of static shared memory
//   threads_NNN can have that many threads
//   params      has parameters of 8 and 4 bytes, then 2 of 8
//   noisy       takes very different times
//   other names do nothing
//
// The environment: GLUOND_FAKE_DEVICES (1), GLUOND_FAKE_INIT (0: what the driver says when it is
// initialized), GLUOND_FAKE_MEMORY (bytes, 1 GiB), GLUOND_FAKE_NAME.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace fake {

using Result = int;
constexpr uint64_t page = 2 << 20;

// Returns the number in an environment variable, or `missing`.
int64_t setting(const char* name, int64_t missing);
uint64_t memoryBytes();

struct Function {
  std::string name;
  bool is(const char* prefix) const { return name.rfind(prefix, 0) == 0; }
  int number() const; // behind "prefix_"
};
struct Module {
  std::string code;
  std::map<std::string, Function> functions;
};
struct Event {
  double at = 0;
};
// The type of a launch as both drivers have it.
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
State& state();

// Returns the result of a launch.
Result launch(const Config& config, const Function& function, void** parameters);
// Waits for all launches.
Result synchronize();

Result find(Function** function, Module* module, const char* name);
int attributeOf(const Function& function, int attribute);
Result allocate(uint64_t* address, size_t bytes);
Result release(uint64_t address);
Result memoryInfo(size_t* free, size_t* total);
Result reserve(uint64_t* address, size_t bytes);
Result unreserve(uint64_t address, size_t bytes);
Result createMemory(uint64_t* handle, size_t bytes);
Result map(uint64_t address, size_t bytes);
Result unmap(uint64_t address);
Result permit(uint64_t address, size_t bytes);

} // namespace fake
