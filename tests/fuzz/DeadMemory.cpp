#include "DeadMemory.h"

#include <llvm/ADT/DenseSet.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>

namespace gluond::fuzz {

namespace {

// What address sanitizer writes at the beginning of freed memory: who freed it.
constexpr size_t bytesOfContext = 8;
constexpr unsigned char fill = 0x55; // its free_fill_byte
// Larger blocks are no operations, and those before as many others are reused.
constexpr size_t mostBytes = 4096, mostNoted = size_t{1} << 20;

struct Freed {
  const unsigned char* start;
  uint32_t bytes;
  uint64_t context; // 0 if it was not read yet
};
Freed noted[mostNoted];
std::atomic<uint64_t> count{0};
std::atomic<bool> isOn{false};
// What this thread freed last, whose context is not there while it is freed.
thread_local Freed* last = nullptr;
thread_local const unsigned char* startOfLast = nullptr;

// Reads memory that sanitized code may not.
__attribute__((no_sanitize("address"))) uint64_t contextOf(const unsigned char* start) {
  uint64_t context = 0;
  for (size_t i = 0; i < bytesOfContext; ++i)
    context |= uint64_t{start[i]} << (8 * i);
  return context;
}

__attribute__((no_sanitize("address"))) bool isAsFreed(const Freed& freed) {
  if (freed.context && contextOf(freed.start) != freed.context) return false;
  for (size_t i = bytesOfContext; i < freed.bytes; ++i)
    if (freed.start[i] != fill) return false;
  return true;
}

__attribute__((no_sanitize("address"))) void restore(const Freed& freed) {
  auto* start = const_cast<unsigned char*>(freed.start);
  for (size_t i = 0; i < bytesOfContext && freed.context; ++i)
    start[i] = static_cast<unsigned char>(freed.context >> (8 * i));
}

// Called before the memory is freed, and by every thread: it may not allocate.
void onFree(const volatile void* pointer) {
  if (!isOn.load(std::memory_order_relaxed) || !pointer) return;
  if (last && last->start == startOfLast) last->context = contextOf(startOfLast);
  size_t bytes = __sanitizer_get_allocated_size(pointer);
  // All are noted: of two at one place, the later one says what it holds.
  Freed& freed = noted[count.fetch_add(1, std::memory_order_relaxed) % mostNoted];
  freed = {const_cast<const unsigned char*>(static_cast<const volatile unsigned char*>(pointer)),
           static_cast<uint32_t>(bytes <= mostBytes ? bytes : 0), 0};
  last = bytes >= bytesOfContext && bytes <= mostBytes ? &freed : nullptr;
  startOfLast = freed.start;
}
void onAllocation(const volatile void*, size_t) {}

} // namespace

DeadMemory::DeadMemory() {
  static int installed = __sanitizer_install_malloc_and_free_hooks(onAllocation, onFree);
  (void)installed;
  count = 0;
  last = nullptr;
  isOn = true;
}

DeadMemory::~DeadMemory() {
  isOn = false;
  uint64_t all = count;
  llvm::DenseSet<const void*> seen;
  for (uint64_t i = all; i-- > (all > mostNoted ? all - mostNoted : 0);) {
    const Freed& freed = noted[i % mostNoted];
    if (!seen.insert(freed.start).second || freed.bytes == 0) continue;
    if (!__asan_address_is_poisoned(freed.start) || isAsFreed(freed)) continue; // in use again
    std::fprintf(stderr, "fuzz: %u bytes at %p were written to after they were freed:\n",
                 freed.bytes, static_cast<const void*>(freed.start));
    restore(freed);
    __asan_describe_address(const_cast<unsigned char*>(freed.start));
    std::abort();
  }
}

} // namespace gluond::fuzz
