// The entry points of libFuzzer: build-fuzz/bin/fuzz --target=NAME, and libFuzzer's own arguments.
#include "DeadMemory.h"
#include "Mutate.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace gluond::fuzz;

static const Target* target = nullptr;

extern "C" {

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) {
    llvm::StringRef argument = (*argv)[i];
    if (argument.consume_front("--target=")) target = findTarget(argument);
  }
  if (target) return 0;
  std::fprintf(stderr, "fuzz: one of these targets, please:\n");
  for (const Target& each : targets())
    std::fprintf(stderr, "  --target=%-12s%s\n", each.name.data(), each.what.data());
  std::exit(2);
}

// Options given in ASAN_OPTIONS come after these.
const char* __asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0:max_free_fill_size="
         "65536";
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  DeadMemory watch;
  runTarget(*target, {reinterpret_cast<const char*>(data), size});
  return 0;
}

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

static size_t put(llvm::StringRef text, uint8_t* data, size_t most) {
  text = text.take_front(most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

// Mostly mutants that look like what the target reads; libFuzzer's own reach what those do not.
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  Random random(seed);
  if (random.chance(target->shape == Shape::Bytes ? 80 : 20))
    return LLVMFuzzerMutate(data, size, most);
  return put(mutant(target->shape, {reinterpret_cast<const char*>(data), size}, {}, random), data,
             most);
}

// Pieces of one input in another.
size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t firstSize, const uint8_t* second,
                                 size_t secondSize, uint8_t* out, size_t most, unsigned seed) {
  Random random(seed);
  return put(mutant(target->shape, {reinterpret_cast<const char*>(first), firstSize},
                    {reinterpret_cast<const char*>(second), secondSize}, random),
             out, most);
}

} // extern "C"
